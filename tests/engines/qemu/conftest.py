"""Programs for QEMU's user mode, each compiled for the three instruction sets."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest

from tests.engines.qemu.qemu_bench import MACHINES, PROGRAMS, Machine
from tests.plain_sources import plain_sources
from tests.tatu.compiled import compiled


@pytest.fixture(scope="session", params=MACHINES, ids=lambda machine: machine.instruction_set)
def machine(request: pytest.FixtureRequest) -> Machine:
    found: Machine = request.param
    return found


@pytest.fixture(scope="session")
def counted(machine: Machine, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """programs/counted.c as a static Linux program."""
    made = tmp_path_factory.mktemp(machine.instruction_set) / "counted"
    flags = ["-O2", "-static", "-Wall", "-Wextra", "-Werror", *machine.flags]
    subprocess.run([machine.compiler, *flags, str(PROGRAMS / "counted.c"), "-o", str(made)], check=True)
    return made


@pytest.fixture(scope="session")
def ciphers(machine: Machine, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """programs/ciphers.c with Tatu, for no operating system."""
    made = tmp_path_factory.mktemp(machine.instruction_set) / "ciphers"
    sources = plain_sources(("aes", "speck", "sha2", "common"))
    flags = ("-O2", "-ffreestanding", "-ffunction-sections", *machine.flags)
    link = ("-static", "-nostdlib", "-Wl,--gc-sections")
    driver = PROGRAMS / "ciphers.c"
    return compiled(made, machine.compiler, flags, driver, sources, linking=link, libraries=("-lgcc",))
