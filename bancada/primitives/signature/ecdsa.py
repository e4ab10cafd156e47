"""What ECDSA's curves of 256 bits have in common:

keys, deterministic signatures (RFC 6979), and `cryptography` (OpenSSL) to verify.

Keys and signatures are in the form that contract.h documents.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Iterable, Iterator

from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives.asymmetric import ec, utils

from bancada.primitives.references.rfc6979 import nonces
from bancada.primitives.signature.algorithm import (
    KeyPair,
    SignatureAlgorithm,
    Verification,
    big_endian,
    number,
    prehashed,
    sha256,
    some_verifications,
)
from bancada.primitives.signature.wycheproof import edge_cases
from bancada.primitives.vector_files import fields

_FIELD_BYTES = 32
_SIGNATURE_BYTES = 2 * _FIELD_BYTES


def cavp(file_name: str, wanted: str) -> Iterator[Verification]:
    """The vectors of a CAVP file under one heading; without a field 'Result' all of them hold."""
    heading, count, state = "", 0, dict[str, str]()
    stem = file_name.rpartition("/")[2].partition(".")[0]
    last = "Result" if stem == "SigVer" else "S"
    for field, value in fields(f"asymmetric/ECDSA/{file_name}"):
        if field == "[":
            heading, count = value, 0
        state[field] = value
        if heading != wanted or field != last:
            continue
        x, y, r, s = (big_endian(int(state[name], 16), _FIELD_BYTES) for name in ("Qx", "Qy", "R", "S"))
        count += 1
        result = f", {value}" if field == "Result" else ""
        yield Verification(
            f"CAVP {stem} {wanted} {count}{result}",
            x + y,
            sha256(bytes.fromhex(state["Msg"])),
            r + s,
            not result or value.startswith("P"),
        )


def ecdsa(
    name: str,
    title: str,
    curve: ec.EllipticCurve,
    order: int,
    official: Callable[[bool], Iterable[Verification]],
    wycheproof_file: str,
) -> SignatureAlgorithm:
    """ECDSA on a curve of 256 bits, whose base point has that order.

    `official` are the vectors besides Wycheproof's.
    """

    def key_pair(source: random.Random) -> KeyPair:
        d = source.randrange(1, order)
        point = ec.derive_private_key(d, curve).public_key().public_numbers()
        public = big_endian(point.x, _FIELD_BYTES) + big_endian(point.y, _FIELD_BYTES)
        return KeyPair(big_endian(d, _FIELD_BYTES) + public, public)

    def sign(pair: KeyPair, digest: bytes, source: random.Random, hash_name: str) -> bytes:
        """r is the abscissa of the nonce's point, s follows (FIPS 186-5, section 6.4.1)."""
        d = number(pair.private[:_FIELD_BYTES])
        for nonce in nonces(order, d, digest, hash_name):
            r = ec.derive_private_key(nonce, curve).public_key().public_numbers().x % order
            s = pow(nonce, -1, order) * (number(digest) + r * d) % order
            if r and s:
                return big_endian(r, _FIELD_BYTES) + big_endian(s, _FIELD_BYTES)
        raise AssertionError("there is always a next nonce")

    def holds(public: bytes, digest: bytes, signature: bytes, hash_name: str) -> bool:
        point = ec.EllipticCurvePublicNumbers(number(public[:_FIELD_BYTES]), number(public[_FIELD_BYTES:]), curve)
        r, s = number(signature[:_FIELD_BYTES]), number(signature[_FIELD_BYTES:])
        try:
            point.public_key().verify(utils.encode_dss_signature(r, s), digest, ec.ECDSA(prehashed(hash_name)))
        except InvalidSignature:
            return False
        return True

    def wycheproofs_public_key(key: dict[str, str]) -> bytes:
        return big_endian(int(key["wx"], 16), _FIELD_BYTES) + big_endian(int(key["wy"], 16), _FIELD_BYTES)

    def verifications(full: bool) -> Iterator[Verification]:
        yield from official(full)
        every = edge_cases(wycheproof_file, _SIGNATURE_BYTES, wycheproofs_public_key)
        yield from some_verifications(every, full)

    return SignatureAlgorithm(
        name=name,
        title=title,
        key_bits=(8 * _FIELD_BYTES,),
        sizes={"digest_bytes": 32},
        signature_bytes=_SIGNATURE_BYTES,
        verifications=verifications,
        key_pair=key_pair,
        sign_as=sign,
        holds_as=holds,
        secret_parts=((0, _FIELD_BYTES),),
    )
