"""SLH-DSA-SHA2-128s (FIPS 205), verified as the signature arrives.

A vector's digest is the message M' that is hashed (FIPS 205, algorithm 24), so that vectors of the internal functions
serve too. Vectors: the known answers of the designers (known_answers.py). Second implementation: FIPS 205's algorithms
in Python (bancada.primitives.references.slh_dsa), whose keys are those of NIST's ACVP files in the crate `slh-dsa`.
"""

from __future__ import annotations

import random
from collections.abc import Iterator
from functools import lru_cache

from bancada.primitives.references import slh_dsa
from bancada.primitives.signature.algorithm import KeyPair, SignatureAlgorithm, Verification

from . import known_answers

LONGEST_MESSAGE_BYTES = 256

_N = slh_dsa.N
_KEYS = 2
# Where the parts of a signature begin: R, FORS, the hypertree.
_FORS, _HYPERTREE = _N, _N * (1 + 14 * 13)


def _changed(signature: bytes, at: int) -> bytes:
    return signature[:at] + bytes([signature[at] ^ 1]) + signature[at + 1 :]


def _edge_cases(what: str, public: bytes, message: bytes, signature: bytes) -> Iterator[Verification]:
    """The kinds of mistakes of NIST's ACVP files, and what else a verifier must notice."""
    places = {
        "R": 0,
        "the first secret of FORS": _FORS,
        "the last node of FORS": _HYPERTREE - 1,
        "the first chain": _HYPERTREE,
        "the first path": _HYPERTREE + _N * 35,
        "the last node": len(signature) - 1,
    }
    signatures = {f"{name} modified": _changed(signature, at) for name, at in places.items()}
    signatures["too small"] = signature[:-1]
    signatures["too large"] = signature + b"\0"
    signatures["a node left out"] = signature[:-_N]
    signatures["only the beginning"] = signature[:_N]
    for name, each in signatures.items():
        yield Verification(f"{what}, {name}", public, message, each, False)
    yield Verification(f"{what}, message altered", public, _changed(message, 0), signature, False)
    yield Verification(f"{what}, another seed", _changed(public, 0), message, signature, False)
    yield Verification(f"{what}, another root", _changed(public, 2 * _N - 1), message, signature, False)


def _verifications(full: bool) -> Iterator[Verification]:
    public, message, signature = known_answers.first()
    what = "SPHINCS+ known answer 0"
    yield Verification(what, public, message, signature, True)
    yield from _edge_cases(what, public, message, signature)


@lru_cache
def _key(private: bytes) -> slh_dsa.QuickKey:
    return slh_dsa.QuickKey(private[:_N], private[_N : 2 * _N], private[2 * _N :])


@lru_cache
def _pairs() -> tuple[KeyPair, ...]:
    """Few keys: each takes 275,000 hashes."""
    source = random.Random("SLH-DSA keys")
    privates = [source.randbytes(3 * _N) for _ in range(_KEYS)]
    return tuple(KeyPair(private, _key(private).public) for private in privates)


def _key_pair(source: random.Random) -> KeyPair:
    return source.choice(_pairs())


def _sign(pair: KeyPair, digest: bytes, source: random.Random, hash_name: str) -> bytes:
    return _key(pair.private).sign(digest, source.randbytes(_N))


def _holds(public: bytes, digest: bytes, signature: bytes, hash_name: str) -> bool:
    return slh_dsa.holds(public, digest, signature)


ALGORITHM = SignatureAlgorithm(
    name="slh-dsa-sha2-128s",
    title="SLH-DSA-SHA2-128s",
    sizes={"digest_bytes": LONGEST_MESSAGE_BYTES},
    signature_bytes=slh_dsa.SMALL.signature_bytes,
    verifications=_verifications,
    key_pair=_key_pair,
    sign_as=_sign,
    holds_as=_holds,
    secret_parts=(),
    beginning_bytes=_N,
)
