"""Bounds of polynomials hold for every input that satisfies what was assumed: random rings of few and small inputs, so
that each bound is compared with all values."""

from __future__ import annotations

import itertools
import random
from collections import Counter

import pytest

from bancada.formulas.bounds import Bounds
from bancada.formulas.integers import Integers
from bancada.formulas.polynomial import ImpossibleCase, Polynomial, Range

Values = dict[str, int]
RINGS, PARTS = 320, 4
LONGEST = 30  # in terms: what is longer is left out


class SmallRing:
    """A ring with random floors, products, names and assumptions; `alive` are the inputs for which these hold."""

    def __init__(self, draw: random.Random) -> None:
        self.draw = draw
        self.ring = Integers()
        self.bounds = Bounds(self.ring)
        inputs = {f"x{at}": (draw.choice((0, 0, 0, -1, -2)), draw.choice((1, 2, 3, 5, 7))) for at in range(3)}
        self.made = [self.ring.input(name, low, high) for name, (low, high) in inputs.items()]
        self.inputs = list(self.made)
        spans = [range(low, high + 1) for low, high in inputs.values()]
        self.alive: list[Values] = [dict(zip(inputs, each, strict=True)) for each in itertools.product(*spans)]
        self.every = list(self.alive)

    def values(self, polynomial: Polynomial) -> list[int]:
        return [self.ring.value_of(polynomial, values) for values in self.alive]

    def true_range(self, polynomial: Polynomial) -> Range:
        """Of all inputs, whatever was assumed."""
        found = [self.ring.value_of(polynomial, values) for values in self.every]
        return Range(min(found), max(found))

    def grow(self) -> None:
        draw = self.draw
        one, other = draw.choice(self.made), draw.choice(self.made)
        kind = draw.random()
        if kind < 0.45:
            self._floor(
                one * draw.choice((1, -1, 2, 3, 4, -4)) + other * draw.choice((0, 1, -1, 8)) + draw.randrange(9)
            )
        elif kind < 0.6:
            self.made.append(one * other)
        elif kind < 0.75 and len(one.terms) > 1:
            self.made.append(self.ring.named(one, self.true_range(one)))
        elif kind < 0.9:
            self._assume(one * draw.choice((1, -1)))
        else:
            self.made.append(one * draw.choice((1, -1, 2)) + other * draw.choice((1, -1, 4, -256)))
        self.made = [each for each in map(self.ring.with_assumed, self.made) if len(each.terms) < LONGEST]

    def _floor(self, whole: Polynomial) -> None:
        places = self.draw.choice((1, 2, 3, 4))
        bounds = self.true_range(whole) if self.draw.random() < 0.3 else self.ring.range_of(whole)
        self.made.append(self.ring.floor(whole, places, Range(bounds.low >> places, bounds.high >> places)))

    def _assume(self, bit: Polynomial) -> None:
        if bit.constant() is not None:
            return
        value = self.ring.value_of(bit, self.draw.choice(self.alive))
        left = [values for values in self.alive if self.ring.value_of(bit, values) == value]
        try:
            self.ring.assume(bit, value)
        except ValueError:
            return
        self.alive = left

    def polynomials(self) -> list[Polynomial]:
        draw = self.draw
        found = [
            draw.choice(self.made) * draw.choice((1, -1, 2, 4))
            + draw.choice(self.made) * draw.choice((1, -1, 8, -16, 0))
            + draw.choice((0, 0, 1, -1, 5, -7, 15))
            for _ in range(6)
        ]
        for at, atom in enumerate(self.ring.atoms):
            if atom.whole is not None:
                found.append(atom.whole - Polynomial(self.ring, {(at,): 1 << atom.places}) + draw.choice((0, 1, -2)))
                floor = Polynomial(self.ring, {(at,): 1})
                found.append(floor * draw.choice((1, -1)) + draw.choice(self.made))
                found.append(floor * draw.choice(self.inputs) - draw.choice(self.made))
        return found

    def compare(self, polynomial: Polynomial, seen: Counter[str]) -> None:
        ring, bounds = self.ring, self.bounds
        values = self.values(polynomial)
        most = max(values)
        span = ring.range_of(polynomial)
        assert span.low <= min(values) and span.high >= most
        for above in (
            bounds._above,
            bounds._above_at_best,
            bounds._above_without_names,
            bounds._highest_by_remainder,
            bounds._highest_by_bytes,
        ):
            assert above(polynomial) >= most, above
        for shifted in (polynomial, polynomial - most, polynomial - most + 1, polynomial - most // 2):
            says = bounds._is_not_above_zero(shifted)
            seen["not above zero"] += says
            assert not says or max(self.values(shifted)) <= 0
        assert all(map(int.__ge__, self.values(bounds._without_pairs(polynomial)), values))
        for floor in bounds._floors_in_products(polynomial):
            seen["floors in products"] += 1
            _, places = bounds._by_another_floor(floor, polynomial.atoms())
            more = self.values(bounds._product_given_way(polynomial, floor))
            assert all(each >= value << places for each, value in zip(more, values, strict=True))
        for shifted in (polynomial, polynomial - most):
            for known in (self.true_range(shifted), Range(-9999, 9999)):
                says = ring.is_zero(shifted, known)
                seen["zero"] += says
                assert not says or set(self.values(shifted)) == {0}
        assert self.values(ring.with_assumed(ring.without_names(polynomial))) == values


@pytest.mark.parametrize("part", range(PARTS))
def test_bounds_hold_for_every_value(part: int) -> None:
    seen: Counter[str] = Counter()
    for seed in range(part, RINGS, PARTS):
        small = SmallRing(random.Random(seed))
        try:
            for _ in range(8):
                small.grow()
            for polynomial in small.polynomials():
                small.compare(polynomial, seen)
        except ImpossibleCase:
            pytest.fail(f"ring {seed}: inputs are left")
    assert seen["zero"] > 20 and seen["not above zero"] > 500 and seen["floors in products"] > 30, seen
