"""The machines that test programs are compiled for."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

PROGRAMS = Path(__file__).resolve().parent / "programs"


@dataclass(frozen=True)
class Machine:
    """A compiler, its flags, and the emulator of what it makes."""

    instruction_set: str
    compiler: str
    flags: tuple[str, ...]
    qemu: str


MACHINES = (
    Machine("thumb", "arm-linux-gnueabihf-gcc", ("-mthumb",), "qemu-arm"),
    Machine("arm", "arm-linux-gnueabihf-gcc", ("-marm",), "qemu-arm"),
    Machine("aarch64", "aarch64-linux-gnu-gcc", (), "qemu-aarch64"),
)
