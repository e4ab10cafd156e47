"""AES-CCM with tags of 8 bytes (RFC 6655).

Vectors: NIST CAVP's test of tag sizes. Second implementation: `cryptography`.
"""

from __future__ import annotations

from collections.abc import Iterator

from cryptography.hazmat.primitives.ciphers.aead import AESCCM

from bancada.primitives.aead.algorithm import AeadAlgorithm, Sealed, parted
from bancada.primitives.vector_files import fields

_TAG_BYTES = 8


def _vectors(key_bits: int) -> Iterator[Sealed]:
    state: dict[str, str] = {}
    for name, value in fields(f"ciphers/AES/CCM/VTT{key_bits}.rsp"):
        state[name] = value
        if name == "CT" and state["["] == f"Tlen = {_TAG_BYTES}":
            parts = (bytes.fromhex(state[part]) for part in ("Key", "Nonce", "Adata", "Payload", "CT"))
            key, nonce, associated, plaintext, sealed = parts
            ciphertext, tag = parted(sealed, plaintext)
            yield Sealed(f"CAVP VTT {state['Count']}", key, nonce, associated, plaintext, ciphertext, tag)


def _seal(key: bytes, nonce: bytes, associated: bytes, plaintext: bytes, tag_bytes: int) -> tuple[bytes, bytes]:
    return parted(AESCCM(key, tag_length=tag_bytes).encrypt(nonce, plaintext, associated), plaintext)


ALGORITHM = AeadAlgorithm(
    name="aes-ccm-8",
    title="AES-CCM-8",
    key_bits=(128,),
    sizes={"nonce_bytes": 13, "tag_bytes": _TAG_BYTES},
    vectors=_vectors,
    seal=_seal,
)
