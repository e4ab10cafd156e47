"""A64 instructions on vectors (Arm Architecture Reference Manual, DDI 0487, chapters C4 and C7): those that Tatu's
kernels need."""

from __future__ import annotations

from bancada.formulas.graph import FALSE
from bancada.prove.aarch64_cpu import VECTOR_BITS, Cpu
from bancada.prove.aarch64_integer import reserved
from bancada.prove.encoding import Table
from bancada.prove.lanes import (
    Bits,
    constant_lanes,
    inserted_left,
    inserted_right,
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

TABLE: Table[Cpu] = Table()
_LOGIC = {(0, 0): "and", (0, 1): "bic", (0, 2): "orr", (0, 3): "orn", (1, 0): "eor"}
_DOUBLE, _HALF = 3, VECTOR_BITS // 2


def _width(q: int) -> int:
    return VECTOR_BITS if q else _HALF


def _half(cpu: Cpu, number: int, q: int) -> Bits:
    """The upper half of a vector for the instructions with a 2 in their names, else the lower one."""
    return cpu.vectors[number][_HALF:] if q else cpu.vectors[number][:_HALF]


@TABLE.instruction("0 q 001110 size:2 1 m:5 100001 n:5 d:5")
def add_vector(cpu: Cpu, *, q: int, size: int, m: int, n: int, d: int) -> None:
    if size == _DOUBLE and not q:
        raise reserved(cpu)
    width = _width(q)
    cpu.write_vector(d, sum_of_lanes(cpu.graph, cpu.vectors[n][:width], cpu.vectors[m][:width], 8 << size))


@TABLE.instruction("0 q u 01110 size:2 1 m:5 000111 n:5 d:5")
def logic_vector(cpu: Cpu, *, q: int, u: int, size: int, m: int, n: int, d: int) -> None:
    """AND, BIC, ORR, ORN and EOR."""
    name = _LOGIC.get((u, size))
    if name is None:
        raise reserved(cpu)  # BSL, BIT and BIF, which are not followed
    width = _width(q)
    cpu.write_vector(d, logic(cpu.graph, name, cpu.vectors[n][:width], cpu.vectors[m][:width]))


@TABLE.instruction("0 q u 01110 size:2 100000000 o 10 n:5 d:5")
def reverse_vector(cpu: Cpu, *, q: int, u: int, size: int, o: int, n: int, d: int) -> None:
    """REV64, REV32 and REV16."""
    container = {(0, 0): 64, (1, 0): 32, (0, 1): 16}.get((u, o), 0)
    if 8 << size >= container:
        raise reserved(cpu)
    cpu.write_vector(d, reversed_within(cpu.vectors[n][: _width(q)], container, 8 << size))


# This one stands before the shifts, since it is what a shift's immh 0000 means.
@TABLE.instruction("0 q op 0111100000 high:3 0 by:2 changes 01 low:5 d:5")
def immediate_vector(cpu: Cpu, *, q: int, op: int, high: int, by: int, changes: int, low: int, d: int) -> None:
    """MOVI, MVNI, ORR and BIC of a byte in each lane of 32 bits."""
    width = _width(q)
    constant = constant_lanes((high << 5 | low) << 8 * by, 32, width)
    if changes:
        result = logic(cpu.graph, "bic" if op else "orr", cpu.vectors[d][:width], constant)
    else:
        result = tuple(bit ^ op for bit in constant)
    cpu.write_vector(d, result)


def _shift(cpu: Cpu, immh: int, immb: int, q: int = 1) -> tuple[int, int]:
    """The width of a lane, and immh:immb."""
    if not immh or immh >> 3 and not q:
        raise reserved(cpu)
    return 8 << immh.bit_length() - 1, immh << 3 | immb


@TABLE.instruction("0 q 0011110 immh:4 immb:3 010101 n:5 d:5")
def shift_left(cpu: Cpu, *, q: int, immh: int, immb: int, n: int, d: int) -> None:
    lane, amount = _shift(cpu, immh, immb, q)
    cpu.write_vector(d, shifted_left(cpu.vectors[n][: _width(q)], lane, amount - lane))


@TABLE.instruction("0 q 1011110 immh:4 immb:3 000001 n:5 d:5")
def shift_right(cpu: Cpu, *, q: int, immh: int, immb: int, n: int, d: int) -> None:
    """USHR."""
    lane, amount = _shift(cpu, immh, immb, q)
    cpu.write_vector(d, shifted_right(cpu.vectors[n][: _width(q)], lane, 2 * lane - amount))


@TABLE.instruction("0 q 1011110 immh:4 immb:3 010101 n:5 d:5")
def insert_left(cpu: Cpu, *, q: int, immh: int, immb: int, n: int, d: int) -> None:
    """SLI."""
    lane, amount = _shift(cpu, immh, immb, q)
    width = _width(q)
    cpu.write_vector(d, inserted_left(cpu.vectors[d][:width], cpu.vectors[n][:width], lane, amount - lane))


@TABLE.instruction("0 q 1011110 immh:4 immb:3 010001 n:5 d:5")
def insert_right(cpu: Cpu, *, q: int, immh: int, immb: int, n: int, d: int) -> None:
    """SRI."""
    lane, amount = _shift(cpu, immh, immb, q)
    width = _width(q)
    cpu.write_vector(d, inserted_right(cpu.vectors[d][:width], cpu.vectors[n][:width], lane, 2 * lane - amount))


@TABLE.instruction("0 q 001110000 m:5 000000 n:5 d:5")
def look_up(cpu: Cpu, *, q: int, m: int, n: int, d: int) -> None:
    """TBL with a table of one register."""
    width = _width(q)
    cpu.write_vector(d, looked_up(cpu.graph, cpu.vectors[n], cpu.vectors[m][:width], (FALSE,) * width))


@TABLE.instruction("0 q 001110 size:2 0 m:5 0 part 1010 n:5 d:5")
def transpose(cpu: Cpu, *, q: int, size: int, m: int, part: int, n: int, d: int) -> None:
    """TRN1 and TRN2."""
    if size == _DOUBLE and not q:
        raise reserved(cpu)
    width, lane = _width(q), 8 << size
    one, other = (lanes_of(cpu.vectors[each][:width], lane)[part::2] for each in (n, m))
    cpu.write_vector(d, tuple(bit for pair in zip(one, other, strict=True) for each in pair for bit in each))


def _element(cpu: Cpu, imm5: int) -> tuple[int, int]:
    """The width of an element, and its number."""
    size = (imm5 & -imm5).bit_length() - 1
    if not imm5 or size > _DOUBLE:
        raise reserved(cpu)
    return 8 << size, imm5 >> size + 1


@TABLE.instruction("0 q 001110000 imm5:5 000001 n:5 d:5")
def duplicate(cpu: Cpu, *, q: int, imm5: int, n: int, d: int) -> None:
    """DUP of an element."""
    lane, at = _element(cpu, imm5)
    if lane == 64 and not q:
        raise reserved(cpu)
    cpu.write_vector(d, repeated(lanes_of(cpu.vectors[n], lane)[at], _width(q)))


def _insert(cpu: Cpu, d: int, lane: int, at: int, element: Bits) -> None:
    before = cpu.vectors[d]
    cpu.vectors[d] = before[: at * lane] + element + before[(at + 1) * lane :]


@TABLE.instruction("01001110000 imm5:5 000111 n:5 d:5")
def insert_general(cpu: Cpu, *, imm5: int, n: int, d: int) -> None:
    """INS of a general register."""
    lane, at = _element(cpu, imm5)
    _insert(cpu, d, lane, at, cpu.read(n, lane))


@TABLE.instruction("01101110000 imm5:5 0 imm4:4 1 n:5 d:5")
def insert_element(cpu: Cpu, *, imm5: int, imm4: int, n: int, d: int) -> None:
    """INS of an element."""
    lane, at = _element(cpu, imm5)
    _insert(cpu, d, lane, at, lanes_of(cpu.vectors[n], lane)[imm4 * 8 // lane])


@TABLE.instruction("0001111000100111000000 n:5 d:5", "1001111001100111000000 n:5 d:5")
def move_to_vector(cpu: Cpu, *, n: int, d: int) -> None:
    """FMOV of a general register to an S or D register."""
    cpu.write_vector(d, cpu.read(n, 64 if cpu.opcode(cpu.pc) >> 31 else 32))


@TABLE.instruction("0 q 101110 size:2 1 m:5 1 starts 0000 n:5 d:5")
def multiply_long(cpu: Cpu, *, q: int, size: int, m: int, starts: int, n: int, d: int) -> None:
    """UMULL and UMLAL, and of the upper halves UMULL2 and UMLAL2."""
    if size == _DOUBLE:
        raise reserved(cpu)
    lane = 8 << size
    product = products_of_lanes(cpu.graph, _half(cpu, n, q), _half(cpu, m, q), lane)
    cpu.vectors[d] = product if starts else sum_of_lanes(cpu.graph, cpu.vectors[d], product, 2 * lane)


@TABLE.instruction("0 q 101110 size:2 1 m:5 000100 n:5 d:5")
def add_wide(cpu: Cpu, *, q: int, size: int, m: int, n: int, d: int) -> None:
    """UADDW and UADDW2."""
    if size == _DOUBLE:
        raise reserved(cpu)
    lane = 8 << size
    cpu.vectors[d] = sum_of_lanes(cpu.graph, cpu.vectors[n], widened(_half(cpu, m, q), lane), 2 * lane)


def _write_half(cpu: Cpu, d: int, q: int, half: Bits) -> None:
    """What the upper half gets leaves the lower one as it is."""
    cpu.write_vector(d, cpu.vectors[d][:_HALF] + half if q else half)


@TABLE.instruction("0 q 001110 size:2 100001001010 n:5 d:5")
def narrow(cpu: Cpu, *, q: int, size: int, n: int, d: int) -> None:
    """XTN and XTN2."""
    if size == _DOUBLE:
        raise reserved(cpu)
    _write_half(cpu, d, q, narrowed(cpu.vectors[n], 8 << size))


@TABLE.instruction("0 q 0011110 immh:4 immb:3 100001 n:5 d:5")
def shift_and_narrow(cpu: Cpu, *, q: int, immh: int, immb: int, n: int, d: int) -> None:
    """SHRN and SHRN2."""
    lane, amount = _shift(cpu, immh, immb)
    if lane == 64:
        raise reserved(cpu)
    _write_half(cpu, d, q, narrowed(cpu.vectors[n], lane, 2 * lane - amount))


@TABLE.instruction("0 q 1011110 immh:4 immb:3 101001 n:5 d:5")
def shift_and_widen(cpu: Cpu, *, q: int, immh: int, immb: int, n: int, d: int) -> None:
    """USHLL and USHLL2."""
    lane, amount = _shift(cpu, immh, immb)
    if lane == 64:
        raise reserved(cpu)
    cpu.vectors[d] = shifted_left(widened(_half(cpu, n, q), lane), 2 * lane, amount - lane)


@TABLE.instruction("0101111011110001101110 n:5 d:5")
def add_pair(cpu: Cpu, *, n: int, d: int) -> None:
    """ADDP of the two halves, to a D register."""
    one, other = lanes_of(cpu.vectors[n], _HALF)
    cpu.write_vector(d, sum_of_lanes(cpu.graph, one, other, _HALF))
