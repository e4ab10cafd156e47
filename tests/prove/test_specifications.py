"""The specifications compute what the standards' own examples say, before anything is proved by them."""

from __future__ import annotations

import hashlib
import random

import pytest
from cryptography.hazmat.primitives.ciphers import Cipher, algorithms

from bancada.formulas.graph import Graph
from bancada.formulas.word import Word, big_endian, bytes_of, little_endian, word
from bancada.primitives.aead.algorithms.ascon_aead128 import specification as ascon
from bancada.primitives.block_cipher.algorithms.aes import specification as aes
from bancada.primitives.block_cipher.algorithms.rc6 import specification as rc6
from bancada.primitives.block_cipher.algorithms.speck128 import specification as speck
from bancada.primitives.hash.algorithms.sha3_256 import specification as keccak
from bancada.primitives.hash.algorithms.sha_256 import specification as sha_256
from bancada.primitives.hash.algorithms.sha_512 import specification as sha_512
from bancada.primitives.kem.algorithms.ml_kem_512 import specification as ml_kem
from bancada.primitives.keystream.algorithms.chacha20 import specification as chacha20
from bancada.primitives.signature.algorithms.ml_dsa_44 import specification as ml_dsa

pytestmark = pytest.mark.quick


def words(data: bytes) -> list[Word]:
    graph = Graph()
    return [word(graph, byte, 8) for byte in data]


def data(text: list[Word]) -> bytes:
    return bytes(each.value() for each in text)


@pytest.mark.parametrize(
    ("key_bytes", "rounds", "ciphertext"),
    [
        (16, 10, "69c4e0d86a7b0430d8cdb78070b4c55a"),
        (24, 12, "dda97ca4864cdfe06eaf70a0ec0d7191"),
        (32, 14, "8ea2b7ca516745bfeafc49904b496089"),
    ],
)
def test_aes_of_fips_197_appendix_c(key_bytes: int, rounds: int, ciphertext: str) -> None:
    keys = aes.key_expansion(words(bytes(range(key_bytes))), rounds)
    plain = bytes.fromhex("00112233445566778899aabbccddeeff")
    assert data(aes.cipher(words(plain), rounds, keys)).hex() == ciphertext
    assert data(aes.inv_cipher(words(bytes.fromhex(ciphertext)), rounds, keys)) == plain
    between = [byte for at in range(16, 16 * rounds, 16) for byte in aes.inv_mix_columns(keys[at : at + 16])]
    equivalent = [*keys[:16], *between, *keys[16 * rounds :]]
    assert data(aes.eq_inv_cipher(words(bytes.fromhex(ciphertext)), rounds, equivalent)) == plain


def test_speck128_128_of_the_designers() -> None:
    """Appendix C of the paper: key 0f0e...00, plaintext 6c61766975716520 7469206564616d20, as words."""
    key = speck.words_of(words(bytes(range(16))), 8)
    plain = bytes.fromhex("6c617669757165207469206564616d20")[::-1]
    cipher = bytes.fromhex("a65d9851797832657860fedf5c570d18")[::-1]
    keys = speck.key_schedule(key, speck.ROUNDS_128[2])
    assert data(speck.encrypt(words(plain), keys)) == cipher
    assert data(speck.decrypt(words(cipher), keys)) == plain


def test_chacha20_block_is_what_openssl_computes() -> None:
    """The state of RFC 8439, section 2.3.2: counter 1, nonce 000000090000004a00000000."""
    key, counter_and_nonce = bytes(range(32)), bytes.fromhex("01000000000000090000004a00000000")
    expected = Cipher(algorithms.ChaCha20(key, counter_and_nonce), mode=None).encryptor().update(bytes(64))
    assert data(chacha20.block(words(b"expand 32-byte k" + key + counter_and_nonce))) == expected


def test_sha_256_of_fips_180() -> None:
    message = b"abc" + b"\x80" + bytes(52) + (24).to_bytes(8, "big")
    graph = Graph()
    state = [word(graph, each, 32) for each in sha_256.INITIAL]
    found = sha_256.compress(state, [word(graph, byte, 8) for byte in message])
    assert b"".join(each.value().to_bytes(4, "big") for each in found) == hashlib.sha256(b"abc").digest()


def test_sha_512_of_fips_180() -> None:
    message = b"abc" + b"\x80" + bytes(108) + (24).to_bytes(16, "big")
    graph = Graph()
    state = [word(graph, each, 64) for each in sha_512.INITIAL]
    found = sha_512.compress(state, [word(graph, byte, 8) for byte in message])
    assert b"".join(each.value().to_bytes(8, "big") for each in found) == hashlib.sha512(b"abc").digest()


@pytest.mark.parametrize(
    ("key", "plaintext", "ciphertext"),
    [
        ("00" * 16, "00" * 16, "8fc3a53656b1f778c129df4e9848a41e"),
        (
            "0123456789abcdef0112233445566778",
            "02132435465768798a9bacbdcedfe0f1",
            "524e192f4715c6231f51f6367ea43f18",
        ),
        ("00" * 32, "00" * 16, "8f5fbd0510d15fa893fa3fda6e857ec2"),
    ],
)
def test_rc6_of_its_paper(key: str, plaintext: str, ciphertext: str) -> None:
    """The paper's appendix; and the same backwards, with either way to a negative amount."""
    keys = rc6.key_schedule(words(bytes.fromhex(key)))
    assert data(rc6.encrypt(words(bytes.fromhex(plaintext)), keys)).hex() == ciphertext
    for negative in (rc6.negative_amount, rc6.negative_amount_in_two_steps):
        assert data(rc6.decrypt(words(bytes.fromhex(ciphertext)), keys, negative)).hex() == plaintext


def test_keccak_makes_sha3_256_of_nothing() -> None:
    """FIPS 202: the padded empty message is one block of 136 bytes."""
    block = b"\x06" + bytes(134) + b"\x80" + bytes(64)
    graph = Graph()
    lanes = [word(graph, int.from_bytes(block[at : at + 8], "little"), 64) for at in range(0, 200, 8)]
    found = b"".join(each.value().to_bytes(8, "little") for each in keccak.permutation(lanes))
    assert found[:32] == hashlib.sha3_256(b"").digest()


def test_ascon_makes_ascon_hash256_of_nothing() -> None:
    """SP 800-232, algorithm 5, with the first known answer of the Ascon team's LWC_HASH_KAT for Ascon-Hash256."""
    graph = Graph()
    state = [word(graph, byte, 8) for byte in (0x0000080100CC0002).to_bytes(8, "little") + bytes(32)]
    state = ascon.permutation(state, 12)
    state[0] = state[0] ^ 1
    digest = b""
    for _ in range(4):
        state = ascon.permutation(state, 12)
        digest += data(state[:8])
    assert digest.hex() == "0b3be5850f2f6b98caf29f8fdea89b64a1fa70aa249b8f839bd53baa304d92b2"


def test_words_are_integers_modulo_their_width() -> None:
    graph = Graph()
    one, other = word(graph, 0xFFFFFFF0, 32), word(graph, 0x25, 32)
    assert (one + other).value() == 0x15
    assert (other - one).value() == 0x35
    assert one.rotated_left(4).value() == 0xFFFFFF0F
    assert one.rotated_right(8).value() == 0xF0FFFFFF
    assert (one >> 4).value() == 0x0FFFFFFF
    assert (other << 28).value() == 0x50000000
    assert big_endian(bytes_of(other)).value() == 0x25000000
    assert little_endian(bytes_of(other)).value() == 0x25


def test_the_transform_of_ml_kem_is_the_remainders() -> None:
    """FIPS 203, section 4.3: modulo each X^2 - zeta^(2 BitRev7(i) + 1); and products there are those of the ring."""
    draw = random.Random(5)
    one, other = ([draw.randrange(ml_kem.Q) for _ in range(256)] for _ in range(2))
    transformed, of_other = ml_kem.ntt(one), ml_kem.ntt(other)
    for number in range(128):
        root = pow(17, 2 * int(f"{number:07b}"[::-1], 2) + 1, 3329)
        for parity in range(2):
            remainder = sum(one[2 * at + parity] * pow(root, at, 3329) for at in range(128))
            assert (transformed[2 * number + parity] - remainder) % 3329 == 0
    pairs = [slice(at, at + 2) for at in range(0, 256, 2)]
    products = [
        each for at, pair in enumerate(pairs) for each in ml_kem.multiply_pair(transformed[pair], of_other[pair], at)
    ]
    expected = [0] * 256
    for at, first in enumerate(one):
        for place, second in enumerate(other):
            expected[(at + place) % 256] += first * second * (-1 if at + place > 255 else 1)
    assert [each % 3329 for each in ml_kem.inverse_ntt(products)] == [each % 3329 for each in expected]
    assert [each % 3329 for each in ml_kem.inverse_ntt(transformed)] == one


def test_the_transform_of_ml_dsa_is_the_values() -> None:
    """FIPS 204, section 7.5: at zeta^(2 BitRev8(i) + 1), of whole polynomials and of halves after the first layer; and
    products there are those of the ring."""
    draw = random.Random(6)
    one, other = ([draw.randrange(ml_dsa.Q) for _ in range(256)] for _ in range(2))
    transformed, of_other = ml_dsa.ntt(one), ml_dsa.ntt(other)
    for number in range(256):
        root = pow(1753, 2 * int(f"{number:08b}"[::-1], 2) + 1, 8380417)
        value = sum(each * pow(root, at, 8380417) for at, each in enumerate(one))
        assert (transformed[number] - value) % 8380417 == 0
    half_way = [at * 4808194 for at in one[128:]]  # zeta^128, a root of -1
    halves = [[low + sign * high for low, high in zip(one, half_way, strict=False)] for sign in (1, -1)]
    joined = [each for which, half in enumerate(halves) for each in ml_dsa.ntt_half(half, which)]
    assert [each % 8380417 for each in joined] == [each % 8380417 for each in transformed]
    products = [a * b for a, b in zip(transformed, of_other, strict=True)]
    expected = [0] * 256
    for at, first in enumerate(one):
        for place, second in enumerate(other):
            expected[(at + place) % 256] += first * second * (-1 if at + place > 255 else 1)
    assert [each % 8380417 for each in ml_dsa.inverse_ntt(products)] == [each % 8380417 for each in expected]
    assert [each % 8380417 for each in ml_dsa.inverse_ntt(transformed)] == one
