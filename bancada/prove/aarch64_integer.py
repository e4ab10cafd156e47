"""A64 instructions on general registers, and branches (Arm Architecture Reference Manual, DDI 0487, chapters C4 and
C6): those that Tatu's kernels need.

Each function executes the encoding that stands above it; its fields have the names that the manual gives them.
"""

from __future__ import annotations

from bancada.formulas.graph import FALSE, TRUE
from bancada.formulas.word import add, constant_bits
from bancada.prove.aarch64_cpu import WORD_BITS, C, Cpu, N, V, Z, number_of
from bancada.prove.encoding import Table
from bancada.prove.errors import CannotProve, SecretTime
from bancada.prove.lanes import Bits, complement, logic, reversed_within

TABLE: Table[Cpu] = Table()
_LOGIC = ("and", "orr", "eor", "and")
_SETS_FLAGS = 3


def reserved(cpu: Cpu) -> CannotProve:
    return CannotProve(f"the instruction at {cpu.where()} is reserved: its fields do not go together")


def _width(sf: int) -> int:
    return 64 if sf else 32


def _shifted(word: Bits, kind: int, amount: int) -> Bits:
    """DecodeShift: LSL, LSR, ASR, ROR."""
    width = len(word)
    if kind == 0:
        return (FALSE,) * amount + word[: width - amount]
    if kind == 3:
        return word[amount:] + word[:amount]
    return word[amount:] + (word[-1] if kind == 2 else FALSE,) * amount


def _sum(cpu: Cpu, one: Bits, other: Bits, is_difference: int, sets_flags: int) -> Bits:
    """AddWithCarry."""
    graph = cpu.graph
    if is_difference:
        other = complement(other)
    total, carries = add(graph, one, other, TRUE if is_difference else FALSE)
    if sets_flags:
        _set_flags(cpu, total)
        cpu.flags[C], cpu.flags[V] = carries[-1], graph.difference(carries[-2], carries[-1])
    return total


def _set_flags(cpu: Cpu, result: Bits) -> None:
    """N and Z of the result; C and V are 0."""
    is_zero = TRUE
    for bit in result:
        is_zero = cpu.graph.conjunction(is_zero, bit ^ TRUE)
    cpu.flags = [result[-1], is_zero, FALSE, FALSE]


@TABLE.instruction("sf op s 100010 sh imm12:12 n:5 d:5")
def add_immediate(cpu: Cpu, *, sf: int, op: int, s: int, sh: int, imm12: int, n: int, d: int) -> None:
    width = _width(sf)
    constant = constant_bits(imm12 << 12 * sh, width)
    total = _sum(cpu, cpu.read_or_sp(n, width), constant, op, s)
    if s:
        cpu.write(d, total)
    else:
        cpu.write_or_sp(d, total)


@TABLE.instruction("sf op s 01011 shift:2 0 m:5 imm6:6 n:5 d:5")
def add_register(cpu: Cpu, *, sf: int, op: int, s: int, shift: int, m: int, imm6: int, n: int, d: int) -> None:
    width = _width(sf)
    if shift == 3 or imm6 >= width:
        raise reserved(cpu)
    cpu.write(d, _sum(cpu, cpu.read(n, width), _shifted(cpu.read(m, width), shift, imm6), op, s))


@TABLE.instruction("sf opc:2 01010 shift:2 inverts m:5 imm6:6 n:5 d:5")
def logic_register(cpu: Cpu, *, sf: int, opc: int, shift: int, inverts: int, m: int, imm6: int, n: int, d: int) -> None:
    width = _width(sf)
    if imm6 >= width:
        raise reserved(cpu)
    other = _shifted(cpu.read(m, width), shift, imm6)
    if inverts:
        other = complement(other)
    result = logic(cpu.graph, _LOGIC[opc], cpu.read(n, width), other)
    if opc == _SETS_FLAGS:
        _set_flags(cpu, result)
    cpu.write(d, result)


@TABLE.instruction("sf opc:2 100100 big immr:6 imms:6 n:5 d:5")
def logic_immediate(cpu: Cpu, *, sf: int, opc: int, big: int, immr: int, imms: int, n: int, d: int) -> None:
    width = _width(sf)
    constant = _bit_masks(big, imms, immr, width)
    if constant is None:
        raise reserved(cpu)
    result = logic(cpu.graph, _LOGIC[opc], cpu.read(n, width), constant)
    if opc == _SETS_FLAGS:
        _set_flags(cpu, result)
        cpu.write(d, result)
    else:
        cpu.write_or_sp(d, result)


def _bit_masks(big: int, imms: int, immr: int, width: int) -> Bits | None:
    """DecodeBitMasks: ones, turned to the right within an element that is repeated; None if it is reserved."""
    length = (big << 6 | imms ^ 0x3F).bit_length() - 1
    if length < 1 or big and width == 32:
        return None
    size = 1 << length
    ones, turn = (imms & size - 1) + 1, immr & size - 1
    if ones == size:
        return None
    element = (TRUE,) * ones + (FALSE,) * (size - ones)
    return (element[turn:] + element[:turn]) * (width // size)


@TABLE.instruction("sf opc:2 100101 hw:2 imm16:16 d:5")
def move_wide(cpu: Cpu, *, sf: int, opc: int, hw: int, imm16: int, d: int) -> None:
    """MOVN, MOVZ and MOVK."""
    width, at = _width(sf), 16 * hw
    if opc == 1 or at >= width:
        raise reserved(cpu)
    before = cpu.read(d, width) if opc == 3 else (FALSE,) * width
    result = before[:at] + constant_bits(imm16, 16) + before[at + 16 :]
    cpu.write(d, complement(result) if opc == 0 else result)


@TABLE.instruction("sf 00100111 big 0 m:5 imms:6 n:5 d:5")
def extract(cpu: Cpu, *, sf: int, big: int, m: int, imms: int, n: int, d: int) -> None:
    """EXTR, and so ROR by a constant."""
    width = _width(sf)
    if big != sf or imms >= width:
        raise reserved(cpu)
    whole = cpu.read(m, width) + cpu.read(n, width)
    cpu.write(d, whole[imms : imms + width])


@TABLE.instruction("page low:2 10000 high:19 d:5")
def address_of(cpu: Cpu, *, page: int, low: int, high: int, d: int) -> None:
    """ADR and ADRP."""
    offset = high << 2 | low
    offset -= offset >> 20 << 21
    target = (cpu.pc & -0x1000) + (offset << 12) if page else cpu.pc + offset
    cpu.write(d, constant_bits(target & (1 << WORD_BITS) - 1, WORD_BITS))


@TABLE.instruction("0101101011000000000010 n:5 d:5", "1101101011000000000011 n:5 d:5")
def reverse_bytes(cpu: Cpu, *, n: int, d: int) -> None:
    """REV of a word, and of both."""
    width = 64 if cpu.opcode(cpu.pc) >> 31 else 32
    cpu.write(d, reversed_within(cpu.read(n, width), width, 8))


@TABLE.instruction("11010101000000110010000000011111")
def no_operation(cpu: Cpu) -> None:
    pass


@TABLE.instruction("000101 imm26:26")
def branch(cpu: Cpu, *, imm26: int) -> None:
    cpu.next_pc = cpu.pc + 4 * (imm26 - (imm26 >> 25 << 26))


@TABLE.instruction("01010100 imm19:19 0 condition:4")
def branch_if(cpu: Cpu, *, imm19: int, condition: int) -> None:
    holds = _holds(cpu, condition)
    if holds > TRUE:
        raise SecretTime(f"the branch at {cpu.where()} depends on a secret")
    if holds:
        cpu.next_pc = cpu.pc + 4 * (imm19 - (imm19 >> 18 << 19))


def _holds(cpu: Cpu, condition: int) -> int:
    """ConditionHolds."""
    graph, flags = cpu.graph, cpu.flags
    match condition >> 1:
        case 0:
            found = flags[Z]
        case 1:
            found = flags[C]
        case 2:
            found = flags[N]
        case 3:
            found = flags[V]
        case 4:
            found = graph.conjunction(flags[C], flags[Z] ^ 1)
        case 5:
            found = graph.difference(flags[N], flags[V]) ^ 1
        case 6:
            found = graph.conjunction(flags[Z] ^ 1, graph.difference(flags[N], flags[V]) ^ 1)
        case _:
            return TRUE
    return found ^ condition & 1


@TABLE.instruction("1101011001011111000000 n:5 00000")
def return_to(cpu: Cpu, *, n: int) -> None:
    target = number_of(cpu.read(n))
    if target is None:
        raise SecretTime(f"the instruction at {cpu.where()} goes where a secret says")
    cpu.next_pc = target
