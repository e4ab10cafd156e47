"""ChaCha20-Poly1305 (RFC 8439).

Vectors: BoringSSL's, the RFC's among them. Second implementation: `cryptography` (OpenSSL).
"""

from __future__ import annotations

from functools import cache

from cryptography.hazmat.primitives.ciphers.aead import ChaCha20Poly1305

from bancada.primitives.aead.algorithm import AeadAlgorithm, Sealed, parted
from bancada.primitives.vector_files import entries


def _bytes(value: str) -> bytes:
    """A text in quotation marks, or hexadecimal digits."""
    return value[1:-1].encode() if value.startswith('"') else bytes.fromhex(value)


@cache
def _vectors(key_bits: int) -> tuple[Sealed, ...]:
    found = []
    for _, entry in entries("ciphers/ChaCha20Poly1305/boringssl.txt"):
        if "tag" in entry:
            parts = [_bytes(entry[part]) for part in ("key", "nonce", "ad", "in", "ct", "tag")]
            found.append(Sealed(f"BoringSSL ChaCha20-Poly1305 COUNT = {entry['count']}", *parts))
    return tuple(found)


def _seal(key: bytes, nonce: bytes, associated: bytes, plaintext: bytes, tag_bytes: int) -> tuple[bytes, bytes]:
    return parted(ChaCha20Poly1305(key).encrypt(nonce, plaintext, associated), plaintext)


ALGORITHM = AeadAlgorithm(
    name="chacha20-poly1305",
    title="ChaCha20-Poly1305",
    key_bits=(256,),
    sizes={"nonce_bytes": 12, "tag_bytes": 16},
    vectors=_vectors,
    seal=_seal,
)
