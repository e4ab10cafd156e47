"""The firmware that checks calls: the library's objects as they are measured, guard bytes on both sides of all that it
may write, and each call of it sent through harness/src/checked_call.S by the linker.

It is for conformance alone. The firmware that is measured has nothing of it, so that no figure depends on it.
"""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from pathlib import Path

from elftools.elf.elffile import ELFFile
from elftools.elf.sections import SymbolTableSection

from bancada.catalogue.paths import cache_folder
from bancada.catalogue.whole_file import write_whole

_SHF_EXECINSTR = 0x4


def library_functions(operations: Path, library: Sequence[Path]) -> tuple[str, ...]:
    """Names of the functions in the objects `library` that the object `operations` calls, in order.

    A function is what lies in an executable section, since assembly may have labels without a type.
    """
    wanted = {name for name, section in _globals(operations) if section is None}
    defined = {name for path in library for name, section in _globals(path) if section is not None and section}
    return tuple(sorted(wanted & defined))


def _globals(path: Path) -> list[tuple[str, bool | None]]:
    """The object's global symbols: whether each is in an executable section, None for one that is defined elsewhere."""
    found: list[tuple[str, bool | None]] = []
    with path.open("rb") as file:
        elf = ELFFile(file)
        for table in elf.iter_sections():
            if not isinstance(table, SymbolTableSection):
                continue
            for symbol in table.iter_symbols():
                if symbol["st_info"]["bind"] == "STB_LOCAL":
                    continue
                index = symbol["st_shndx"]
                if index == "SHN_UNDEF":
                    found.append((symbol.name, None))
                elif isinstance(index, int):
                    executable = elf.get_section(index)["sh_flags"] & _SHF_EXECINSTR
                    found.append((symbol.name, bool(executable)))
    return found


def checking_source(harness: Path, functions: Sequence[str]) -> Path:
    """The assembly that checks calls of these functions, in the cache."""
    text = "".join(
        [f'#include "{harness / "src" / "checked_call.S"}"\n', *(f"    checked {name}\n" for name in functions)]
    )
    path = cache_folder() / "checked-calls" / f"{hashlib.sha256(text.encode()).hexdigest()[:16]}.S"
    if not path.is_file():
        write_whole(path, text)
    return path


def wrap_options(functions: Sequence[str]) -> tuple[str, ...]:
    """What tells the linker to send calls of them there."""
    return tuple(f"-Wl,--wrap={name}" for name in functions)
