"""Messages in AES-CBC (NIST SP 800-38A) with the padding of RFC 5652, section 6.3.

Vectors: NIST's files of whole blocks, behind which the block of padding is put. Second implementation: `cryptography`
(OpenSSL).
"""

from __future__ import annotations

from collections.abc import Iterator

from cryptography.hazmat.primitives.ciphers import Cipher, algorithms, modes
from cryptography.hazmat.primitives.padding import PKCS7

from bancada.primitives.block_cipher.algorithms.aes import cbc_vectors
from bancada.primitives.mode.algorithm import ModeAlgorithm, Sent

_BLOCK_BYTES = 16


def _cbc(key: bytes, iv: bytes, data: bytes) -> bytes:
    encryptor = Cipher(algorithms.AES(key), modes.CBC(iv)).encryptor()
    return encryptor.update(data) + encryptor.finalize()


def _vectors(key_bits: int) -> Iterator[Sent]:
    """NIST's message and ciphertext, then the block of padding, which is chained to the last block."""
    for vector in cbc_vectors(key_bits):
        plaintext, ciphertext = (vector.expected, vector.data) if vector.decrypting else (vector.data, vector.expected)
        iv = vector.iv or b""
        padding = _cbc(vector.key, ciphertext[-_BLOCK_BYTES:], bytes([_BLOCK_BYTES]) * _BLOCK_BYTES)
        yield Sent(f"{vector.name}, padded", vector.key, iv, b"", plaintext, iv + ciphertext + padding)


def _send(key: bytes, nonce: bytes, associated: bytes, plaintext: bytes, tag_bytes: int) -> bytes:
    padder = PKCS7(8 * _BLOCK_BYTES).padder()
    return nonce + _cbc(key, nonce, padder.update(plaintext) + padder.finalize())


def _send_unpadded(key: bytes, iv: bytes, data: bytes) -> bytes:
    return iv + _cbc(key, iv, data)


ALGORITHM = ModeAlgorithm(
    name="mode-aes-cbc",
    title="AES-CBC messages",
    key_bits=(128, 192, 256),
    sizes={"nonce_bytes": _BLOCK_BYTES},
    vectors=_vectors,
    send=_send,
    authenticates=False,
    send_unpadded=_send_unpadded,
)
