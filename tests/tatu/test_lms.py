"""LMS against RFC 8554's test cases, and against its algorithms in Python for every parameter set."""

from __future__ import annotations

import random
from dataclasses import replace

import pytest

from bancada.primitives.discovery import read_primitives
from bancada.primitives.references import lms
from bancada.primitives.signature.algorithm import SignatureAlgorithm, Verification
from tests.tatu.machines import CORTEX_M0_PLUS, CORTEX_M4, HOST_GCC, Driver, assert_each, driver_on, runs_on

OK, ERR_AUTHENTICATION = "0", "-4"


@pytest.fixture(scope="module")
def driver(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Driver:
    return driver_on(request, "lms_driver.c", ("lms", "sha2", "common"), tmp_path_factory)


@pytest.fixture(scope="module")
def vectors() -> list[Verification]:
    algorithm = read_primitives()["signature"].algorithm("lms-sha256-m32")
    assert isinstance(algorithm, SignatureAlgorithm)
    return list(algorithm.verifications(True))


def command(vector: Verification, last: str) -> str:
    return f"{vector.public.hex()} {vector.digest.hex()} {vector.signature.hex()} {last}"


def test_the_reference_agrees_with_the_rfc(vectors: list[Verification]) -> None:
    official = [vector for vector in vectors if vector.name.startswith("RFC 8554")]
    assert len(official) == 4
    for vector in official:
        assert lms.holds(vector.public, vector.digest, vector.signature)
        for at in range(0, len(vector.signature), 61):
            changed = bytearray(vector.signature)
            changed[at] ^= 4
            assert not lms.holds(vector.public, vector.digest, bytes(changed)), at


@runs_on(HOST_GCC, CORTEX_M0_PLUS, CORTEX_M4)
def test_signatures_of_every_parameter_set(driver: Driver, vectors: list[Verification]) -> None:
    assert sum(vector.valid for vector in vectors) >= 9
    assert sum(not vector.valid for vector in vectors) >= 10
    expected = [OK if vector.valid else ERR_AUTHENTICATION for vector in vectors]
    for chunk in (0, 1, 31, 100):
        answers = driver.run(command(vector, str(chunk)) for vector in vectors)
        assert_each(answers, expected, (vector.name for vector in vectors))


@runs_on(HOST_GCC)
def test_every_byte_counts(driver: Driver, vectors: list[Verification]) -> None:
    vector = vectors[0]
    commands = []
    for part in ("public", "digest", "signature"):
        data = getattr(vector, part)
        for at in range(len(data)):
            changed = bytes((*data[:at], data[at] ^ 1 << at % 8, *data[at + 1 :]))
            commands.append(command(Verification(**{**vars(vector), part: changed}), "0"))
    assert driver.run(commands) == [ERR_AUTHENTICATION] * len(commands)


@runs_on(HOST_GCC)
def test_a_signature_with_more_behind_it_is_refused(driver: Driver, vectors: list[Verification]) -> None:
    """The driver is built with AddressSanitizer: a byte that is written outside its place ends it."""
    commands = [
        command(replace(vectors[0], signature=vectors[0].signature + bytes(more)), str(chunk))
        for more in (1, 32, 300, 5000)
        for chunk in (0, 1, 100)
    ]
    assert driver.run(commands) == [ERR_AUTHENTICATION] * len(commands)


@runs_on(HOST_GCC)
def test_a_leaf_that_the_tree_does_not_have_is_refused(driver: Driver) -> None:
    """Algorithm 6a, step 2: q is less than 2^h. Everything else is right: the root is what the path leads to."""
    commands, expected = [], []
    for height_type, height in ((5, 5), (6, 10)):
        key = lms.random_key(height_type, 3, random.Random("leaves"))
        for leaf in (2**height - 1, 2**height, 2**height + 1, 3 * 2**height, 2**31):
            signature = replace(key, leaf=leaf).sign(b"message", bytes(32))
            # The sum of 2^h + q, and its form without a carry
            for number in (2**height + leaf, 2**height ^ leaf):
                public = replace(key, leaf=leaf).public_with_number(number)
                commands.append(command(Verification("", public, b"message", signature, False), "0"))
                expected.append(OK if leaf < 2**height else ERR_AUTHENTICATION)
    assert expected.count(OK) == 4
    assert driver.run(commands) == expected


@runs_on(HOST_GCC)
def test_a_message_that_goes_on_after_the_signature_is_refused(driver: Driver, vectors: list[Verification]) -> None:
    assert driver.run([command(vectors[0], "misuse")]) == [ERR_AUTHENTICATION]
