"""CMAC for tests: by the PyPI package `cryptography`, and written for reading where that has no cipher."""

from __future__ import annotations

from cryptography.hazmat.primitives.ciphers import algorithms
from cryptography.hazmat.primitives.cmac import CMAC

from tests.tatu.cipher_programs import speck_encrypt


def cmac_aes(key: bytes, message: bytes) -> bytes:
    mac = CMAC(algorithms.AES(key))
    mac.update(message)
    return mac.finalize()


def doubled(block: bytes) -> bytes:
    """SP 800-38B, section 6.1, for blocks of 8 bytes."""
    number = int.from_bytes(block, "big") << 1
    return (number ^ 0x1B if number >> 64 else number).to_bytes(9, "big")[-8:]


def cmac_speck64(key: bytes, message: bytes) -> bytes:
    """SP 800-38B, section 6.2. Written for reading."""
    subkey = doubled(speck_encrypt(key, bytes(8), word_bits=32))
    if not message or len(message) % 8:
        message += b"\x80" + bytes(-(len(message) + 1) % 8)
        subkey = doubled(subkey)
    state = bytes(8)
    for i in range(0, len(message), 8):
        block = bytes(a ^ b for a, b in zip(state, message[i : i + 8], strict=True))
        if i + 8 == len(message):
            block = bytes(a ^ b for a, b in zip(block, subkey, strict=True))
        state = speck_encrypt(key, block, word_bits=32)
    return state
