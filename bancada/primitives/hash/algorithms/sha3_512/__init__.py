"""SHA3-512 (FIPS 202). Vectors: NIST CAVP. Second implementation: hashlib."""

from __future__ import annotations

from bancada.primitives.hash.algorithm import nists_hash

ALGORITHM = nists_hash("sha3-512", "SHA3-512", "SHA3/SHA3_512", "sha3_512", digest_bytes=64)
