"""No compiler of any machine that Tatu is for has a warning to give. (x86-64 with gcc and clang: tests/tatu/test_builds.py.)"""

from __future__ import annotations

from pathlib import Path

import pytest
from machines import ASSEMBLY_FILES, C_FILES, EMULATED, STRICT, Machine, compile_files, library


@pytest.mark.parametrize("machine", EMULATED, ids=lambda machine: machine.name)
def test_arm_compilers_have_nothing_to_say(scratch: Path, machine: Machine) -> None:
    assert library(machine, scratch).stat().st_size > 0


@pytest.mark.parametrize("cpu", ["cortex-m0plus", "cortex-m4"])
def test_clang_for_arm_has_nothing_to_say(tmp_path: Path, cpu: str) -> None:
    flags = ("--target=arm-none-eabi", f"-mcpu={cpu}", "-Os", "-isystem", "/usr/include/newlib")
    assert compile_files(tmp_path, ("clang", *STRICT, *flags), C_FILES)


@pytest.mark.parametrize("level", ["-Os", "-O3"])
def test_avr_compiler_has_nothing_to_say_of_the_portable_c(tmp_path: Path, level: str) -> None:
    compile_files(tmp_path, ("avr-gcc", *STRICT, "-mmcu=atmega328p", "-DTATU_PORTABLE", level), C_FILES)


@pytest.mark.parametrize("level", ["-Os", "-O3"])
def test_avr_compiler_has_nothing_to_say_beside_the_assembly(tmp_path: Path, level: str) -> None:
    compile_files(tmp_path, ("avr-gcc", *STRICT, "-mmcu=atmega328p", level), C_FILES)
    compile_files(tmp_path, ("avr-gcc", "-Wall", "-Werror", "-mmcu=atmega328p", level), ASSEMBLY_FILES)
