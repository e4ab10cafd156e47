"""AES-CMAC (NIST SP 800-38B). Vectors: its appendix D. Second implementation: `cryptography` (OpenSSL)."""

from __future__ import annotations

from functools import cache

from cryptography.hazmat.primitives.ciphers import algorithms
from cryptography.hazmat.primitives.cmac import CMAC

from bancada.primitives.mac.algorithm import MacAlgorithm, MacVector
from bancada.primitives.vector_files import entries


@cache
def _vectors(key_bits: int) -> tuple[MacVector, ...]:
    found: list[MacVector] = []
    for _, entry in entries(f"CMAC/nist-800-38b-aes{key_bits}.txt"):
        if "key" in entry and "output" in entry:
            name = f"SP 800-38B CMAC-AES{key_bits} example {entry.get('count', len(found))}"
            key, message, tag = (bytes.fromhex(entry.get(part, "")) for part in ("key", "message", "output"))
            found.append((name, key, message, tag))
    return tuple(found)


def _tag(key: bytes, message: bytes) -> bytes:
    mac = CMAC(algorithms.AES(key))
    mac.update(message)
    return mac.finalize()


ALGORITHM = MacAlgorithm(
    name="aes-cmac",
    title="AES-CMAC",
    key_bits=(128, 192, 256),
    sizes={"digest_bytes": 16},
    vectors=_vectors,
    tag=_tag,
)
