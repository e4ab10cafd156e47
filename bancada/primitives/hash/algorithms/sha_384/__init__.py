"""SHA-384 (FIPS 180-4). Vectors: NIST CAVP. Second implementation: hashlib."""

from __future__ import annotations

from bancada.primitives.hash.algorithm import nists_hash

ALGORITHM = nists_hash("sha-384", "SHA-384", "SHA2/SHA384", "sha384", digest_bytes=48)
