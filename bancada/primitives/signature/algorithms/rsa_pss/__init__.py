"""RSASSA-PSS (RFC 8017, section 8.1) with 2048 bits, SHA-256 and salts of 32 bytes.

Vectors: Project Wycheproof. Second implementation: `cryptography` (OpenSSL) to verify, RFC 8017's formulas to sign with
a given salt.
"""

from __future__ import annotations

import hashlib
import random
from collections.abc import Iterator

from cryptography.hazmat.primitives.asymmetric import padding
from cryptography.hazmat.primitives.hashes import SHA256

from bancada.primitives.signature import rsa
from bancada.primitives.signature.algorithm import (
    DIGEST_BYTES,
    KeyPair,
    SignatureAlgorithm,
    Verification,
    big_endian,
    number,
    some_verifications,
)
from bancada.primitives.signature.wycheproof import edge_cases

_SALT_BYTES = DIGEST_BYTES


def _verifications(full: bool) -> Iterator[Verification]:
    every = edge_cases("rsa_pss_2048_sha256_mgf1_32_test.json", rsa.BYTES, rsa.wycheproofs_public_key)
    return some_verifications(every, full)


def _sign(pair: KeyPair, digest: bytes, source: random.Random, hash_name: str) -> bytes:
    """A signature with a salt from `source`, which OpenSSL does not let one choose.

    EMSA-PSS-ENCODE (RFC 8017, section 9.1.1) for a modulus of whole bytes, and the signature primitive (section 5.2.1).
    """
    assert hash_name == "sha256"  # of the mask too
    salt = source.randbytes(_SALT_BYTES)
    hashed = hashlib.sha256(bytes(8) + digest + salt).digest()
    block = bytes(rsa.BYTES - len(salt) - len(hashed) - 2) + b"\x01" + salt
    parts = (hashlib.sha256(hashed + big_endian(counter, 4)).digest() for counter in range(rsa.BYTES // len(hashed)))
    mask = b"".join(parts)[: len(block)]
    masked = bytearray(one ^ other for one, other in zip(block, mask, strict=True))
    masked[0] &= 0x7F
    numbers = rsa.private_key(pair.private).private_numbers()
    return big_endian(pow(number(bytes(masked) + hashed + b"\xbc"), numbers.d, numbers.public_numbers.n), rsa.BYTES)


ALGORITHM = SignatureAlgorithm(
    name="rsa-pss",
    title="RSA PSS",
    key_bits=(rsa.BITS,),
    sizes={"digest_bytes": 32},
    signature_bytes=rsa.BYTES,
    verifications=_verifications,
    key_pair=rsa.key_pair,
    sign_as=_sign,
    holds_as=rsa.verifier(padding.PSS(padding.MGF1(SHA256()), _SALT_BYTES)),
    secret_parts=rsa.secret_parts(),
)
