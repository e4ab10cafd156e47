"""The machines that Tatu's C is compiled for and, where QEMU can, run on."""

from __future__ import annotations

import functools
import os
import subprocess
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path

HERE = Path(__file__).resolve().parent
TATU_SRC = HERE.parents[1] / "tatu" / "src"
DRIVERS = HERE.parent / "tatu"
C_FILES = sorted(TATU_SRC.rglob("*.c"))
ASSEMBLY_FILES = sorted(TATU_SRC.rglob("*.S"))
STRICT = ("-std=c99", "-Wall", "-Wextra", "-Wpedantic", "-Werror", "-Wconversion")
SECTIONS = ("-ffunction-sections", "-fdata-sections")


# A Cortex-M has no Linux, but QEMU's user mode runs its instructions: this makes the system calls that newlib asks for.
BARE_METAL = HERE / "bare_metal.c"


@dataclass(frozen=True)
class Machine:
    """A compiler with the flags of one processor, and how a program made by it is started here."""

    name: str
    compiler: str
    flags: tuple[str, ...]
    emulator: str | None
    is_bare_metal: bool = False

    def link_options(self) -> tuple[str | Path, ...]:
        return ("-nostartfiles", BARE_METAL) if self.is_bare_metal else ("-static",)


THUMB = ("-mthumb", "-Os")
CORTEX_M0_PLUS = Machine("cortex-m0plus", "arm-none-eabi-gcc", ("-mcpu=cortex-m0plus", *THUMB), "qemu-arm", True)
CORTEX_M4 = Machine("cortex-m4", "arm-none-eabi-gcc", ("-mcpu=cortex-m4", *THUMB), "qemu-arm", True)
ARM_LINUX = Machine("arm-linux", "arm-linux-gnueabihf-gcc", ("-O2",), "qemu-arm")
AARCH64_LINUX = Machine("aarch64-linux", "aarch64-linux-gnu-gcc", ("-O3",), "qemu-aarch64")
EMULATED = (CORTEX_M0_PLUS, CORTEX_M4, ARM_LINUX, AARCH64_LINUX)
# The Cortex-M4's Thumb-2 code is much as ARM Linux's: it has the transcript, not all vectors.
WITH_VECTORS = (CORTEX_M0_PLUS, ARM_LINUX, AARCH64_LINUX)
# Where the first byte of a word is its highest.
BIG_ENDIAN = Machine("powerpc-linux", "powerpc-linux-gnu-gcc", ("-Os",), "qemu-ppc")
HOST = Machine("x86-64", "gcc", ("-O2",), None)


def compile_files(folder: Path, command: tuple[str, ...], files: list[Path]) -> list[Path]:
    """Compiles `files`, whose names are unique, into `folder`, on all cores."""
    folder.mkdir(parents=True, exist_ok=True)
    cores = os.cpu_count() or 1

    def compile_share(share: list[Path]) -> None:
        done = subprocess.run(
            [*command, f"-I{TATU_SRC}", "-c", *map(str, share)], cwd=folder, capture_output=True, text=True, check=False
        )
        assert done.returncode == 0, done.stderr

    with ThreadPoolExecutor(cores) as pool:
        list(pool.map(compile_share, [share for i in range(cores) if (share := files[i::cores])]))
    return [folder / f"{file.stem}.o" for file in files]


@functools.cache
def library(machine: Machine, scratch: Path) -> Path:
    """All of Tatu for the machine, C and assembly, without a warning, in an archive."""
    folder = scratch / machine.name
    objects = compile_files(folder, (machine.compiler, *STRICT, *SECTIONS, *machine.flags), [*C_FILES, *ASSEMBLY_FILES])
    archive = folder / "libtatu.a"
    # Only the machine's own `ar` makes the index that its linker needs.
    ar = machine.compiler.removesuffix("gcc") + "ar"
    subprocess.run([ar, "rcs", archive, *objects], check=True)
    return archive


@functools.cache
def program(machine: Machine, source: Path, scratch: Path) -> Path:
    """A command that runs `source`, linked with Tatu, on the machine."""
    archive = library(machine, scratch)
    binary = scratch / machine.name / source.stem
    options = (*STRICT, *machine.flags, f"-I{TATU_SRC}", "-Wl,--gc-sections", "-o", str(binary))
    inputs = (source, *machine.link_options(), archive)
    subprocess.run([machine.compiler, *options, *map(str, inputs)], check=True)
    if machine.emulator is None:
        return binary
    starter = binary.with_suffix(".sh")
    starter.write_text(f"#!/bin/sh\nexec {machine.emulator} '{binary}'\n")
    starter.chmod(0o755)
    return starter
