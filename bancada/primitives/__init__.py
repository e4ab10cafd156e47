"""The primitives that the laboratory measures. A new one is a module here, a contract header and two sources in harness/."""

from __future__ import annotations

from bancada.primitives.aead import AEAD
from bancada.primitives.block_cipher import BLOCK_CIPHER
from bancada.primitives.hash import HASH, MAC
from bancada.primitives.keystream import KEYSTREAM
from bancada.primitives.message import MESSAGE
from bancada.primitives.mode import MODE
from bancada.primitives.primitive import Check, Client, Library, Primitive
from bancada.primitives.signature import SIGNATURE

PRIMITIVES: dict[str, Primitive] = {
    "block-cipher": BLOCK_CIPHER,
    "hash": HASH,
    "mac": MAC,
    "keystream": KEYSTREAM,
    "aead": AEAD,
    "message": MESSAGE,
    "mode": MODE,
    "signature": SIGNATURE,
}

__all__ = ["PRIMITIVES", "Check", "Client", "Library", "Primitive"]
