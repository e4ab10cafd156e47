"""SHA-256 (FIPS 180-4). Vectors: NIST CAVP. Second implementation: hashlib."""

from __future__ import annotations

from bancada.primitives.hash.algorithm import nists_hash

ALGORITHM = nists_hash("sha-256", "SHA-256", "SHA2/SHA256", "sha256", digest_bytes=32)
