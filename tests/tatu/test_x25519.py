"""X25519 against RFC 7748, Project Wycheproof and `cryptography`, its arithmetic against Python's integers."""

from __future__ import annotations

import json
import random
import subprocess
from dataclasses import dataclass, replace
from pathlib import Path

import pytest
from cryptography.hazmat.primitives.asymmetric.x25519 import X25519PrivateKey, X25519PublicKey

from bancada.engines.simavr.session import runner
from bancada.primitives.vector_files import entries, wycheproof
from tests.tatu.machines import (
    CORTEX_A8_ARM,
    CORTEX_A8_THUMB,
    CORTEX_M0_PLUS,
    CORTEX_M4,
    EVERY,
    HERE,
    HOST_GCC,
    HOSTS,
    TATU_SRC,
    Driver,
    assert_each,
    driver_on,
    runs_on,
)

REFUSED = -6

# The words of machines whose compiler has no product of 128 bits, on one whose has.
WORDS_OF_32 = HOST_GCC.named("x86-64-gcc-words-of-32", "-DTATU_INTERNAL_X25519_WORDS_OF_32")


@pytest.fixture(scope="module")
def driver(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Driver:
    return driver_on(request, "x25519_driver.c", ("x25519", "common"), tmp_path_factory)


@runs_on(*HOSTS, WORDS_OF_32, *EVERY)
def test_rfc_7748_and_random_keys(driver: Driver) -> None:
    vectors = [entry for _, entry in entries("asymmetric/X25519/rfc7748.txt") if "output_u" in entry]
    commands = [f"exchange {entry['input_scalar']} {entry['input_u']}" for entry in vectors]
    expected = [f"0 {entry['output_u']}" for entry in vectors]
    source = random.Random("x25519")
    for _ in range(4):
        secret, peer = source.randbytes(32), source.randbytes(32)
        key = X25519PrivateKey.from_private_bytes(secret)
        commands += [f"public-key {secret.hex()}", f"exchange {secret.hex()} {peer.hex()}"]
        expected += [
            key.public_key().public_bytes_raw().hex(),
            f"0 {key.exchange(X25519PublicKey.from_public_bytes(peer)).hex()}",
        ]
    assert len(vectors) >= 3
    assert_each(driver.run(commands), expected, commands)


@runs_on(HOST_GCC, WORDS_OF_32)
def test_every_vector_of_wycheproof(driver: Driver) -> None:
    tests = [test for group in wycheproof("x25519_test.json")["testGroups"] for test in group["tests"]]
    commands = [f"exchange {test['private']} {test['public']}" for test in tests]
    expected = [f"{0 if set(test['shared']) != {'0'} else REFUSED} {test['shared']}" for test in tests]
    assert len(tests) == 518
    assert_each(driver.run(commands), expected, [test["tcId"] for test in tests])


# ---- the arithmetic ----

P = 2**255 - 19
X1, X2, Z2, X3, Z3, T0, T1 = range(3, 227, 32)
EDGES = (
    *(0, 1, 18, 19, 37, 38, P - 1, P, P + 1, 2 * P - 1, 2 * P, 2**255 - 1, 2**255, 2**256 - 1, 2**128 - 1, 2**128),
    *((2**64 - 1) << shift for shift in (0, 64, 128, 192)),
    *(2**256 - 2**128, 2**192 - 1),
)
RANDOM_PAIRS = 150


def little_endian(number: int) -> bytes:
    return number.to_bytes(32, "little")


@dataclass(frozen=True)
class Operation:
    """An operation: its number, how many bits its operands and its result have at most; on an AVR its cycles with the
    call, and where it may have its result and its operands."""

    number: int
    operand_bits: int
    result_bits: int
    cycles: int
    places: tuple[tuple[int, int, int], ...]

    def right(self, a: int, b: int) -> int:
        return (a * b, a * a, a + b, a - b, a + 121665 * b)[self.number] % P

    def pairs(self) -> list[tuple[int, int]]:
        """Operands at the ends, where carries go all the way, and random ones."""
        source = random.Random(self.number)
        mask = 2**self.operand_bits - 1
        pairs = [(a & mask, b & mask) for a in EDGES for b in EDGES]
        return pairs + [(source.getrandbits(256) & mask, source.getrandbits(256) & mask) for _ in range(RANDOM_PAIRS)]

    def check(self, a: int, b: int, result: bytes) -> None:
        number = int.from_bytes(result, "little")
        assert number % P == self.right(a, b), (hex(a), hex(b))
        assert number < 2**self.result_bits, (hex(a), hex(b))


# In a program of its own the call is RCALL. The figures of docs/reference/kernels/x25519.md.
OPERATIONS = {
    "multiply": Operation(0, 256, 255, 5478, ((X3, T0, Z2), (T0, T0, Z2), (Z2, T0, Z2), (X1, X1, X1))),
    "square": Operation(1, 256, 255, 3851, ((X3, T0, T0), (T0, T0, T0))),
    "add": Operation(2, 255, 256, 262, ((X3, T0, Z2), (T0, T0, Z2), (Z2, T0, Z2))),
    "subtract": Operation(3, 255, 256, 440, ((X3, T0, Z2), (T0, T0, Z2), (Z2, T0, Z2))),
    "add_multiple": Operation(4, 256, 256, 970, ((T1, T0, Z2),)),
}


@runs_on(HOST_GCC, WORDS_OF_32, *EVERY)
@pytest.mark.parametrize("name", OPERATIONS)
def test_the_arithmetic_in_words(driver: Driver, name: str) -> None:
    check_in_words(driver, OPERATIONS[name])


@runs_on(CORTEX_M0_PLUS, CORTEX_M4, CORTEX_A8_ARM, CORTEX_A8_THUMB)
@pytest.mark.parametrize("name", ["add", "subtract"])
def test_the_assembly_takes_sums_of_any_numbers_for_ed25519(driver: Driver, name: str) -> None:
    check_in_words(driver, replace(OPERATIONS[name], operand_bits=256))


def check_in_words(driver: Driver, operation: Operation) -> None:
    pairs = operation.pairs()
    commands = [f"{operation.number} {little_endian(a).hex()} {little_endian(b).hex()}" for a, b in pairs]
    for (a, b), answer in zip(pairs, driver.run(commands), strict=True):
        operation.check(a, b, bytes.fromhex(answer))


@pytest.fixture(scope="module")
def device(tmp_path_factory: pytest.TempPathFactory) -> Path:
    elf = tmp_path_factory.mktemp("field") / "device.elf"
    sources = [HERE / "x25519_field_device.c", HERE / "x25519_field_device.S"]
    command = ["avr-gcc", "-mmcu=atmega328p", "-mrelax", "-std=gnu99", "-Os", f"-I{TATU_SRC}", "-o", str(elf)]
    subprocess.run([*command, *map(str, sources)], check=True)
    return elf


@pytest.mark.parametrize("name", OPERATIONS)
def test_the_arithmetic_of_avr(device: Path, name: str) -> None:
    operation = OPERATIONS[name]
    calls = []
    for index, (a, b) in enumerate(operation.pairs()):
        result, at_a, at_b = operation.places[index % len(operation.places)]
        calls.append((result, at_a, at_b, a, a if at_a == at_b else b))
    sent = b"".join(
        bytes((operation.number, result, at_a, at_b)) + little_endian(a) + little_endian(b)
        for result, at_a, at_b, a, b in calls
    )
    options = ["--mcu", "atmega328p", "--frequency", "16000000", "--uart", "stdio", "--max-cycles", "1000000000"]
    done = subprocess.run([runner(), *options, device], input=sent, capture_output=True, check=False)
    results = [done.stdout[i : i + 32] for i in range(0, len(done.stdout), 32)]
    assert len(results) == len(calls), done.stderr.decode()[-300:]
    for (_, _, _, a, b), answer in zip(calls, results, strict=True):
        operation.check(a, b, answer)
    events = [json.loads(line) for line in done.stderr.decode().splitlines()]
    assert {event["cycles"] for event in events if event["event"] == "region"} == {operation.cycles}
