"""Names for people."""

from __future__ import annotations

import pytest

from bancada.answers.words import algorithm_title, key_text

pytestmark = pytest.mark.quick


@pytest.mark.parametrize(
    ("algorithm", "title"),
    [
        ("aes", "AES"),
        ("speck128", "Speck-128"),
        ("triple-des", "3DES"),
        ("ed25519", "Ed25519"),
        ("chacha20-poly1305", "ChaCha20-Poly1305"),
        ("mode-aes-cbc", "AES-CBC"),
        ("message-sha3-256", "SHA3-256"),
        ("message-sha-256+ecdsa-secp256k1", "SHA-256 with ECDSA-secp256k1"),
        ("message-sha-256+rsa-pkcs1", "SHA-256 with RSA-PKCS1"),
    ],
)
def test_an_algorithm_is_named_as_its_designers_write_it(algorithm: str, title: str) -> None:
    """Whether it is a mode or a whole message is said where the primitive is named."""
    assert algorithm_title(algorithm) == title


@pytest.mark.parametrize(
    ("key_bits", "algorithms", "text"),
    [
        (128, {"aes", "speck128"}, "128 bit"),
        (0, {"sha-256"}, ""),
        (44, {"ml-dsa-44"}, "ML-DSA-44"),
        (512, {"ml-kem-512"}, "ML-KEM-512"),
        (512, {"ml-kem-512", "hmac-sha-512"}, "512 bit"),
    ],
)
def test_a_parameter_set_is_no_key_size(key_bits: int, algorithms: set[str], text: str) -> None:
    assert key_text(key_bits, algorithms) == text
