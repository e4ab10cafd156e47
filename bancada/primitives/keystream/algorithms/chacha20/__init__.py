"""ChaCha20 (RFC 8439). Vectors: its appendix A.2. Second implementation: `cryptography` (OpenSSL)."""

from __future__ import annotations

from functools import cache

from cryptography.hazmat.primitives.ciphers import Cipher, algorithms

from bancada.primitives.keystream.algorithm import KeystreamAlgorithm, StreamVector
from bancada.primitives.vector_files import fields

_COUNTER_BYTES = 4


@cache
def _vectors() -> tuple[StreamVector, ...]:
    found: list[StreamVector] = []
    entry: dict[str, str] = {}
    for name, value in fields("ciphers/ChaCha20/rfc7539.txt"):
        entry[name.lower()] = value
        if name.lower() != "ciphertext":
            continue
        counter = int(entry["initial_block_counter"]).to_bytes(_COUNTER_BYTES, "little")
        key, nonce, message, ciphertext = (
            bytes.fromhex(entry[part]) for part in ("key", "nonce", "plaintext", "ciphertext")
        )
        found.append((f"RFC 8439 A.2 vector {entry['count']}", key, counter + nonce, message, ciphertext))
    return tuple(found)


def _stream(key: bytes, start: bytes, message: bytes) -> bytes:
    """RFC 8439, section 2.4, from counter and nonce, 16 bytes in all."""
    return Cipher(algorithms.ChaCha20(key, start), None).encryptor().update(message)


ALGORITHM = KeystreamAlgorithm(
    name="chacha20",
    title="ChaCha20",
    key_bits=(256,),
    sizes={"block_bytes": 16, "digest_bytes": 64},
    vectors=_vectors,
    stream=_stream,
    counter_bytes=_COUNTER_BYTES,
)
