"""What an ELF says of itself: section sizes and the biggest symbols."""

from __future__ import annotations

from pathlib import Path

from elftools.elf.elffile import ELFFile
from elftools.elf.sections import SymbolTableSection

from bancada.records import Image

_SHF_ALLOC = 0x2
_SHF_WRITE = 0x1


def image_of(path: Path) -> Image:
    """Flash and static RAM of an image (docs/metrics.md, "flash" and "static RAM").

    On AVR constants that are not placed in flash explicitly are part of `.data`: they are copied to RAM at start-up and count
    as both.
    """
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
    return Image(elf_path=str(path), flash_bytes=flash, ram_static_bytes=ram)


def biggest_symbols(path: Path, in_ram: bool, count: int = 3) -> list[tuple[str, int]]:
    """Names and sizes of the largest objects in RAM, or functions and objects in flash."""
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
    return sorted(found, key=lambda item: -item[1])[:count]
