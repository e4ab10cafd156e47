"""Polynomials with integer coefficients over numbered atoms, and what is known of an atom."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Protocol, Self

Monomial = tuple[int, ...]
"""Numbers of atoms, in order; none for the constant."""


class Ring(Protocol):
    """What adds and multiplies."""

    def sum_of(self, first: Polynomial, second: Polynomial | int, factor: int) -> Polynomial: ...

    def product_of(self, first: Polynomial, second: Polynomial | int) -> Polynomial: ...


class Polynomial:
    """A polynomial with integer coefficients. It may be used as a number."""

    __slots__ = ("ring", "terms")

    def __init__(self, ring: Ring, terms: Mapping[Monomial, int]) -> None:
        self.ring = ring
        self.terms = terms

    def __add__(self, other: Polynomial | int) -> Polynomial:
        return self.ring.sum_of(self, other, 1)

    def __sub__(self, other: Polynomial | int) -> Polynomial:
        return self.ring.sum_of(self, other, -1)

    def __mul__(self, other: Polynomial | int) -> Polynomial:
        return self.ring.product_of(self, other)

    __radd__ = __add__
    __rmul__ = __mul__

    def __neg__(self) -> Polynomial:
        return self * -1

    def __rsub__(self, other: int) -> Polynomial:
        return other + -self

    def constant(self) -> int | None:
        """Its value, if it has no atoms."""
        if not self.terms:
            return 0
        return self.terms[()] if len(self.terms) == 1 and () in self.terms else None

    def atoms(self) -> set[int]:
        return {atom for monomial in self.terms for atom in monomial}


@dataclass(frozen=True)
class Range:
    """From `low` to `high`, both included."""

    low: int
    high: int

    def within(self, other: Self) -> Range:
        return Range(max(self.low, other.low), min(self.high, other.high))


@dataclass(frozen=True)
class Atom:
    """`whole` divided by 2^places, rounded down, if it is a floor; `is` what it stands for, if it is a name."""

    name: str
    range: Range
    whole: Polynomial | None = None
    places: int = 0
    stands_for: Polynomial | None = None
    is_part: bool = False
    """Of a name: it is a byte of a number that is short where its bytes are together."""


class ImpossibleCase(Exception):
    """What was assumed cannot be: there is no such input."""
