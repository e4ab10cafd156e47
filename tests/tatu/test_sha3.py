"""SHA3-256, SHA3-512, SHAKE128 and SHAKE256 against NIST's response files (CAVP) and Python's hashlib."""

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

BITS = [256, 512]
STRENGTHS = [128, 256]


@pytest.fixture(scope="module")
def driver(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Driver:
    return driver_on(request, DRIVER, PARTS, tmp_path_factory)


def hash_of(bits: int, message: bytes) -> bytes:
    return hashlib.new(f"sha3_{bits}", message).digest()


def xof_of(strength: int, message: bytes, length: int) -> bytes:
    shake = hashlib.shake_128(message) if strength == 128 else hashlib.shake_256(message)
    return shake.digest(length)


@runs_on(HOST_GCC, *HASH_MACHINES)
@pytest.mark.parametrize("bits", BITS)
@pytest.mark.parametrize("kind", ["ShortMsg", "LongMsg"])
def test_hash_known_answers(driver: Driver, bits: int, kind: str) -> None:
    records = list(responses("SHA3", f"SHA3_{bits}{kind}.rsp"))
    assert len(records) >= 72
    messages = [bytes.fromhex(record["Msg"])[: int(record["Len"]) // 8] for record in records]
    answers = driver.run(f"sha3-{bits} {hexadecimal(message)} 0" for message in messages)
    assert answers == [record["MD"] for record in records]


@runs_on(HOST_GCC)
@pytest.mark.parametrize("bits", BITS)
def test_hash_monte_carlo(driver: Driver, bits: int) -> None:
    records = list(responses("SHA3", f"SHA3_{bits}Monte.rsp"))
    [answer] = driver.run([f"sha3-{bits}-monte-carlo {records[0]['Seed']}"])
    assert answer.split() == [record["MD"] for record in records]


@runs_on(HOST_GCC, *HASH_MACHINES)
@pytest.mark.parametrize("bits", BITS)
def test_hash_every_length_whole_and_in_pieces(driver: Driver, bits: int) -> None:
    messages = [random.Random(length).randbytes(length) for length in range(301)]
    expected = [hash_of(bits, message).hex() for message in messages]
    for chunk in (0, 1, 7, 71, 72, 73, 136, 137):
        answers = driver.run(f"sha3-{bits} {hexadecimal(message)} {chunk}" for message in messages)
        assert_each(answers, expected, (f"{length} bytes in pieces of {chunk}" for length in range(301)))


@runs_on(HOST_GCC, *HASH_MACHINES)
@pytest.mark.parametrize("bits", BITS)
def test_the_digest_may_be_written_over_the_message(driver: Driver, bits: int) -> None:
    message = random.Random(bits).randbytes(200)
    once = hash_of(bits, message) + message[bits // 8 :]
    assert driver.run([f"sha3-{bits}-in-place {message.hex()}"]) == [hash_of(bits, once).hex()]


@runs_on(HOST_GCC, *HASH_MACHINES)
@pytest.mark.parametrize("strength", STRENGTHS)
@pytest.mark.parametrize("kind", ["ShortMsg", "LongMsg"])
def test_xof_known_answers(driver: Driver, strength: int, kind: str) -> None:
    records = list(responses("SHAKE", f"SHAKE{strength}{kind}.rsp"))
    assert len(records) >= 100
    commands = []
    for record in records:
        message = bytes.fromhex(record["Msg"])[: int(record["Len"]) // 8]
        commands.append(f"shake{strength} {hexadecimal(message)} 0 {len(record['Output']) // 2} 0")
    assert driver.run(commands) == [record["Output"] for record in records]


@runs_on(HOST_GCC, *HASH_MACHINES)
@pytest.mark.parametrize("strength", STRENGTHS)
def test_xof_known_outputs_of_many_lengths(driver: Driver, strength: int) -> None:
    records = list(responses("SHAKE", f"SHAKE{strength}VariableOut.rsp"))
    assert len(records) >= 1000
    commands = [f"shake{strength} {r['Msg']} 1 {int(r['Outputlen']) // 8} 13" for r in records]
    assert driver.run(commands) == [record["Output"] for record in records]


@runs_on(HOST_GCC)
@pytest.mark.parametrize("strength", STRENGTHS)
def test_xof_monte_carlo(driver: Driver, strength: int) -> None:
    records = list(responses("SHAKE", f"SHAKE{strength}Monte.rsp"))
    first = records[0]
    shortest = -(-int(first["Minimum Output Length (bits)"]) // 8)
    longest = int(first["Maximum Output Length (bits)"]) // 8
    [answer] = driver.run([f"shake{strength}-monte-carlo {first['Msg']} {shortest} {longest}"])
    assert answer.split() == [record["Output"] for record in records]


@runs_on(HOST_GCC, *HASH_MACHINES)
@pytest.mark.parametrize("strength", STRENGTHS)
def test_xof_every_length_whole_and_in_pieces(driver: Driver, strength: int) -> None:
    messages = [random.Random(length).randbytes(length) for length in range(301)]
    lengths = [(7 * len(message)) % 400 for message in messages]
    outputs = [xof_of(strength, message, length) for message, length in zip(messages, lengths, strict=True)]
    expected = [hexadecimal(output) for output in outputs]
    for chunk, output_chunk in ((0, 0), (1, 1), (135, 167), (136, 168), (169, 137)):
        answers = driver.run(
            f"shake{strength} {hexadecimal(message)} {chunk} {length} {output_chunk}"
            for message, length in zip(messages, lengths, strict=True)
        )
        names = (
            f"{len(message)} bytes in pieces of {chunk}, {length} bytes of output in pieces of {output_chunk}"
            for message, length in zip(messages, lengths, strict=True)
        )
        assert_each(answers, expected, names)


@runs_on(HOST_GCC, *HASH_MACHINES)
@pytest.mark.parametrize("strength", STRENGTHS)
def test_an_update_after_squeezing_gives_zeros_until_init(driver: Driver, strength: int) -> None:
    first = xof_of(strength, b"", 8).hex()
    assert driver.run([f"shake{strength}-misuse"]) == [first + "00" * 16 + first]


@pytest.mark.parametrize(
    ("mcu", "flags"), [("atmega328p", ()), ("atmega2560", ()), ("atmega328p", ("-DTATU_PORTABLE",))]
)
def test_on_the_device(tmp_path: Path, mcu: str, flags: tuple[str, ...]) -> None:
    """The assembly, on processors with return addresses of two and of three bytes, and its twin in C."""
    lengths = range(0, 300, 17)
    assert digests_on_device(tmp_path, "tatu_sha3_256", mcu, lengths, *flags) == [
        hash_of(256, device_message(length)).hex() for length in lengths
    ]
