"""Ed25519 against RFC 8032's vectors, Project Wycheproof and `cryptography`; its table against the definition."""

from __future__ import annotations

import random
import re
from collections.abc import Iterator

import cryptography_vectors
import pytest
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from bancada.primitives.vector_files import wycheproof
from tests.tatu.machines import EVERY, HOST_GCC, HOSTS, TATU_SRC, Driver, assert_each, driver_on, runs_on

PARTS = ("ed25519", "x25519", "sha512", "common")
# The words of machines whose compiler has no product of 128 bits, on one whose has.
WORDS_OF_32 = HOST_GCC.named("x86-64-gcc-words-of-32", "-DTATU_INTERNAL_X25519_WORDS_OF_32")

HOLDS, WRONG, NO_KEY = "0", "-4", "-6"

P = 2**255 - 19
ORDER = 2**252 + 27742317777372353535851937790883648493
D = -121665 * pow(121666, -1, P) % P


@pytest.fixture(scope="module")
def driver(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Driver:
    return driver_on(request, "ed25519_driver.c", PARTS, tmp_path_factory)


def hexadecimal(message: bytes) -> str:
    return message.hex() or "-"


def designers_vectors() -> Iterator[tuple[bytes, bytes, bytes, bytes]]:
    """Secret key, public key, message and signature: the designers' 1,024, among which are those of RFC 8032, 7.1."""
    with cryptography_vectors.open_vector_file("asymmetric/Ed25519/sign.input", "r") as file:
        for line in file:
            secret, public, message, signed = (bytes.fromhex(part) for part in line.split(":")[:4])
            yield secret[:32], public, message, signed[:64]


@runs_on(*HOSTS, WORDS_OF_32, *EVERY)
def test_the_designers_vectors_and_random_keys(driver: Driver) -> None:
    vectors = list(designers_vectors())
    assert len(vectors) == 1024
    source = random.Random("ed25519")
    chosen = [vectors[0], vectors[1], vectors[2], vectors[1023]]
    for _ in range(3):
        secret, message = source.randbytes(32), source.randbytes(source.randrange(300))
        key = Ed25519PrivateKey.from_private_bytes(secret)
        chosen.append((secret, key.public_key().public_bytes_raw(), message, key.sign(message)))
    commands, expected = [], []
    for secret, public, message, signature in chosen:
        flipped = bytearray(signature)
        flipped[source.randrange(64)] ^= 1 << source.randrange(8)
        commands += [
            f"key {secret.hex()}",
            f"sign {secret.hex()} {hexadecimal(message)}",
            f"verify {public.hex()} {signature.hex()} {hexadecimal(message)}",
            f"verify {public.hex()} {flipped.hex()} {hexadecimal(message)}",
            f"verify {public.hex()} {signature.hex()} {hexadecimal(message + b'!')}",
        ]
        expected += [public.hex(), signature.hex(), HOLDS, WRONG, WRONG]
    assert_each(driver.run(commands), expected, commands)


@runs_on(HOST_GCC, WORDS_OF_32)
def test_every_vector_of_the_designers(driver: Driver) -> None:
    vectors = list(designers_vectors())
    commands = [f"sign {secret.hex()} {hexadecimal(message)}" for secret, _, message, _ in vectors]
    assert_each(driver.run(commands), [one[3].hex() for one in vectors], [one[2].hex()[:20] for one in vectors])


@runs_on(HOST_GCC, WORDS_OF_32)
def test_every_vector_of_wycheproof(driver: Driver) -> None:
    commands, expected, names = [], [], []
    for group in wycheproof("ed25519_test.json")["testGroups"]:
        for test in group["tests"]:
            if len(test["sig"]) == 128:
                commands.append(f"verify {group['publicKey']['pk']} {test['sig']} {test['msg'] or '-'}")
                expected.append(HOLDS if test["result"] == "valid" else WRONG)
                names.append(f"tcId {test['tcId']} ({test['comment']})")
    assert len(commands) > 120
    assert_each(driver.run(commands), expected, names)


def _encoded(x_is_odd: bool, y: int) -> str:
    return (y | x_is_odd << 255).to_bytes(32, "little").hex()


def _is_on_curve(y: int) -> bool:
    u, v = y * y - 1, D * y * y + 1
    return u % P == 0 or pow(u * pow(v, -1, P), (P - 1) // 2, P) == 1


@runs_on(HOST_GCC, WORDS_OF_32)
def test_only_one_encoding_of_points_and_numbers_is_taken(driver: Driver) -> None:
    """A y of p or more, x = 0 with the sign of an odd number, no point at all; S + L."""
    secret = bytes(range(32))
    key = Ed25519PrivateKey.from_private_bytes(secret)
    signature, public = key.sign(b"message"), key.public_key().public_bytes_raw().hex()
    more = signature[:32] + (int.from_bytes(signature[32:], "little") + ORDER).to_bytes(32, "little")
    no_points = [y for y in range(2, 60) if not _is_on_curve(y)][:8]
    points = [y for y in range(2, 60) if _is_on_curve(y)][:8]
    refused = [
        _encoded(False, P),
        _encoded(False, P + 1),
        _encoded(True, P + 1),
        _encoded(True, 1),
        _encoded(True, P - 1),
    ]
    refused += [_encoded(False, y) for y in no_points]
    taken = [_encoded(sign, y) for sign in (False, True) for y in points] + [_encoded(False, 1), _encoded(False, P - 1)]
    message = b"message".hex()
    commands = [f"verify {one} {signature.hex()} {message}" for one in (*refused, *taken)]
    commands += [f"verify {public} {more.hex()} {message}", f"verify {public} {signature.hex()} {message}"]
    expected = [NO_KEY] * len(refused) + [WRONG] * len(taken) + [WRONG, HOLDS]
    assert_each(driver.run(commands), expected, commands)


# ---- the table ----

Point = tuple[int, int]
BASE_Y = 4 * pow(5, -1, P) % P
BASE: Point = (15112221349535400772501151409588531511454012693041857206046113283949847762202, BASE_Y)


def _sum(one: Point, other: Point) -> Point:
    (x1, y1), (x2, y2) = one, other
    product = D * x1 * x2 * y1 * y2
    return (
        (x1 * y2 + x2 * y1) * pow(1 + product, -1, P) % P,
        (y1 * y2 + x1 * x2) * pow(1 - product, -1, P) % P,
    )


def test_the_table_is_of_multiples_of_the_base_point() -> None:
    source = (TATU_SRC / "ed25519" / "ed25519_base.c").read_text()
    words = [int(word, 16) for word in re.findall(r"0x[0-9a-f]+", source)]
    numbers = [sum(word << 32 * i for i, word in enumerate(words[at : at + 8])) for at in range(0, len(words), 8)]
    teeth = [BASE]
    for _ in range(3):
        tooth = teeth[-1]
        for _ in range(64):
            tooth = _sum(tooth, tooth)
        teeth.append(tooth)
    assert len(numbers) == 3 * 16
    for number in range(16):
        x, y = (0, 1)
        for tooth_number, tooth in enumerate(teeth):
            if number >> tooth_number & 1:
                x, y = _sum((x, y), tooth)
        assert numbers[3 * number : 3 * number + 3] == [(y + x) % P, (y - x) % P, 2 * D * x * y % P]
