"""LMS against RFC 8554's test cases, and against its algorithms in Python for every parameter set."""

from __future__ import annotations

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
def test_a_message_that_goes_on_after_the_signature_is_refused(driver: Driver, vectors: list[Verification]) -> None:
    assert driver.run([command(vectors[0], "misuse")]) == [ERR_AUTHENTICATION]
