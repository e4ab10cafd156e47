"""P-256 against RFC 6979, NIST CAVP, Project Wycheproof and `cryptography`; its table against the definition."""

from __future__ import annotations

import hashlib
import random
import re

import pytest
from cryptography.hazmat.primitives.asymmetric import ec

from bancada.primitives.references.rfc6979 import nonces
from bancada.primitives.vector_files import entries, wycheproof
from tests.tatu.machines import EVERY, HOST_GCC, HOSTS, TATU_SRC, Driver, assert_each, driver_on, runs_on

PARTS = ("p256", "sha2", "common")
# The words of machines whose compiler has no product of 128 bits, on one whose has.
WORDS_OF_32 = HOST_GCC.named("x86-64-gcc-words-of-32", "-DTATU_INTERNAL_P256_WORDS_OF_32")

HOLDS, WRONG, NO_KEY, NO_LENGTH = "0", "-4", "-6", "-1"
NOTHING = "00" * 64

PRIME = 2**256 - 2**224 + 2**192 + 2**96 - 1
ORDER = 0xFFFFFFFF00000000FFFFFFFFFFFFFFFFBCE6FAADA7179E84F3B9CAC2FC632551
CURVE = ec.SECP256R1()


@pytest.fixture(scope="module")
def driver(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Driver:
    return driver_on(request, "p256_driver.c", PARTS, tmp_path_factory)


def hexadecimal(number: int) -> str:
    return number.to_bytes(32, "big").hex()


def multiple(number: int) -> tuple[int, int]:
    """That many times the base point."""
    found = ec.derive_private_key(number, CURVE).public_key().public_numbers()
    return found.x, found.y


def public(number: int) -> str:
    x, y = multiple(number)
    return hexadecimal(x) + hexadecimal(y)


def signature(secret: int, digest: bytes) -> str:
    for nonce in nonces(ORDER, secret, digest, "sha256"):
        r = multiple(nonce)[0] % ORDER
        s = pow(nonce, -1, ORDER) * (int.from_bytes(digest, "big") + r * secret) % ORDER
        if r and s:
            return hexadecimal(r) + hexadecimal(s)
    raise AssertionError("there is always a next nonce")


# RFC 6979, section A.2.5, with SHA-256: the messages "sample" and "test"
RFC_6979_KEY = "c9afa9d845ba75166b5c215767b1d6934e50c3db36e89b127b8a622b120f6721"
RFC_6979 = {
    b"sample": "efd48b2aacb6a8fd1140dd9cd45e81d69d2c877b56aaf991c34d0ea84eaf3716"
    "f7cb1c942d657c41d436c7a1b6e29f65f3e900dbb9aff4064dc4ab2f843acda8",
    b"test": "f1abb023518351cd71d881567b1ea663ed3efcf6c5132b354f28d3b0b7d38367"
    "019f4113742a2b14bd25926b49c649155f267e60d3814b4c0cc84250e46f0083",
}


@runs_on(*HOSTS, WORDS_OF_32, *EVERY)
def test_known_answers_and_random_keys(driver: Driver) -> None:
    commands, expected = [], []
    for message, signed in RFC_6979.items():
        commands.append(f"sign {RFC_6979_KEY} {hashlib.sha256(message).hexdigest()}")
        expected.append(f"0 {signed}")
    source = random.Random("p256")
    for _ in range(2):
        secret, other = source.randrange(1, ORDER), source.randrange(1, ORDER)
        digest = source.randbytes(32)
        signed, shared = signature(secret, digest), hexadecimal(multiple(secret * other % ORDER)[0])
        changed = (int(signed, 16) ^ 1 << source.randrange(512)).to_bytes(64, "big").hex()
        point = public(secret)
        compressed = f"{2 + int(point[-1], 16) % 2:02x}{point[:64]}"
        commands += [
            f"key {hexadecimal(secret)}",
            f"ecdh {hexadecimal(secret)} {public(other)}",
            f"sign {hexadecimal(secret)} {digest.hex()}",
            f"verify {point} {signed} {digest.hex()}",
            f"verify {point} {changed} {digest.hex()}",
            f"verify {public(other)} {signed} {digest.hex()}",
            f"encode {point}",
            f"decode {compressed}",
        ]
        expected += [f"0 {point}", f"0 {shared}", f"0 {signed}", HOLDS, WRONG, WRONG, f"04{point} {compressed}"]
        expected += [f"0 {point}"]
    assert_each(driver.run(commands), expected, commands)


# Scalars at the ends. Of n less an even number, the last digit of the fixed window may meet two equal points, and twice
# a column of the comb is what would meet them there, if its digits were those of that column.
_WINDOW_ENDS = [number for near in range(1, 35) for number in (near, ORDER - near)]
_COMB_ENDS = [
    (2 * sum(sign * 2 ** (64 * tooth) for tooth, sign in enumerate((*signs, 1))) * factor) % ORDER
    for signs in [(a, b, c) for a in (1, -1) for b in (1, -1) for c in (1, -1)]
    for factor in (1, -1)
]


@runs_on(HOST_GCC, WORDS_OF_32)
def test_scalars_at_the_ends(driver: Driver) -> None:
    peer = random.Random("peer").randrange(1, ORDER)
    commands, expected = [], []
    for scalar in (*_WINDOW_ENDS, *_COMB_ENDS, 2**255, 2**256 - 2**224 - 1):
        commands += [f"key {hexadecimal(scalar)}", f"ecdh {hexadecimal(scalar)} {public(peer)}"]
        expected += [f"0 {public(scalar)}", f"0 {hexadecimal(multiple(scalar * peer % ORDER)[0])}"]
    for refused in (0, ORDER, ORDER + 1, 2**256 - 1):
        commands += [f"key {hexadecimal(refused)}", f"ecdh {hexadecimal(refused)} {public(peer)}"]
        commands += [f"sign {hexadecimal(refused)} {hexadecimal(1)}"]
        expected += [f"{NO_KEY} {NOTHING}", f"{NO_KEY} {NOTHING[:64]}", f"{NO_KEY} {NOTHING}"]
    assert_each(driver.run(commands), expected, commands)


@runs_on(HOST_GCC, WORDS_OF_32)
def test_signatures_that_meet_equal_and_opposite_points(driver: Driver) -> None:
    """Public keys that are small multiples of the base point, digests that make u1 zero or u1 G = -u2 Q."""
    commands, expected = [], []
    source = random.Random("equal points")
    for secret in (*range(1, 9), ORDER - 1, ORDER - 2, 2**64, 2**192, ORDER - 2**128):
        for digest in (bytes(32), ORDER.to_bytes(32, "big"), b"\xff" * 32, source.randbytes(32)):
            commands.append(f"verify {public(secret)} {signature(secret, digest)} {digest.hex()}")
            expected.append(HOLDS)
        for r, s in ((1, 1), (2, 1), (multiple(1)[0] % ORDER, 5)):
            # e = -r d: u1 G + u2 Q is the point at infinity
            digest = (-r * secret % ORDER).to_bytes(32, "big")
            commands.append(f"verify {public(secret)} {hexadecimal(r)}{hexadecimal(s)} {digest.hex()}")
            expected.append(WRONG)
    # u1 = u2 = u for u of few bits, with the key G: the same columns and digits meet
    for u in (1, 2, 3, 15, 16, 17, 2**64 + 1, 2**192 - 1):
        r = multiple(2 * u % ORDER)[0] % ORDER
        s = r * pow(u, -1, ORDER) % ORDER
        commands.append(f"verify {public(1)} {hexadecimal(r)}{hexadecimal(s)} {hexadecimal(r)}")
        expected.append(HOLDS)
    # before the last digit d of u2, u1 G + (u2 - d) Q is d Q: u1 = (2 d - u2) q
    for _ in range(4):
        secret, u2 = source.randrange(1, ORDER), source.randrange(1, ORDER) | 1
        digit = 2 * (u2 >> 1 & 15) - 15
        r = multiple(2 * digit * secret % ORDER)[0] % ORDER
        s = r * pow(u2, -1, ORDER) % ORDER
        hashed = (2 * digit - u2) * secret * s % ORDER
        commands.append(f"verify {public(secret)} {hexadecimal(r)}{hexadecimal(s)} {hexadecimal(hashed)}")
        expected.append(HOLDS)
    assert_each(driver.run(commands), expected, commands)


@runs_on(HOST_GCC, WORDS_OF_32)
def test_every_vector_of_wycheproof(driver: Driver) -> None:
    commands, expected, names = [], [], []
    for group in wycheproof("ecdsa_secp256r1_sha256_p1363_test.json")["testGroups"]:
        key = group["publicKey"]["uncompressed"][2:]
        for test in group["tests"]:
            if len(test["sig"]) == 128:
                commands.append(f"verify {key} {test['sig']} {hashlib.sha256(bytes.fromhex(test['msg'])).hexdigest()}")
                expected.append(HOLDS if test["result"] == "valid" else WRONG)
                names.append(f"ecdsa tcId {test['tcId']} ({test['comment']})")
    assert_each(driver.run(commands), expected, names)
    assert len(commands) > 220
    commands, expected, names = [], [], []
    for test in wycheproof("ecdh_secp256r1_ecpoint_test.json")["testGroups"][0]["tests"]:
        secret, point = test["private"].lstrip("0").rjust(64, "0")[-64:], test["public"]
        name = f"ecdh tcId {test['tcId']} ({test['comment']})"
        if test["result"] == "valid":
            commands.append(f"ecdh {secret} {point[2:]}")
            expected.append(f"0 {test['shared']}")
            names.append(name)
        elif point:
            commands.append(f"decode {point}")
            expected.append(NO_KEY if test["result"] == "invalid" else "a point")
            names.append(name)
    answers = [
        re.sub(f"^{NO_KEY} {NOTHING}$", NO_KEY, re.sub("^0 .{128}$", "a point", one)) for one in driver.run(commands)
    ]
    assert_each(answers, expected, names)
    assert len(commands) > 340


@runs_on(HOST_GCC, WORDS_OF_32)
def test_vectors_of_nist(driver: Driver) -> None:
    commands, expected, names = [], [], []

    def add(command: str, answer: str, name: str) -> None:
        commands.append(command)
        expected.append(answer)
        names.append(name)

    folder = "asymmetric/ECDSA/FIPS_186-3"
    for heading, entry in entries(f"{folder}/PKV.rsp"):
        if heading == "P-256" and len(entry["qx"]) <= 64 and len(entry["qy"]) <= 64:
            point = entry["qx"].zfill(64) + entry["qy"].zfill(64)
            add(f"check {point}", HOLDS if entry["result"].startswith("P") else NO_KEY, f"PKV {entry}")
    heading_of_keys = ""
    for heading, entry in entries(f"{folder}/KeyPair.rsp"):
        heading_of_keys = heading if heading.startswith("P-") else heading_of_keys
        if heading_of_keys == "P-256" and "d" in entry:
            add(f"key {entry['d']}", f"0 {entry['qx']}{entry['qy']}", f"KeyPair {entry}")
    for name in ("SigGen.rsp", "SigVer.rsp"):
        for heading, entry in entries(f"{folder}/{name}"):
            if heading == "P-256,SHA-256" and "s" in entry:
                digest = hashlib.sha256(bytes.fromhex(entry["msg"])).hexdigest()
                numbers = [entry[part].zfill(64) for part in ("qx", "qy", "r", "s")]
                answer = HOLDS if entry.get("result", "P").startswith("P") else WRONG
                add(f"verify {numbers[0]}{numbers[1]} {numbers[2]}{numbers[3]} {digest}", answer, f"{name} {entry}")
    assert len(commands) > 30
    assert_each(driver.run(commands), expected, names)


def _is_on_curve(x: int) -> bool:
    side = (x**3 - 3 * x + 0x5AC635D8AA3A93E7B3EBBD55769886BC651D06B0CC53B0F63BCE3C3E27D2604B) % PRIME
    return pow(side, (PRIME - 1) // 2, PRIME) == 1


@runs_on(HOST_GCC, WORDS_OF_32)
def test_points_that_are_none_are_refused(driver: Driver) -> None:
    x, y = multiple(5)
    with_small_x = next(x for x in range(1, 100) if _is_on_curve(x))
    without = next(x for x in range(1, 100) if not _is_on_curve(x))
    compressed = f"{2 + y % 2:02x}{hexadecimal(x)}"
    refused = [
        hexadecimal(x) + hexadecimal(PRIME - y - 1),
        hexadecimal(y) + hexadecimal(x),
        NOTHING,
        hexadecimal(PRIME) * 2,
        hexadecimal(2**256 - 1) * 2,
        "00" * 32 + hexadecimal(PRIME),
    ]
    commands = [f"check {point}" for point in refused]
    expected = [NO_KEY] * len(refused)
    for point in refused:
        commands += [f"ecdh {hexadecimal(7)} {point}", f"verify {point} {hexadecimal(1) * 2} {hexadecimal(1)}"]
        expected += [f"{NO_KEY} {NOTHING[:64]}", NO_KEY]
    for encoding, result in (
        (f"02{hexadecimal(without)}", NO_KEY),
        (f"03{hexadecimal(with_small_x + PRIME)}", NO_KEY),
        (f"05{hexadecimal(x)}", NO_KEY),
        (f"06{public(5)}", NO_KEY),
        (f"04{hexadecimal(x)}{hexadecimal(y ^ 1)}", NO_KEY),
        ("00", NO_LENGTH),
        (compressed[:-2], NO_LENGTH),
        (f"04{public(5)}00", NO_LENGTH),
    ):
        commands.append(f"decode {encoding}")
        expected.append(f"{result} {NOTHING}")
    for number in range(1, 20):
        x, y = multiple(number)
        commands += [f"decode {2 + y % 2:02x}{hexadecimal(x)}", f"decode {3 - y % 2:02x}{hexadecimal(x)}"]
        expected += [f"0 {hexadecimal(x)}{hexadecimal(y)}", f"0 {hexadecimal(x)}{hexadecimal(PRIME - y)}"]
    assert_each(driver.run(commands), expected, commands)


def test_the_table_is_of_multiples_of_the_base_point() -> None:
    source = (TATU_SRC / "p256" / "p256_base.c").read_text()
    words = [int(word, 16) for word in re.findall(r"0x[0-9a-f]+", source)]
    numbers = [sum(word << 32 * i for i, word in enumerate(words[at : at + 8])) for at in range(0, len(words), 8)]
    assert len(numbers) == 2 * 2 * 8
    for entry in range(2 * 8):
        scalar = 2 ** (32 * (entry // 8)) * (2**192 + sum(2 ** (64 * j) * (entry >> j & 1 or -1) for j in range(3)))
        assert numbers[2 * entry : 2 * entry + 2] == [value * 2**256 % PRIME for value in multiple(scalar)]
