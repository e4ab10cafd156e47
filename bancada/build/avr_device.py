"""Which AVR an ELF file was linked for.

avr-gcc's start-up code brings the section `.note.gnu.avr.deviceinfo` (avr-libc, crt1/gcrt1.S): addresses and sizes of
flash, SRAM and EEPROM, and the device's name. The low seven bits of `e_flags` are the architecture (binutils,
include/elf/avr.h).
"""

from __future__ import annotations

import struct
from dataclasses import dataclass
from pathlib import Path

from elftools.common.exceptions import ELFError
from elftools.elf.elffile import ELFFile

from bancada.catalogue.target import Target
from bancada.model.errors import UserError

_EM_AVR = "EM_AVR"
_ARCHITECTURE = 0x7F
_NOTE = ".note.gnu.avr.deviceinfo"
# Sizes of the note's name, of its description and its type; then "AVR\0"; then addresses and sizes.
_HEADER = struct.Struct("<III4s")
_MEMORIES = struct.Struct("<IIIIII")

# Architectures of other families, whose instructions take other cycles: ATtiny with 16 registers, ATxmega.
_OTHER_FAMILIES = {100: "an ATtiny with 16 registers", **dict.fromkeys(range(101, 108), "an ATxmega")}
# From here on the program counter has 22 bits, and a call takes a cycle more.
_MOST_FLASH_OF_16_BITS = 128 * 1024
_WIDE_ARCHITECTURE = 6


@dataclass(frozen=True)
class AvrDevice:
    """What the linker wrote down. `name` is '' and sizes are 0 in a program without avr-libc's start-up code."""

    architecture: int
    name: str = ""
    flash_bytes: int = 0
    ram_bytes: int = 0


def avr_device(path: Path) -> AvrDevice:
    """The device of an ELF file. UserError if it is not an ELF file for AVR."""
    try:
        with path.open("rb") as file:
            elf = ELFFile(file)
            machine, flags = elf["e_machine"], int(elf["e_flags"])
            section = elf.get_section_by_name(_NOTE)
            note = bytes(section.data()) if section is not None else b""
    except (OSError, ELFError) as error:
        raise UserError(f"{path} is not an ELF file ({error}).") from error
    if machine != _EM_AVR:
        raise UserError(f"{path} is a program for {str(machine).removeprefix('EM_')}, not for an AVR.")
    if len(note) < _HEADER.size + _MEMORIES.size:
        return AvrDevice(flags & _ARCHITECTURE)
    _, flash_bytes, _, ram_bytes, _, _ = _MEMORIES.unpack_from(note, _HEADER.size)
    words = [part for part in note[_HEADER.size + _MEMORIES.size :].split(b"\0") if len(part) > 1]
    name = words[-1].decode("ascii", "replace") if words else ""
    return AvrDevice(flags & _ARCHITECTURE, name, flash_bytes, ram_bytes)


def need_device_of(target: Target, path: Path) -> None:
    """UserError if the program was linked for an AVR whose memories or cycles differ from the target's."""
    found = avr_device(path)
    is_wide = target.flash_bytes > _MOST_FLASH_OF_16_BITS
    if found.architecture in _OTHER_FAMILIES:
        what = _OTHER_FAMILIES[found.architecture]
    elif found.name not in ("", target.mcu) and (
        (found.flash_bytes, found.ram_bytes) != (target.flash_bytes, target.ram_bytes)
    ):
        what = f"an {found.name}"
    elif (found.architecture == _WIDE_ARCHITECTURE) != is_wide:
        what = f"an AVR of the architecture avr{found.architecture}"
    else:
        return
    raise UserError(
        f"{path} was linked for {what}, and {target.name} is an {target.mcu}: measure it on a target of that device, or"
        f" link it with -mmcu={target.mcu}."
    )
