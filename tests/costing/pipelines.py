"""What the tests of the pipeline models share: a core's table, an assembler, the cycles in which instructions issue."""

from __future__ import annotations

import subprocess
from pathlib import Path
from typing import Protocol

from bancada.costing.cortex_a import new_pipeline
from bancada.costing.cortex_a_operations import Operations
from bancada.costing.cortex_a_table import InOrderTable, OutOfOrderTable
from bancada.costing.profile import Block, InstructionSet
from bancada.measure.laboratory import open_laboratory

_TOOLS = {"arm": ("arm-linux-gnueabihf-", "-march=armv7ve"), "aarch64": ("aarch64-linux-gnu-", "-march=armv8-a")}


class Assemble(Protocol):
    """The machine code of instructions that are separated by semicolons or lines."""

    def __call__(self, text: str, instruction_set: InstructionSet = "arm") -> bytes: ...


def assembler(folder: Path) -> Assemble:
    def assemble(text: str, instruction_set: InstructionSet = "arm") -> bytes:
        prefix, architecture = _TOOLS[instruction_set]
        source, binary = folder / "code.s", folder / "code.bin"
        start = ".syntax unified\n.arm\n.fpu neon-vfpv4\n" if instruction_set == "arm" else ""
        source.write_text(start + text.replace(";", "\n") + "\n")
        subprocess.run([f"{prefix}as", architecture, str(source), "-o", str(folder / "code.o")], check=True)
        subprocess.run(
            [f"{prefix}objcopy", "-O", "binary", "-j", ".text", str(folder / "code.o"), str(binary)], check=True
        )
        return binary.read_bytes()

    return assemble


def table_of(core: str) -> InOrderTable | OutOfOrderTable:
    table = open_laboratory().cores[core].table
    assert isinstance(table, InOrderTable | OutOfOrderTable)
    return table


def issue_cycles(core: str, code: bytes, instruction_set: InstructionSet = "arm") -> list[int]:
    """The cycle at which each instruction of a straight line issues, the first at 0."""
    table = table_of(core)
    pipeline = new_pipeline(table)
    cycles = [pipeline.step(operation) for operation in Operations(table).of(Block(0x1000, code, instruction_set))]
    return [cycle - cycles[0] for cycle in cycles]
