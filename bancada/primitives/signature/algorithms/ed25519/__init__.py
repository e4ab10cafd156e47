"""Ed25519 (RFC 8032, section 5.1).

It signs messages and not digests: a vector's digest is the message. Vectors: the designers', among which are those of
section 7.1, and Project Wycheproof's. Second implementation: `cryptography` (OpenSSL).
"""

from __future__ import annotations

import random
from collections.abc import Iterator

import cryptography_vectors
from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey, Ed25519PublicKey

from bancada.primitives.signature.algorithm import KeyPair, SignatureAlgorithm, Verification, some_verifications
from bancada.primitives.vector_files import wycheproof

_BYTES = 32
_SIGNATURE_BYTES = 64
# The longest message that the device has room for.
_MESSAGE_BYTES = 128
# Of the designers' 1,024 vectors, whose messages have 0 to 1,023 bytes, an ordinary run takes these.
_SOME_LENGTHS = (0, 1, 2, 3, 31, 32, 33, 63, 64, 65, 127, 128)


def _of_the_designers(full: bool) -> Iterator[Verification]:
    with cryptography_vectors.open_vector_file("asymmetric/Ed25519/sign.input", "r") as file:
        for line in file:
            _, public, message, signed = (bytes.fromhex(part) for part in line.split(":")[:4])
            if len(message) <= _MESSAGE_BYTES and (full or len(message) in _SOME_LENGTHS):
                name = f"Ed25519's designers, {len(message)} bytes"
                yield Verification(name, public, message, signed[:_SIGNATURE_BYTES], True)


def _of_wycheproof() -> Iterator[tuple[str, Verification]]:
    for group in wycheproof("ed25519_test.json")["testGroups"]:
        public = bytes.fromhex(group["publicKey"]["pk"])
        for test in group["tests"]:
            message, signature = bytes.fromhex(test["msg"]), bytes.fromhex(test["sig"])
            if len(signature) == _SIGNATURE_BYTES and len(message) <= _MESSAGE_BYTES:
                name = f"Wycheproof ed25519 tcId {test['tcId']} ({test['comment']})"
                yield (
                    " ".join(test["flags"]),
                    Verification(name, public, message, signature, test["result"] == "valid"),
                )


def _verifications(full: bool) -> Iterator[Verification]:
    yield from _of_the_designers(full)
    yield from some_verifications(_of_wycheproof(), full)


def _key_pair(source: random.Random) -> KeyPair:
    private = source.randbytes(_BYTES)
    return KeyPair(private, Ed25519PrivateKey.from_private_bytes(private).public_key().public_bytes_raw())


def _sign(pair: KeyPair, digest: bytes, source: random.Random, hash_name: str) -> bytes:
    return Ed25519PrivateKey.from_private_bytes(pair.private).sign(digest)


def _holds(public: bytes, digest: bytes, signature: bytes, hash_name: str) -> bool:
    try:
        Ed25519PublicKey.from_public_bytes(public).verify(signature, digest)
    except InvalidSignature:
        return False
    return True


ALGORITHM = SignatureAlgorithm(
    name="ed25519",
    title="Ed25519",
    key_bits=(8 * _BYTES,),
    sizes={"digest_bytes": _MESSAGE_BYTES},
    signature_bytes=_SIGNATURE_BYTES,
    verifications=_verifications,
    key_pair=_key_pair,
    sign_as=_sign,
    holds_as=_holds,
    secret_parts=((0, _BYTES),),
    is_unique=True,
)
