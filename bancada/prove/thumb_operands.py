"""Operands of Thumb instructions: registers, constants, and places in memory."""

from __future__ import annotations

from bancada.formulas.graph import FALSE
from bancada.prove.thumb_cpu import PC, SP, C, Cpu, Flag, Word
from bancada.prove.thumb_decode import Address, Instruction, Operand, Register
from bancada.prove.thumb_words import MASK, shifted, sum_of


def read(cpu: Cpu, number: int) -> Word:
    if number == PC:
        return cpu.pc + cpu.pc_ahead
    return cpu.registers[number]


def write(cpu: Cpu, number: int, value: Word) -> None:
    if number == SP:
        cpu.set_sp(value)
    elif number == PC:
        cpu.jump(value, keeps_state=True)
    else:
        cpu.registers[number] = value


def operand_of(cpu: Cpu, operand: Operand) -> tuple[Word, Flag]:
    """A value and the shifter's carry."""
    if isinstance(operand, int):
        value = operand & MASK
        # ThumbExpandImm_C: only constants that are rotated set the carry; those are the large ones.
        return value, (value >> 31 if _is_rotated(value) else cpu.flags[C])
    assert isinstance(operand, Register)
    return shifted(cpu.graph, read(cpu, operand.number), operand.shift, operand.amount, cpu.flags[C])


def _is_rotated(value: int) -> bool:
    """Whether a constant of a 32-bit instruction is eight bits rotated, DDI 0403, A5.3.2."""
    low, second = value & 0xFF, value >> 8 & 0xFF
    repeated = (low, low << 16 | low, second << 24 | second << 8, low * 0x01010101)
    return value not in repeated


def place_of(cpu: Cpu, address: Address) -> Word:
    base = read(cpu, address.base)
    if address.base == PC and isinstance(base, int):
        base &= ~3
    if address.index >= 0:
        index, _ = shifted(cpu.graph, read(cpu, address.index), "lsl", address.shift, FALSE)
        base, _, _ = sum_of(cpu.graph, base, index, FALSE)
    total, _, _ = sum_of(cpu.graph, base, address.offset & MASK, FALSE)
    return total


def write_back(cpu: Cpu, instruction: Instruction, address: Address, place: Word) -> None:
    if instruction.writes_back:
        value, _, _ = sum_of(cpu.graph, place, address.post & MASK, FALSE)
        write(cpu, address.base, value)
