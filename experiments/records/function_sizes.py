"""The flash and static RAM of each function and table of Tatu, from the sections that the compiler makes, one for each
function.

These are what --gc-sections keeps or drops. The linker may shorten a section a little more (-mrelax: CALL to RCALL).
"""

from __future__ import annotations

import json
import os
from dataclasses import dataclass
from pathlib import Path

from elftools.elf.elffile import ELFFile

from bancada.catalogue.paths import data_root
from bancada.catalogue.target import Target
from bancada.compilers.compile import compile_object, compiler_version

_SHF_ALLOC = 0x2
# A table that is not in .text or .progmem.data is copied to RAM when an AVR starts, and costs both.
_COPIED = (".data", ".rodata")
_KINDS = (".text", ".progmem.data", *_COPIED, ".bss")


@dataclass(frozen=True)
class FunctionSize:
    """A function or table, the file below tatu/src that it comes from, and what it costs in a program that has it."""

    name: str
    source_file: str
    flash_bytes: int
    ram_bytes: int


def _size(section_name: str, section_bytes: int, source_file: str) -> FunctionSize | None:
    kind = next((kind for kind in _KINDS if section_name == kind or section_name.startswith(f"{kind}.")), None)
    if kind is None or not section_bytes:
        return None
    return FunctionSize(
        name=section_name.removeprefix(kind).lstrip(".") or section_name,
        source_file=source_file,
        flash_bytes=0 if kind == ".bss" else section_bytes,
        ram_bytes=section_bytes if kind == ".bss" or kind in _COPIED else 0,
    )


def _sizes_in(object_file: Path, source_file: str) -> list[FunctionSize]:
    """Objects are named by their content and read once: their sections are kept beside them."""
    beside = object_file.with_suffix(".sections.json")
    try:
        sections = json.loads(beside.read_text())
    except (OSError, ValueError):
        with object_file.open("rb") as file:
            sections = [
                (section.name, int(section["sh_size"]))
                for section in ELFFile(file).iter_sections()
                if section["sh_flags"] & _SHF_ALLOC
            ]
        partial = beside.with_suffix(f".{os.getpid()}")
        partial.write_text(json.dumps(sections))
        partial.replace(beside)
    found = [_size(name, size, source_file) for name, size in sections]
    return [size for size in found if size is not None]


def tatu_function_sizes(target: Target, optimisation: str = "-Os") -> list[FunctionSize]:
    """Every function and table of Tatu as compiled for the target, by file and name.

    UserError if the compiler is missing; CompileError if a file of Tatu does not compile.
    """
    toolchain = target.toolchain
    version = compiler_version(toolchain.compiler, toolchain.package)
    root = data_root() / "tatu" / "src"
    flags = (*toolchain.flags, optimisation, f"-I{root}")
    sizes: list[FunctionSize] = []
    for source in sorted(root.rglob("*.[cS]")):
        made = compile_object(toolchain.compiler, version, flags, source)
        sizes += _sizes_in(made, source.relative_to(root).as_posix())
    return sorted(sizes, key=lambda size: (size.source_file, size.name))
