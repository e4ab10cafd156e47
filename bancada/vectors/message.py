"""What a sender's packet must be, by independent implementations: Protocol Buffers' encoding, hashlib, `cryptography`."""

from __future__ import annotations

import hashlib
import random

from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives.asymmetric import ec, padding, utils
from cryptography.hazmat.primitives.hashes import SHA3_256, SHA256

from bancada.vectors.signature import ecdsa_sign, key_pair, rsa_private_key

DIGEST_BYTES = 32
# Field 1 with a length in front of it: (1 << 3) | 2 (Protocol Buffers, "Encoding", "Message Structure").
_FIELD_1_TEXT = 0x0A
# hashlib's name of each hash, and the independent implementation's.
_HASHES = {"sha-256": ("sha256", SHA256()), "sha3-256": ("sha3_256", SHA3_256())}


def hash_and_signature(algorithm: str) -> tuple[str, str | None]:
    """`message-sha3-256+ecdsa-secp256k1` is SHA3-256 signed with ECDSA on secp256k1; without `+`, not signed."""
    hashed, _, signed = algorithm.removeprefix("message-").partition("+")
    return hashed, signed or None


def serialised(text: bytes) -> bytes:
    """message Reading { string data = 1; } of a text shorter than 128 bytes."""
    assert len(text) < 128
    return bytes([_FIELD_1_TEXT, len(text)]) + text


def digest(hashed: str, message: bytes) -> bytes:
    return hashlib.new(_HASHES[hashed][0], message).digest()


def _prehashed(hashed: str) -> utils.Prehashed:
    return utils.Prehashed(_HASHES[hashed][1])


def signature(hashed: str, signed: str, private: bytes, message: bytes) -> bytes:
    """The signature of a message, the same one whenever it is asked again, in the form of harness/include/bancada/signature.h."""
    made = digest(hashed, message)
    if signed == "rsa-pkcs1":
        return rsa_private_key(private).sign(made, padding.PKCS1v15(), _prehashed(hashed))
    return ecdsa_sign(signed, private, made, _HASHES[hashed][0])


def holds(hashed: str, signed: str, private: bytes, message: bytes, made: bytes) -> bool:
    """Whether a signature holds, by the independent implementation."""
    prehashed = _prehashed(hashed)
    try:
        if signed == "rsa-pkcs1":
            rsa_private_key(private).public_key().verify(made, digest(hashed, message), padding.PKCS1v15(), prehashed)
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
