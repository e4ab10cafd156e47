"""SHA-512 (FIPS 180-4). Vectors: NIST CAVP. Second implementation: hashlib."""

from __future__ import annotations

from bancada.primitives.hash.algorithm import nists_hash

ALGORITHM = nists_hash("sha-512", "SHA-512", "SHA2/SHA512", "sha512", digest_bytes=64)
