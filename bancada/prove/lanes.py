"""What NEON does to the lanes of a vector, for AArch64 and Armv7-A (Arm Architecture Reference Manuals, DDI 0487,
chapter C7, and DDI 0406, chapter A8).

A vector is its bits, the least significant first; a lane is a part of it. Nothing here asks whether a bit is known.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from bancada.formulas.graph import FALSE, TRUE, Graph
from bancada.formulas.word import add, constant_bits, product

Bits = tuple[int, ...]


def lanes_of(vector: Bits, width: int) -> list[Bits]:
    """Lane 0 first."""
    return [vector[at : at + width] for at in range(0, len(vector), width)]


def joined(lanes: Sequence[Bits]) -> Bits:
    return tuple(bit for lane in lanes for bit in lane)


def bit_by_bit(operation: Callable[[int, int], int], one: Bits, other: Bits) -> Bits:
    return tuple(map(operation, one, other))


def complement(bits: Bits) -> Bits:
    return tuple(bit ^ TRUE for bit in bits)


def logic(graph: Graph, name: str, one: Bits, other: Bits) -> Bits:
    """AND, BIC, ORR, ORN or EOR."""
    if name in ("bic", "orn"):
        other = complement(other)
    operation = {
        "and": graph.conjunction,
        "bic": graph.conjunction,
        "orr": graph.disjunction,
        "orn": graph.disjunction,
        "eor": graph.difference,
    }
    return bit_by_bit(operation[name], one, other)


def chosen(graph: Graph, condition: Bits, if_set: Bits, if_clear: Bits) -> Bits:
    return tuple(map(graph.choice, condition, if_set, if_clear))


def sum_of_lanes(graph: Graph, one: Bits, other: Bits, width: int) -> Bits:
    pairs = zip(lanes_of(one, width), lanes_of(other, width), strict=True)
    return joined([add(graph, a, b, FALSE)[0] for a, b in pairs])


def difference_of_lanes(graph: Graph, one: Bits, other: Bits, width: int) -> Bits:
    pairs = zip(lanes_of(one, width), lanes_of(other, width), strict=True)
    return joined([add(graph, a, complement(b), TRUE)[0] for a, b in pairs])


def shifted_left(vector: Bits, width: int, amount: int) -> Bits:
    """`amount` is from 0 to the width of a lane less one."""
    return joined([(FALSE,) * amount + lane[: width - amount] for lane in lanes_of(vector, width)])


def shifted_right(vector: Bits, width: int, amount: int) -> Bits:
    """Without a sign. `amount` is from 1 to the width of a lane."""
    return joined([lane[amount:] + (FALSE,) * amount for lane in lanes_of(vector, width)])


def inserted_left(before: Bits, vector: Bits, width: int, amount: int) -> Bits:
    """SLI: the lowest `amount` bits of each lane stay."""
    pairs = zip(lanes_of(before, width), lanes_of(vector, width), strict=True)
    return joined([old[:amount] + new[: width - amount] for old, new in pairs])


def inserted_right(before: Bits, vector: Bits, width: int, amount: int) -> Bits:
    """SRI: the highest `amount` bits of each lane stay."""
    pairs = zip(lanes_of(before, width), lanes_of(vector, width), strict=True)
    return joined([new[amount:] + old[width - amount :] for old, new in pairs])


def reversed_within(vector: Bits, container: int, width: int) -> Bits:
    """REV64, REV32 and REV16: in each container the elements of this width, the last one first."""
    return joined([joined(lanes_of(part, width)[::-1]) for part in lanes_of(vector, container)])


def looked_up(graph: Graph, table: Bits, index: Bits, otherwise: Bits) -> Bits:
    """TBL with a known table of bytes or known indices: byte i of the result is the byte of the table that index i
    says; where there is none, that of `otherwise`."""
    entries, made = lanes_of(table, 8), []
    for at, keep in zip(lanes_of(index, 8), lanes_of(otherwise, 8), strict=True):
        rows = [entries[row] if row < len(entries) else keep for row in range(256)]
        made.append(_row(graph, rows, at))
    return joined(made)


def _row(graph: Graph, rows: list[Bits], index: Bits) -> Bits:
    if all(bit <= TRUE for bit in index):
        return rows[sum(bit << at for at, bit in enumerate(index))]
    return tuple(graph.lookup([row[bit] for row in rows], index) for bit in range(8))


def widened(lanes: Bits, width: int) -> Bits:
    """Each lane of `width` bits, as one of twice as many, without a sign."""
    return joined([lane + (FALSE,) * width for lane in lanes_of(lanes, width)])


def narrowed(vector: Bits, width: int, amount: int = 0) -> Bits:
    """Of each lane of twice `width` bits these `width` bits from bit `amount` on."""
    return joined([(lane + (FALSE,) * width)[amount : amount + width] for lane in lanes_of(vector, 2 * width)])


def products_of_lanes(graph: Graph, one: Bits, other: Bits, width: int) -> Bits:
    """Lanes of `width` bits, multiplied to lanes of twice as many, without a sign."""
    pairs = zip(lanes_of(one, width), lanes_of(other, width), strict=True)
    return joined([product(graph, a, b) for a, b in pairs])


def repeated(lane: Bits, width: int) -> Bits:
    """As many times as a vector of `width` bits takes."""
    return lane * (width // len(lane))


def constant_lanes(value: int, lane_width: int, width: int) -> Bits:
    return repeated(constant_bits(value, lane_width), width)
