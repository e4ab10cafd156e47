"""SHA-512 and SHA-384 against NIST's response files (CAVP) and Python's hashlib."""

from __future__ import annotations

import hashlib
import random
from pathlib import Path

import pytest

from tests.tatu.hash_programs import (
    DRIVER,
    HASH_MACHINES,
    PARTS,
    device_message,
    digests_on_device,
    hexadecimal,
    responses,
)
from tests.tatu.machines import HOST_GCC, Driver, assert_each, driver_on, runs_on

HASHES = pytest.mark.parametrize("name", ["sha512", "sha384"])


@pytest.fixture(scope="module")
def driver(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Driver:
    return driver_on(request, DRIVER, PARTS, tmp_path_factory)


@runs_on(HOST_GCC, *HASH_MACHINES)
@HASHES
def test_known_answers(driver: Driver, name: str) -> None:
    records = [record for kind in ("Short", "Long") for record in responses("SHA2", f"{name.upper()}{kind}Msg.rsp")]
    assert len(records) >= 256
    messages = [bytes.fromhex(record["Msg"])[: int(record["Len"]) // 8] for record in records]
    assert driver.run(f"{name} {hexadecimal(message)} 0" for message in messages) == [r["MD"] for r in records]


@runs_on(HOST_GCC)
@HASHES
def test_monte_carlo(driver: Driver, name: str) -> None:
    records = list(responses("SHA2", f"{name.upper()}Monte.rsp"))
    [answer] = driver.run([f"{name}-monte-carlo {records[0]['Seed']}"])
    assert answer.split() == [record["MD"] for record in records]


@runs_on(HOST_GCC, *HASH_MACHINES)
@HASHES
def test_every_length_whole_and_in_pieces(driver: Driver, name: str) -> None:
    messages = [random.Random(length).randbytes(length) for length in range(300)]
    expected = [hashlib.new(name, message).hexdigest() for message in messages]
    for chunk in (0, 1, 127, 128, 129):
        answers = driver.run(f"{name} {hexadecimal(message)} {chunk}" for message in messages)
        assert_each(answers, expected, (f"{length} bytes in pieces of {chunk}" for length in range(300)))


@runs_on(HOST_GCC)
@HASHES
def test_the_digest_may_be_written_over_the_message(driver: Driver, name: str) -> None:
    message = random.Random(180).randbytes(200)
    digest = hashlib.new(name, message).digest()
    once = digest + message[len(digest) :]
    assert driver.run([f"{name}-in-place {message.hex()}"]) == [hashlib.new(name, once).hexdigest()]


@pytest.mark.parametrize(
    ("name", "mcu", "flags"),
    [
        ("sha512", "atmega328p", ()),
        ("sha384", "atmega2560", ()),
        ("sha512", "atmega328p", ("-DTATU_PORTABLE",)),
    ],
)
def test_on_the_device(tmp_path: Path, name: str, mcu: str, flags: tuple[str, ...]) -> None:
    """The assembly, on processors with return addresses of two and of three bytes, and its twin in C."""
    lengths = range(0, 400, 3)
    digests = [hashlib.new(name, device_message(length)) for length in lengths]
    found = digests_on_device(tmp_path, f"tatu_{name}", mcu, lengths, *flags, digest_bytes=digests[0].digest_size)
    assert found == [digest.hexdigest() for digest in digests]
