"""Which operations of Tatu execute other instructions, or access other addresses, for other secrets: seen by QEMU."""

from __future__ import annotations

import functools
import subprocess
from collections.abc import Sequence
from pathlib import Path

from bancada.catalogue.paths import data_root
from tests.portability.machines import HERE, program
from tests.tatu.machines import Machine

DRIVER = HERE / "trace_driver.c"
PLUGIN = data_root() / "engines" / "qemu" / "trace" / "trace.c"
PLANTED_BRANCH, PLANTED_LOOK_UP = "planted branch", "planted look-up"


@functools.cache
def _plugin(scratch: Path) -> Path:
    made = scratch / "trace.so"
    flags = ("-std=c99", "-O2", "-fPIC", "-shared", "-fvisibility=hidden", "-Wall", "-Wextra", "-Werror")
    subprocess.run(["cc", *flags, "-o", made, PLUGIN], check=True)
    return made


def _marker(nm: str, binary: Path, name: str) -> int:
    for line in subprocess.run([nm, binary], capture_output=True, text=True, check=True).stdout.splitlines():
        if line.endswith(f" {name}"):
            return int(line.split()[0], 16) & ~1  # the lowest bit of an address in Thumb code is not of the address
    raise AssertionError(f"{binary.name} has no {name}")


def traces(machine: Machine, scratch: Path) -> dict[str, list[str]]:
    """For each operation the traces of its calls, each with another secret: how many blocks and accesses, checksums."""
    binary = program(machine, (DRIVER,), scratch).with_suffix("")
    nm = machine.compiler.removesuffix("gcc") + "nm"
    markers = f"begin={_marker(nm, binary, 'trace_begin'):#x},end={_marker(nm, binary, 'trace_end'):#x}"
    emulator, *options = machine.emulator
    command = [emulator, "-plugin", f"{_plugin(scratch)},{markers}", *options, str(binary)]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr[-2000:]
    names = done.stdout.splitlines()
    pieces = [line for line in done.stderr.splitlines() if line.startswith("trace ")]
    assert len(pieces) >= 2 * len(names) and len(pieces) % len(names) == 0, done.stderr[-2000:]
    return {name: pieces[number :: len(names)] for number, name in enumerate(names)}


def differing(found: dict[str, list[str]]) -> set[str]:
    """The operations whose traces are not all the same."""
    return {name for name, pieces in found.items() if len(set(pieces)) > 1}


def parts(pieces: Sequence[str], start: int) -> set[tuple[str, ...]]:
    """Of each trace the blocks (`start` 1) or the accesses (3): their number and their checksum."""
    return {tuple(piece.split()[start : start + 2]) for piece in pieces}
