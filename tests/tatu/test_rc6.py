"""RC6-32/20 against the vectors of its submission for the AES and against a model of the submission's text."""

from __future__ import annotations

import random
from collections.abc import Iterable

import pytest

from tests.tatu.machines import HOST_GCC, HOSTS, PORTABLE, Driver, driver_on, runs_on

# The second way to rotate is for processors that have no instruction for it: tatu/src/rc6/rc6_internal.h.
BY_MASKS = HOST_GCC.named("x86-64-gcc-by-masks", "-DTATU_INTERNAL_RC6_CHOOSE_BY_MASKS")
RC6_HOSTS = (*HOSTS, BY_MASKS)

# "The RC6 Block Cipher" (1998), appendix: key, plaintext, ciphertext.
VECTORS = [
    ("00" * 16, "00" * 16, "8fc3a53656b1f778c129df4e9848a41e"),
    ("0123456789abcdef0112233445566778", "02132435465768798a9bacbdcedfe0f1", "524e192f4715c6231f51f6367ea43f18"),
    ("00" * 24, "00" * 16, "6cd61bcb190b30384e8a3f168690ae82"),
    (
        "0123456789abcdef0112233445566778899aabbccddeeff0",
        "02132435465768798a9bacbdcedfe0f1",
        "688329d019e505041e52e92af95291d4",
    ),
    ("00" * 32, "00" * 16, "8f5fbd0510d15fa893fa3fda6e857ec2"),
    (
        "0123456789abcdef0112233445566778899aabbccddeeff01032547698badcfe",
        "02132435465768798a9bacbdcedfe0f1",
        "c8241816f0d7e48920ad16a1674e5d48",
    ),
]

# ---- the model: the submission, sections 2.2 and 2.3, written for reading, sharing nothing with Tatu ----

MODULUS = 1 << 32
ROUNDS = 20


def rotate_left(word: int, bits: int) -> int:
    bits %= 32
    return (word << bits | word >> (32 - bits)) % MODULUS


def words_of(data: bytes) -> list[int]:
    return [int.from_bytes(data[i : i + 4], "little") for i in range(0, len(data), 4)]


def bytes_of(words: Iterable[int]) -> bytes:
    return b"".join(word.to_bytes(4, "little") for word in words)


def round_keys_of(key: bytes) -> list[int]:
    l = words_of(key)
    s = [(0xB7E15163 + 0x9E3779B9 * i) % MODULUS for i in range(2 * ROUNDS + 4)]
    a = b = 0
    for step in range(3 * len(s)):
        i, j = step % len(s), step % len(l)
        a = s[i] = rotate_left((s[i] + a + b) % MODULUS, 3)
        b = l[j] = rotate_left((l[j] + a + b) % MODULUS, a + b)
    return s


def encrypt(key: bytes, block: bytes) -> bytes:
    s = round_keys_of(key)
    a, b, c, d = words_of(block)
    b = (b + s[0]) % MODULUS
    d = (d + s[1]) % MODULUS
    for i in range(1, ROUNDS + 1):
        t = rotate_left(b * (2 * b + 1) % MODULUS, 5)
        u = rotate_left(d * (2 * d + 1) % MODULUS, 5)
        a = (rotate_left(a ^ t, u) + s[2 * i]) % MODULUS
        c = (rotate_left(c ^ u, t) + s[2 * i + 1]) % MODULUS
        a, b, c, d = b, c, d, a
    return bytes_of(((a + s[2 * ROUNDS + 2]) % MODULUS, b, (c + s[2 * ROUNDS + 3]) % MODULUS, d))


# ---- the tests ----


@pytest.fixture(scope="module")
def driver(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Driver:
    return driver_on(request, "rc6_driver.c", ("rc6", "common"), tmp_path_factory)


@pytest.mark.parametrize("vector", VECTORS, ids=range(len(VECTORS)))
def test_the_model_meets_the_submission(vector: tuple[str, str, str]) -> None:
    key, plaintext, ciphertext = map(bytes.fromhex, vector)
    assert encrypt(key, plaintext) == ciphertext


@runs_on(*RC6_HOSTS, *PORTABLE)
@pytest.mark.parametrize("variant", ["plain", "tiny"])
def test_vectors_of_the_submission(driver: Driver, variant: str) -> None:
    encrypted = driver.run((f"{variant} encrypt apart {key} {plaintext}" for key, plaintext, _ in VECTORS))
    assert encrypted == [ciphertext for _, _, ciphertext in VECTORS]
    decrypted = driver.run((f"{variant} decrypt apart {key} {ciphertext}" for key, _, ciphertext in VECTORS))
    assert decrypted == [plaintext for _, plaintext, _ in VECTORS]


@runs_on(*RC6_HOSTS, *PORTABLE)
@pytest.mark.parametrize("key_bytes", [16, 24, 32])
@pytest.mark.parametrize("variant", ["plain", "tiny"])
def test_round_keys(driver: Driver, variant: str, key_bytes: int) -> None:
    chance = random.Random(f"{variant} {key_bytes}")
    keys = [chance.randbytes(key_bytes) for _ in range(50)]
    expected = [bytes_of(round_keys_of(key)).hex() for key in keys]
    assert driver.run(f"{variant} set-key - {key.hex()}" for key in keys) == expected


@runs_on(*RC6_HOSTS)
@pytest.mark.parametrize("layout", ["apart", "same"])
@pytest.mark.parametrize("key_bytes", [16, 24, 32])
@pytest.mark.parametrize("variant", ["plain", "tiny"])
def test_random_blocks_both_ways_and_in_place(driver: Driver, variant: str, key_bytes: int, layout: str) -> None:
    chance = random.Random(f"{variant} {key_bytes} {layout}")
    cases = [(chance.randbytes(key_bytes), chance.randbytes(16)) for _ in range(200)]
    for extreme in (b"\x00", b"\xff"):
        cases += [(extreme * key_bytes, other * 16) for other in (b"\x00", b"\xff")]
    expected = [encrypt(key, block) for key, block in cases]
    commands = (f"{variant} encrypt {layout} {key.hex()} {block.hex()}" for key, block in cases)
    assert driver.run(commands) == [block.hex() for block in expected]
    pairs = zip(cases, expected, strict=True)
    commands = (f"{variant} decrypt {layout} {key.hex()} {ciphertext.hex()}" for (key, _), ciphertext in pairs)
    assert driver.run(commands) == [block.hex() for _, block in cases]


@runs_on(*RC6_HOSTS)
def test_a_context_serves_many_blocks(driver: Driver) -> None:
    chance = random.Random("many")
    key = chance.randbytes(16)
    blocks = [chance.randbytes(16) for _ in range(60)]
    command = f"plain encrypt apart {key.hex()} {' '.join(block.hex() for block in blocks)}"
    assert driver.run([command]) == [" ".join(encrypt(key, block).hex() for block in blocks)]
