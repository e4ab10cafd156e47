"""Thumb instructions of the Cortex-M cores (Armv6-M and Armv7-M Architecture Reference Manuals, chapter A6 and A7), by
Capstone.

One instruction at a time, as it is outside an IT block; what a block does to it is up to `thumb.py`. Capstone's text
says whether flags are set: its own field for that is wrong for SBC.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache, lru_cache
from typing import Any, Literal

import capstone
from capstone import arm_const

CONDITIONS = ("eq", "ne", "hs", "lo", "mi", "pl", "vs", "vc", "hi", "ls", "ge", "lt", "gt", "le")
ALWAYS = ""
Shift = Literal["", "lsl", "lsr", "asr", "ror", "rrx"]
_SHIFTS: dict[int, Shift] = {
    arm_const.ARM_SFT_ASR: "asr",
    arm_const.ARM_SFT_LSL: "lsl",
    arm_const.ARM_SFT_LSR: "lsr",
    arm_const.ARM_SFT_ROR: "ror",
    arm_const.ARM_SFT_RRX: "rrx",
}
_ALIASES = {"sb": 9, "sl": 10, "fp": 11, "ip": 12, "sp": 13, "lr": 14, "pc": 15}
# What may have an S, and what has one that is not this S.
_WITH_FLAGS = frozenset("adc add and asr bic eor lsl lsr mov mul mvn neg orn orr ror rrx rsb sbc sub".split())
_COMPARISONS = frozenset(("cmp", "cmn", "tst", "teq"))
_MULTIPLE = frozenset(("ldm", "ldmdb", "stm", "stmdb", "push", "pop"))


@dataclass(frozen=True, slots=True)
class Register:
    """A register, shifted by a constant."""

    number: int
    shift: Shift = ""
    amount: int = 0


@dataclass(frozen=True, slots=True)
class Address:
    """base + index * 2^shift + offset; `index` is -1 if there is none. `post` is added to the base afterwards."""

    base: int
    index: int
    shift: int
    offset: int
    post: int


Operand = Register | Address | int


@dataclass(frozen=True, slots=True)
class Instruction:
    """`name` is bare: without S, condition and width. `condition` is that of a branch, or the first of an IT block."""

    name: str
    size: int
    operands: tuple[Operand, ...]
    sets_flags: bool
    condition: str
    writes_back: bool
    text: str
    pattern: str = ""
    """Of IT: the letters behind it, T and E."""


@lru_cache(maxsize=1 << 18)
def decode(code: bytes, address: int) -> Instruction | None:
    """The instruction that these two or four bytes begin with, at this address; None if Capstone knows none, or if bits
    that have to be 0 are not."""
    raw = next(_decoder().disasm(code, address, 1), None)
    if (
        raw is None
        or raw.size == 4
        and not _has_its_zeros(*(int.from_bytes(code[at : at + 2], "little") for at in (0, 2)))
    ):
        return None
    return instruction_of(raw)


def _has_its_zeros(first: int, second: int) -> bool:
    """What Capstone does not look at: the bits in brackets of DDI 0403, chapter A7, and registers that are named twice.
    Half-words of an instruction of 32 bits."""
    match first >> 8:
        case 0xEA | 0xEB:
            return second >> 15 == 0
        case 0xF3 if second >> 15 == 0:
            lowest = second >> 12 << 2 | second >> 6 & 3
            is_insertion = first & 0xF0 == 0x60
            return second >> 5 & 1 == 0 and (not is_insertion or second & 31 >= lowest)
        case 0xFA if second >> 7 == 0b111110001 or first & 0xF0 < 0x60 and second >> 7 & 1:
            return second >> 6 & 1 == 0
        case 0xFA if first & 0xF0 in (0x90, 0xB0) and second >> 7 & 1:
            return first & 15 == second & 15
    return True


@cache
def _decoder() -> Any:
    decoder = capstone.Cs(capstone.CS_ARCH_ARM, capstone.CS_MODE_THUMB | capstone.CS_MODE_MCLASS)
    decoder.detail = True
    return decoder


def instruction_of(raw: Any) -> Instruction | None:
    """What Capstone found, as an instruction; None if it has operands that are not followed."""
    head, _, width = raw.mnemonic.partition(".")
    if width not in ("", "w", "n"):
        return None
    text = f"{raw.mnemonic} {raw.op_str}".rstrip()
    if head.startswith("it") and head.strip("te") == "i":
        return Instruction("it", raw.size, (), False, raw.op_str.strip(), False, text, head[2:])
    condition = ALWAYS
    if 0 < raw.cc <= len(CONDITIONS):
        condition = CONDITIONS[raw.cc - 1]
        head = head.removesuffix(condition)
    head = {"addw": "add", "subw": "sub"}.get(head, head)
    sets_flags = head in _COMPARISONS
    if head.endswith("s") and head[:-1] in _WITH_FLAGS:
        head, sets_flags = head[:-1], True
    operands: list[Operand] = []
    post = 0
    for each in raw.operands:
        if each.type == arm_const.ARM_OP_REG:
            if each.shift.type and each.shift.type not in _SHIFTS:
                return None
            operands.append(Register(_number(raw, each.reg), _SHIFTS.get(each.shift.type, ""), each.shift.value))
        elif each.type == arm_const.ARM_OP_IMM:
            operands.append(each.imm)
        elif each.type == arm_const.ARM_OP_MEM:
            index = _number(raw, each.mem.index) if each.mem.index else -1
            operands.append(Address(_number(raw, each.mem.base), index, each.shift.value, each.mem.disp, 0))
        else:
            return None
    if getattr(raw, "post_index", False) and isinstance(operands[-1], int) and isinstance(operands[-2], Address):
        post = operands.pop()  # type: ignore[assignment]
        place = operands.pop()
        assert isinstance(place, Address)
        operands.append(Address(place.base, place.index, place.shift, place.offset, post))
    if head in _MULTIPLE and not all(isinstance(each, Register) for each in operands):
        return None
    return Instruction(head, raw.size, tuple(operands), sets_flags, condition, bool(raw.writeback), text)


def _number(raw: Any, register: int) -> int:
    name: str = raw.reg_name(register)
    if name in _ALIASES:
        return _ALIASES[name]
    if not (name.startswith("r") and name[1:].isdigit()):
        return -2
    return int(name[1:])
