"""What each A64 instruction does to bits: one step of an AArch64 processor."""

from __future__ import annotations

from functools import cache

import capstone

from bancada.prove import aarch64_integer, aarch64_memory, aarch64_vector
from bancada.prove.aarch64_cpu import Cpu
from bancada.prove.encoding import Decoded, Table
from bancada.prove.errors import CannotProve

TABLE: Table[Cpu] = Table(
    [*aarch64_integer.TABLE.encodings, *aarch64_memory.TABLE.encodings, *aarch64_vector.TABLE.encodings]
)


@cache
def decode(opcode: int) -> Decoded[Cpu] | None:
    return TABLE.decode(opcode)


def step(cpu: Cpu) -> None:
    """Executes the instruction at the program counter.

    Raises SecretTime where the way through the program or an address depends on an input; CannotProve where the
    instruction is none that is followed here, or faults.
    """
    opcode = cpu.opcode(cpu.pc)
    found = decode(opcode)
    if found is None:
        raise CannotProve(f"'{text_of(opcode, cpu.pc)}' at {cpu.where()} is not followed")
    cpu.instructions += 1
    cpu.trace.append(cpu.pc)
    cpu.next_pc = cpu.pc + 4
    found.execute(cpu)
    cpu.pc = cpu.next_pc


def text_of(opcode: int, address: int) -> str:
    """The instruction as an assembler has it, by Capstone."""
    decoder = capstone.Cs(capstone.CS_ARCH_ARM64, capstone.CS_MODE_ARM)
    raw = next(decoder.disasm(opcode.to_bytes(4, "little"), address, 1), None)
    return f"0x{opcode:08x}" if raw is None else f"{raw.mnemonic} {raw.op_str}".rstrip()
