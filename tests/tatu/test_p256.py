"""P-256 against RFC 6979, NIST CAVP, Project Wycheproof and `cryptography`; its table against the definition."""

from __future__ import annotations

import hashlib
import re

import pytest

from bancada.primitives.vector_files import entries
from tests.tatu.curve_checks import (
    HOLDS,
    NO_KEY,
    P256,
    WORDS_OF_32,
    WRONG,
    check_arithmetic,
    check_every_vector_of_wycheproof,
    check_points_that_are_none_are_refused,
    check_random_keys,
    check_scalars_at_the_ends,
    check_signatures_that_meet_equal_and_opposite_points,
    check_the_table_is_of_multiples_of_the_base_point,
)
from tests.tatu.machines import (
    CORTEX_A8_ARM,
    CORTEX_A53,
    CORTEX_M4,
    EVERY,
    HOST_GCC,
    HOSTS,
    TATU_SRC,
    Driver,
    assert_each,
    driver_on,
    runs_on,
)

PARTS = ("p256", "sha2", "common")
CURVE = P256


@pytest.fixture(scope="module")
def driver(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Driver:
    return driver_on(request, "p256_driver.c", PARTS, tmp_path_factory)


# RFC 6979, section A.2.5, with SHA-256: the messages "sample" and "test"
RFC_6979_KEY = "c9afa9d845ba75166b5c215767b1d6934e50c3db36e89b127b8a622b120f6721"
RFC_6979 = {
    b"sample": "efd48b2aacb6a8fd1140dd9cd45e81d69d2c877b56aaf991c34d0ea84eaf3716"
    "f7cb1c942d657c41d436c7a1b6e29f65f3e900dbb9aff4064dc4ab2f843acda8",
    b"test": "f1abb023518351cd71d881567b1ea663ed3efcf6c5132b354f28d3b0b7d38367"
    "019f4113742a2b14bd25926b49c649155f267e60d3814b4c0cc84250e46f0083",
}


@runs_on(*HOSTS, WORDS_OF_32, *EVERY)
def test_known_answers(driver: Driver) -> None:
    commands = [f"sign {RFC_6979_KEY} {hashlib.sha256(message).hexdigest()}" for message in RFC_6979]
    assert_each(driver.run(commands), [f"0 {signed}" for signed in RFC_6979.values()], commands)


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


@runs_on(*HOSTS, WORDS_OF_32, *EVERY)
def test_random_keys(driver: Driver) -> None:
    check_random_keys(CURVE, driver)


@runs_on(HOST_GCC, WORDS_OF_32)
def test_the_arithmetic_in_c(driver: Driver) -> None:
    check_arithmetic(CURVE, driver, CURVE.prime)


@runs_on(CORTEX_M4, CORTEX_A8_ARM)
def test_the_arithmetic_in_assembly(driver: Driver) -> None:
    """Numbers have any 256 bits."""
    check_arithmetic(CURVE, driver, 2**256)


@runs_on(HOST_GCC, WORDS_OF_32, CORTEX_A53)
def test_scalars_at_the_ends(driver: Driver) -> None:
    check_scalars_at_the_ends(CURVE, driver)


@runs_on(HOST_GCC, WORDS_OF_32, CORTEX_A53)
def test_signatures_that_meet_equal_and_opposite_points(driver: Driver) -> None:
    check_signatures_that_meet_equal_and_opposite_points(CURVE, driver)


@runs_on(HOST_GCC, WORDS_OF_32, CORTEX_A53)
def test_every_vector_of_wycheproof(driver: Driver) -> None:
    check_every_vector_of_wycheproof(
        CURVE, driver, "ecdsa_secp256r1_sha256_p1363_test.json", "ecdh_secp256r1_ecpoint_test.json"
    )


@runs_on(HOST_GCC, WORDS_OF_32, CORTEX_A53)
def test_points_that_are_none_are_refused(driver: Driver) -> None:
    check_points_that_are_none_are_refused(CURVE, driver)


def test_the_table_is_of_multiples_of_the_base_point() -> None:
    check_the_table_is_of_multiples_of_the_base_point(CURVE)


def test_the_table_for_aarch64_is_of_multiples_of_the_base_point() -> None:
    source = (TATU_SRC / "p256" / "aarch64" / "p256_combs_aarch64.c").read_text()
    words = [int(word, 16) for word in re.findall(r"0x[0-9a-f]{16}", source)]
    numbers = [sum(word << 64 * i for i, word in enumerate(words[at : at + 4])) for at in range(0, len(words), 4)]
    assert len(numbers) == 2 * 2 * 32
    for entry in range(2 * 32):
        scalar = 2 ** (22 * (entry // 32)) * (2**215 + sum(2 ** (43 * j) * (entry >> j & 1 or -1) for j in range(5)))
        expected = [value * CURVE.form % CURVE.prime for value in CURVE.multiple(scalar % CURVE.order)]
        assert numbers[2 * entry : 2 * entry + 2] == expected
