"""What the compiler's own library is made of, each table knows: every instruction of libgcc."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path

import pytest
from elftools.elf.elffile import ELFFile
from elftools.elf.sections import SymbolTableSection

from bancada.costing.cost import cost
from bancada.costing.decode import UnknownInstruction
from bancada.costing.profile import ENTRY, Block, Edge, Profile
from bancada.measure.laboratory import open_laboratory

# libgcc's unwinder saves and restores registers of iWMMXt, which no Cortex-M has; no Cortex-M gets there.
_FOR_OTHER_CORES = ("libunwind.o", "unwind-arm.o")

BUILDS = {
    "cortex-m0plus": ("-mcpu=cortex-m0plus",),
    "cortex-m3": ("-mcpu=cortex-m3",),
    "cortex-m4 with its FPU": ("-mcpu=cortex-m4", "-mfloat-abi=hard", "-mfpu=fpv4-sp-d16"),
}


def whole_library(flags: tuple[str, ...], folder: Path) -> Path:
    """libgcc in one object, as the compiler chooses it for the flags."""
    command = ["arm-none-eabi-gcc", "-mthumb", *flags, "-print-libgcc-file-name"]
    found = subprocess.run(command, capture_output=True, text=True, check=True).stdout.strip()
    archive, whole = folder / "libgcc.a", folder / "whole.o"
    shutil.copy(found, archive)
    subprocess.run(["arm-none-eabi-ar", "d", str(archive), *_FOR_OTHER_CORES], check=True)
    subprocess.run(["arm-none-eabi-ld", "-r", "--whole-archive", str(archive), "-o", str(whole)], check=True)
    return whole


def thumb_blocks(path: Path) -> list[Block]:
    """Each stretch of Thumb code in an object, between its mapping symbols (ELF for the Arm Architecture)."""
    found: list[Block] = []
    with path.open("rb") as file:
        elf = ELFFile(file)
        table = elf.get_section_by_name(".symtab")
        for number, section in enumerate(elf.iter_sections()):
            if not section.name.startswith(".text") or not isinstance(table, SymbolTableSection):
                continue
            data = section.data()
            marks = sorted(
                (symbol["st_value"], symbol.name[:2]) for symbol in table.iter_symbols() if symbol["st_shndx"] == number
            )
            marks = [mark for mark in marks if mark[1] in ("$t", "$d", "$a")] + [(len(data), "")]
            for (start, kind), (end, _) in zip(marks, marks[1:], strict=False):
                if kind == "$t" and end > start:
                    found.append(Block(start, bytes(data[start:end]), "thumb"))
    return found


@pytest.mark.parametrize("build", BUILDS)
def test_every_instruction_of_the_compilers_library_is_known(build: str, tmp_path: Path) -> None:
    table = open_laboratory().cores[build.split()[0]].table
    assert table is not None
    instructions = 0
    for block in thumb_blocks(whole_library(BUILDS[build], tmp_path)):
        try:
            instructions += cost(Profile((block,), (Edge(ENTRY, 0, 1),), stack_bytes=0), table).instructions
        except UnknownInstruction as error:
            # A trap, which ends a program.
            assert error.mnemonic == "udf", error
    assert instructions > 5_000
