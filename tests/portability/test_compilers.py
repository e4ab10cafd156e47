"""No compiler of any machine that Tatu is for has a warning to give. (x86-64, and AVR at -Os: tests/tatu/test_builds.py.)"""

from __future__ import annotations

from pathlib import Path

import pytest
from machines import ASSEMBLY_FILES, C_FILES, EMULATED, STRICT, Machine, compile_files, library


@pytest.mark.parametrize("machine", EMULATED, ids=lambda machine: machine.name)
def test_arm_compilers_have_nothing_to_say(scratch: Path, machine: Machine) -> None:
    assert library(machine, scratch).stat().st_size > 0


def test_clang_for_arm_has_nothing_to_say(tmp_path: Path) -> None:
    flags = ("--target=arm-none-eabi", "-mcpu=cortex-m0plus", "-Os", "-isystem", "/usr/include/newlib")
    assert compile_files(tmp_path, ("clang", *STRICT, *flags), C_FILES)


@pytest.mark.parametrize("portable", [(), ("-DTATU_PORTABLE",)], ids=["beside the assembly", "portable"])
def test_avr_compiler_at_its_highest_level_has_nothing_to_say(tmp_path: Path, portable: tuple[str, ...]) -> None:
    flags = ("-mmcu=atmega328p", "-O3", *portable)
    compile_files(tmp_path, ("avr-gcc", *STRICT, *flags), C_FILES)
    compile_files(tmp_path, ("avr-gcc", "-Wall", "-Werror", *flags), ASSEMBLY_FILES)
