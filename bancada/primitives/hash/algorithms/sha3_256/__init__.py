"""SHA3-256 (FIPS 202). Vectors: NIST CAVP. Second implementation: hashlib."""

from __future__ import annotations

from bancada.primitives.hash.algorithm import nists_hash

ALGORITHM = nists_hash("sha3-256", "SHA3-256", "SHA3/SHA3_256", "sha3_256", digest_bytes=32)
