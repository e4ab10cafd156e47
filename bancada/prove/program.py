"""A linked AVR program: its flash as it is programmed, its functions, and what its variables begin with."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from elftools.common.exceptions import ELFError
from elftools.elf.elffile import ELFFile
from elftools.elf.sections import SymbolTableSection

from bancada.model.errors import UserError
from bancada.prove.errors import MissingFunction

# Where avr-gcc's linker scripts place data space in an ELF file.
_DATA_SPACE = 0x800000
_EM_AVR = "EM_AVR"


@dataclass(frozen=True)
class Program:
    """Addresses are bytes; those of data space without the linker's 0x800000."""

    path: Path
    flash: bytes
    functions: dict[str, int]
    sizes: dict[str, int]
    initial_data: dict[int, int]
    end_of_data: int

    def function(self, name: str) -> int:
        if name in self.functions:
            return self.functions[name]
        near = [each for each in sorted(self.functions) if name.lower() in each.lower()][:10]
        hint = f" It has {', '.join(near)}." if near else ""
        raise MissingFunction(f"{self.path} has no function '{name}'.{hint}")

    def function_at(self, address: int) -> str:
        """The function that an address of flash is in, with the distance from its beginning."""
        before = [(start, name) for name, start in self.functions.items() if start <= address]
        if not before:
            return f"0x{address:04x}"
        start, name = max(before)
        return f"{name}+{address - start}"


def read_program(path: Path) -> Program:
    """Reads an ELF file. UserError: it is none, or not an AVR's."""
    try:
        with path.open("rb") as file:
            elf = ELFFile(file)
            if elf["e_machine"] != _EM_AVR or elf["e_type"] != "ET_EXEC":
                raise UserError(f"{path} is not a linked AVR program; only those can be proved so far.")
            flash = bytearray()
            initial: dict[int, int] = {}
            end = 0x100
            for segment in elf.iter_segments():
                if segment["p_type"] != "PT_LOAD" or not segment["p_memsz"]:
                    continue
                content = segment.data()
                if content:
                    at = segment["p_paddr"]
                    flash.extend(b"\xff" * (at + len(content) - len(flash)))
                    flash[at : at + len(content)] = content
                if segment["p_vaddr"] >= _DATA_SPACE:
                    start = segment["p_vaddr"] - _DATA_SPACE
                    for offset in range(segment["p_memsz"]):
                        initial[start + offset] = content[offset] if offset < len(content) else 0
                    end = max(end, start + segment["p_memsz"])
            functions: dict[str, int] = {}
            sizes: dict[str, int] = {}
            table = elf.get_section_by_name(".symtab")
            for symbol in table.iter_symbols() if isinstance(table, SymbolTableSection) else ():
                if symbol["st_value"] < _DATA_SPACE and symbol["st_info"]["type"] in ("STT_FUNC", "STT_NOTYPE"):
                    functions.setdefault(symbol.name, symbol["st_value"])
                    sizes.setdefault(symbol.name, symbol["st_size"])
    except OSError as error:
        raise UserError(f"{path} cannot be read: {error.strerror}.") from error
    except ELFError as error:
        raise UserError(f"{path} is not an ELF file.") from error
    functions.pop("", None)
    return Program(path, bytes(flash), functions, sizes, initial, end)
