"""SLH-DSA-SHA2-128s against the designers' known answers, NIST's keys, and FIPS 205's algorithms in Python."""

from __future__ import annotations

import hashlib
import json
import random
from dataclasses import replace

import pytest

from bancada.catalogue.candidate import Source
from bancada.catalogue.paths import cache_folder
from bancada.primitives.discovery import read_primitives
from bancada.primitives.references import slh_dsa
from bancada.primitives.signature.algorithm import SignatureAlgorithm, Verification
from bancada.primitives.signature.algorithms.slh_dsa_sha2_128s import known_answers
from bancada.sources.fetch import fetch
from tests.tatu.machines import CORTEX_M0_PLUS, CORTEX_M4, HOST_GCC, Driver, assert_each, driver_on, runs_on

OK, ERR_AUTHENTICATION = "0", "-4"
CRATE = Source(
    registry="crate",
    package="slh-dsa",
    version="0.1.0",
    sha256="069c0368c5352eeea0134fa9bfd45feb28c5c5412719b2db81c12c784adb1aef",
)
# tests/known_answer_tests.rs of the crate, for the parameter set whose signatures take a fraction of a second
FAST_DIGEST = "c8fcb441611200b19349f2e7fda07c4547bef22f35af6e47a2b8c824e0c2e0be"


@pytest.fixture(scope="module")
def driver(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Driver:
    return driver_on(request, "slh_dsa_driver.c", ("slh_dsa", "sha2", "common"), tmp_path_factory)


@pytest.fixture(scope="module")
def algorithm() -> SignatureAlgorithm:
    found = read_primitives()["signature"].algorithm("slh-dsa-sha2-128s")
    assert isinstance(found, SignatureAlgorithm)
    return found


def command(vector: Verification, chunk: int) -> str:
    return f"{vector.public.hex()} {vector.digest.hex()} {vector.signature.hex()} {chunk}"


def test_the_reference_makes_the_designers_signatures() -> None:
    """All ten of SLH-DSA-SHA2-128f; `make test-slh-dsa` makes those of 128s, which take minutes."""
    answers = known_answers.known_answers()
    text = "".join(known_answers.entry(i, answer, slh_dsa.FAST) for i, answer in enumerate(answers))
    assert hashlib.sha256(f"# SPHINCS+\n\n{text}".encode()).hexdigest() == FAST_DIGEST
    key, signature = answers[0].signed(slh_dsa.FAST)
    for at in (0, len(signature) // 2, len(signature)):
        changed = (
            signature[:at] + bytes([signature[at] ^ 1]) + signature[at + 1 :] if at < len(signature) else signature
        )
        assert slh_dsa.holds(key.public, answers[0].message, changed, slh_dsa.FAST) == (at == len(signature))


def test_the_reference_makes_nists_key() -> None:
    """ACVP's keyGen for SLH-DSA-SHA2-128s."""
    path = fetch(CRATE, cache_folder()) / "tests" / "acvp" / "SLH-DSA-keyGen-FIPS205" / "internalProjection.json"
    groups = json.loads(path.read_text())["testGroups"]
    [test, *_] = next(group["tests"] for group in groups if group["parameterSet"] == "SLH-DSA-SHA2-128s")
    secret, prf, seed = (bytes.fromhex(test[name]) for name in ("skSeed", "skPrf", "pkSeed"))
    key = slh_dsa.Key(secret, prf, seed)
    assert key.public == bytes.fromhex(test["pk"])


@runs_on(HOST_GCC, CORTEX_M0_PLUS, CORTEX_M4)
def test_known_answers_and_mistakes(driver: Driver, algorithm: SignatureAlgorithm) -> None:
    vectors = list(algorithm.verifications(True))
    assert sum(vector.valid for vector in vectors) >= 1
    assert sum(not vector.valid for vector in vectors) >= 12
    for vector in vectors:
        assert slh_dsa.holds(vector.public, vector.digest, vector.signature) == vector.valid, vector.name
    expected = [OK if vector.valid else ERR_AUTHENTICATION for vector in vectors]
    for chunk in (1, 17, 10_000):
        answers = driver.run(command(vector, chunk) for vector in vectors)
        assert_each(answers, expected, (vector.name for vector in vectors))


@runs_on(HOST_GCC)
def test_messages_with_a_context(driver: Driver, algorithm: SignatureAlgorithm) -> None:
    """M' of algorithm 24, whose context is the first bytes of what the driver gets."""
    source = random.Random("SLH-DSA contexts")
    pair = algorithm.key_pair(source)
    commands, expected = [], []
    for length in (3, 4, 50, 200):
        data = source.randbytes(length)
        formatted = b"\0\3" + data
        signature = algorithm.sign(pair, formatted, source)
        right = Verification("", pair.public, data, signature, True)
        altered = replace(right, digest=bytes([data[0] ^ 1]) + data[1:])
        short = replace(right, signature=signature[:-1])
        commands += [command(each, 0) for each in (right, altered, short)]
        expected += [OK, ERR_AUTHENTICATION, ERR_AUTHENTICATION]
    assert driver.run(commands) == expected


@runs_on(HOST_GCC)
def test_every_value_of_a_signature_counts(driver: Driver, algorithm: SignatureAlgorithm) -> None:
    vector = next(iter(algorithm.verifications(True)))
    commands = []
    for at in range(0, len(vector.signature), slh_dsa.N):
        changed = bytearray(vector.signature)
        changed[at + at // slh_dsa.N % slh_dsa.N] ^= 0x10
        commands.append(command(replace(vector, signature=bytes(changed)), 1000))
    assert driver.run(commands) == [ERR_AUTHENTICATION] * len(commands)


@runs_on(HOST_GCC)
def test_a_signature_with_more_behind_it_is_refused(driver: Driver, algorithm: SignatureAlgorithm) -> None:
    vector = next(vector for vector in algorithm.verifications(True) if vector.valid)
    commands = [
        command(replace(vector, signature=vector.signature + bytes(more)), chunk)
        for more in (1, 16, 300)
        for chunk in (1, 100)
    ]
    assert driver.run(commands) == [ERR_AUTHENTICATION] * len(commands)
