"""Poly1305 (RFC 8439, section 2.5), whose key authenticates one message.

Vectors: the RFC's appendix A.3. Second implementation: `cryptography` (OpenSSL).
"""

from __future__ import annotations

from functools import cache

from cryptography.hazmat.primitives.poly1305 import Poly1305

from bancada.primitives.mac.algorithm import MacAlgorithm, MacVector
from bancada.primitives.vector_files import entries


@cache
def _vectors(key_bits: int) -> tuple[MacVector, ...]:
    found: list[MacVector] = []
    for _, entry in entries("poly1305/rfc7539.txt"):
        if "tag" in entry:
            key, message, tag = (bytes.fromhex(entry[part]) for part in ("key", "msg", "tag"))
            found.append((f"RFC 8439, appendix A.3, vector {len(found) + 1}", key, message, tag))
    return tuple(found)


ALGORITHM = MacAlgorithm(
    name="poly1305",
    title="Poly1305",
    key_bits=(256,),
    sizes={"digest_bytes": 16},
    vectors=_vectors,
    tag=Poly1305.generate_tag,
)
