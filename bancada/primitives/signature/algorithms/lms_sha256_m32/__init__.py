"""LMS with SHA-256 and 32 bytes (RFC 8554), verified as the signature arrives.

Vectors: RFC 8554, appendix F, as the crate `hbs-lms` has them. Second implementation: RFC 8554's algorithms in Python
(bancada.primitives.references.lms). What is timed has the parameter sets LMS_SHA256_M32_H10 and LMOTS_SHA256_N32_W4.
"""

from __future__ import annotations

import random
import re
from collections.abc import Iterator
from functools import lru_cache

from bancada.catalogue.candidate import Source
from bancada.catalogue.paths import cache_folder
from bancada.primitives.references import lms
from bancada.primitives.signature.algorithm import KeyPair, SignatureAlgorithm, Verification
from bancada.sources.fetch import fetch

LONGEST_MESSAGE_BYTES = 256

_CRATE = Source(
    registry="crate",
    package="hbs-lms",
    version="0.1.1",
    sha256="b4ce7c3ed7650d791a5403f21e5d6b5df4c9157cf173fd7d9a1a437b692aaf79",
)
_PUBLIC_BYTES = 56
_BEGINNING_BYTES = 40
_SEED_BYTES = 32
# Types of LMS and of LM-OTS (RFC 8554, tables 1 and 2)
_H5, _H10, _H15, _H20, _H25 = range(5, 10)
_W1, _W2, _W4, _W8 = range(1, 5)
_TIMED = (_H10, _W4)
_OTHERS = ((_H5, _W1), (_H15, _W2), (_H20, _W8), (_H25, _W4))


def _official() -> Iterator[Verification]:
    """The test cases are of HSS with two levels: a signature of the second key, and one of the message."""
    for case in (1, 2):
        text = (fetch(_CRATE, cache_folder()) / "tests" / f"rfc_testcase{case}.rs").read_text()
        found = {
            name: bytes.fromhex("".join(re.findall(r"0x([0-9a-f]{2})", values)))
            for name, values in re.findall(r"static (\w+): &\[u8\] = &\[(.*?)\];", text, re.DOTALL)
        }
        public, signature = found["PUBLIC_KEY"][4:], found["SIGNATURE"][4:]
        upper_bytes = lms.signature_bytes(public[3], public[7])
        upper, second, lower = (
            signature[:upper_bytes],
            signature[upper_bytes : upper_bytes + _PUBLIC_BYTES],
            signature[upper_bytes + _PUBLIC_BYTES :],
        )
        yield Verification(f"RFC 8554 test case {case}, the key below", public, second, upper, True)
        yield Verification(f"RFC 8554 test case {case}, the message", second, found["MESSAGE"], lower, True)


def _changed(signature: bytes, at: int, value: bytes) -> bytes:
    return signature[:at] + value + signature[at + len(value) :]


def _edge_cases() -> Iterator[Verification]:
    """Every parameter set once, and everything that is not as it should be, of which the reference says so."""
    source = random.Random("LMS edge cases")
    for lms_type, ots_type in (_TIMED, *_OTHERS):
        key = lms.random_key(lms_type, ots_type, source)
        message = source.randbytes(100)
        signature = key.sign(message, source.randbytes(32))
        at_type = len(signature) - 4 - 32 * len(key.path)
        what = f"H{5 * (lms_type - 4)} W{2 ** (ots_type - 1)}"
        signatures = {
            "whole": signature,
            "a leaf that the tree does not have": _changed(signature, 3 - len(key.path) // 8, b"\xff"),
            "another type of LM-OTS": _changed(signature, 7, bytes([ots_type % 4 + 1])),
            "a type of LM-OTS with a high byte": _changed(signature, 4, b"\1"),
            "another type of LMS": _changed(signature, at_type + 3, bytes([(lms_type - 4) % 5 + 5])),
            "the last node left out": signature[:-32],
            "a byte left out": signature[:-1],
            "a byte more": signature + b"\0",
            "only the beginning": signature[:_BEGINNING_BYTES],
        }
        if (lms_type, ots_type) != _TIMED:
            signatures = dict(list(signatures.items())[:1])
        for name, each in signatures.items():
            yield Verification(f"{what}, {name}", key.public, message, each, lms.holds(key.public, message, each))
        if (lms_type, ots_type) == _TIMED:
            for name, at in (("LMS", 3), ("LM-OTS", 7), ("LMS in its high byte", 0)):
                other = _changed(key.public, at, b"\x0b")
                yield Verification(f"{what}, a key of an unknown type of {name}", other, message, signature, False)


def _verifications(full: bool) -> Iterator[Verification]:
    yield from _official()
    yield from _edge_cases()


@lru_cache(maxsize=64)
def _key(seed: bytes) -> lms.Key:
    return lms.random_key(*_TIMED, random.Random(seed))


@lru_cache(maxsize=64)
def _public(seed: bytes) -> bytes:
    return _key(seed).public


def _key_pair(source: random.Random) -> KeyPair:
    """A private key is the seed of one."""
    seed = source.randbytes(_SEED_BYTES)
    return KeyPair(seed, _public(seed))


def _sign(pair: KeyPair, digest: bytes, source: random.Random, hash_name: str) -> bytes:
    return _key(pair.private).sign(digest, source.randbytes(32))


def _holds(public: bytes, digest: bytes, signature: bytes, hash_name: str) -> bool:
    return lms.holds(public, digest, signature)


ALGORITHM = SignatureAlgorithm(
    name="lms-sha256-m32",
    title="LMS SHA-256 H10 W4",
    sizes={"digest_bytes": LONGEST_MESSAGE_BYTES},
    signature_bytes=lms.signature_bytes(*_TIMED),
    verifications=_verifications,
    key_pair=_key_pair,
    sign_as=_sign,
    holds_as=_holds,
    secret_parts=(),
    beginning_bytes=_BEGINNING_BYTES,
)
