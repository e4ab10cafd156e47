"""On Arm no operation of Tatu leaves a byte that depends on a key or a message on the stack below its caller's: neither
assembly nor what compilers spill, as far as they are those of CORES."""

from __future__ import annotations

import functools
import operator
import subprocess
from dataclasses import dataclass

import pytest

from tests.tatu.aes_programs import CORTEX_M0_PLUS_TABLES, CORTEX_M4_TABLES
from tests.tatu.machines import (
    ARM_WITHOUT_NEON,
    CORES,
    CORTEX_M0_PLUS,
    CORTEX_M3,
    CORTEX_M4,
    Machine,
    built,
)

PARTS = (
    "aes",
    "ascon",
    "ccm",
    "chacha20",
    "cmac",
    "common",
    "drbg",
    "ed25519",
    "gcm",
    "hkdf",
    "hmac",
    "ml_dsa",
    "ml_kem",
    "modes",
    "p256",
    "secp256k1",
    "poly1305",
    "rc6",
    "sha2",
    "sha512",
    "sha3",
    "speck",
    "x25519",
)
# The level of optimisation decides what a compiler spills.
FAST = tuple(machine.named(f"{machine.name}-fast", "-O2") for machine in (CORTEX_M0_PLUS, CORTEX_M3, CORTEX_M4))
FASTEST = tuple(
    machine.named(f"{machine.name}-fastest", "-O3")
    for machine in (CORTEX_M0_PLUS_TABLES, CORTEX_M4_TABLES, ARM_WITHOUT_NEON)
)
# Others show what these would: the same assembly on another core, or the same C at this level.
SLOW = ("cortex-m3-fast", "cortex-m4-tables-fastest", "armv7-a-without-neon-fastest")
TESTED = (
    *(machine for machine in CORES if machine.name in ("cortex-m0plus", "cortex-m4", "cortex-a8-arm", "cortex-a53")),
    ARM_WITHOUT_NEON,
    CORTEX_M0_PLUS_TABLES,
    CORTEX_M4_TABLES,
    *FAST,
    *FASTEST,
)
RUNS = 4
WINDOW_BYTES = 34816
RUN_BYTES = 2 + WINDOW_BYTES
PAINT = 0xC5
CONTROL = "control"
OPERATIONS = 102


@dataclass(frozen=True)
class Observed:
    """What an operation returned, whether it wrote anything, and what it left below the stack pointer, run after run
    with other secrets."""

    results: list[int]
    wrote: list[bool]
    stacks: list[bytes]

    def secrets(self) -> list[int]:
        """How far below the stack pointer the bytes are that differ between runs."""
        first, *others = (int.from_bytes(stack, "big") for stack in self.stacks)
        differences = functools.reduce(operator.or_, (first ^ other for other in others))
        return [
            WINDOW_BYTES - i for i, difference in enumerate(differences.to_bytes(WINDOW_BYTES, "big")) if difference
        ]


@pytest.fixture(
    scope="module",
    params=[pytest.param(each, id=each.name, marks=pytest.mark.slow if each.name in SLOW else ()) for each in TESTED],
)
def machine(request: pytest.FixtureRequest) -> Machine:
    chosen: Machine = request.param
    return chosen


@pytest.fixture(scope="module")
def operations(machine: Machine, tmp_path_factory: pytest.TempPathFactory) -> dict[str, Observed]:
    numbers = (f"-DRUNS={RUNS}", f"-DWINDOW={WINDOW_BYTES}", f"-DPAINT={PAINT}")
    program = built(machine, "wiping_device_arm.c", PARTS, tmp_path_factory.mktemp("wiping"), numbers)
    sent = subprocess.run([program], stdin=subprocess.DEVNULL, capture_output=True, check=True).stdout
    found = {}
    while sent:
        name, _, sent = sent.partition(b"\0")
        runs = [sent[i * RUN_BYTES :][:RUN_BYTES] for i in range(RUNS)]
        found[name.decode()] = Observed(
            [run[0] for run in runs], [run[1] == 1 for run in runs], [run[2:] for run in runs]
        )
        sent = sent[RUNS * RUN_BYTES :]
    return found


def test_no_secret_stays_on_the_stack(operations: dict[str, Observed]) -> None:
    left = {name: observed.secrets() for name, observed in operations.items() if name != CONTROL}
    assert {name: depths for name, depths in left.items() if depths} == {}


def test_a_key_left_on_the_stack_would_be_noticed(operations: dict[str, Observed]) -> None:
    assert len(operations[CONTROL].secrets()) >= 32


def test_every_operation_ran_and_its_stack_lay_within_what_was_sent(operations: dict[str, Observed]) -> None:
    assert len(operations) == OPERATIONS
    for name, observed in operations.items():
        assert observed.wrote == [name != CONTROL] * RUNS, f"{name} did not run"
        for result, stack in zip(observed.results, observed.stacks, strict=True):
            assert (result != 0) == name.endswith("_forged"), name
            assert len(stack) == WINDOW_BYTES
            assert stack[:16] == bytes([PAINT]) * 16, f"{name} went deeper than WINDOW_BYTES"
