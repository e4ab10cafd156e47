"""What the compiler's own library is made of, each table knows: every instruction of libgcc."""

from __future__ import annotations

import subprocess
from collections import Counter
from pathlib import Path

import pytest
from bancada.catalogue import cores
from bancada.costing import UnknownInstruction, cost
from bancada.costing.profile import ENTRY, Block, Edge, Profile
from elftools.elf.elffile import ELFFile

# A trap, and registers of iWMMXt that libgcc's unwinder saves and restores: no Cortex-M executes either.
_NEVER_RUN = ("udf", "unwind-arm.o", "libunwind.o")

BUILDS = {
    "cortex-m0plus": ("-mcpu=cortex-m0plus",),
    "cortex-m3": ("-mcpu=cortex-m3",),
    "cortex-m4 with its FPU": ("-mcpu=cortex-m4", "-mfloat-abi=hard", "-mfpu=fpv4-sp-d16"),
}


def objects(flags: tuple[str, ...], folder: Path) -> list[Path]:
    """The members of libgcc, as the compiler chooses it for the flags."""
    command = ["arm-none-eabi-gcc", "-mthumb", *flags, "-print-libgcc-file-name"]
    archive = subprocess.run(command, capture_output=True, text=True, check=True).stdout.strip()
    subprocess.run(["arm-none-eabi-ar", "x", "--output", str(folder), archive], check=True)
    return sorted(folder.glob("*.o"))


def thumb_blocks(path: Path) -> list[Block]:
    """Each stretch of Thumb code in an object, between its mapping symbols (ELF for the Arm Architecture)."""
    found: list[Block] = []
    with path.open("rb") as file:
        elf = ELFFile(file)
        table = elf.get_section_by_name(".symtab")
        for number, section in enumerate(elf.iter_sections()):
            if not section.name.startswith(".text") or table is None:
                continue
            data = section.data()
            marks = sorted((symbol["st_value"], symbol.name[:2]) for symbol in table.iter_symbols() if symbol["st_shndx"] == number)
            marks = [mark for mark in marks if mark[1] in ("$t", "$d", "$a")] + [(len(data), "")]
            for (start, kind), (end, _) in zip(marks, marks[1:], strict=False):
                if kind == "$t" and end > start:
                    found.append(Block(start, bytes(data[start:end]), "thumb"))
    return found


@pytest.mark.parametrize("build", BUILDS)
def test_every_instruction_of_the_compilers_library_is_known(build: str, tmp_path: Path) -> None:
    table = cores()[build.split()[0]].table
    assert table is not None
    instructions = 0
    unknown: Counter[str] = Counter()
    for path in objects(BUILDS[build], tmp_path):
        if path.name in _NEVER_RUN:
            continue
        for block in thumb_blocks(path):
            try:
                instructions += cost(Profile((block,), (Edge(ENTRY, 0, 1),), stack_bytes=0), table).instructions
            except UnknownInstruction as error:
                unknown[error.mnemonic] += 1
    assert set(unknown) <= set(_NEVER_RUN), unknown
    assert instructions > 5_000
