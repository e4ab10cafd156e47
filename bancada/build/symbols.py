"""What an ELF's symbol table says of addresses: which function is there, and in which instruction set."""

from __future__ import annotations

import struct
from bisect import bisect_right
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

from elftools.common.exceptions import ELFError
from elftools.elf.elffile import ELFFile
from elftools.elf.sections import SymbolTableSection

from bancada.costing.profile import InstructionSet
from bancada.model.errors import UserError, unknown_name

# ELF for the Arm Architecture, "Mapping symbols": where each instruction set, and data between code, begins.
_MAPPING: dict[str, InstructionSet | None] = {"$a": "arm", "$t": "thumb", "$x": "aarch64", "$d": None}

# ELF (System V ABI), "Symbol Table" and "Special Sections".
_NO_TYPE, _FUNCTION, _SECTION, _FILE, _INDIRECT_FUNCTION = 0, 2, 3, 4, 10
_UNDEFINED, _FIRST_RESERVED, _ABSOLUTE = 0, 0xFF00, 0xFFF1


@dataclass(frozen=True)
class Function:
    """One function: its address without the Thumb bit."""

    name: str
    address: int
    size: int


@dataclass(frozen=True)
class Symbols:
    """The symbols of one ELF."""

    path: Path
    machine: str
    entry: int
    functions: tuple[Function, ...]  # by address
    addresses: dict[str, int]
    mapping_addresses: tuple[int, ...]
    mapping_sets: tuple[InstructionSet | None, ...]

    def address(self, name: str) -> int:
        """The address of a function or label, without the Thumb bit. UserError with the nearest name if there is
        none."""
        if name not in self.addresses:
            known = [function.name for function in self.functions] or self.addresses  # assembly may have labels alone
            raise unknown_name(f"symbol in {self.path.name}", name, known)
        return self.addresses[name]

    def function_at(self, address: int) -> str:
        """The function that holds the address, or the address itself where none is known to."""
        index = bisect_right(self.functions, address, key=lambda function: function.address) - 1
        while index >= 0 and self.functions[index].address > address - 0x100000:
            function = self.functions[index]
            if address < function.address + max(function.size, 1):
                return function.name
            index -= 1
        return f"{address:#x}"

    def instruction_set(self, address: int) -> InstructionSet | None:
        """The instruction set at the address; None where the ELF does not say."""
        if self.machine == "AArch64":
            return "aarch64"
        index = bisect_right(self.mapping_addresses, address) - 1
        return self.mapping_sets[index] if index >= 0 else None


def _defined(elf: ELFFile, table: SymbolTableSection) -> Iterator[tuple[str, int, int, int]]:
    """Name, value, size and type of each symbol that is in a section, or is absolute.

    Read here and not by pyelftools, which takes seconds for the ten thousand symbols of a static program.
    """
    names = elf.get_section(table["sh_link"]).data()
    order = "<" if elf.little_endian else ">"
    for fields in struct.iter_unpack(order + ("IBBHQQ" if elf.elfclass == 64 else "IIIBBH"), table.data()):
        if elf.elfclass == 64:
            at, info, _, section, value, size = fields
        else:
            at, value, size, info, _, section = fields
        if section != _UNDEFINED and (section < _FIRST_RESERVED or section == _ABSOLUTE):
            yield names[at : names.index(b"\0", at)].decode(errors="replace"), value, size, info & 0xF


@lru_cache(maxsize=64)
def _read(path: Path, _time_ns: int) -> Symbols:
    functions: list[Function] = []
    addresses: dict[str, int] = {}
    mapping: list[tuple[int, InstructionSet | None]] = []
    with path.open("rb") as file:
        elf = ELFFile(file)
        is_arm = elf["e_machine"] == "EM_ARM"
        for table in elf.iter_sections():
            if not isinstance(table, SymbolTableSection):
                continue
            for name, value, size, kind in _defined(elf, table):
                if kind == _NO_TYPE and name.split(".")[0] in _MAPPING:
                    mapping.append((value, _MAPPING[name.split(".")[0]]))
                    continue
                if not name or kind in (_FILE, _SECTION):
                    continue
                is_function = kind in (_FUNCTION, _INDIRECT_FUNCTION)
                place = value & ~1 if is_arm and is_function else value
                addresses.setdefault(name, place)
                if is_function:
                    functions.append(Function(name, place, size))
        machine, entry = elf.get_machine_arch(), elf["e_entry"]
    functions.sort(key=lambda function: function.address)
    mapping.sort(key=lambda item: item[0])
    starts, sets = tuple(item[0] for item in mapping), tuple(item[1] for item in mapping)
    return Symbols(path, machine, entry, tuple(functions), addresses, starts, sets)


def symbols(path: Path) -> Symbols:
    """The symbols of an ELF, read once. UserError if the file does not exist or is not an ELF file."""
    try:
        return _read(path, path.stat().st_mtime_ns)
    except OSError as error:
        raise UserError(f"{path} cannot be read: {error.strerror}.") from error
    except ELFError as error:
        raise UserError(f"{path} is not a program in ELF format: {error}.") from error
