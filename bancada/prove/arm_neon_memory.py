"""Loads and stores of NEON registers (Arm Architecture Reference Manual, DDI 0406, sections A7.6, A7.7 and A8.8): those
that Tatu's kernels need, as they are encoded in Arm state."""

from __future__ import annotations

from bancada.formulas.graph import FALSE
from bancada.prove.arm_cpu import DOUBLE_BITS, ArmCpu
from bancada.prove.arm_neon import reserved
from bancada.prove.encoding import Table
from bancada.prove.errors import CannotProve
from bancada.prove.lanes import joined, lanes_of, repeated
from bancada.prove.thumb_cpu import PC, SP, Word
from bancada.prove.thumb_operands import read, write
from bancada.prove.thumb_words import MASK, sum_of

TABLE: Table[ArmCpu] = Table()
# VLD1 and VST1 of one to four registers, and VLD4: type, registers, elements that take turns, and what `align` may be.
_STRUCTURES = {0b0111: (1, 1, 1), 0b1010: (2, 1, 2), 0b0110: (3, 1, 1), 0b0010: (4, 1, 3), 0b0000: (4, 4, 3)}
_WORD_BYTES = 4


def _moved(cpu: ArmCpu, base: Word, by: Word) -> Word:
    return sum_of(cpu.graph, base, by & MASK if isinstance(by, int) else by, FALSE)[0]


def _base(cpu: ArmCpu, rn: int, alignment: int) -> int:
    """The address in a register, which has to be a multiple of `alignment`."""
    if rn == PC:
        raise reserved(cpu)
    address = cpu.aligned(read(cpu, rn), 1)
    if address % alignment:
        raise CannotProve(
            f"the instruction at {cpu.where()} faults: 0x{address:08x} is not aligned to {alignment} bytes"
        )
    return address


def _post(cpu: ArmCpu, rn: int, rm: int, size: int) -> None:
    """What is added to the base: nothing, a register, or the load's or store's own size."""
    if rm != PC:
        write(cpu, rn, _moved(cpu, read(cpu, rn), size if rm == SP else read(cpu, rm)))


@TABLE.instruction("111101000 d loads 0 rn:4 vd:4 kind:4 size:2 align:2 rm:4")
def structures(cpu: ArmCpu, *, d: int, loads: int, rn: int, vd: int, kind: int, size: int, align: int, rm: int) -> None:
    """VLD1 and VST1 of several registers, and VLD4."""
    if kind not in _STRUCTURES:
        raise reserved(cpu)
    count, turns, most = _STRUCTURES[kind]
    first = d << 4 | vd
    if align > most or first + count > 32 or turns > 1 and (size == 3 or not loads):
        raise reserved(cpu)
    address = _base(cpu, rn, 1 if align == 0 else 4 << align)
    if loads:
        loaded = cpu.load_bits(address, 8 * count)
        if turns > 1:
            elements = lanes_of(loaded, 8 << size)
            loaded = joined([joined(elements[at::turns]) for at in range(turns)])
        cpu.write_vector(first, loaded)
    else:
        cpu.store_bits(address, cpu.read_vector(first, count))
    _post(cpu, rn, rm, 8 * count)


@TABLE.instruction("111101001 d 10 rn:4 vd:4 1000 lane 000 rm:4")
def load_lane(cpu: ArmCpu, *, d: int, rn: int, vd: int, lane: int, rm: int) -> None:
    """VLD1 of one lane of 32 bits."""
    number = d << 4 | vd
    element = cpu.load_bits(_base(cpu, rn, 1), _WORD_BYTES)
    lanes = lanes_of(cpu.vectors[number], 32)
    lanes[lane] = element
    cpu.write_vector(number, joined(lanes))
    _post(cpu, rn, rm, _WORD_BYTES)


@TABLE.instruction("111101001 d 10 rn:4 vd:4 1100 size:2 two 0 rm:4")
def load_and_repeat(cpu: ArmCpu, *, d: int, rn: int, vd: int, size: int, two: int, rm: int) -> None:
    """VLD1 of one element to all lanes, of one register or two."""
    number = d << 4 | vd
    if size == 3 or number + two >= 32:
        raise reserved(cpu)
    element = cpu.load_bits(_base(cpu, rn, 1), 1 << size)
    cpu.write_vector(number, repeated(element, DOUBLE_BITS << two))
    _post(cpu, rn, rm, 1 << size)


@TABLE.instruction("11101101 up d 0 loads rn:4 vd:4 1011 imm8:8")
def load_store_register(cpu: ArmCpu, *, up: int, d: int, loads: int, rn: int, vd: int, imm8: int) -> None:
    """VLDR and VSTR."""
    if rn == PC:
        raise reserved(cpu)
    number, offset = d << 4 | vd, 4 * imm8 if up else -4 * imm8
    address = cpu.aligned(_moved(cpu, read(cpu, rn), offset), _WORD_BYTES, always=True)
    if loads:
        cpu.write_vector(number, cpu.load_bits(address, 8))
    else:
        cpu.store_bits(address, cpu.vectors[number])


@TABLE.instruction("1110110 down up d back loads rn:4 vd:4 1011 imm8:8")
def load_store_many(
    cpu: ArmCpu, *, down: int, up: int, d: int, back: int, loads: int, rn: int, vd: int, imm8: int
) -> None:
    """VLDM and VSTM, and so VPUSH and VPOP."""
    first, count = d << 4 | vd, imm8 // 2
    if down == up or down and not back or imm8 & 1 or not 0 < count <= 16 or first + count > 32 or rn == PC:
        raise reserved(cpu)
    base = cpu.aligned(read(cpu, rn), _WORD_BYTES, always=True)
    address = base - 8 * count & MASK if down else base
    after = address if down else base + 8 * count & MASK
    if back and not loads:
        write(cpu, rn, after)
    if loads:
        cpu.write_vector(first, cpu.load_bits(address, 8 * count))
    else:
        cpu.store_bits(address, cpu.read_vector(first, count))
    if back and loads:
        write(cpu, rn, after)
