"""ECDSA on secp256k1 (SEC 2).

Vectors: NIST CAVP's SigGen, and Project Wycheproof, which alone has signatures to be refused.

Second implementation: `cryptography` (OpenSSL).
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice

from cryptography.hazmat.primitives.asymmetric import ec

from bancada.primitives.signature.algorithm import OF_A_LARGE_KIND, Verification
from bancada.primitives.signature.ecdsa import cavp, ecdsa


def _official(full: bool) -> Iterator[Verification]:
    return islice(cavp("SECP256K1/SigGen.txt", "K-256,SHA-256"), None if full else OF_A_LARGE_KIND)


ALGORITHM = ecdsa(
    name="ecdsa-secp256k1",
    title="ECDSA secp256k1",
    curve=ec.SECP256K1(),
    order=0xFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFEBAAEDCE6AF48A03BBFD25E8CD0364141,  # SEC 2, section 2.4.1
    official=_official,
    wycheproof_file="ecdsa_secp256k1_sha256_p1363_test.json",
)
