"""ECDSA on P-256 (FIPS 186-5).

Vectors: NIST CAVP's SigVer and Project Wycheproof. Second implementation: `cryptography` (OpenSSL).
"""

from __future__ import annotations

from collections.abc import Iterator

from cryptography.hazmat.primitives.asymmetric import ec

from bancada.primitives.signature.algorithm import Verification
from bancada.primitives.signature.ecdsa import cavp, ecdsa


def _official(full: bool) -> Iterator[Verification]:
    return cavp("FIPS_186-3/SigVer.rsp", "P-256,SHA-256")


ALGORITHM = ecdsa(
    name="ecdsa-p256",
    title="ECDSA P-256",
    curve=ec.SECP256R1(),
    order=0xFFFFFFFF00000000FFFFFFFFFFFFFFFFBCE6FAADA7179E84F3B9CAC2FC632551,  # SEC 2, section 2.4.2
    official=_official,
    wycheproof_file="ecdsa_secp256r1_sha256_p1363_test.json",
)
