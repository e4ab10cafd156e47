"""Ascon-AEAD128 (NIST SP 800-232). Second implementation: bancada.primitives.references.ascon.

The vectors are made by the second implementation, with inputs as in the designers' file of known answers; a test writes
that whole file with it and compares.
"""

from __future__ import annotations

from collections.abc import Iterator

from bancada.primitives.aead.algorithm import AeadAlgorithm, Sealed
from bancada.primitives.references.ascon import aead128_encrypt


def _vectors(key_bits: int) -> Iterator[Sealed]:
    """Bytes that count, all lengths from 0 to 32."""
    key = nonce = bytes(range(16))
    for length in range(33):
        plaintext, associated = bytes(range(length)), bytes(range((7 * length) % 33))
        ciphertext, tag = aead128_encrypt(key, nonce, associated, plaintext)
        name = f"Ascon-AEAD128 known answer, {length} B of plaintext, {len(associated)} B associated"
        yield Sealed(name, key, nonce, associated, plaintext, ciphertext, tag)


def _seal(key: bytes, nonce: bytes, associated: bytes, plaintext: bytes, tag_bytes: int) -> tuple[bytes, bytes]:
    ciphertext, tag = aead128_encrypt(key, nonce, associated, plaintext)
    return ciphertext, tag[:tag_bytes]


ALGORITHM = AeadAlgorithm(
    name="ascon-aead128",
    title="Ascon-AEAD128",
    key_bits=(128,),
    sizes={"nonce_bytes": 16, "tag_bytes": 16},
    vectors=_vectors,
    seal=_seal,
)
