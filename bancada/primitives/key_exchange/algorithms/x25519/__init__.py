"""X25519 (RFC 7748).

Vectors: those of section 5.2, and Project Wycheproof's. Second implementation: `cryptography` (OpenSSL).
"""

from __future__ import annotations

from collections.abc import Iterator

from cryptography.hazmat.primitives.asymmetric.x25519 import X25519PrivateKey, X25519PublicKey

from bancada.primitives.key_exchange.algorithm import Exchange, KeyExchangeAlgorithm, some_exchanges
from bancada.primitives.vector_files import entries, wycheproof

_BYTES = 32


def _of_the_standard() -> Iterator[Exchange]:
    for _, entry in entries("asymmetric/X25519/rfc7748.txt"):
        if "output_u" in entry:
            secret, peer, shared = (bytes.fromhex(entry[name]) for name in ("input_scalar", "input_u", "output_u"))
            yield Exchange(f"RFC 7748, section 5.2, {entry['count']}", secret, peer, shared)


def _wycheproofs() -> Iterator[tuple[str, Exchange]]:
    """(flags, vector). What it calls acceptable may be refused; what is not refused must be right."""
    for group in wycheproof("x25519_test.json")["testGroups"]:
        for test in group["tests"]:
            secret, peer, shared = (bytes.fromhex(test[name]) for name in ("private", "public", "shared"))
            name = f"Wycheproof x25519 tcId {test['tcId']} ({test['comment']})"
            may_be_refused = test["result"] == "acceptable"
            yield " ".join(sorted(test["flags"])), Exchange(name, secret, peer, shared, may_be_refused)


def _exchanges(full: bool) -> Iterator[Exchange]:
    yield from _of_the_standard()
    yield from some_exchanges(_wycheproofs(), full)


def _public_key(secret_key: bytes) -> bytes:
    return X25519PrivateKey.from_private_bytes(secret_key).public_key().public_bytes_raw()


def _shared_secret(secret_key: bytes, peer_key: bytes) -> bytes:
    return X25519PrivateKey.from_private_bytes(secret_key).exchange(X25519PublicKey.from_public_bytes(peer_key))


ALGORITHM = KeyExchangeAlgorithm(
    name="x25519",
    title="X25519",
    key_bits=(8 * _BYTES,),
    exchanges=_exchanges,
    public_key=_public_key,
    shared_secret=_shared_secret,
    edges=(bytes(_BYTES), b"\xff" * _BYTES),
)
