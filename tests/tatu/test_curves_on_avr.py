"""The arithmetic modulo p and n of P-256 and secp256k1 in the simulated ATmega, against Python's integers."""

from __future__ import annotations

import subprocess
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import pytest

from bancada.engines.simavr.session import runner
from tests.tatu.curve_checks import HALVE, P256, SECP256K1, Curve, check_arithmetic
from tests.tatu.machines import HERE, TATU_SRC

OPTIONS = ("--mcu", "atmega1284p", "--frequency", "16000000", "--uart", "stdio", "--max-cycles", "2000000000")


@dataclass(frozen=True)
class Device:
    """The program curve_device.c, which answers commands as the drivers for other machines do."""

    elf: Path

    def run(self, commands: Sequence[str]) -> list[str]:
        words = [command.split() for command in commands]
        sent = b"".join(bytes([int(number)]) + bytes.fromhex(a + b) for number, a, b in words)
        done = subprocess.run([runner(), *OPTIONS, self.elf], input=sent, capture_output=True, check=False)
        assert len(done.stdout) == 32 * len(commands), done.stderr.decode()[-300:]
        return [done.stdout[at : at + 32].hex() for at in range(0, len(done.stdout), 32)]


@pytest.mark.parametrize("curve", [P256, SECP256K1], ids=lambda curve: curve.folder)
def test_the_arithmetic_in_assembly(curve: Curve, tmp_path: Path) -> None:
    """Numbers have any 256 bits. There is no operation that halves."""
    elf = tmp_path / "device.elf"
    sources = [HERE / "curve_device.c", *sorted((TATU_SRC / curve.folder).rglob("*.[cS]"))]
    sources += [*sorted((TATU_SRC / "sha2").rglob("*.[cS]")), *sorted((TATU_SRC / "common").rglob("*.[cS]"))]
    command = ["avr-gcc", "-mmcu=atmega1284p", "-mrelax", "-std=gnu99", "-Os", "-ffunction-sections"]
    command += ["-Wl,--gc-sections", f"-I{TATU_SRC}", f'-DCURVE_HEADER="{curve.folder}/{curve.folder}_curve.h"']
    subprocess.run([*command, "-o", elf, *sources], check=True)
    check_arithmetic(curve, Device(elf), 2**256, without=HALVE)
