"""Official vectors of ChaCha20, and another implementation of it: `cryptography`."""

from __future__ import annotations

from functools import cache

import cryptography_vectors
from cryptography.hazmat.primitives.ciphers import Cipher, algorithms

_COUNTER_BYTES = 4


@cache
def official_streams() -> tuple[tuple[str, bytes, bytes, bytes, bytes], ...]:
    """(name, key, counter and nonce, message, ciphertext): RFC 8439, appendix A.2."""
    found: list[tuple[str, bytes, bytes, bytes, bytes]] = []
    entry: dict[str, str] = {}
    with cryptography_vectors.open_vector_file("ciphers/ChaCha20/rfc7539.txt", "r") as file:
        for line in file:
            name, equals, value = line.partition("=")
            if not equals or line.startswith("#"):
                continue
            entry[name.strip().lower()] = value.strip()
            if name.strip().lower() == "ciphertext":
                start = int(entry["initial_block_counter"]).to_bytes(_COUNTER_BYTES, "little") + bytes.fromhex(entry["nonce"])
                message, ciphertext = bytes.fromhex(entry["plaintext"]), bytes.fromhex(entry["ciphertext"])
                found.append((f"RFC 8439 A.2 vector {entry['count']}", bytes.fromhex(entry["key"]), start, message, ciphertext))
    return tuple(found)


def independent_stream(key: bytes, start: bytes, message: bytes) -> bytes:
    """ChaCha20 (RFC 8439, section 2.4) of a message from counter and nonce, 16 bytes in all, by another implementation."""
    return Cipher(algorithms.ChaCha20(key, start), None).encryptor().update(message)
