"""Decodes the blocks of a profile, with Capstone, into small frozen records for cost tables and scoreboards.

The registers that an instruction reads and writes are derived here from its operands. Capstone's own lists of implicit
and read-and-written registers have gaps (the accumulators of UMLAL, VSWP, LDRD with write-back in Capstone 5). The
tests compare the result with the registers that a processor emulator reads and writes.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache, lru_cache
from typing import Any, Literal

import capstone
from capstone import arm64_const, arm_const

import bancada.costing.decode_rules as rules
from bancada.costing.profile import Block, InstructionSet
from bancada.model.errors import UserError

_CONDITIONS = ("eq", "ne", "hs", "lo", "mi", "pl", "vs", "vc", "hi", "ls", "ge", "lt", "gt", "le")
_SHIFTS = ("lsl", "lsr", "asr", "ror", "rrx", "uxtb", "uxth", "uxtw", "uxtx", "sxtb", "sxth", "sxtw", "sxtx", "msl")
_ALIASES = {"sb": "r9", "sl": "r10", "fp": "r11", "ip": "r12"}


class UnknownInstruction(UserError):
    """An instruction that a cost table does not know, or bytes that are not an instruction. Its cost is never
    guessed: the case fails and names it."""

    def __init__(
        self, mnemonic: str, text: str, address: int, why: str = "the core's cost table does not know it"
    ) -> None:
        self.mnemonic = mnemonic
        self.text = text
        self.address = address
        super().__init__(f"The instruction '{text}' at {address:#x} cannot be costed: {why}.")


@dataclass(frozen=True, slots=True)
class MemoryOperand:
    """The memory operand. `index` may be a register; `offset` is in bytes; `shift` is that of the index."""

    base: str
    index: str | None
    offset: int
    shift: int
    writeback: bool


@dataclass(frozen=True, slots=True)
class Shift:
    """A shift or extension of a register operand, by a number (`amount`) or by a register (`by`)."""

    register: str
    kind: str
    amount: int
    by: str | None


@dataclass(frozen=True, slots=True)
class Instruction:
    """One instruction.

    `mnemonic` is bare: no condition, no `s`, no data type (`data_type` has it: "i32", "8h"). `operands` is its text.
    `registers` are the register operands as written, lists expanded. `reads` and `writes` are storage: core registers
    by name (AArch64: the 64-bit name), "flags", "fpflags", vector registers in units that alias nowhere (Arm state d0
    to d31; AArch64 v0 to v31), "pc" only where it is written.
    """

    address: int
    size: int
    mnemonic: str
    data_type: str
    operands: str
    registers: tuple[str, ...]
    immediates: tuple[int, ...]
    reads: tuple[str, ...]
    writes: tuple[str, ...]
    memory: MemoryOperand | None
    shift: Shift | None
    condition: str
    sets_flags: bool
    target: int | None

    @property
    def text(self) -> str:
        flags = "s" if self.sets_flags and self.mnemonic in rules.FLAG_SETTERS else ""
        condition = self.condition if self.condition != "al" else ""
        kind = f".{self.data_type}" if self.data_type else ""
        return f"{self.mnemonic}{flags}{condition}{kind} {self.operands}".rstrip()

    @property
    def changes_pc(self) -> bool:
        return "pc" in self.writes


@lru_cache(maxsize=65536)
def decode(block: Block) -> tuple[Instruction, ...]:
    """The instructions of a block. UnknownInstruction where its bytes are not an instruction."""
    found: list[Instruction] = []
    end = 0
    # Only the second decoder knows the instructions that Thumb has for Cortex-M alone (MRS and MSR of PRIMASK).
    for kind in (block.instruction_set, *(("thumb-m",) if block.instruction_set == "thumb" else ())):
        for raw in _decoder(kind).disasm(block.code[end:], block.address + end):
            found.append(_arm(raw) if block.instruction_set != "aarch64" else _aarch64(raw))
            end = raw.address + raw.size - block.address
    if end != len(block.code):
        text = block.code[end : end + 4].hex()
        raise UnknownInstruction(
            text, text, block.address + end, "its bytes are not an instruction that Capstone knows"
        )
    return tuple(found)


@cache
def _decoder(instruction_set: InstructionSet | Literal["thumb-m"]) -> Any:
    kind, mode = {
        "thumb": (capstone.CS_ARCH_ARM, capstone.CS_MODE_THUMB | capstone.CS_MODE_V8),
        "thumb-m": (capstone.CS_ARCH_ARM, capstone.CS_MODE_THUMB | capstone.CS_MODE_V8 | capstone.CS_MODE_MCLASS),
        "arm": (capstone.CS_ARCH_ARM, capstone.CS_MODE_ARM | capstone.CS_MODE_V8),
        "aarch64": (capstone.CS_ARCH_ARM64, capstone.CS_MODE_ARM),
    }[instruction_set]
    decoder = capstone.Cs(kind, mode)
    decoder.detail = True
    return decoder


def _split(raw: Any) -> tuple[str, str, str, bool]:
    """(bare mnemonic, condition, data type, whether it sets the flags) of Capstone's mnemonic."""
    head, _, data_type = raw.mnemonic.partition(".")
    if data_type in ("w", "n"):
        data_type = ""
    condition = "al"
    if 0 < raw.cc <= len(_CONDITIONS):
        condition = _CONDITIONS[raw.cc - 1]
        head = head.removesuffix(condition)
    sets_flags = head in rules.ALWAYS_SET_FLAGS
    if head.endswith("s") and head[:-1] in rules.FLAG_SETTERS:
        head, sets_flags = head[:-1], True
    return head, condition, data_type, sets_flags


def _arm(raw: Any) -> Instruction:
    mnemonic, condition, data_type, sets_flags = _split(raw)

    def name(number: int) -> str:
        text: str = raw.reg_name(number)
        return _ALIASES.get(text, text)

    registers: list[str] = []
    immediates: list[int] = []
    memory: MemoryOperand | None = None
    shift: Shift | None = None
    post_index: str | None = None
    for operand in raw.operands:
        if operand.type == arm_const.ARM_OP_REG:
            register = name(operand.reg)
            if memory is not None and mnemonic[:2] in ("ld", "st", "vl", "vs"):
                post_index = register
            else:
                registers.append(register)
            kind = operand.shift.type
            if kind:
                by_register = kind >= arm_const.ARM_SFT_ASR_REG
                kind_name = ("", "asr", "lsl", "lsr", "ror", "rrx")[kind - 5 if by_register else kind]
                by = name(operand.shift.value) if by_register else None
                shift = Shift(register, kind_name, 0 if by_register else operand.shift.value, by)
        elif operand.type == arm_const.ARM_OP_IMM:
            immediates.append(operand.imm)
        elif operand.type == arm_const.ARM_OP_MEM:
            index = name(operand.mem.index) if operand.mem.index else None
            amount = operand.shift.value if operand.shift.type else operand.mem.lshift
            memory = MemoryOperand(name(operand.mem.base), index, operand.mem.disp, amount, bool(raw.writeback))
    if memory is not None and post_index is not None:
        memory = MemoryOperand(memory.base, post_index, memory.offset, memory.shift, True)
    if mnemonic in ("push", "pop", "vpush", "vpop"):
        memory = MemoryOperand("sp", None, 0, 0, True)
    elif mnemonic in rules.MULTIPLE:
        memory = MemoryOperand(registers.pop(0), None, 0, 0, bool(raw.writeback))
    target = immediates[-1] if mnemonic in rules.ARM_DIRECT_BRANCHES and immediates else None
    read, written = rules.arm_registers(mnemonic, tuple(registers), raw.op_str)
    reads, writes = _storage(read, rules.arm_storage), _storage(written, rules.arm_storage)
    return Instruction(
        address=raw.address,
        size=raw.size,
        mnemonic=mnemonic,
        data_type=data_type,
        operands=raw.op_str,
        registers=tuple(registers),
        immediates=tuple(immediates),
        reads=_with_implicit_reads(reads, writes, mnemonic, memory, shift, condition),
        writes=_with_implicit_writes(writes, mnemonic, memory, sets_flags),
        memory=memory,
        shift=shift,
        condition=condition,
        sets_flags=sets_flags,
        target=target,
    )


def _aarch64(raw: Any) -> Instruction:
    head, _, suffix = raw.mnemonic.partition(".")
    condition, data_type = "al", ""
    if suffix in _CONDITIONS:
        condition = suffix
    registers: list[str] = []
    immediates: list[int] = []
    memory: MemoryOperand | None = None
    shift: Shift | None = None
    for operand in raw.operands:
        if operand.type == arm64_const.ARM64_OP_REG:
            if memory is not None:
                memory = MemoryOperand(memory.base, rules.aarch64_storage(raw.reg_name(operand.reg))[0], 0, 0, True)
                continue
            register: str = raw.reg_name(operand.reg)
            registers.append(register)
            if operand.vas and not data_type:
                data_type = rules.ARRANGEMENTS.get(operand.vas, "")
            if operand.shift.type or operand.ext:
                kind = (
                    rules.AARCH64_EXTENSIONS[operand.ext] if operand.ext else rules.AARCH64_SHIFTS[operand.shift.type]
                )
                shift = Shift(register, kind, operand.shift.value, None)
        elif operand.type == arm64_const.ARM64_OP_IMM:
            immediates.append(operand.imm)
        elif operand.type == arm64_const.ARM64_OP_MEM:
            base = rules.aarch64_storage(raw.reg_name(operand.mem.base))[0]
            index = rules.aarch64_storage(raw.reg_name(operand.mem.index))[0] if operand.mem.index else None
            memory = MemoryOperand(base, index, operand.mem.disp, operand.shift.value, bool(raw.writeback))
    sets_flags = head in rules.AARCH64_SETS_FLAGS
    target = immediates[-1] if head in rules.AARCH64_DIRECT_BRANCHES else None
    read, written = rules.aarch64_registers(head, tuple(registers), raw.op_str)
    reads, writes = _storage(read, rules.aarch64_storage), _storage(written, rules.aarch64_storage)
    implicit: tuple[str, ...] = ("flags",) if condition != "al" or head in rules.AARCH64_READS_FLAGS else ()
    if memory is not None:
        implicit += (memory.base,) + ((memory.index,) if memory.index else ())
    changed: tuple[str, ...] = (("flags",) if sets_flags else ()) + (
        (memory.base,) if memory is not None and memory.writeback else ()
    )
    if head in rules.AARCH64_BRANCHES:
        changed += ("x30", "pc") if head in ("bl", "blr") else ("pc",)
    if head == "ret" and not registers:
        implicit += ("x30",)
    return Instruction(
        address=raw.address,
        size=raw.size,
        mnemonic=head,
        data_type=data_type,
        operands=raw.op_str,
        registers=tuple(registers),
        immediates=tuple(immediates),
        reads=_unique(reads + implicit),
        writes=_unique(writes + changed),
        memory=memory,
        shift=shift,
        condition=condition,
        sets_flags=sets_flags,
        target=target,
    )


def _storage(names: tuple[str, ...], units: Any) -> tuple[str, ...]:
    return tuple(unit for name in names for unit in units(name))


def _with_implicit_reads(
    reads: tuple[str, ...],
    writes: tuple[str, ...],
    mnemonic: str,
    memory: MemoryOperand | None,
    shift: Shift | None,
    condition: str,
) -> tuple[str, ...]:
    if memory is not None:
        reads += (memory.base,) + ((memory.index,) if memory.index else ())
    if shift is not None and shift.by is not None:
        reads += (shift.by,)
    if mnemonic in rules.READS_FLAGS or (shift is not None and shift.kind == "rrx"):
        reads += ("flags",)
    if condition != "al":
        # If it is not executed, its destination does not change, so a pipeline reads the old value.
        reads += ("flags", *(name for name in writes if name != "pc"))
    return _unique(name for name in reads if name != "pc")


def _with_implicit_writes(
    writes: tuple[str, ...], mnemonic: str, memory: MemoryOperand | None, sets_flags: bool
) -> tuple[str, ...]:
    if memory is not None and memory.writeback:
        writes += (memory.base,)
    if sets_flags:
        writes += ("flags",)
    if mnemonic in rules.ARM_BRANCHES:
        writes += ("lr", "pc") if mnemonic in ("bl", "blx") else ("pc",)
    return _unique(writes)


def _unique(names: Any) -> tuple[str, ...]:
    return tuple(dict.fromkeys(names))
