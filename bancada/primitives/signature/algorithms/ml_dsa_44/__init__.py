"""ML-DSA-44 (FIPS 204), which signs messages and not digests: a vector's digest is the message.

A private key is its seed. Vectors: Project Wycheproof's, those without a context and with a short message; the known
answers of `cryptography-vectors` all have a context, and tests/tatu/test_ml_dsa.py has them. Second implementation:
`dilithium-py`.
"""

from __future__ import annotations

import random
from collections.abc import Iterator
from functools import lru_cache
from threading import Lock

from dilithium_py.ml_dsa import ML_DSA_44

from bancada.primitives.signature.algorithm import KeyPair, SignatureAlgorithm, Verification, some_verifications
from bancada.primitives.vector_files import wycheproof

_SEED_BYTES = 32
_PUBLIC_KEY_BYTES = 1312
_SIGNATURE_BYTES = 2420
# The longest message that the device has room for.
_MESSAGE_BYTES = 128
# All calls of `dilithium-py` share the states of its hashes, and a campaign has threads.
_ALONE = Lock()


def _of_wycheproof() -> Iterator[tuple[str, Verification]]:
    for group in wycheproof("mldsa_44_verify_test.json")["testGroups"]:
        public = bytes.fromhex(group["publicKey"])
        for test in group["tests"]:
            message, signature = bytes.fromhex(test["msg"]), bytes.fromhex(test["sig"])
            has_the_right_lengths = (len(public), len(signature)) == (_PUBLIC_KEY_BYTES, _SIGNATURE_BYTES)
            if has_the_right_lengths and len(message) <= _MESSAGE_BYTES and not test.get("ctx"):
                name = f"Wycheproof mldsa_44_verify tcId {test['tcId']} ({test['comment']})"
                vector = Verification(name, public, message, signature, test["result"] == "valid")
                yield " ".join(test["flags"]), vector


def _verifications(full: bool) -> Iterator[Verification]:
    yield from some_verifications(_of_wycheproof(), full)


@lru_cache
def _keys(seed: bytes) -> tuple[bytes, bytes]:
    with _ALONE:
        public, private = ML_DSA_44.key_derive(seed)
    return bytes(public), bytes(private)


def _key_pair(source: random.Random) -> KeyPair:
    seed = source.randbytes(_SEED_BYTES)
    return KeyPair(seed, _keys(seed)[0])


def _sign(pair: KeyPair, digest: bytes, source: random.Random, hash_name: str) -> bytes:
    private = _keys(pair.private)[1]
    with _ALONE:
        return bytes(ML_DSA_44.sign(private, digest, deterministic=True))


def _holds(public: bytes, digest: bytes, signature: bytes, hash_name: str) -> bool:
    with _ALONE:
        return bool(ML_DSA_44.verify(public, digest, signature))


ALGORITHM = SignatureAlgorithm(
    name="ml-dsa-44",
    title="ML-DSA-44",
    key_bits=(44,),
    sizes={"digest_bytes": _MESSAGE_BYTES},
    signature_bytes=_SIGNATURE_BYTES,
    verifications=_verifications,
    key_pair=_key_pair,
    sign_as=_sign,
    holds_as=_holds,
    secret_parts=((0, _SEED_BYTES),),
)
