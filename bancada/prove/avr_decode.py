"""Opcodes of the AVR instruction set (AVR Instruction Set Manual, DS40002198) to instructions.

Only what an AVRe+ core with at most 128 KiB of flash has: the ATmega328P and its kin.
"""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Instruction:
    """`name` is the manual's mnemonic. What the operands mean depends on it; those that it has not are 0."""

    name: str
    words: int
    destination: int = 0
    source: int = 0
    value: int = 0
    # For loads and stores: "", "+" (after) or "-" (before), and the pointer's lower register.
    step: str = ""
    pointer: int = 0


_TWO = {
    0x0400: "CPC",
    0x0800: "SBC",
    0x0C00: "ADD",
    0x1000: "CPSE",
    0x1400: "CP",
    0x1800: "SUB",
    0x1C00: "ADC",
    0x2000: "AND",
    0x2400: "EOR",
    0x2800: "OR",
    0x2C00: "MOV",
    0x9C00: "MUL",
}
_IMMEDIATE = {0x3000: "CPI", 0x4000: "SBCI", 0x5000: "SUBI", 0x6000: "ORI", 0x7000: "ANDI", 0xE000: "LDI"}
_ONE = {
    0x0: "COM",
    0x1: "NEG",
    0x2: "SWAP",
    0x3: "INC",
    0x5: "ASR",
    0x6: "LSR",
    0x7: "ROR",
    0xA: "DEC",
}
# Opcode & 0xFE0F: pointer and step; bit 9 tells a store.
_MEMORY = {
    0x9001: ("+", 30),
    0x9002: ("-", 30),
    0x9009: ("+", 28),
    0x900A: ("-", 28),
    0x900C: ("", 26),
    0x900D: ("+", 26),
    0x900E: ("-", 26),
}
_FRACTIONAL = {0x00: "MULSU", 0x08: "FMUL", 0x80: "FMULS", 0x88: "FMULSU"}
_FIXED = {0x9508: "RET", 0x9518: "RETI", 0x95C8: "LPM", 0x9409: "IJMP", 0x9509: "ICALL", 0x0000: "NOP"}
_BITS = {0xF800: "BLD", 0xFA00: "BST", 0xFC00: "SBRC", 0xFE00: "SBRS"}
_PORTS = {0x9800: "CBI", 0x9900: "SBIC", 0x9A00: "SBI", 0x9B00: "SBIS"}


def decode(opcode: int, following: int) -> Instruction | None:
    """The instruction of these two words of flash (the second one counts for LDS, STS, CALL and JMP); None if none."""
    d5 = opcode >> 4 & 0x1F
    r5 = opcode & 0x0F | opcode >> 5 & 0x10
    if opcode in _FIXED:
        return Instruction(_FIXED[opcode], 1)
    if name := _TWO.get(opcode & 0xFC00):
        return Instruction(name, 1, d5, r5)
    if name := _IMMEDIATE.get(opcode & 0xF000):
        return Instruction(name, 1, 16 + (opcode >> 4 & 0xF), value=opcode >> 4 & 0xF0 | opcode & 0xF)
    if opcode & 0xFF00 == 0x0100:
        return Instruction("MOVW", 1, 2 * (opcode >> 4 & 0xF), 2 * (opcode & 0xF))
    if opcode & 0xFF00 == 0x0200:
        return Instruction("MULS", 1, 16 + (opcode >> 4 & 0xF), 16 + (opcode & 0xF))
    if opcode & 0xFF00 == 0x0300:
        return Instruction(_FRACTIONAL[opcode & 0x88], 1, 16 + (opcode >> 4 & 7), 16 + (opcode & 7))
    if opcode & 0xD000 == 0x8000:
        offset = opcode & 7 | opcode >> 7 & 0x18 | opcode >> 8 & 0x20
        pointer = 28 if opcode & 8 else 30
        return Instruction("STD" if opcode & 0x200 else "LDD", 1, d5, value=offset, pointer=pointer)
    if opcode & 0xF800 in (0xB000, 0xB800):
        port = opcode & 0xF | opcode >> 5 & 0x30
        return Instruction("OUT" if opcode & 0x800 else "IN", 1, d5, value=port)
    if opcode & 0xE000 == 0xC000:
        jump = opcode & 0xFFF
        return Instruction("RCALL" if opcode & 0x1000 else "RJMP", 1, value=jump - (jump >> 11 << 12))
    if opcode & 0xF800 == 0xF000:
        jump = opcode >> 3 & 0x7F
        name = "BRBC" if opcode & 0x400 else "BRBS"
        return Instruction(name, 1, opcode & 7, value=jump - (jump >> 6 << 7))
    if opcode & 0xF808 in (0xF800, 0xF808) and opcode & 8 == 0:
        return Instruction(_BITS[opcode & 0xFE00], 1, d5, value=opcode & 7)
    if opcode & 0xFC00 == 0x9800:
        return Instruction(_PORTS[opcode & 0xFF00], 1, value=opcode >> 3 & 0x1F, destination=opcode & 7)
    if opcode & 0xFE00 in (0x9600,):
        name = "SBIW" if opcode & 0x100 else "ADIW"
        return Instruction(name, 1, 24 + 2 * (opcode >> 4 & 3), value=opcode & 0xF | opcode >> 2 & 0x30)
    if opcode & 0xFC00 == 0x9000:
        return _load_or_store(opcode, following, d5)
    if opcode & 0xFE00 == 0x9400:
        return _one_operand(opcode, following, d5)
    return None


def _load_or_store(opcode: int, following: int, register: int) -> Instruction | None:
    is_store = bool(opcode & 0x200)
    kind = opcode & 0xF
    if kind == 0:
        return Instruction("STS" if is_store else "LDS", 2, register, value=following)
    if kind == 0xF:
        return Instruction("PUSH" if is_store else "POP", 1, register)
    if kind in (4, 5) and not is_store:
        return Instruction("LPM Z", 1, register, step="+" if kind == 5 else "", pointer=30)
    found = _MEMORY.get(opcode & 0xFC0F)
    if found is None:
        return None
    return Instruction("ST" if is_store else "LD", 1, register, step=found[0], pointer=found[1])


def _one_operand(opcode: int, following: int, register: int) -> Instruction | None:
    if name := _ONE.get(opcode & 0xF):
        return Instruction(name, 1, register)
    if opcode & 0xFF8F == 0x9408:
        return Instruction("BSET", 1, opcode >> 4 & 7)
    if opcode & 0xFF8F == 0x9488:
        return Instruction("BCLR", 1, opcode >> 4 & 7)
    if opcode & 0xE == 0xC:
        return Instruction("JMP", 2, value=following | (opcode & 1 | opcode >> 3 & 0x3E) << 16)
    if opcode & 0xE == 0xE:
        return Instruction("CALL", 2, value=following | (opcode & 1 | opcode >> 3 & 0x3E) << 16)
    return None
