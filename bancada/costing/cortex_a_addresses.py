"""What a walk of instructions knows of addresses: each core register is a symbol plus a constant.

A symbol stands for a value that the walk does not know. A register that becomes another one plus a constant has the
symbol of that one. Every other write makes a new symbol. Two accesses with the same symbol are at a known distance.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from bancada.costing.decode import Instruction
from bancada.costing.profile import InstructionSet

# The symbol of numbers: a register that has it is the constant alone.
NUMBER = 0

_LISTS = re.compile(r"v?(ldm|stm)(ia|ib|da|db)?|v?(push|pop)")
_STORES = ("st", "vst", "push", "vpush")
_LOADS = ("ld", "vld", "pop", "vpop")
_ELEMENT_BYTES = {"8": 1, "16": 2, "32": 4, "64": 8, "b": 1, "h": 2, "s": 4, "d": 8}


@dataclass(frozen=True, slots=True)
class Access:
    """`size` bytes are loaded or stored at register `base` plus `offset`."""

    base: str
    offset: int
    size: int
    is_store: bool


@dataclass(frozen=True, slots=True)
class Move:
    """Register `target` becomes `source` plus `constant`, plus `added` times 2 to the `shift` (times `sign`). Without
    `source` and `added` it becomes the constant; with `is_unknown` a value that nothing is known of. `high` is the new
    upper half of a number of 32 bits (MOVT)."""

    target: str
    source: str | None = None
    constant: int = 0
    added: str | None = None
    sign: int = 1
    shift: int = 0
    is_unknown: bool = False
    high: int | None = None


class Registers:
    """The core registers as symbols plus constants."""

    __slots__ = ("_symbols", "_values")

    def __init__(self, numbers: dict[str, int] | None = None) -> None:
        self._symbols = NUMBER
        self._values: dict[str, tuple[int, int]] = {name: (NUMBER, number) for name, number in (numbers or {}).items()}

    def copy(self) -> Registers:
        """Independent registers with the same values."""
        twin = Registers()
        twin._symbols = self._symbols
        twin._values = dict(self._values)
        return twin

    def of(self, register: str) -> tuple[int, int]:
        """The symbol and the constant."""
        value = self._values.get(register)
        if value is None:
            self._symbols += 1
            value = self._values[register] = self._symbols, 0
        return value

    def numbers(self) -> dict[str, int]:
        """The registers that are a constant alone."""
        return {name: number for name, (symbol, number) in self._values.items() if symbol == NUMBER}

    def move(self, moves: tuple[Move, ...]) -> None:
        """What an instruction does to the registers; `moves` read them as they were before it."""
        if len(moves) == 1:
            self._values[moves[0].target] = self._after(moves[0])
            return
        for target, value in [(move.target, self._after(move)) for move in moves]:
            self._values[target] = value

    def _after(self, move: Move) -> tuple[int, int]:
        if not move.is_unknown:
            symbol, number = self.of(move.source) if move.source is not None else (NUMBER, 0)
            if move.high is not None:
                if symbol == NUMBER:
                    return NUMBER, number & 0xFFFF | move.high << 16
            elif move.added is None:
                return symbol, number + move.constant
            else:
                added_symbol, added = self.of(move.added)
                if added_symbol == NUMBER:
                    return symbol, number + move.sign * (added << move.shift) + move.constant
                if symbol == NUMBER and move.sign == 1 and move.shift == 0:
                    return added_symbol, added + number + move.constant
        self._symbols += 1
        return self._symbols, 0


def access_of(instruction: Instruction, instruction_set: InstructionSet) -> Access | None:
    """What an instruction loads or stores. None if it is neither, or if a register is added to its base."""
    memory = instruction.memory
    is_store = instruction.mnemonic.startswith(_STORES)
    if memory is None or not (is_store or instruction.mnemonic.startswith(_LOADS)):
        return None
    size = _size(instruction, instruction_set)
    if _is_vector_list(instruction):
        return Access(memory.base, 0, size, is_store)
    if memory.index is not None and not memory.writeback:
        return None
    return Access(memory.base, _first(instruction, size) + memory.offset, size, is_store)


def moves_of(instruction: Instruction, instruction_set: InstructionSet) -> tuple[Move, ...]:
    """What an instruction does to the core registers."""
    memory = instruction.memory
    base = memory.base if memory is not None and memory.writeback else None
    written = [name for name in instruction.writes if name[0] in "rxsl" and name != base]
    moves = [_move(instruction, name, instruction_set) for name in written]
    if base is not None:
        moves.append(_update(instruction, base, instruction_set))
    if instruction.condition != "al" and instruction_set != "aarch64":
        moves = [Move(move.target, is_unknown=True) for move in moves]
    return tuple(moves)


def _move(instruction: Instruction, target: str, instruction_set: InstructionSet) -> Move:
    unknown = Move(target, is_unknown=True)
    mnemonic, shift = instruction.mnemonic, instruction.shift
    if instruction.memory is not None or instruction.sets_flags and mnemonic not in ("add", "sub", "adds", "subs"):
        return unknown
    is_wide = instruction_set != "aarch64" or (instruction.registers and instruction.registers[0][0] not in "w")
    read = [_unit(name, instruction_set) for name in instruction.registers[1:]]
    if any(name[0] not in "rxslz" for name in read) or not is_wide and mnemonic not in ("mov", "movz"):
        return unknown
    immediates = instruction.immediates
    if mnemonic in ("mov", "movw", "movz") and not read and len(immediates) == 1:
        by = shift.amount if shift is not None else 0
        return Move(target, constant=immediates[0] << by)
    if mnemonic == "movt":
        return Move(target, target, high=immediates[-1])
    if mnemonic == "mov" and len(read) == 1 and shift is None:
        return Move(target, read[0])
    if mnemonic == "lsl" and len(read) == 1:
        if shift is not None and shift.by is None:
            return Move(target, added=read[0], shift=shift.amount)
        if len(immediates) == 1:
            return Move(target, added=read[0], shift=immediates[0])
    sign = {"add": 1, "addw": 1, "adds": 1, "sub": -1, "subw": -1, "subs": -1}.get(mnemonic)
    if sign is None or not read:
        return unknown
    if len(read) == 1 and len(immediates) == 1 and shift is None:
        return Move(target, read[0], sign * immediates[0])
    if len(read) == 2 and (shift is None or shift.kind == "lsl" and shift.by is None):
        return Move(target, read[0], added=read[1], sign=sign, shift=shift.amount if shift is not None else 0)
    return unknown


def _update(instruction: Instruction, base: str, instruction_set: InstructionSet) -> Move:
    """What an addressing mode does to its base."""
    memory = instruction.memory
    assert memory is not None
    if memory.index is not None:
        if f"-{memory.index}" in instruction.operands or memory.shift:
            return Move(base, is_unknown=True)
        return Move(base, base, added=memory.index)
    if _LISTS.fullmatch(instruction.mnemonic):
        size = _size(instruction, instruction_set)
        return Move(base, base, -size if _goes_down(instruction.mnemonic) else size)
    if instruction.immediates:
        # Capstone has the sign of what is added after an access in its text alone.
        step = abs(instruction.immediates[-1])
        return Move(base, base, -step if "-" in instruction.operands.rpartition("]")[2] else step)
    return Move(base, base, _size(instruction, instruction_set) if _is_vector_list(instruction) else memory.offset)


def _first(instruction: Instruction, size: int) -> int:
    """Where a list of registers begins, from its base."""
    mnemonic = instruction.mnemonic
    if not _LISTS.fullmatch(mnemonic):
        return 0
    before = mnemonic.endswith("ib") or mnemonic.endswith("da")
    return (-size if _goes_down(mnemonic) else 0) + (4 if before else 0)


def _goes_down(mnemonic: str) -> bool:
    return mnemonic.endswith(("push", "db", "da"))


def _is_vector_list(instruction: Instruction) -> bool:
    """VLD1 and its kind, whose memory operand has an alignment instead of an offset."""
    return re.fullmatch(r"v?(ld|st)[1234]r?", instruction.mnemonic) is not None


def _size(instruction: Instruction, instruction_set: InstructionSet) -> int:
    mnemonic, registers = instruction.mnemonic, instruction.registers
    if _is_vector_list(instruction):
        element = _ELEMENT_BYTES.get(instruction.data_type.lstrip("0123456789") or instruction.data_type, 8)
        listed = instruction.operands.partition("}")[0]
        if "[" in listed or instruction.operands.partition("}")[2].startswith("[") or mnemonic.endswith("r"):
            return int(re.sub(r"\D", "", mnemonic)) * element
        if instruction_set != "aarch64":
            return sum(_register_bytes(name, instruction_set) for name in registers)
        return len(registers) * (16 if instruction.data_type in ("16b", "8h", "4s", "2d") else 8)
    if re.search(r"(ldr|str|ldur|stur|ldar|stlr|ldt|stt)s?b", mnemonic):
        return 1
    if re.search(r"(ldr|str|ldur|stur|ldar|stlr|ldt|stt)s?h", mnemonic):
        return 2
    if mnemonic in ("ldrsw", "ldursw"):
        return 4
    if mnemonic == "ldpsw":
        return 8
    return sum(_register_bytes(name, instruction_set) for name in registers)


def _register_bytes(name: str, instruction_set: InstructionSet) -> int:
    if name[1:].isdigit() and name[0] in "bhsdqv":
        return {"b": 1, "h": 2, "s": 4, "d": 8, "q": 16, "v": 16}[name[0]]
    return 4 if instruction_set != "aarch64" or name[0] == "w" else 8


def _unit(name: str, instruction_set: InstructionSet) -> str:
    """A core register by the name that `Instruction.writes` has for it."""
    if instruction_set == "aarch64":
        return {"fp": "x29", "lr": "x30"}.get(name, f"x{name[1:]}" if name[0] == "w" else name)
    return name
