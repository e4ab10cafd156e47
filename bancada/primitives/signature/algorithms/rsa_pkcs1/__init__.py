"""RSASSA-PKCS1-v1_5 (RFC 8017, section 8.2) with 2048 bits.

Vectors: NIST CAVP's SigVer15 and Project Wycheproof. Second implementation: `cryptography` (OpenSSL).
"""

from __future__ import annotations

import random
from collections.abc import Iterator

from cryptography.hazmat.primitives.asymmetric import padding

from bancada.primitives.signature import rsa
from bancada.primitives.signature.algorithm import (
    KeyPair,
    SignatureAlgorithm,
    Verification,
    prehashed,
    sha256,
    some_verifications,
)
from bancada.primitives.signature.wycheproof import edge_cases
from bancada.primitives.vector_files import fields


def _cavp() -> Iterator[Verification]:
    """SigVer15 of FIPS 186-3: signatures that hold and signatures with each thing wrong that a verifier must notice."""
    heading, n, state = "", 0, dict[str, str]()
    for field, value in fields("asymmetric/RSA/FIPS_186-2/SigVer15_186-3.rsp"):
        if field == "[":
            heading = value.replace(" ", "")
        state[field] = value
        if field == "n":
            n = int(value, 16)
        if field == "Result" and heading == f"mod={rsa.BITS}" and state["SHAAlg"] == "SHA256":
            public = rsa.public_key(n, int(state["e"], 16))
            digest, signature = sha256(bytes.fromhex(state["Msg"])), bytes.fromhex(state["S"])
            name = f"CAVP SigVer15 {rsa.BITS} SHA-256, {value}"
            yield Verification(name, public, digest, signature, value.startswith("P"))


def _verifications(full: bool) -> Iterator[Verification]:
    yield from _cavp()
    every = edge_cases("rsa_signature_2048_sha256_test.json", rsa.BYTES, rsa.wycheproofs_public_key)
    yield from some_verifications(every, full)


def _sign(pair: KeyPair, digest: bytes, source: random.Random, hash_name: str) -> bytes:
    return rsa.private_key(pair.private).sign(digest, padding.PKCS1v15(), prehashed(hash_name))


ALGORITHM = SignatureAlgorithm(
    name="rsa-pkcs1",
    title="RSA PKCS #1 v1.5",
    key_bits=(rsa.BITS,),
    sizes={"digest_bytes": 32},
    signature_bytes=rsa.BYTES,
    verifications=_verifications,
    key_pair=rsa.key_pair,
    sign_as=_sign,
    holds_as=rsa.verifier(padding.PKCS1v15()),
    secret_parts=rsa.secret_parts(),
    is_unique=True,
)
