"""What RSA's signature schemes have in common:

keys of 2048 bits, NIST's primes, and `cryptography` (OpenSSL) to sign and verify.

Keys and signatures are in the form that contract.h documents.
"""

from __future__ import annotations

import random
from collections.abc import Callable
from functools import cache
from math import lcm
from typing import Any

from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives.asymmetric import padding, rsa

from bancada.primitives.signature.algorithm import KeyPair, big_endian, number, prehashed
from bancada.primitives.vector_files import fields

BITS = 2048
BYTES = BITS // 8
_PRIME_BYTES = BYTES // 2
_EXPONENT = 65537
_EXPONENT_BYTES = 4
# The first bytes of a number say how long it is. A prime's length is not secret: libraries that count bits and then
# work on so many words would otherwise leak it everywhere.
_NOT_SECRET_BYTES = 4


def public_key(n: int, e: int) -> bytes:
    """A public key."""
    return big_endian(n, BYTES) + big_endian(e, _EXPONENT_BYTES)


def wycheproofs_public_key(key: dict[str, Any]) -> bytes:
    """A public key of Project Wycheproof's files."""
    return public_key(int(key["modulus"], 16), int(key["publicExponent"], 16))


def _pair(p: int, q: int) -> KeyPair:
    p, q = max(p, q), min(p, q)
    d = pow(_EXPONENT, -1, lcm(p - 1, q - 1))
    public = public_key(p * q, _EXPONENT)
    private = public + big_endian(d, BYTES)
    for part in (p, q, d % (p - 1), d % (q - 1), pow(q, -1, p)):
        private += big_endian(part, _PRIME_BYTES)
    return KeyPair(private, public)


@cache
def _pairs() -> tuple[KeyPair, ...]:
    """The primes of 1024 bits that NIST's files give, with the public exponent that everyone uses."""
    found: dict[tuple[int, int], None] = {}
    for name in ("SigVer15_186-3", "SigVerPSS_186-3", "KeyGenRSA"):
        heading, p = "", 0
        for field, value in fields(f"asymmetric/RSA/FIPS_186-2/{name}.rsp"):
            if field == "[":
                heading = value
            elif heading.replace(" ", "") != f"mod={BITS}":
                continue
            elif field == "p":
                p = int(value, 16)
            elif field == "q":
                found[p, int(value, 16)] = None
    return tuple(_pair(p, q) for p, q in found)


def key_pair(source: random.Random) -> KeyPair:
    """One of NIST's keys: to find primes takes long and would not repeat."""
    return source.choice(_pairs())


def private_key(private: bytes) -> rsa.RSAPrivateKey:
    """A private key for `cryptography`."""
    n, e = number(private[:BYTES]), number(private[BYTES : BYTES + _EXPONENT_BYTES])
    rest = private[BYTES + _EXPONENT_BYTES :]
    p, q, dp, dq, qinv = (number(rest[BYTES + i * _PRIME_BYTES : BYTES + (i + 1) * _PRIME_BYTES]) for i in range(5))
    return rsa.RSAPrivateNumbers(p, q, number(rest[:BYTES]), dp, dq, qinv, rsa.RSAPublicNumbers(e, n)).private_key()


def verifier(padded: padding.AsymmetricPadding) -> Callable[[bytes, bytes, bytes, str], bool]:
    """What verifies signatures with that padding."""

    def holds(public: bytes, digest: bytes, signature: bytes, hash_name: str) -> bool:
        numbers = rsa.RSAPublicNumbers(number(public[BYTES:]), number(public[:BYTES]))
        try:
            numbers.public_key().verify(signature, digest, padded, prehashed(hash_name))
        except InvalidSignature:
            return False
        return True

    return holds


def secret_parts() -> tuple[tuple[int, int], ...]:
    """(offset, length) of the numbers from d on in a private key (contract.h), each without its first bytes."""
    found = []
    at = BYTES + _EXPONENT_BYTES
    for length in (BYTES, *[_PRIME_BYTES] * 5):
        found.append((at + _NOT_SECRET_BYTES, length - _NOT_SECRET_BYTES))
        at += length
    return tuple(found)
