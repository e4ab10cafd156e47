"""NEON instructions of Armv7-A on vectors (Arm Architecture Reference Manual, DDI 0406, sections A7.4 and A8.8): those
that Tatu's kernels need, as they are encoded in Arm state.

Each function executes the encoding that stands above it. `d`, `n` and `m` with `vd`, `vn` and `vm` are registers.
"""

from __future__ import annotations

from bancada.formulas.graph import FALSE
from bancada.prove.arm_cpu import DOUBLE_BITS, ArmCpu
from bancada.prove.encoding import Table
from bancada.prove.errors import CannotProve
from bancada.prove.lanes import (
    Bits,
    chosen,
    constant_lanes,
    difference_of_lanes,
    inserted_left,
    inserted_right,
    joined,
    lanes_of,
    logic,
    looked_up,
    narrowed,
    products_of_lanes,
    repeated,
    reversed_within,
    shifted_left,
    shifted_right,
    sum_of_lanes,
    widened,
)
from bancada.prove.thumb_cpu import word_bits
from bancada.prove.thumb_operands import read

TABLE: Table[ArmCpu] = Table()
_LOGIC = {(0, 0): "and", (0, 1): "bic", (0, 2): "orr", (0, 3): "orn", (1, 0): "eor"}
_BSL, _BIT = 1, 2
_DOUBLE = 3


def reserved(cpu: ArmCpu) -> CannotProve:
    return CannotProve(f"the instruction at {cpu.where()} is undefined: its fields do not go together")


def _number(cpu: ArmCpu, high: int, low: int, q: int) -> int:
    """A D register, or the first one of a Q register."""
    if q and low & 1:
        raise reserved(cpu)
    return high << 4 | low


def _vector(cpu: ArmCpu, high: int, low: int, q: int) -> Bits:
    return cpu.read_vector(_number(cpu, high, low, q), 1 + q)


@TABLE.instruction("1111001 u 0 d size:2 vn:4 vd:4 1000 n q m 0 vm:4")
def add_lanes(cpu: ArmCpu, *, u: int, d: int, size: int, vn: int, vd: int, n: int, q: int, m: int, vm: int) -> None:
    """VADD and VSUB of integers."""
    one, other = _vector(cpu, n, vn, q), _vector(cpu, m, vm, q)
    made = (difference_of_lanes if u else sum_of_lanes)(cpu.graph, one, other, 8 << size)
    cpu.write_vector(_number(cpu, d, vd, q), made)


@TABLE.instruction("1111001 u 0 d size:2 vn:4 vd:4 0001 n q m 1 vm:4")
def logic_lanes(cpu: ArmCpu, *, u: int, d: int, size: int, vn: int, vd: int, n: int, q: int, m: int, vm: int) -> None:
    """VAND, VBIC, VORR, VORN, VEOR, VBSL, VBIT and VBIF."""
    number = _number(cpu, d, vd, q)
    before, one, other = cpu.read_vector(number, 1 + q), _vector(cpu, n, vn, q), _vector(cpu, m, vm, q)
    name = _LOGIC.get((u, size))
    if name:
        made = logic(cpu.graph, name, one, other)
    elif size == _BSL:
        made = chosen(cpu.graph, before, one, other)
    elif size == _BIT:
        made = chosen(cpu.graph, other, one, before)
    else:
        made = chosen(cpu.graph, other, before, one)
    cpu.write_vector(number, made)


@TABLE.instruction("111100101 d 11 vn:4 vd:4 imm4:4 n q m 0 vm:4")
def extract_bytes(cpu: ArmCpu, *, d: int, vn: int, vd: int, imm4: int, n: int, q: int, m: int, vm: int) -> None:
    """VEXT."""
    if not q and imm4 > 7:
        raise reserved(cpu)
    whole = _vector(cpu, n, vn, q) + _vector(cpu, m, vm, q)
    cpu.write_vector(_number(cpu, d, vd, q), whole[8 * imm4 : 8 * imm4 + len(whole) // 2])


@TABLE.instruction("111100111 d 11 vn:4 vd:4 10 length:2 n keeps m 0 vm:4")
def look_up(cpu: ArmCpu, *, d: int, vn: int, vd: int, length: int, n: int, keeps: int, m: int, vm: int) -> None:
    """VTBL and VTBX."""
    first, number = n << 4 | vn, d << 4 | vd
    if first + length >= 32:
        raise reserved(cpu)
    table = cpu.read_vector(first, length + 1)
    otherwise = cpu.vectors[number] if keeps else (FALSE,) * DOUBLE_BITS
    cpu.write_vector(number, looked_up(cpu.graph, table, cpu.vectors[m << 4 | vm], otherwise))


@TABLE.instruction("111100111 d 11 size:2 00 vd:4 000 op:2 q m 0 vm:4")
def reverse_lanes(cpu: ArmCpu, *, d: int, size: int, vd: int, op: int, q: int, m: int, vm: int) -> None:
    """VREV64, VREV32 and VREV16."""
    if op + size >= 3:
        raise reserved(cpu)
    made = reversed_within(_vector(cpu, m, vm, q), 64 >> op, 8 << size)
    cpu.write_vector(_number(cpu, d, vd, q), made)


@TABLE.instruction("111100111 d 110010 vd:4 00000 q m 0 vm:4")
def swap(cpu: ArmCpu, *, d: int, vd: int, q: int, m: int, vm: int) -> None:
    one, other = _number(cpu, d, vd, q), _number(cpu, m, vm, q)
    first, second = cpu.read_vector(one, 1 + q), cpu.read_vector(other, 1 + q)
    cpu.write_vector(one, second)
    cpu.write_vector(other, first)


@TABLE.instruction("111100111 d 11 size:2 10 vd:4 00001 q m 0 vm:4")
def transpose(cpu: ArmCpu, *, d: int, size: int, vd: int, q: int, m: int, vm: int) -> None:
    """VTRN."""
    one, other = _number(cpu, d, vd, q), _number(cpu, m, vm, q)
    if size == _DOUBLE or one == other:
        raise reserved(cpu)
    lane = 8 << size
    first, second = (lanes_of(cpu.read_vector(each, 1 + q), lane) for each in (one, other))
    for at in range(0, len(first), 2):
        first[at + 1], second[at] = second[at], first[at + 1]
    cpu.write_vector(one, joined(first))
    cpu.write_vector(other, joined(second))


@TABLE.instruction("111100111 d 11 size:2 10 vd:4 001000 m 0 vm:4")
def narrow(cpu: ArmCpu, *, d: int, size: int, vd: int, m: int, vm: int) -> None:
    """VMOVN."""
    if size == _DOUBLE:
        raise reserved(cpu)
    cpu.write_vector(d << 4 | vd, narrowed(_vector(cpu, m, vm, 1), 8 << size))


@TABLE.instruction("1111001 i 1 d 000 imm3:3 vd:4 0 by:2 changes 0 q op 1 imm4:4")
def immediate_lanes(
    cpu: ArmCpu, *, i: int, d: int, imm3: int, vd: int, by: int, changes: int, q: int, op: int, imm4: int
) -> None:
    """VMOV, VMVN, VORR and VBIC of a byte in each lane of 32 bits."""
    number = _number(cpu, d, vd, q)
    width = DOUBLE_BITS << q
    constant = constant_lanes((i << 7 | imm3 << 4 | imm4) << 8 * by, 32, width)
    if changes:
        made = logic(cpu.graph, "bic" if op else "orr", cpu.read_vector(number, 1 + q), constant)
    else:
        made = tuple(bit ^ op for bit in constant)
    cpu.write_vector(number, made)


@TABLE.instruction("1111001 i 1 d 000 imm3:3 vd:4 11100 q 01 imm4:4")
def immediate_bytes(cpu: ArmCpu, *, i: int, d: int, imm3: int, vd: int, q: int, imm4: int) -> None:
    """VMOV.I8."""
    constant = constant_lanes(i << 7 | imm3 << 4 | imm4, 8, DOUBLE_BITS << q)
    cpu.write_vector(_number(cpu, d, vd, q), constant)


def _shift(cpu: ArmCpu, long: int, imm6: int) -> tuple[int, int]:
    """The width of a lane, and what is written beside it, section A7.4.4."""
    if long:
        return 64, 64 + imm6
    if imm6 < 8:
        raise reserved(cpu)
    return 1 << imm6.bit_length() - 1, imm6


@TABLE.instruction("111100111 d imm6:6 vd:4 000 adds long q m 1 vm:4")
def shift_right(cpu: ArmCpu, *, d: int, imm6: int, vd: int, adds: int, long: int, q: int, m: int, vm: int) -> None:
    """VSHR and VSRA without a sign."""
    lane, coded = _shift(cpu, long, imm6)
    number = _number(cpu, d, vd, q)
    made = shifted_right(_vector(cpu, m, vm, q), lane, 2 * lane - coded)
    cpu.write_vector(number, sum_of_lanes(cpu.graph, cpu.read_vector(number, 1 + q), made, lane) if adds else made)


@TABLE.instruction("111100111 d imm6:6 vd:4 0100 long q m 1 vm:4")
def insert_right(cpu: ArmCpu, *, d: int, imm6: int, vd: int, long: int, q: int, m: int, vm: int) -> None:
    """VSRI."""
    lane, coded = _shift(cpu, long, imm6)
    number = _number(cpu, d, vd, q)
    before = cpu.read_vector(number, 1 + q)
    cpu.write_vector(number, inserted_right(before, _vector(cpu, m, vm, q), lane, 2 * lane - coded))


@TABLE.instruction("1111001 inserts 1 d imm6:6 vd:4 0101 long q m 1 vm:4")
def shift_left(cpu: ArmCpu, *, inserts: int, d: int, imm6: int, vd: int, long: int, q: int, m: int, vm: int) -> None:
    """VSHL and VSLI."""
    lane, coded = _shift(cpu, long, imm6)
    number = _number(cpu, d, vd, q)
    value, amount = _vector(cpu, m, vm, q), coded - lane
    before = cpu.read_vector(number, 1 + q)
    made = inserted_left(before, value, lane, amount) if inserts else shifted_left(value, lane, amount)
    cpu.write_vector(number, made)


@TABLE.instruction("111100101 d imm6:6 vd:4 100000 m 1 vm:4")
def shift_and_narrow(cpu: ArmCpu, *, d: int, imm6: int, vd: int, m: int, vm: int) -> None:
    """VSHRN."""
    lane, coded = _shift(cpu, 0, imm6)
    cpu.write_vector(d << 4 | vd, narrowed(_vector(cpu, m, vm, 1), lane, 2 * lane - coded))


@TABLE.instruction("111100111 d imm6:6 vd:4 101000 m 1 vm:4")
def shift_and_widen(cpu: ArmCpu, *, d: int, imm6: int, vd: int, m: int, vm: int) -> None:
    """VSHLL."""
    lane, coded = _shift(cpu, 0, imm6)
    made = shifted_left(widened(cpu.vectors[m << 4 | vm], lane), 2 * lane, coded - lane)
    cpu.write_vector(_number(cpu, d, vd, 1), made)


@TABLE.instruction("111100111 d size:2 vn:4 vd:4 0001 n 0 m 0 vm:4")
def add_wide(cpu: ArmCpu, *, d: int, size: int, vn: int, vd: int, n: int, m: int, vm: int) -> None:
    """VADDW."""
    if size == _DOUBLE:
        raise reserved(cpu)
    lane = 8 << size
    total = sum_of_lanes(cpu.graph, _vector(cpu, n, vn, 1), widened(cpu.vectors[m << 4 | vm], lane), 2 * lane)
    cpu.write_vector(_number(cpu, d, vd, 1), total)


def _multiply(cpu: ArmCpu, number: int, one: Bits, other: Bits, lane: int, starts: int) -> None:
    product = products_of_lanes(cpu.graph, one, other, lane)
    before = cpu.read_vector(number, 2)
    cpu.write_vector(number, product if starts else sum_of_lanes(cpu.graph, before, product, 2 * lane))


@TABLE.instruction("111100111 d size:2 vn:4 vd:4 1 starts 00 n 0 m 0 vm:4")
def multiply_long(cpu: ArmCpu, *, d: int, size: int, vn: int, vd: int, starts: int, n: int, m: int, vm: int) -> None:
    """VMULL and VMLAL."""
    if size == _DOUBLE:
        raise reserved(cpu)
    one, other = cpu.vectors[n << 4 | vn], cpu.vectors[m << 4 | vm]
    _multiply(cpu, _number(cpu, d, vd, 1), one, other, 8 << size, starts)


@TABLE.instruction("111100111 d 10 vn:4 vd:4 starts 010 n 1 m 0 vm:4")
def multiply_long_by_lane(cpu: ArmCpu, *, d: int, vn: int, vd: int, starts: int, n: int, m: int, vm: int) -> None:
    """VMULL and VMLAL by a lane of 32 bits."""
    factor = repeated(lanes_of(cpu.vectors[vm], 32)[m], DOUBLE_BITS)
    _multiply(cpu, _number(cpu, d, vd, 1), cpu.vectors[n << 4 | vn], factor, 32, starts)


@TABLE.instruction("111011000100 t2:4 t:4 101100 m 1 vm:4")
def move_two(cpu: ArmCpu, *, t2: int, t: int, m: int, vm: int) -> None:
    """VMOV of two general registers to a D register."""
    if 15 in (t, t2) or 13 in (t, t2):
        raise reserved(cpu)
    cpu.write_vector(m << 4 | vm, word_bits(read(cpu, t)) + word_bits(read(cpu, t2)))
