"""Names of what a firmware's monitor reports by number, from its ELF file (guard.h and checked_call.S of the harness).

They are in sections that are not loaded, so that they take no memory of the device.
"""

from __future__ import annotations

from pathlib import Path

from elftools.elf.elffile import ELFFile


def guard_names(elf_path: str) -> tuple[str, ...]:
    """The buffers that have guard bytes on both sides, by their number. KeyError if the firmware does not say them."""
    return _names(elf_path, ".bancada.guards")


def register_names(elf_path: str) -> tuple[str, ...]:
    """The registers that a call must give back, by their number. KeyError if the firmware does not say them."""
    return _names(elf_path, ".bancada.registers")


def _names(elf_path: str, section_name: str) -> tuple[str, ...]:
    with Path(elf_path).open("rb") as file:
        section = ELFFile(file).get_section_by_name(section_name)
        if section is None:
            raise KeyError(f"{elf_path} has no section {section_name}")
        text: bytes = section.data()
    return tuple(text.split(b"\0")[0].decode().split(","))
