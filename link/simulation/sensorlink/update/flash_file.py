"""What is in the flash of a program, and the file that a programmer writes (Intel HEX)."""

from __future__ import annotations

from pathlib import Path

from elftools.common.exceptions import ELFError
from elftools.elf.elffile import ELFFile

from sensorlink.laboratory import UserError

# avr-gcc gives other memories addresses from here on.
_DATA_AT = 0x80_0000
_ERASED = 0xFF
_RECORD_BYTES = 16
_AVR = "EM_AVR"


def flash_of(path: Path, start: int, end: int) -> bytes:
    """The flash of an ELF file from `start` to the end of its contents. UserError if it does not fit there."""
    try:
        with path.open("rb") as file:
            elf = ELFFile(file)
            if elf["e_machine"] != _AVR:
                raise UserError(f"{path} is no program for an AVR.")
            found = [
                (segment["p_paddr"], segment["p_filesz"], segment.data())
                for segment in elf.iter_segments("PT_LOAD")
                if segment["p_filesz"] and segment["p_paddr"] < _DATA_AT
            ]
    except OSError as error:
        raise UserError(f"{path} cannot be read: {error.strerror}.") from error
    except ELFError as error:
        raise UserError(f"{path} is no ELF file ({error}).") from error
    if any(len(data) != size for _, size, data in found):
        raise UserError(f"{path} is not whole.")
    segments = [(at, data) for at, _, data in found]
    if not segments or min(at for at, _ in segments) < start or max(at + len(data) for at, data in segments) > end:
        raise UserError(f"The program {path} does not fit: it must lie between {start:#x} and {end:#x} in flash.")
    contents = bytearray(bytes((_ERASED,)) * (max(at + len(data) for at, data in segments) - start))
    for at, data in segments:
        contents[at - start : at - start + len(data)] = data
    return bytes(contents)


def intel_hex(start: int, contents: bytes) -> str:
    """The contents of a flash from this address on as Intel HEX."""
    lines = [_record(start + at, 0, contents[at : at + _RECORD_BYTES]) for at in range(0, len(contents), _RECORD_BYTES)]
    return "".join((*lines, _record(0, 1, b"")))


def _record(address: int, kind: int, data: bytes) -> str:
    body = bytes((len(data), address >> 8, address & 0xFF, kind)) + data
    return f":{(body + bytes((-sum(body) & 0xFF,))).hex().upper()}\n"
