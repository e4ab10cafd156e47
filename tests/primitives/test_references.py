"""The laboratory's own Python references against their designers' known answers."""

from __future__ import annotations

import hashlib

import pytest

from bancada.primitives.aead.algorithm import AeadAlgorithm
from bancada.primitives.block_cipher.algorithm import BlockCipherAlgorithm, in_byte_order
from bancada.primitives.discovery import read_primitives
from bancada.primitives.hash.algorithm import HashAlgorithm
from bancada.primitives.mac.algorithm import MacAlgorithm
from bancada.primitives.references.ascon import aead128_encrypt, hash256, mac

pytestmark = pytest.mark.quick

# SHA-256 of the designers' files of known answers for SP 800-232, as the crates ascon-aead 0.6.0 (ascon128.txt) and
# ascon-hash 0.4.0 (asconhash.txt) carry them. Inputs count up, so that the whole file can be written again.
AEAD_FILE_SHA256 = "6a5b08ddd81c0b4858d39a5572f2f81590b82f4a22fc72c6e67fe505248a6949"
HASH_FILE_SHA256 = "b7d6fbc51362f0d62bc7e57b21f3e83242983434a7c92320a4956d915749df17"
# The same of crypto_auth/asconmacv13/LWC_MAC_KAT_128_128.txt of the designers' repository ascon/ascon-c.
MAC_FILE_SHA256 = "18cc27a1b9f647dd6178f9f49cf61ed89760a0fd4abc4bdc2862d55661d64458"


def _upper(data: bytes) -> str:
    return data.hex().upper()


def test_ascon_aead128_writes_the_designers_file() -> None:
    key = nonce = bytes(range(16))
    lines = []
    for length in range(33):
        for associated_length in range(33):
            plaintext, associated = bytes(range(length)), bytes(range(associated_length))
            ciphertext, tag = aead128_encrypt(key, nonce, associated, plaintext)
            lines += [
                f"Count = {33 * length + associated_length + 1}",
                f"Key = {_upper(key)}",
                f"Nonce = {_upper(nonce)}",
            ]
            lines += [f"PT = {_upper(plaintext)}", f"AD = {_upper(associated)}", f"CT = {_upper(ciphertext + tag)}", ""]
    assert hashlib.sha256("".join(f"{line}\n" for line in lines).encode()).hexdigest() == AEAD_FILE_SHA256


def test_ascon_hash256_writes_the_designers_file() -> None:
    lines = []
    for length in range(1025):
        message = bytes(index % 256 for index in range(length))
        lines += [f"Count = {length + 1}", f"Msg = {_upper(message)}", f"MD = {_upper(hash256(message))}", ""]
    assert hashlib.sha256("".join(f"{line}\n" for line in lines).encode()).hexdigest() == HASH_FILE_SHA256


def test_ascon_mac_writes_the_designers_file() -> None:
    key = bytes(range(16))
    lines = []
    for length in range(1025):
        message = bytes((16 + index) % 256 for index in range(length))
        lines += [f"Count = {length + 1}", f"Key = {_upper(key)}", f"Msg = {_upper(message)}"]
        lines += [f"Tag = {_upper(mac(key, message))}", ""]
    assert hashlib.sha256("".join(f"{line}\n" for line in lines).encode()).hexdigest() == MAC_FILE_SHA256


@pytest.mark.parametrize("name", ["speck128", "speck64", "rc6"])
def test_block_ciphers_reproduce_the_designers_vectors(name: str) -> None:
    algorithm = read_primitives()["block-cipher"].algorithm(name)
    assert isinstance(algorithm, BlockCipherAlgorithm)
    for key_bits in algorithm.key_bits:
        vectors = list(algorithm.vectors(key_bits))
        assert len(vectors) == 2
        for vector in vectors:
            assert algorithm.block(vector.key, vector.decrypting)(vector.data) == vector.expected, vector.name


def test_3des_is_nists() -> None:
    algorithm = read_primitives()["block-cipher"].algorithm("triple-des")
    assert isinstance(algorithm, BlockCipherAlgorithm)
    vectors = list(algorithm.vectors(192))
    assert {(vector.decrypting, len(set(vector.key[i : i + 8] for i in (0, 8, 16)))) for vector in vectors} == {
        (way, keys) for way in (False, True) for keys in (1, 3)
    }
    for vector in vectors:
        assert algorithm.block(vector.key, vector.decrypting)(vector.data) == vector.expected, vector.name


def test_speck_has_the_papers_byte_order_too() -> None:
    """Paper, appendix C, Speck128/128: the words as they are printed, read as bytes."""
    algorithm = read_primitives()["block-cipher"].algorithm("speck128")
    assert isinstance(algorithm, BlockCipherAlgorithm)
    encrypt, decrypt = in_byte_order(algorithm, "paper").vectors(128)
    assert encrypt.key.hex() == "0f0e0d0c0b0a09080706050403020100"
    assert encrypt.data.hex() == "6c617669757165207469206564616d20"
    assert encrypt.expected.hex() == "a65d9851797832657860fedf5c570d18"
    block = in_byte_order(algorithm, "paper").block
    assert block(encrypt.key, False)(encrypt.data) == encrypt.expected
    assert block(decrypt.key, True)(decrypt.data) == decrypt.expected == encrypt.data
    assert next(iter(in_byte_order(algorithm, "guide").vectors(128))) == next(iter(algorithm.vectors(128)))


@pytest.mark.parametrize("name", ["sha-256", "sha-384", "sha-512", "sha3-256", "sha3-512"])
def test_the_second_implementation_of_a_hash_agrees_with_nists_files(name: str) -> None:
    algorithm = read_primitives()["hash"].algorithm(name)
    assert isinstance(algorithm, HashAlgorithm)
    vectors = list(algorithm.vectors(300))
    assert len(vectors) > 50
    assert all(algorithm.digest(message) == digest for _, message, digest in vectors)


@pytest.mark.parametrize(
    ("name", "key_bits", "count"),
    [("aes-cmac", 128, 4), ("aes-cmac", 192, 4), ("aes-cmac", 256, 4), ("poly1305", 256, 11)],
)
def test_the_second_implementation_of_a_mac_agrees_with_official_vectors(name: str, key_bits: int, count: int) -> None:
    algorithm = read_primitives()["mac"].algorithm(name)
    assert isinstance(algorithm, MacAlgorithm)
    vectors = list(algorithm.vectors(key_bits))
    assert len(vectors) == count
    assert all(algorithm.tag(key, message) == tag for _, key, message, tag in vectors)


@pytest.mark.parametrize(("name", "key_bits"), [("aes-ccm", 192), ("aes-gcm", 192), ("chacha20-poly1305", 256)])
def test_the_second_implementation_of_an_aead_agrees_with_official_vectors(name: str, key_bits: int) -> None:
    algorithm = read_primitives()["aead"].algorithm(name)
    assert isinstance(algorithm, AeadAlgorithm)
    vectors = list(algorithm.vectors(key_bits))
    assert len(vectors) > 60
    for one in vectors:
        sealed = algorithm.seal(one.key, one.nonce, one.associated, one.plaintext, len(one.tag))
        assert sealed == (one.ciphertext, one.tag), one.name
