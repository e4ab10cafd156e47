"""The Arm cores that the tests of permutations compile for, and how their programs run here."""

from __future__ import annotations

import subprocess
from dataclasses import dataclass
from pathlib import Path

HERE = Path(__file__).resolve().parent
TATU_SRC = HERE.parents[1] / "tatu" / "src"
BARE_METAL = HERE.parent / "portability" / "bare_metal.c"
STRICT = ("-std=c99", "-Wall", "-Wextra", "-Wpedantic", "-Werror", "-Wconversion")


@dataclass(frozen=True)
class Machine:
    """A core, how it is compiled for, and the emulator of its instructions."""

    name: str
    compiler: str
    flags: tuple[str, ...]
    emulator: tuple[str, ...]
    is_bare_metal: bool = False


BARE = "arm-none-eabi-gcc"
LINUX = "arm-linux-gnueabihf-gcc"
NEON = ("-mcpu=cortex-a8", "-mfpu=neon", "-O2")
MACHINES = (
    Machine("cortex-m0plus", BARE, ("-mcpu=cortex-m0plus", "-mthumb", "-Os"), ("qemu-arm",), True),
    Machine("cortex-m3", BARE, ("-mcpu=cortex-m3", "-mthumb", "-O2"), ("qemu-arm",), True),
    Machine("cortex-m4", BARE, ("-mcpu=cortex-m4", "-mthumb", "-Os"), ("qemu-arm",), True),
    Machine("cortex-a8-arm", LINUX, (*NEON, "-marm"), ("qemu-arm", "-cpu", "cortex-a8")),
    Machine("cortex-a8-thumb", LINUX, (*NEON, "-mthumb"), ("qemu-arm", "-cpu", "cortex-a8")),
    Machine("cortex-a53", "aarch64-linux-gnu-gcc", ("-mcpu=cortex-a53+nocrypto", "-O2"), ("qemu-aarch64", "-cpu", "cortex-a53")),
)


def built(machine: Machine, source: str, modules: tuple[str, ...], folder: Path) -> Path:
    """A command that runs the driver `source` with Tatu's `modules` on the machine."""
    files = [HERE / source, *(file for module in modules for file in sorted((TATU_SRC / module).glob("*.[cS]")))]
    start = ("-nostartfiles", str(BARE_METAL)) if machine.is_bare_metal else ("-static",)
    binary = folder / machine.name
    subprocess.run(
        [machine.compiler, *STRICT, *machine.flags, f"-I{TATU_SRC}", *start, *map(str, files), "-o", str(binary)], check=True
    )
    starter = binary.with_suffix(".sh")
    starter.write_text(f"#!/bin/sh\nexec {' '.join(machine.emulator)} '{binary}'\n")
    starter.chmod(0o755)
    return starter
