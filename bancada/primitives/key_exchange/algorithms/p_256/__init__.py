"""ECDH on P-256 (SP 800-56A, section 5.7.1.2).

Vectors: Project Wycheproof's. Second implementation: `cryptography` (OpenSSL). A public key is x and y.
"""

from __future__ import annotations

import random
from collections.abc import Iterator

from cryptography.hazmat.primitives.asymmetric import ec

from bancada.primitives.key_exchange.algorithm import Exchange, KeyExchangeAlgorithm, some_exchanges
from bancada.primitives.vector_files import wycheproof

_BYTES = 32
_CURVE = ec.SECP256R1()
_ORDER = 0xFFFFFFFF00000000FFFFFFFFFFFFFFFFBCE6FAADA7179E84F3B9CAC2FC632551  # SEC 2, section 2.4.2
_UNCOMPRESSED = b"\x04"


def _big_endian(number: int) -> bytes:
    return number.to_bytes(_BYTES, "big")


def _wycheproofs() -> Iterator[tuple[str, Exchange]]:
    """(kind, vector), for points in uncompressed form. A point that is none must be refused."""
    for test in wycheproof("ecdh_secp256r1_ecpoint_test.json")["testGroups"][0]["tests"]:
        point = bytes.fromhex(test["public"])
        if len(point) != 1 + 2 * _BYTES:
            continue
        secret = _big_endian(int(test["private"], 16))
        name = f"Wycheproof ecdh secp256r1 tcId {test['tcId']} ({test['comment']})"
        refused = test["result"] == "invalid"
        shared = b"" if refused else bytes.fromhex(test["shared"])
        kind = " ".join((*sorted(test["flags"]), test["comment"].split(" ")[0]))
        yield kind, Exchange(name, secret, point[1:], shared, must_be_refused=refused)


def _exchanges(full: bool) -> Iterator[Exchange]:
    return some_exchanges(_wycheproofs(), full)


def _private(secret_key: bytes) -> ec.EllipticCurvePrivateKey:
    return ec.derive_private_key(int.from_bytes(secret_key, "big"), _CURVE)


def _public_key(secret_key: bytes) -> bytes:
    numbers = _private(secret_key).public_key().public_numbers()
    return _big_endian(numbers.x) + _big_endian(numbers.y)


def _shared_secret(secret_key: bytes, peer_key: bytes) -> bytes:
    peer = ec.EllipticCurvePublicKey.from_encoded_point(_CURVE, _UNCOMPRESSED + peer_key)
    return _private(secret_key).exchange(ec.ECDH(), peer)


def _secret_key(source: random.Random) -> bytes:
    return _big_endian(source.randrange(1, _ORDER))


ALGORITHM = KeyExchangeAlgorithm(
    name="p-256",
    title="ECDH P-256",
    key_bits=(8 * _BYTES,),
    exchanges=_exchanges,
    public_key=_public_key,
    shared_secret=_shared_secret,
    edges=(_big_endian(2), _big_endian(_ORDER - 1)),
    public_key_bytes=2 * _BYTES,
    secret_key=_secret_key,
)
