"""All of Tatu, compiled for a machine; tests/tatu/machines.py describes the machines."""

from __future__ import annotations

import functools
import subprocess
from pathlib import Path

from tests.tatu.compiled import objects_of
from tests.tatu.machines import (
    ARM_LINUX,
    BARE_METAL,
    CORTEX_A53,
    CORTEX_M0_PLUS,
    CORTEX_M4,
    SECTIONS,
    STRICT,
    TATU_SRC,
    Machine,
)

HERE = Path(__file__).resolve().parent
C_FILES = sorted(TATU_SRC.rglob("*.c"))
ASSEMBLY_FILES = sorted(TATU_SRC.rglob("*.S"))

HOST = Machine("x86-64", "gcc", ("-O2",))
EMULATED = (CORTEX_M0_PLUS, CORTEX_M4, ARM_LINUX, CORTEX_A53)


@functools.cache
def library(machine: Machine, scratch: Path) -> Path:
    """All of Tatu for the machine, C and assembly, without a warning, in an archive."""
    folder = scratch / machine.name
    folder.mkdir(exist_ok=True)
    objects = objects_of(machine.compiler, (*STRICT, *SECTIONS, *machine.flags), [*C_FILES, *ASSEMBLY_FILES])
    archive = folder / "libtatu.a"
    # Only the machine's own `ar` makes the index that its linker needs.
    ar = machine.compiler.removesuffix("gcc") + "ar"
    subprocess.run([ar, "rcs", archive, *objects], check=True)
    return archive


@functools.cache
def program(machine: Machine, sources: tuple[Path, ...], scratch: Path) -> Path:
    """A command that runs the program of these files, linked with Tatu, on the machine."""
    archive = library(machine, scratch)
    binary = scratch / machine.name / sources[0].stem
    options = (*STRICT, *machine.flags, f"-I{TATU_SRC}", "-Wl,--gc-sections", "-o", str(binary))
    inputs = (*sources, *([BARE_METAL] if machine.is_bare_metal else []), *machine.link_options(), archive)
    subprocess.run([machine.compiler, *options, *map(str, inputs)], check=True)
    return machine.start(binary)
