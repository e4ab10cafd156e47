"""On the AVR no operation of Tatu leaves a byte that depends on a key or a message on the stack below its caller's, and
none that expands a key leaves one in a register."""

from __future__ import annotations

import re
import subprocess
from dataclasses import dataclass
from pathlib import Path

import pytest

from bancada.engines.simavr.session import runner
from tests.tatu.machines import TATU_SRC

DEVICE = Path(__file__).resolve().with_name("wiping_device.c")
PARTS = (
    "aes",
    "ascon",
    "ccm",
    "chacha20",
    "common",
    "ed25519",
    "hkdf",
    "hmac",
    "ml_kem",
    "p256",
    "secp256k1",
    "poly1305",
    "rc6",
    "sha2",
    "sha3",
    "sha512",
    "speck",
    "x25519",
)
# An ATmega that holds all the operations in one program; its core and its code are the ATmega328P's.
MCU = "atmega1284p"
LIMIT_CYCLES = 1_400_000_000
RUNS = 4
WINDOW_BYTES = 2800
PAINT = 0xC5
CONTROL = "control"
OPERATIONS = 71
REGISTERS = ("r0", *(f"r{number}" for number in range(18, 28)), "r30", "r31")
RECORD_BYTES = 1 + WINDOW_BYTES + len(REGISTERS)


@dataclass(frozen=True)
class Observed:
    """What an operation returned and left below the stack pointer, run after run with other secrets."""

    results: list[int]
    stacks: list[bytes]
    registers: list[bytes]

    def secrets(self) -> list[int]:
        """How far below the stack pointer the bytes are that differ between runs."""
        return [WINDOW_BYTES - 1 - i for i, values in enumerate(zip(*self.stacks, strict=True)) if len(set(values)) > 1]

    def registers_with_secrets(self) -> list[str]:
        """The registers whose content differs between runs."""
        columns = zip(*self.registers, strict=True)
        return [name for name, values in zip(REGISTERS, columns, strict=True) if len(set(values)) > 1]


@pytest.fixture(scope="module")
def operations(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Observed]:
    elf = tmp_path_factory.mktemp("wiping") / "device.elf"
    sources = sorted(source for part in PARTS for source in (TATU_SRC / part).rglob("*.[cS]"))
    subprocess.run(
        ["avr-gcc", f"-mmcu={MCU}", "-std=gnu99", "-Os", "-Wall", "-Wextra", "-Werror", "-mrelax"]
        + ["-ffunction-sections", "-fdata-sections", "-Wl,--gc-sections", f"-I{TATU_SRC}"]
        + [f"-DRUNS={RUNS}", f"-DWINDOW={WINDOW_BYTES}", f"-DPAINT={PAINT}", f"-DREGISTERS={len(REGISTERS)}"]
        + ["-o", str(elf), str(DEVICE), *map(str, sources)],
        check=True,
    )
    done = subprocess.run(
        [runner(), "--mcu", MCU, "--frequency", "16000000", "--uart", "stdio", "--max-cycles", str(LIMIT_CYCLES), elf],
        stdin=subprocess.DEVNULL,
        capture_output=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr.decode()
    found = {}
    sent = done.stdout
    while sent:
        name, _, sent = sent.partition(b"\0")
        runs = [sent[i * RECORD_BYTES :][:RECORD_BYTES] for i in range(RUNS)]
        stacks = [run[1 : 1 + WINDOW_BYTES] for run in runs]
        found[name.decode()] = Observed([run[0] for run in runs], stacks, [run[1 + WINDOW_BYTES :] for run in runs])
        sent = sent[RUNS * RECORD_BYTES :]
    return found


def test_no_secret_stays_on_the_stack(operations: dict[str, Observed]) -> None:
    left = {name: observed.secrets() for name, observed in operations.items() if name != CONTROL}
    assert {name: depths for name, depths in left.items() if depths} == {}


def test_no_part_of_an_expanded_key_stays_in_a_register(operations: dict[str, Observed]) -> None:
    """Small and tiny ciphers only copy the key, and the last byte stays where the copy passed."""
    setting = {name: each for name, each in operations.items() if re.search("_set_(decrypt_)?key$", name)}
    left = {name: each.registers_with_secrets() for name, each in setting.items()}
    copies = {name for name in left if name.endswith(("_small_set_key", "_tiny_set_key"))}
    assert (len(left), len(copies)) == (16, 6)
    assert {name: registers for name, registers in left.items() if len(registers) > (name in copies)} == {}


def test_a_key_left_on_the_stack_would_be_noticed(operations: dict[str, Observed]) -> None:
    assert len(operations[CONTROL].secrets()) >= 32


def test_every_operation_ran_and_its_stack_lay_within_what_was_sent(operations: dict[str, Observed]) -> None:
    assert len(operations) == OPERATIONS
    for name, observed in operations.items():
        for result, stack in zip(observed.results, observed.stacks, strict=True):
            assert (result != 0) == name.endswith("_forged"), name
            assert len(stack) == WINDOW_BYTES
            assert stack[:16] == bytes([PAINT]) * 16, f"{name} went deeper than WINDOW_BYTES"
            assert set(stack) != {PAINT}, f"{name} did not run"
