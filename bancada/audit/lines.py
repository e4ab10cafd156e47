"""Source lines of addresses in an ELF, with inlined functions, from its debugging information (DWARF 4).

binutils' addr2line does the same, but takes functions that the linker dropped for functions at address 0: a dropped
function then hides the code that really is at the beginning of the flash.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from elftools.dwarf.descriptions import describe_form_class
from elftools.elf.elffile import ELFFile

from bancada.build.symbols import symbols
from bancada.measure.demangle import demangled, plain_name

# GNU ld gives code that it dropped the address 0, where an AVR has its vectors and a Linux program has nothing.
_DROPPED = 0


@dataclass(frozen=True)
class Frame:
    """A function, and the line in it."""

    function: str
    file: str
    line: int


@dataclass(frozen=True)
class _Row:
    """From this address on: this file and line; nothing where a sequence ends."""

    address: int
    file: str
    line: int


def frames_of(elf: Path, addresses: Iterable[int]) -> dict[int, tuple[Frame, ...]]:
    """For each address the functions that its instruction belongs to, the one inlined deepest first.

    An address of which no line is known has none. Functions of C++ have the names that a person writes, without
    parameters.
    """
    wanted = sorted(set(addresses))
    found: dict[int, tuple[Frame, ...]] = {}
    if not wanted:
        return found
    with elf.open("rb") as file:
        program = ELFFile(file)
        if not program.has_dwarf_info():
            return found
        dwarf = program.get_dwarf_info()
        for unit in dwarf.iter_CUs():
            lines = dwarf.line_program_for_CU(unit)
            if lines is None:
                continue
            rows = _rows(lines)
            names = _file_names(lines)
            inside = [address for address in wanted if _row_at(rows, address) is not None]
            if not inside:
                continue
            reader = _Unit(dwarf, unit, names)
            for address in inside:
                row = _row_at(rows, address)
                assert row is not None
                frames = reader.frames(address, row)
                # The linker shortens code (-mrelax), so a sequence may end behind the next one's beginning: a unit
                # that has a function there is right.
                if address not in found or frames[0].function:
                    found[address] = frames
    return _named(elf, found)


def _named(elf: Path, found: dict[int, tuple[Frame, ...]]) -> dict[int, tuple[Frame, ...]]:
    """The frames with names for people. Assembly tells no function: the symbol table does."""
    table = symbols(elf)
    known = demangled(
        [*(frame.function for frames in found.values() for frame in frames), *map(table.function_at, found)]
    )
    return {
        address: tuple(
            Frame(plain_name(known[frame.function or table.function_at(address)]), frame.file, frame.line)
            for frame in frames
        )
        for address, frames in found.items()
    }


def _rows(lines: Any) -> list[list[_Row]]:
    """The sequences of a line table, those of dropped functions left out."""
    names = _file_names(lines)
    sequences: list[list[_Row]] = []
    current: list[_Row] = []
    for entry in lines.get_entries():
        state = entry.state
        if state is None:
            continue
        if state.end_sequence:
            current.append(_Row(state.address, "", 0))
            if current[0].address != _DROPPED:
                sequences.append(current)
            current = []
        else:
            current.append(_Row(state.address, names.get(state.file, ""), state.line))
    return sequences


def _row_at(sequences: list[list[_Row]], address: int) -> _Row | None:
    for rows in sequences:
        if rows[0].address <= address < rows[-1].address:
            row = rows[bisect_right(rows, address, key=lambda row: row.address) - 1]
            return row if row.line else None
    return None


def _file_names(lines: Any) -> dict[int, str]:
    """Names without folders; DWARF 4 counts them from 1, DWARF 5 from 0 (DWARF 5, 6.2.4)."""
    first = 1 if lines.header["version"] < 5 else 0
    return {
        place: Path(entry.name.decode(errors="replace")).name
        for place, entry in enumerate(lines.header["file_entry"], first)
    }


class _Unit:
    """The functions of one compilation unit."""

    def __init__(self, dwarf: Any, unit: Any, names: dict[int, str]) -> None:
        self._ranges = dwarf.range_lists()
        self._unit = unit
        self._names = names
        top = unit.get_top_DIE()
        self._base = top.attributes["DW_AT_low_pc"].value if "DW_AT_low_pc" in top.attributes else 0
        self._functions = [die for die in unit.iter_DIEs() if die.tag == "DW_TAG_subprogram"]

    def frames(self, address: int, row: _Row) -> tuple[Frame, ...]:
        """The innermost function at `row`, and each function around it at the line of the call (DWARF 4, 3.3.8)."""
        chain = next(
            (self._chain(die, address) for die in self._functions if self._holds(die, address, is_function=True)), []
        )
        if not chain:
            return (Frame("", row.file, row.line),)
        file, line = row.file, row.line
        found = []
        for die in reversed(chain):
            found.append(Frame(self._name(die), file, line))
            if "DW_AT_call_line" in die.attributes:
                file = self._names.get(die.attributes["DW_AT_call_file"].value, "")
                line = die.attributes["DW_AT_call_line"].value
        return tuple(found)

    def _chain(self, die: Any, address: int) -> list[Any]:
        """The function, and the functions inlined into each other that hold the address, the outermost first."""
        own = [die] if die.tag in ("DW_TAG_subprogram", "DW_TAG_inlined_subroutine") else []
        for child in die.iter_children():
            if child.tag in ("DW_TAG_inlined_subroutine", "DW_TAG_lexical_block") and self._holds(child, address):
                return [*own, *self._chain(child, address)]
        return own

    def _holds(self, die: Any, address: int, is_function: bool = False) -> bool:
        return any(
            low <= address < high and not (is_function and low == _DROPPED) for low, high in self._ranges_of(die)
        )

    def _ranges_of(self, die: Any) -> Iterator[tuple[int, int]]:
        attributes = die.attributes
        if "DW_AT_low_pc" in attributes and "DW_AT_high_pc" in attributes:
            low, high = attributes["DW_AT_low_pc"].value, attributes["DW_AT_high_pc"]
            is_address = describe_form_class(high.form) == "address"
            yield low, high.value if is_address else low + high.value
        elif "DW_AT_ranges" in attributes and self._ranges is not None:
            base = self._base
            for entry in self._ranges.get_range_list_at_offset(attributes["DW_AT_ranges"].value, self._unit):
                if hasattr(entry, "base_address"):
                    base = entry.base_address
                else:
                    is_absolute = getattr(entry, "is_absolute", False)
                    yield (
                        entry.begin_offset + (0 if is_absolute else base),
                        entry.end_offset + (0 if is_absolute else base),
                    )

    def _name(self, die: Any) -> str:
        """The linker's name where there is one: it has the class. An inlined function's name is at its origin."""
        for _ in range(4):
            for attribute in ("DW_AT_linkage_name", "DW_AT_MIPS_linkage_name", "DW_AT_name"):
                if attribute in die.attributes:
                    return str(die.attributes[attribute].value.decode(errors="replace"))
            origin = next(
                (name for name in ("DW_AT_abstract_origin", "DW_AT_specification") if name in die.attributes), ""
            )
            if not origin:
                break
            die = die.get_DIE_from_attribute(origin)
        return ""
