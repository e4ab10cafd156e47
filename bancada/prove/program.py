"""A linked program for an AVR, a Cortex-M or an AArch64: its flash as it is programmed, or what of it is loaded and
never written, its functions, and what its variables begin with."""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path
from typing import Literal

from elftools.common.exceptions import ELFError
from elftools.elf.elffile import ELFFile
from elftools.elf.sections import ARMAttributesSection, SymbolTableSection

from bancada.costing.cortex_m_table import CortexMTable
from bancada.model.errors import UserError
from bancada.prove.errors import MissingFunction

# Where avr-gcc's linker scripts place data space in an ELF file.
_DATA_SPACE = 0x800000
_EM_AVR, _EM_ARM, _EM_AARCH64 = "EM_AVR", "EM_ARM", "EM_AARCH64"
Machine = Literal["avr", "thumb", "aarch64", "armv7-a"]
# The ABI for the Arm Architecture, build attributes (IHI 0045), Tag_CPU_arch: v7 (of profile M), v6-M, v6S-M, v7E-M.
_V7, _V6_M, _V6S_M, _V7E_M = 10, 11, 12, 13
_PROFILE_M, _PROFILE_A = ord("M"), ord("A")
_WRITABLE = 2  # PF_W
_PAGE = 0x1000
_ARM_RAM = 0x2000_0000  # DDI 0403, B3.1: SRAM


@dataclass(frozen=True)
class Program:
    """Addresses are bytes; those of an AVR's data space without the linker's 0x800000.

    `flash` begins at address `flash_start`. `machine` is an AVR, or the Thumb of a Cortex-M with or without Thumb-2 and
    the instructions of Armv7E-M, or an AArch64, or an Armv7-A with NEON, whose functions `in_arm_state` begin in Arm
    state. `table` says what a Cortex-M's instructions cost.

    Of a program that an operating system loads, `flash` is what is never written, and `initial_data` is empty: what
    variables hold is not followed.
    """

    path: Path
    flash: bytes
    functions: dict[str, int]
    sizes: dict[str, int]
    initial_data: dict[int, int]
    end_of_data: int
    machine: Machine = "avr"
    flash_start: int = 0
    has_thumb2: bool = False
    has_dsp: bool = False
    in_arm_state: frozenset[int] = frozenset()
    table: CortexMTable | None = field(default=None, compare=False)
    several: frozenset[str] = frozenset()
    """Names that more than one function has: static functions of different files."""

    def function(self, name: str) -> int:
        if name in self.several:
            raise MissingFunction(f"{self.path} has several functions '{name}': which one is meant cannot be told.")
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


def read_program(path: Path, table: CortexMTable | None = None) -> Program:
    """Reads an ELF file. `table` says what a Cortex-M's instructions cost, if cycles are asked for. UserError: it is no
    ELF file, or neither an AVR's nor a Cortex-M's."""
    try:
        with path.open("rb") as file:
            elf = ELFFile(file)
            if elf["e_machine"] == _EM_ARM and elf["e_type"] == "ET_EXEC" and _is_armv7_a(elf):
                return _read_for_linux(path, elf, "armv7-a")
            if elf["e_machine"] == _EM_ARM and elf["e_type"] == "ET_EXEC":
                return _read_thumb(path, elf, table)
            if elf["e_machine"] == _EM_AARCH64 and elf["e_type"] == "ET_EXEC":
                return _read_for_linux(path, elf, "aarch64")
            if elf["e_machine"] != _EM_AVR or elf["e_type"] != "ET_EXEC":
                raise UserError(f"{path} is not a linked program for an AVR, a Cortex-M, an Armv7-A or an AArch64.")
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
            symbols = elf.get_section_by_name(".symtab")
            several = _several(symbols)
            for symbol in symbols.iter_symbols() if isinstance(symbols, SymbolTableSection) else ():
                if symbol["st_shndx"] == "SHN_UNDEF":
                    continue
                if symbol["st_value"] < _DATA_SPACE and symbol["st_info"]["type"] in ("STT_FUNC", "STT_NOTYPE"):
                    functions.setdefault(symbol.name, symbol["st_value"])
                    sizes.setdefault(symbol.name, symbol["st_size"])
    except OSError as error:
        raise UserError(f"{path} cannot be read: {error.strerror}.") from error
    except ELFError as error:
        raise UserError(f"{path} is not an ELF file.") from error
    functions.pop("", None)
    return Program(path, bytes(flash), functions, sizes, initial, end, several=several)


def _read_thumb(path: Path, elf: ELFFile, table: CortexMTable | None) -> Program:
    architecture = _architecture(elf)
    if architecture is None:
        raise UserError(
            f"{path} is not for Armv6-M, Armv7-M or Armv7-A with NEON; of programs in 32 bits only those are followed."
        )
    pieces: dict[int, bytes] = {}
    initial: dict[int, int] = {}
    end = _ARM_RAM
    for segment in elf.iter_segments():
        if segment["p_type"] != "PT_LOAD" or not segment["p_memsz"]:
            continue
        content = segment.data()
        if content:
            pieces[segment["p_paddr"]] = content
        start, size = segment["p_vaddr"], segment["p_memsz"]
        if segment["p_flags"] & _WRITABLE and start >= _ARM_RAM:
            initial |= {start + at: content[at] if at < len(content) else 0 for at in range(size)}
            end = max(end, start + size)
    flash_start = min(pieces, default=0)
    flash = bytearray()
    for at, content in sorted(pieces.items()):
        if at - flash_start >= _ARM_RAM:
            continue  # a program that is loaded into RAM
        flash.extend(b"\xff" * (at - flash_start - len(flash)))
        flash[at - flash_start : at - flash_start + len(content)] = content
    functions: dict[str, int] = {}
    sizes: dict[str, int] = {}
    symbols = elf.get_section_by_name(".symtab")
    for symbol in symbols.iter_symbols() if isinstance(symbols, SymbolTableSection) else ():
        if symbol["st_info"]["type"] == "STT_FUNC" and symbol["st_shndx"] != "SHN_UNDEF":
            functions.setdefault(symbol.name, symbol["st_value"] & ~1)
            sizes.setdefault(symbol.name, symbol["st_size"])
    functions.pop("", None)
    has_thumb2, has_dsp = architecture in (_V7, _V7E_M), architecture == _V7E_M
    return Program(
        path,
        bytes(flash),
        functions,
        sizes,
        initial,
        end,
        "thumb",
        flash_start,
        has_thumb2=has_thumb2,
        has_dsp=has_dsp,
        table=table,
        several=_several(symbols),
    )


def _several(symbols: object) -> frozenset[str]:
    """The names of more than one function in the symbol table."""
    places: dict[str, set[int]] = {}
    for symbol in symbols.iter_symbols() if isinstance(symbols, SymbolTableSection) else ():
        if symbol["st_info"]["type"] == "STT_FUNC" and symbol["st_shndx"] != "SHN_UNDEF":
            places.setdefault(symbol.name, set()).add(symbol["st_value"])
    return frozenset(name for name, addresses in places.items() if len(addresses) > 1)


def _attributes(elf: ELFFile) -> dict[str, int]:
    section = elf.get_section_by_name(".ARM.attributes")
    found: dict[str, int] = {}
    if isinstance(section, ARMAttributesSection):
        for subsection in section.iter_subsections():
            for part in subsection.iter_subsubsections():
                for attribute in part.iter_attributes():
                    found[attribute.tag] = attribute.value
    return found


def _architecture(elf: ELFFile) -> int | None:
    """Tag_CPU_arch, if it is of a Cortex-M."""
    found = _attributes(elf)
    architecture = found.get("TAG_CPU_ARCH")
    if architecture in (_V6_M, _V6S_M, _V7E_M):
        return architecture
    is_m = found.get("TAG_CPU_ARCH_PROFILE") == _PROFILE_M
    return _V7 if architecture == _V7 and is_m else None


def _read_for_linux(path: Path, elf: ELFFile, machine: Machine) -> Program:
    """A program that is linked to fixed addresses, as Linux loads it."""
    loaded = [each for each in elf.iter_segments() if each["p_type"] == "PT_LOAD" and each["p_memsz"]]
    kept = [each for each in loaded if not each["p_flags"] & _WRITABLE]
    if len(kept) != 1 or elf["e_ident"]["EI_DATA"] != "ELFDATA2LSB":
        raise UserError(
            f"{path} has {len(kept)} segments that nobody writes; one is followed, of a little-endian program."
        )
    functions: dict[str, int] = {}
    sizes: dict[str, int] = {}
    in_arm_state = set()
    symbols = elf.get_section_by_name(".symtab")
    for symbol in symbols.iter_symbols() if isinstance(symbols, SymbolTableSection) else ():
        if symbol["st_info"]["type"] == "STT_FUNC" and symbol["st_shndx"] != "SHN_UNDEF":
            address = symbol["st_value"]
            if machine == "armv7-a":
                if not address & 1:
                    in_arm_state.add(address)
                address &= ~1
            functions.setdefault(symbol.name, address)
            sizes.setdefault(symbol.name, symbol["st_size"])
    end = max(each["p_vaddr"] + each["p_memsz"] for each in loaded)
    start = kept[0]["p_vaddr"]
    return Program(
        path,
        kept[0].data(),
        functions,
        sizes,
        {},
        end + _PAGE - 1 & -_PAGE,
        machine,
        start,
        has_thumb2=True,
        has_dsp=True,
        in_arm_state=frozenset(in_arm_state),
        several=_several(symbols),
    )


def _is_armv7_a(elf: ELFFile) -> bool:
    """Whether the ELF file says that it is for an Armv7-A, or for an Armv8-A in 32-bit state, with NEON."""
    found = _attributes(elf)
    return found.get("TAG_CPU_ARCH_PROFILE") == _PROFILE_A and found.get("TAG_ADVANCED_SIMD_ARCH", 0) > 0
