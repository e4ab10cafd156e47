"""The laboratory's own Python references against their designers' known answers."""

from __future__ import annotations

import hashlib

import pytest

from bancada.references.ascon import aead128_encrypt, hash256
from bancada.vectors.aead import official_sealed, seal
from bancada.vectors.block_cipher import designers_vectors, independent_block
from bancada.vectors.hash import independent_hash, independent_mac, official_hashes, official_macs

# SHA-256 of the designers' files of known answers for SP 800-232, as the crates ascon-aead 0.6.0 (ascon128.txt) and
# ascon-hash 0.4.0 (asconhash.txt) carry them. Inputs count up, so that the whole file can be written again.
AEAD_FILE_SHA256 = "6a5b08ddd81c0b4858d39a5572f2f81590b82f4a22fc72c6e67fe505248a6949"
HASH_FILE_SHA256 = "b7d6fbc51362f0d62bc7e57b21f3e83242983434a7c92320a4956d915749df17"


def _upper(data: bytes) -> str:
    return data.hex().upper()


def test_ascon_aead128_writes_the_designers_file() -> None:
    key = nonce = bytes(range(16))
    lines = []
    for length in range(33):
        for associated_length in range(33):
            plaintext, associated = bytes(range(length)), bytes(range(associated_length))
            ciphertext, tag = aead128_encrypt(key, nonce, associated, plaintext)
            lines += [f"Count = {33 * length + associated_length + 1}", f"Key = {_upper(key)}", f"Nonce = {_upper(nonce)}"]
            lines += [f"PT = {_upper(plaintext)}", f"AD = {_upper(associated)}", f"CT = {_upper(ciphertext + tag)}", ""]
    assert hashlib.sha256("".join(f"{line}\n" for line in lines).encode()).hexdigest() == AEAD_FILE_SHA256


def test_ascon_hash256_writes_the_designers_file() -> None:
    lines = []
    for length in range(1025):
        message = bytes(index % 256 for index in range(length))
        lines += [f"Count = {length + 1}", f"Msg = {_upper(message)}", f"MD = {_upper(hash256(message))}", ""]
    assert hashlib.sha256("".join(f"{line}\n" for line in lines).encode()).hexdigest() == HASH_FILE_SHA256


@pytest.mark.parametrize(
    ("algorithm", "key_bits"),
    [("speck128", 128), ("speck128", 192), ("speck128", 256), ("speck64", 128), ("rc6", 128), ("rc6", 192), ("rc6", 256)],
)
def test_block_ciphers_reproduce_the_designers_vectors(algorithm: str, key_bits: int) -> None:
    for vector in designers_vectors(algorithm, key_bits):
        assert independent_block(algorithm, vector.key, vector.decrypting)(vector.data) == vector.expected, vector.name


@pytest.mark.parametrize("algorithm", ["sha-256", "sha3-256", "sha3-512"])
def test_the_independent_hash_agrees_with_nists_files(algorithm: str) -> None:
    vectors = official_hashes(algorithm, 300)
    assert len(vectors) > 50
    assert all(independent_hash(algorithm)(message) == digest for _, message, digest in vectors)


@pytest.mark.parametrize("key_bits", [128, 192, 256])
def test_the_independent_cmac_agrees_with_sp_800_38b(key_bits: int) -> None:
    vectors = official_macs(key_bits)
    assert len(vectors) == 4
    assert all(independent_mac(key, message) == tag for _, key, message, tag in vectors)


@pytest.mark.parametrize(("algorithm", "key_bits"), [("aes-ccm", 192), ("chacha20-poly1305", 256)])
def test_the_independent_aead_agrees_with_official_vectors(algorithm: str, key_bits: int) -> None:
    vectors = official_sealed(algorithm, key_bits)
    assert len(vectors) > 60
    for one in vectors:
        sealed = seal(algorithm, one.key, one.nonce, one.associated, one.plaintext, len(one.tag))
        assert sealed == (one.ciphertext, one.tag), one.name
