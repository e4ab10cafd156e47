"""What a mode must send for a whole message: official vectors, and independent implementations for the rest.

AES-CBC: NIST's files (AESAVS), with the padding of RFC 5652 put behind them by `cryptography`, since a mode of messages pads. AES-CCM:
NIST CAVP's variable-nonce test, whose nonces of 12 bytes leave room for messages of megabytes, and `cryptography`. Ascon-AEAD128: as
bancada.vectors.aead.
"""

from __future__ import annotations

from dataclasses import dataclass

from cryptography.hazmat.primitives.ciphers import Cipher, algorithms, modes
from cryptography.hazmat.primitives.padding import PKCS7

from bancada.vectors.aead import Sealed, ccm_vectors, official_sealed, seal
from bancada.vectors.block_cipher import AES_KNOWN_ANSWER_TESTS, AES_MULTI_BLOCK_TEST, aes_vectors

CBC, CCM, ASCON = "mode-aes-cbc", "mode-aes-ccm", "mode-ascon-aead128"
_AEADS = {CCM: "aes-ccm", ASCON: "ascon-aead128"}
_CBC_TESTS = (*AES_KNOWN_ANSWER_TESTS, AES_MULTI_BLOCK_TEST)
_BLOCK_BITS = 128
# They leave room for messages of megabytes (SP 800-38C, appendix A.1).
_CCM_NONCE_BYTES = 12


@dataclass(frozen=True)
class Sent:
    """A message and what is sent of it: IV or nonce, ciphertext, tag."""

    name: str
    key: bytes
    nonce: bytes
    associated: bytes
    plaintext: bytes
    sent: bytes


def authenticates(algorithm: str) -> bool:
    """Whether the mode notices changes."""
    return algorithm in _AEADS


def _cbc(key: bytes, iv: bytes, data: bytes) -> bytes:
    encryptor = Cipher(algorithms.AES(key), modes.CBC(iv)).encryptor()
    return encryptor.update(data) + encryptor.finalize()


def sent(algorithm: str, key: bytes, nonce: bytes, associated: bytes, plaintext: bytes, tag_bytes: int) -> bytes:
    """What the independent implementation sends."""
    if algorithm == CBC:
        padder = PKCS7(_BLOCK_BITS).padder()
        return nonce + _cbc(key, nonce, padder.update(plaintext) + padder.finalize())
    ciphertext, tag = seal(_AEADS[algorithm], key, nonce, associated, plaintext, tag_bytes)
    return nonce + ciphertext + tag


def sent_unpadded(key: bytes, iv: bytes, data: bytes) -> bytes:
    """CBC of whole blocks without padding: what a receiver must see through if `data` does not end in padding."""
    return iv + _cbc(key, iv, data)


def _official_cbc(key_bits: int) -> tuple[Sent, ...]:
    """NIST's message and ciphertext; then the block of padding that follows whole blocks, chained to the last of them."""
    found = []
    for test in _CBC_TESTS:
        for vector in aes_vectors("CBC", test, key_bits):
            plaintext, ciphertext = (vector.expected, vector.data) if vector.decrypting else (vector.data, vector.expected)
            iv = vector.iv or b""
            padding = _cbc(vector.key, ciphertext[-16:], bytes([16]) * 16)
            found.append(Sent(f"{vector.name}, padded", vector.key, iv, b"", plaintext, iv + ciphertext + padding))
    return tuple(found)


def _official_sealed(algorithm: str, key_bits: int) -> tuple[Sealed, ...]:
    if algorithm == CCM:
        return tuple(one for one in ccm_vectors("VNT", "Nlen", key_bits) if len(one.nonce) == _CCM_NONCE_BYTES)
    return official_sealed(_AEADS[algorithm], key_bits)


def official_sent(algorithm: str, key_bits: int) -> tuple[Sent, ...]:
    """The official vectors of a mode."""
    if algorithm == CBC:
        return _official_cbc(key_bits)
    return tuple(
        Sent(one.name, one.key, one.nonce, one.associated, one.plaintext, one.nonce + one.ciphertext + one.tag)
        for one in _official_sealed(algorithm, key_bits)
    )
