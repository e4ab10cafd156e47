"""Writes a program's image as Intel HEX, which programmers of boards read (Intel, "Hexadecimal Object File Format
Specification", revision A, 1988: data records, extended linear addresses, end of file)."""

from __future__ import annotations

from pathlib import Path

from elftools.common.exceptions import ELFError
from elftools.elf.elffile import ELFFile

from bancada.model.errors import UserError

_DATA = 0
_END_OF_FILE = 1
_EXTENDED_LINEAR_ADDRESS = 4
_RECORD_BYTES = 16

# avr-gcc places EEPROM, fuses and lock bits at addresses from here on: they are not part of the flash.
_BEHIND_FLASH = 0x80_0000


def _record(kind: int, address: int, data: bytes) -> str:
    body = bytes([len(data), address >> 8 & 0xFF, address & 0xFF, kind]) + data
    return f":{(body + bytes([-sum(body) & 0xFF])).hex().upper()}\n"


def _flash_of(elf: Path) -> list[tuple[int, bytes]]:
    """What is loaded into flash: physical address and content, in the order of the addresses."""
    try:
        with elf.open("rb") as file:
            segments = [segment for segment in ELFFile(file).iter_segments("PT_LOAD") if segment["p_filesz"]]
            return sorted(
                (segment["p_paddr"], segment.data()) for segment in segments if segment["p_paddr"] < _BEHIND_FLASH
            )
    except ELFError as error:
        raise UserError(f"{elf} is not an ELF file ({error}).") from error


def intel_hex(elf: Path) -> str:
    """The flash image of an ELF file. UserError if it is not one."""
    lines = []
    upper = 0
    for start, content in _flash_of(elf):
        address = start
        while address < start + len(content):
            if address >> 16 != upper:
                upper = address >> 16
                lines.append(_record(_EXTENDED_LINEAR_ADDRESS, 0, upper.to_bytes(2, "big")))
            # No record crosses 64 KiB: its address would wrap (specification, "Data Record").
            end = min(address + _RECORD_BYTES, start + len(content), (upper + 1) << 16)
            lines.append(_record(_DATA, address & 0xFFFF, content[address - start : end - start]))
            address = end
    lines.append(_record(_END_OF_FILE, 0, b""))
    return "".join(lines)
