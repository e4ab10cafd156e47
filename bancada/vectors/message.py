"""What a sender's packet must be, by independent implementations: Protocol Buffers' encoding, hashlib, `cryptography`."""

from __future__ import annotations

import hashlib
import random

from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives.asymmetric import ec, padding, rsa, utils
from cryptography.hazmat.primitives.hashes import SHA3_256, SHA256, HashAlgorithm

from bancada.vectors.signature import key_pair

DIGEST_BYTES = 32
# Field 1 with a length in front of it: (1 << 3) | 2 (Protocol Buffers, "Encoding", "Message Structure").
_FIELD_1_TEXT = 0x0A
_HASHES = {"sha-256": (hashlib.sha256, SHA256()), "sha3-256": (hashlib.sha3_256, SHA3_256())}


def hash_and_signature(algorithm: str) -> tuple[str, str | None]:
    """`message-sha3-256+ecdsa-secp256k1` is SHA3-256 signed with ECDSA on secp256k1; without `+`, not signed."""
    hashed, _, signed = algorithm.removeprefix("message-").partition("+")
    return hashed, signed or None


def serialised(text: bytes) -> bytes:
    """message Reading { string data = 1; } of a text shorter than 128 bytes."""
    assert len(text) < 128
    return bytes([_FIELD_1_TEXT, len(text)]) + text


def digest(hashed: str, message: bytes) -> bytes:
    return _HASHES[hashed][0](message).digest()


def _prehashed(hashed: str) -> tuple[HashAlgorithm, utils.Prehashed]:
    algorithm = _HASHES[hashed][1]
    return algorithm, utils.Prehashed(algorithm)


def _rsa_key(private: bytes) -> rsa.RSAPrivateKey:
    parts = [int.from_bytes(part, "big") for part in (
        private[:256], private[256:260], private[260:516], private[516:644], private[644:772],
        private[772:900], private[900:1028], private[1028:1156],
    )]  # fmt: skip
    n, e, d, p, q, dp, dq, qinv = parts
    return rsa.RSAPrivateNumbers(p, q, d, dp, dq, qinv, rsa.RSAPublicNumbers(e, n)).private_key()


def signature(hashed: str, signed: str, private: bytes, message: bytes) -> bytes:
    """A signature by the independent implementation, in the form of harness/include/bancada/signature.h."""
    algorithm, prehashed = _prehashed(hashed)
    if signed == "rsa-pkcs1":
        return _rsa_key(private).sign(digest(hashed, message), padding.PKCS1v15(), prehashed)
    key = ec.derive_private_key(int.from_bytes(private[:32], "big"), ec.SECP256K1())
    r, s = utils.decode_dss_signature(key.sign(digest(hashed, message), ec.ECDSA(prehashed)))
    return r.to_bytes(32, "big") + s.to_bytes(32, "big")


def holds(hashed: str, signed: str, private: bytes, message: bytes, made: bytes) -> bool:
    """Whether a signature holds, by the independent implementation."""
    _, prehashed = _prehashed(hashed)
    try:
        if signed == "rsa-pkcs1":
            _rsa_key(private).public_key().verify(made, digest(hashed, message), padding.PKCS1v15(), prehashed)
        else:
            r, s = int.from_bytes(made[:32], "big"), int.from_bytes(made[32:], "big")
            key = ec.derive_private_key(int.from_bytes(private[:32], "big"), ec.SECP256K1()).public_key()
            key.verify(utils.encode_dss_signature(r, s), digest(hashed, message), ec.ECDSA(prehashed))
    except InvalidSignature:
        return False
    return True


def keys(signed: str, source: random.Random) -> tuple[bytes, bytes]:
    """A private key and its public key in the contract's form."""
    pair = key_pair(signed, source)
    return pair.private, pair.public
