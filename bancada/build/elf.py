"""Section sizes and the biggest symbols of an ELF file.

Images are named by their content and read once: their sizes are kept beside them. Symbols are read only where something
does not fit: a program for Linux has thousands, which took 40 % of a campaign's own time.
"""

from __future__ import annotations

import json
import os
import threading
from pathlib import Path
from typing import Any

from elftools.elf.elffile import ELFFile
from elftools.elf.sections import SymbolTableSection

from bancada.model.build import Image

_SHF_ALLOC = 0x2
_SHF_WRITE = 0x1
_BIGGEST = 3


def image_of(path: Path) -> Image:
    """Flash and static RAM of an image (docs/reference/metrics.md, "flash" and "static RAM").

    On AVR constants that are not placed in flash explicitly are part of `.data`: they are copied to RAM at start-up and
    count as both.
    """
    said = _said(path)
    return Image(str(path), said["flash_bytes"], said["ram_static_bytes"])


def biggest_symbols(path: Path, in_ram: bool) -> list[tuple[str, int]]:
    """Names and sizes of the three largest objects in RAM, or functions and objects in flash."""
    found: list[tuple[str, int]] = []
    with path.open("rb") as file:
        elf = ELFFile(file)
        for table in elf.iter_sections():
            if not isinstance(table, SymbolTableSection):
                continue
            for symbol in table.iter_symbols():
                index = symbol["st_shndx"]
                if not isinstance(index, int) or not symbol["st_size"]:
                    continue
                section = elf.get_section(index)
                written = bool(section["sh_flags"] & _SHF_WRITE)
                if written or not in_ram:
                    found.append((symbol.name, int(symbol["st_size"])))
    return sorted(found, key=lambda item: -item[1])[:_BIGGEST]


def _said(path: Path) -> dict[str, Any]:
    beside = path.with_suffix(".json")
    try:
        known: dict[str, Any] = json.loads(beside.read_text())
        return known
    except (OSError, ValueError):
        flash, ram = _section_sizes(path)
        said = {"flash_bytes": flash, "ram_static_bytes": ram}
        partial = beside.with_suffix(f".{os.getpid()}-{threading.get_ident()}")
        partial.write_text(json.dumps(said))
        partial.replace(beside)
        return said


def _section_sizes(path: Path) -> tuple[int, int]:
    flash = 0
    ram = 0
    with path.open("rb") as file:
        for section in ELFFile(file).iter_sections():
            if not section["sh_flags"] & _SHF_ALLOC or section.name == ".eeprom":
                continue
            written = bool(section["sh_flags"] & _SHF_WRITE)
            in_file = section["sh_type"] != "SHT_NOBITS"
            if in_file:
                flash += section["sh_size"]
            if written:
                ram += section["sh_size"]
    return flash, ram
