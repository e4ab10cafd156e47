"""Words of bits for specifications: they look like integers and build the graph.

A specification is written once, with the standard beside it, and serves twice: with constants it computes (so that the
official vectors test it), with inputs it describes the function for every value.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from bancada.formulas.graph import FALSE, TRUE, Graph


@dataclass(frozen=True)
class Word:
    """Bits of a graph, the least significant first. Arithmetic is modulo 2^width."""

    graph: Graph
    bits: tuple[int, ...]

    def __len__(self) -> int:
        return len(self.bits)

    def _other(self, other: Word | int) -> tuple[int, ...]:
        if isinstance(other, int):
            return constant_bits(other, len(self.bits))
        if len(other.bits) != len(self.bits):
            raise ValueError(f"a word of {len(self.bits)} bits with one of {len(other.bits)}")
        return other.bits

    def _each(self, bits: Iterable[int]) -> Word:
        made = tuple(bits)
        if self.graph.watch is not None and len(made) == len(self.bits):
            made = self.graph.watch(self.bits, made)
        return Word(self.graph, made)

    def itself(self) -> Word:
        """The same word, as an operation."""
        return self._each(self.bits)

    def __xor__(self, other: Word | int) -> Word:
        return self._each(map(self.graph.difference, self.bits, self._other(other)))

    def __and__(self, other: Word | int) -> Word:
        return self._each(map(self.graph.conjunction, self.bits, self._other(other)))

    def __or__(self, other: Word | int) -> Word:
        return self._each(map(self.graph.disjunction, self.bits, self._other(other)))

    def __invert__(self) -> Word:
        return self._each(bit ^ 1 for bit in self.bits)

    def __add__(self, other: Word | int) -> Word:
        return self._each(add(self.graph, self.bits, self._other(other), FALSE)[0])

    def __sub__(self, other: Word | int) -> Word:
        return self._each(add(self.graph, self.bits, tuple(bit ^ 1 for bit in self._other(other)), TRUE)[0])

    def __lshift__(self, places: int) -> Word:
        return self._each((FALSE,) * places + self.bits[: len(self.bits) - places])

    def __rshift__(self, places: int) -> Word:
        return self._each(self.bits[places:] + (FALSE,) * min(places, len(self.bits)))

    def rotated_left(self, places: int) -> Word:
        places %= len(self.bits)
        return self._each(self.bits[-places:] + self.bits[:-places]) if places else self

    def rotated_right(self, places: int) -> Word:
        return self.rotated_left(-places)

    def times(self, other: Word) -> Word:
        """The whole product, as wide as both together."""
        return self._each(product(self.graph, self.bits, other.bits))

    def chosen(self, condition: int, otherwise: Word) -> Word:
        """This word where the literal holds, else the other."""
        return self._each(
            self.graph.choice(condition, one, two) for one, two in zip(self.bits, otherwise.bits, strict=True)
        )

    def part(self, first: int, width: int) -> Word:
        """`width` bits from bit `first` on."""
        return self._each(self.bits[first : first + width])

    def followed_by(self, other: Word) -> Word:
        """One word of both, of which this one is the less significant."""
        return self._each(self.bits + other.bits)

    def lookup(self, table: Sequence[int], width: int = 8) -> Word:
        """table[self]: entries of `width` bits, one for each value of this word."""
        columns = ([TRUE if entry >> at & 1 else FALSE for entry in table] for at in range(width))
        return self._each(self.graph.lookup(column, self.bits) for column in columns)

    def value(self) -> int:
        """The number, if every bit is a constant; ValueError otherwise."""
        if any(bit > TRUE for bit in self.bits):
            raise ValueError("the word depends on inputs")
        return sum(bit << at for at, bit in enumerate(self.bits))


def constant_bits(value: int, width: int) -> tuple[int, ...]:
    return tuple(value >> at & 1 for at in range(width))


def add(graph: Graph, first: Sequence[int], second: Sequence[int], carry: int) -> tuple[tuple[int, ...], list[int]]:
    """The sum by full adders, least significant bit first, and the carry out of each bit."""
    if max(*first, *second, carry) <= TRUE:
        one, other = (sum(bit << at for at, bit in enumerate(bits)) for bits in (first, second))
        whole = one + other + carry
        carried = one & other | (one | other) & ~whole
        width = len(first)
        return constant_bits(whole, width), list(constant_bits(carried, width))
    total: list[int] = []
    carries: list[int] = []
    for one, other in zip(first, second, strict=True):
        half = graph.difference(one, other)
        total.append(graph.difference(half, carry))
        carry = graph.majority(one, other, carry)
        carries.append(carry)
    return tuple(total), carries


def product(graph: Graph, first: Sequence[int], second: Sequence[int]) -> tuple[int, ...]:
    """The product, row by row: for each bit of `second` the first number is added, moved to that bit's place. Where at
    most one bit of `second` can be set, nothing is carried."""
    width = len(first) + len(second)
    if max(*first, *second, FALSE) <= TRUE:
        one, other = (sum(bit << at for at, bit in enumerate(bits)) for bits in (first, second))
        return constant_bits(one * other, width)
    wide = tuple(first) + (FALSE,) * len(second)
    is_power = graph.are_disjoint(second)
    total: tuple[int, ...] = (FALSE,) * width
    for place, bit in enumerate(second):
        row = (FALSE,) * place + tuple(graph.conjunction(bit, each) for each in wide[: width - place])
        total = tuple(map(graph.difference, total, row)) if is_power else add(graph, total, row, FALSE)[0]
    return total


def word(graph: Graph, value: int, width: int) -> Word:
    """A constant."""
    return Word(graph, constant_bits(value, width))


def little_endian(parts: Sequence[Word]) -> Word:
    """One word of several, the first of which is the least significant."""
    return Word(parts[0].graph, tuple(bit for part in parts for bit in part.bits))


def big_endian(parts: Sequence[Word]) -> Word:
    """One word of several, the first of which is the most significant."""
    return little_endian(list(reversed(parts)))


def bytes_of(whole: Word) -> list[Word]:
    """The word's bytes, the least significant first."""
    return [whole.part(at, 8) for at in range(0, len(whole), 8)]
