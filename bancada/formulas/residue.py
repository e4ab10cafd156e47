"""Words as polynomials modulo a power of two: what a specification computes of words, it computes of these too. So one
shows that it computes a product modulo 2^32, whatever way it takes to it."""

from __future__ import annotations

from dataclasses import dataclass

from bancada.formulas.integers import Integers
from bancada.formulas.polynomial import Polynomial, Range


@dataclass(frozen=True)
class Residue:
    """A number modulo 2^width. `is_exact`: it is below 2^width."""

    ring: Integers
    value: Polynomial
    width: int
    is_exact: bool

    def times(self, other: Residue) -> Residue:
        """The whole product of two numbers that are exact."""
        self._need_exact()
        other._need_exact()
        return Residue(self.ring, self.value * other.value, self.width + other.width, True)

    def __add__(self, other: Residue) -> Residue:
        if self.width != other.width:
            raise ValueError(f"a number of {self.width} bits with one of {other.width}")
        return Residue(self.ring, self.value + other.value, self.width, False)

    def __lshift__(self, places: int) -> Residue:
        return Residue(self.ring, self.value * (1 << places), self.width, False)

    def part(self, first: int, width: int) -> Residue:
        """`width` bits from bit `first` on. Only of a number that is exact there are bits above the lowest."""
        if not first and not self.is_exact:
            return Residue(self.ring, self.value, width, False)
        self._need_exact()
        low, high = (self._floor(places) for places in (first, first + width))
        return Residue(self.ring, low - high * (1 << width), width, True)

    def _floor(self, places: int) -> Polynomial:
        return self.ring.floor(self.value, places, Range(0, (1 << self.width) - 1 >> places))

    def followed_by(self, other: Residue) -> Residue:
        """One number of both, of which this one, which is exact, is the less significant."""
        self._need_exact()
        whole = self.value + other.value * (1 << self.width)
        return Residue(self.ring, whole, self.width + other.width, other.is_exact)

    def _need_exact(self) -> None:
        if not self.is_exact:
            raise ValueError(f"a number known modulo 2^{self.width} only")

    def is_congruent(self, value: Polynomial) -> bool:
        difference = self.value - value
        return all(each % (1 << self.width) == 0 for each in difference.terms.values())
