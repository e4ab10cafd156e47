"""Integers as polynomials, for arithmetic of many bytes: sums, differences, products, and what they carry.

A polynomial is over *atoms*: inputs, and floors of polynomials divided by a power of two. What an addition carries is
such a floor, and the byte that stays is the sum without it; so every byte is a polynomial, exactly. Floors have a
normal form: what is a multiple of the divisor is taken out, and a floor in a floor becomes one. So the carries of a
long addition are floors of the whole sums, byte by byte, and cancel where the bytes are put together again. A floor
that its bounds make a constant is that constant: so a carry that cannot be is 0.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from math import gcd
from typing import Self

# How many atoms are taken case by case for one bound, and how far apart their values may be.
_SPLITS, _CHOICES = 3, 2
Monomial = tuple[int, ...]
"""Numbers of atoms, in order; none for the constant."""


class Polynomial:
    """A polynomial with integer coefficients. It may be used as a number."""

    __slots__ = ("ring", "terms")

    def __init__(self, ring: Integers, terms: Mapping[Monomial, int]) -> None:
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
class _Atom:
    """`whole` divided by 2^places, rounded down, if it is a floor; `is` what it stands for, if it is a name."""

    name: str
    range: Range
    whole: Polynomial | None = None
    places: int = 0
    stands_for: Polynomial | None = None


class ImpossibleCase(Exception):
    """What was assumed cannot be: there is no such input."""


class Integers:
    """The atoms, and all that is done with polynomials over them."""

    def __init__(self) -> None:
        self._atoms: list[_Atom] = []
        self._known: dict[object, int] = {}
        self._assumed: list[tuple[Polynomial, Range]] = []
        self._not_negative: list[Polynomial] = []
        self._values: dict[int, Polynomial] = {}

    def constant(self, value: int) -> Polynomial:
        return Polynomial(self, {(): value} if value else {})

    def input(self, name: str, low: int, high: int) -> Polynomial:
        """A new unknown, from `low` to `high`."""
        self._atoms.append(_Atom(name, Range(low, high)))
        return Polynomial(self, {(len(self._atoms) - 1,): 1})

    def named(self, polynomial: Polynomial, bounds: Range) -> Polynomial:
        """A name for the polynomial, an atom: products stay short. `without_names` puts it back."""
        key = ("name", frozenset(polynomial.terms.items()))
        found = self._known.get(key)
        if found is None:
            found = self._known[key] = len(self._atoms)
            self._atoms.append(_Atom("", bounds, stands_for=polynomial))
        return Polynomial(self, {(found,): 1})

    def name_of(self, atom: int) -> str:
        return self._atoms[atom].name

    def assume(self, bit: Polynomial, value: int) -> None:
        """From now on `bit`, a sum of floors, has this value: the newest of them is what the others leave. What follows
        for the number that it is the floor of counts in bounds. ValueError: the newest atom is no such floor."""
        bit = self.without_names(bit)
        atom = max(bit.atoms(), default=-1)
        factor = bit.terms.get((atom,), 0)
        rest = bit - factor * Polynomial(self, {(atom,): 1})
        if abs(factor) != 1 or atom in rest.atoms() or not self._is_floor(atom):
            raise ValueError("the bit is no sum of floors")
        self._assume_floor(atom, (value - rest) * factor)
        for at, each in enumerate(self._atoms):
            if each.stands_for is not None:
                self._atoms[at] = replace(each, stands_for=self.with_assumed(each.stands_for))

    def _assume_floor(self, atom: int, value: Polynomial) -> None:
        known = self._atoms[atom]
        assert known.whole is not None
        self._values[atom] = value
        self._not_negative.append(known.whole - value * (1 << known.places))
        kept = self.without_names(known.whole) - value * (1 << known.places)
        self._assumed.append((kept, Range(0, (1 << known.places) - 1)))
        atoms = value.atoms()
        if len(atoms) != 1 or not set(value.terms) <= {(), tuple(atoms)}:
            return
        # The value is factor * other + constant, and in the atom's range: that may leave one value of the other.
        [other] = atoms
        factor, constant = value.terms[other,], value.terms.get((), 0)
        low, high = sorted(((known.range.low - constant) * factor, (known.range.high - constant) * factor))
        left = self._atoms[other].range.within(Range(-(-low // factor**2), high // factor**2))
        if left.low > left.high:
            raise ImpossibleCase
        if left.low == left.high and self._is_floor(other):
            self._assume_floor(other, self.constant(left.low))

    def with_assumed(self, polynomial: Polynomial) -> Polynomial:
        """The polynomial with the values that were assumed."""
        while known := polynomial.atoms() & self._values.keys():
            polynomial = self._replaced(polynomial, max(known), self._values[max(known)])
        return polynomial

    def sum_of(self, first: Polynomial, second: Polynomial | int, factor: int) -> Polynomial:
        """first + factor * second."""
        terms = dict(first.terms)
        for monomial, coefficient in (((), second),) if isinstance(second, int) else second.terms.items():
            total = terms.get(monomial, 0) + factor * coefficient
            if total:
                terms[monomial] = total
            else:
                terms.pop(monomial, None)
        return Polynomial(self, terms)

    def product_of(self, first: Polynomial, second: Polynomial | int) -> Polynomial:
        if isinstance(second, int):
            return Polynomial(self, {at: each * second for at, each in first.terms.items()} if second else {})
        terms: dict[Monomial, int] = {}
        for one, its in first.terms.items():
            for other, others in second.terms.items():
                monomial, factor = self._joined(one, other)
                terms[monomial] = terms.get(monomial, 0) + its * others * factor
        return Polynomial(self, {at: each for at, each in terms.items() if each})

    def _joined(self, one: Monomial, other: Monomial) -> tuple[Monomial, int]:
        """The product of two monomials, and a sign: x x = x for 0 and 1, and x x = -x for 0 and -1."""
        factor = 1
        made: list[int] = []
        for atom in sorted(one + other):
            if made and made[-1] == atom:
                bounds = self._atoms[atom].range
                if bounds == Range(0, 1):
                    continue
                if bounds == Range(-1, 0):
                    factor = -factor
                    continue
            made.append(atom)
        return tuple(made), factor

    def floor(self, whole: Polynomial, places: int, known: Range) -> Polynomial:
        """whole / 2^places, rounded down, which is in the range `known`."""
        if known.low == known.high:
            return self.constant(known.low)
        if not places:
            return whole
        divisor = 1 << places
        taken: dict[Monomial, int] = {}
        rest: dict[Monomial, int] = {}
        for monomial, coefficient in whole.terms.items():
            left = (coefficient + divisor // 2 - 1) % divisor - (divisor // 2 - 1)
            if left:
                rest[monomial] = left
            if coefficient != left:
                taken[monomial] = (coefficient - left) // divisor
        out = Polynomial(self, taken)
        known = self._less(known, out)
        # 2^g x + c, divided by 2^k and rounded down, is x + c / 2^g divided by 2^(k - g).
        common = min((each & -each for at, each in rest.items() if at), default=1).bit_length() - 1
        if common:
            rest = {at: each >> common for at, each in rest.items() if each >> common}
            places -= common
        inner = max(
            (atom[0] for atom, each in rest.items() if each == 1 and len(atom) == 1 and self._is_floor(atom[0])),
            default=None,
        )
        if inner is not None:
            atom = self._atoms[inner]
            assert atom.whole is not None
            del rest[inner,]
            merged = self.sum_of(atom.whole, Polynomial(self, rest), 1 << atom.places)
            return out + self.floor(merged, places + atom.places, known)
        return out + self._floor_atom(Polynomial(self, rest), places, known)

    def _less(self, known: Range, taken: Polynomial) -> Range:
        """The range of what is left of a number in the range `known`."""
        bounds = self.range_of(taken)
        return Range(known.low - bounds.high, known.high - bounds.low)

    def _is_floor(self, atom: int) -> bool:
        return self._atoms[atom].whole is not None

    def _floor_atom(self, rest: Polynomial, places: int, known: Range) -> Polynomial:
        constant = rest.constant()
        if constant is not None:
            return self.constant(constant >> places)
        key = (places, frozenset(rest.terms.items()))
        found = self._known.get(key)
        if found is not None:
            bounds = self._atoms[found].range.within(known)
            return self.constant(bounds.low) if bounds.low == bounds.high else Polynomial(self, {(found,): 1})
        bounds = self.range_of(rest)
        if bounds.low >= -1 and bounds.high <= 0:
            return rest
        bounds = Range(bounds.low >> places, bounds.high >> places).within(known)
        if bounds.low == bounds.high:
            return self.constant(bounds.low)
        self._known[key] = len(self._atoms)
        self._atoms.append(_Atom("", bounds, rest, places))
        return Polynomial(self, {(len(self._atoms) - 1,): 1})

    def range_of(self, polynomial: Polynomial) -> Range:
        """Bounds of the polynomial's value, which need not be the closest ones. ImpossibleCase: what was assumed leaves
        no value."""
        first = self._interval(polynomial.terms)
        for fact, bounds in self._assumed:
            times = self._multiple(polynomial, fact)
            if times:
                rest = self._interval((polynomial - fact * times).terms)
                ends = sorted((times * bounds.low, times * bounds.high))
                first = first.within(Range(rest.low + ends[0], rest.high + ends[1]))
        if first.low > first.high:
            raise ImpossibleCase
        if first.high - first.low <= 1 or not any(map(self._is_derived, polynomial.atoms())):
            return first
        inside = {atom for monomial in polynomial.terms if len(monomial) > 1 for atom in monomial}
        chosen = sorted(atom for atom in inside if self._is_choice(atom))[: -_SPLITS - 1 : -1]
        return first.within(Range(-self._highest(-polynomial, chosen, []), self._highest(polynomial, chosen, [])))

    def is_zero(self, polynomial: Polynomial, known: Range) -> bool:
        """Whether a polynomial in floors that is in the range `known` is 0, as far as bounds and cases tell."""
        newest = max((at[0] for at in polynomial.terms if len(at) == 1 and self._is_floor(at[0])), default=None)
        if newest is None or abs(polynomial.terms[newest,]) != 1:
            return polynomial.constant() == 0
        # 0 = h + rest for h = floor(w / 2^k): h is -rest exactly if 0 <= w + 2^k rest < 2^k.
        atom = self._atoms[newest]
        assert atom.whole is not None
        sign = polynomial.terms[newest,]
        least, most = (known.low, known.high) if sign > 0 else (-known.high, -known.low)
        rest = polynomial * sign - Polynomial(self, {(newest,): 1})
        named = atom.whole + rest * (1 << atom.places)
        within = self.without_names(named)
        chosen: list[int] = []
        stack = sorted(within.atoms())
        while stack and len(chosen) < _SPLITS:
            each = stack.pop(0)
            whole = self._atoms[each].whole
            if each not in chosen and each != newest and self._is_choice(each):
                chosen.append(each)
            stack += sorted(whole.atoms()) if whole is not None else ()
        divisor = 1 << atom.places
        return (
            most <= 0
            or self._highest(within, chosen, []) < divisor
            or self._is_not_above_zero(named - (divisor - 1))
            or self._highest_by_remainder(named) < divisor
        ) and (least >= 0 or self._highest(-within, chosen, []) <= 0 or self._is_not_above_zero(-named))

    def _above_without_names(self, polynomial: Polynomial, kept: int = -1) -> int:
        """As `_above`, of polynomials without names but one: what a floor is of is put without names too, so that it
        cancels."""
        terms = dict(self.without_names(polynomial, kept).terms)
        scale = 0
        best = self._interval(terms).high
        while True:
            newest = max(self._linear_floors(terms), default=None)
            if newest is None:
                return best
            terms, scale = self._given_way(terms, scale, newest)
            terms = dict(self.without_names(Polynomial(self, terms), kept).terms)
            best = min(best, self._interval(terms, scale).high)

    def _highest_by_remainder(self, polynomial: Polynomial) -> int:
        """An upper bound of a polynomial with x - 2^k floor(x / 2^k): this is the remainder of every number that was
        assumed not to be negative and differs from x by a multiple of 2^k, so it is at most that number."""
        found = [self._above(polynomial)]
        for atom in sorted(self._linear_floors(polynomial.terms)):
            floor = self._atoms[atom]
            assert floor.whole is not None
            if polynomial.terms[atom,] != -1 << floor.places:
                continue
            rest = polynomial - floor.whole + Polynomial(self, {(atom,): 1 << floor.places})
            for number in self._not_negative:
                if all(not each & (1 << floor.places) - 1 for each in (number - floor.whole).terms.values()):
                    # A name that x has may stand for many floors; but its bounds are known.
                    for kept in (-1, *floor.whole.atoms()):
                        found.append(self._above(rest) + self._above_without_names(number, kept))
        return min(found)

    def _is_not_above_zero(self, polynomial: Polynomial) -> bool:
        """Whether the polynomial is at most 0, as far as bounds tell. Floors in products give way too: for
        f = floor(w / 2^k) and a factor m that is not negative, m f is at most m w / 2^k. So do floors in a number that
        was assumed not to be negative, of which so much is added that they cancel."""
        polynomial = self._without_pairs(self.with_assumed(self.without_names(polynomial)))
        for atom in sorted(self._linear_floors(polynomial.terms)):
            times = polynomial.terms[atom,]
            for number, _ in self._assumed if times > 0 else ():
                others = -number.terms.get((atom,), 0)
                common = gcd(times, others)
                if (
                    others > 0
                    and self._above_without_names(polynomial * (others // common) + number * (times // common)) <= 0
                ):
                    return True
        while True:
            if self._above_without_names(polynomial) <= 0:
                return True
            newest = max(self._floors_in_products(polynomial), default=None)
            if newest is None:
                return False
            polynomial = self._product_given_way(polynomial, newest)

    def _floors_in_products(self, polynomial: Polynomial) -> set[int]:
        """Floors that are in products alone, once in each, with positive coefficients and factors that are not
        negative."""
        found: dict[int, bool] = {}
        for monomial, coefficient in polynomial.terms.items():
            for atom in monomial if len(monomial) > 1 else ():
                others = [each for each in monomial if each != atom]
                fits = coefficient > 0 and len(others) == len(monomial) - 1
                fits = fits and all(self._atoms[each].range.low >= 0 for each in others)
                found[atom] = found.get(atom, True) and fits
        return {atom for atom, fits in found.items() if fits and self._is_floor(atom)}

    def _product_given_way(self, polynomial: Polynomial, floor: int) -> Polynomial:
        """2^k times the polynomial, at least, without the floor in products."""
        whole, places = self._by_another_floor(floor, polynomial.atoms())
        inside, others = {}, {}
        for monomial, coefficient in polynomial.terms.items():
            if len(monomial) > 1 and floor in monomial:
                inside[tuple(each for each in monomial if each != floor)] = coefficient
            else:
                others[monomial] = coefficient << places
        return Polynomial(self, others) + Polynomial(self, inside) * self.with_assumed(self.without_names(whole))

    def _by_another_floor(self, floor: int, others: set[int]) -> tuple[Polynomial, int]:
        """What the floor is of, and by how many places it is divided. For w = 2^j v + u, floor(w / 2^k) is
        floor((v + floor(u / 2^j)) / 2^(k - j)), where floor(u / 2^j) is one of the others."""
        atom = self._atoms[floor]
        assert atom.whole is not None
        for other in sorted(others, reverse=True):
            inner = self._atoms[other]
            if other == floor or inner.whole is None or inner.places >= atom.places:
                continue
            rest = atom.whole - inner.whole
            if all(not coefficient & (1 << inner.places) - 1 for coefficient in rest.terms.values()):
                upper = Polynomial(self, {at: each >> inner.places for at, each in rest.terms.items()})
                return upper + Polynomial(self, {(other,): 1}), atom.places - inner.places
        return atom.whole, atom.places

    def _without_pairs(self, polynomial: Polynomial) -> Polynomial:
        """At least the polynomial: without c floor(v / 2^k) - c floor(w / 2^k) where v is at most w."""
        terms = dict(polynomial.terms)
        floors = sorted(self._linear_floors(terms))
        for one in floors:
            for other in floors:
                mine, others = self._atoms[one], self._atoms[other]
                if terms.get((one,), 0) <= 0 or terms.get((other,), 0) != -terms[one,] or mine.places != others.places:
                    continue
                assert mine.whole is not None and others.whole is not None
                if self._is_not_above_zero(mine.whole - others.whole):
                    del terms[one,], terms[other,]
        return Polynomial(self, terms)

    def has_choices(self, polynomial: Polynomial) -> bool:
        """Whether it has products with bits."""
        return any(len(at) > 1 and any(map(self._is_choice, at)) for at in polynomial.terms)

    def _is_derived(self, atom: int) -> bool:
        return self._atoms[atom].whole is not None or self._atoms[atom].stands_for is not None

    def _is_choice(self, atom: int) -> bool:
        bounds = self._atoms[atom].range
        return self._is_derived(atom) and bounds.high - bounds.low <= _CHOICES

    def _highest(self, polynomial: Polynomial, chosen: list[int], facts: list[Polynomial]) -> int:
        """An upper bound, case by case for the values of the chosen atoms. Facts are polynomials that are at most 0."""
        if not chosen:
            best = self._above_at_best(polynomial)
            for fact in facts:
                ratio = self._ratio(polynomial, fact)
                if ratio:
                    best = min(best, self._above_at_best(polynomial - fact * ratio))
            return best
        last, *others = chosen
        bounds = self._atoms[last].range
        found = []
        for value in range(bounds.low, bounds.high + 1):
            more = [self._with(fact, last, value) for fact in (*facts, *self._facts(last, value))]
            if any(self._interval(fact.terms).low > 0 or -self._above(-fact) > 0 for fact in more):
                continue  # this cannot be
            found.append(self._highest(self._with(polynomial, last, value), others, more))
        return max(found, default=0)

    def _facts(self, atom: int, value: int) -> list[Polynomial]:
        """What holds if the atom has this value."""
        known = self._atoms[atom]
        if known.stands_for is not None:
            return [known.stands_for - value, value - known.stands_for]
        assert known.whole is not None
        least = value << known.places
        return [known.whole - (least + (1 << known.places) - 1), least - known.whole]

    def _ratio(self, polynomial: Polynomial, fact: Polynomial) -> int:
        """How many times the fact is to be subtracted, so that its greatest coefficient goes; 0: it does not help."""
        greatest = max((at for at in fact.terms if at), key=lambda at: abs(fact.terms[at]), default=None)
        if greatest is None:
            return 0
        ratio, left = divmod(polynomial.terms.get(greatest, 0), fact.terms[greatest])
        return ratio if ratio > 0 and not left else 0

    def _multiple(self, polynomial: Polynomial, fact: Polynomial) -> int:
        """How many times the fact is in the polynomial, by the fact's greatest coefficient; 0: it is not."""
        greatest = max((at for at in fact.terms if at), key=lambda at: abs(fact.terms[at]))
        times, left = divmod(polynomial.terms.get(greatest, 0), fact.terms[greatest])
        return times if not left else 0

    def _with(self, polynomial: Polynomial, atom: int, value: int) -> Polynomial:
        terms: dict[Monomial, int] = {}
        for monomial, coefficient in polynomial.terms.items():
            times = monomial.count(atom)
            at = tuple(each for each in monomial if each != atom) if times else monomial
            terms[at] = terms.get(at, 0) + coefficient * value**times
        return Polynomial(self, {at: each for at, each in terms.items() if each})

    def _interval(self, terms: Mapping[Monomial, int], places: int = 0) -> Range:
        """Bounds from those of the atoms alone, of terms that are 2^places times as large as they should be."""
        low = high = 0
        for monomial, coefficient in terms.items():
            least = most = 1
            for atom in monomial:
                bounds = self._atoms[atom].range
                ends = (least * bounds.low, least * bounds.high, most * bounds.low, most * bounds.high)
                least, most = min(ends), max(ends)
            low += coefficient * (least if coefficient > 0 else most)
            high += coefficient * (most if coefficient > 0 else least)
        return Range(-(-low >> places), high >> places)

    def _above(self, polynomial: Polynomial) -> int:
        """An upper bound: floors give way to what they are floors of, the newest first. All is scaled by a power of
        two, so that coefficients are integers."""
        terms = dict(polynomial.terms)
        scale = 0
        best = self._interval(terms).high
        while True:
            newest = max(self._linear_floors(terms), default=None)
            if newest is None:
                return best
            terms, scale = self._given_way(terms, scale, newest)
            best = min(best, self._interval(terms, scale).high)

    def _above_at_best(self, polynomial: Polynomial) -> int:
        """The same, but a floor gives way only where that makes the bound lower at once."""
        terms = dict(polynomial.terms)
        scale = 0
        best = self._interval(terms).high
        is_better = True
        while is_better:
            is_better = False
            for atom in sorted(self._linear_floors(terms), reverse=True):
                if (atom,) in terms:
                    others, their_scale = self._given_way(terms, scale, atom)
                    bound = self._interval(others, their_scale).high
                    if bound < best:
                        terms, scale, best, is_better = others, their_scale, bound, True
        return min(best, self._above(polynomial))

    def _linear_floors(self, terms: Mapping[Monomial, int]) -> set[int]:
        """Floors that are in no product."""
        inside = {atom for monomial in terms if len(monomial) > 1 for atom in monomial}
        return {at[0] for at in terms if len(at) == 1 and at[0] not in inside and self._is_floor(at[0])}

    def _given_way(self, terms: dict[Monomial, int], scale: int, floor: int) -> tuple[dict[Monomial, int], int]:
        """For f = floor(w / 2^k), w - 2^k + 1 <= 2^k f <= w: an upper bound without f."""
        atom = self._atoms[floor]
        assert atom.whole is not None
        terms = dict(terms)
        factor = terms.pop((floor,))
        if factor & (1 << atom.places) - 1:
            terms = {at: each << atom.places for at, each in terms.items()}
            scale += atom.places
        else:
            factor >>= atom.places
        for monomial, coefficient in atom.whole.terms.items():
            total = terms.get(monomial, 0) + factor * coefficient
            if total:
                terms[monomial] = total
            else:
                terms.pop(monomial, None)
        if factor < 0:
            terms[()] = terms.get((), 0) - factor * ((1 << atom.places) - 1)
        return terms, scale

    def without_names(self, polynomial: Polynomial, kept: int = -1) -> Polynomial:
        """The polynomial with every name but one replaced by what it stands for."""
        while True:
            names = (at for at in polynomial.atoms() if self._atoms[at].stands_for is not None and at != kept)
            newest = max(names, default=None)
            if newest is None:
                return polynomial
            value = self._atoms[newest].stands_for
            assert value is not None
            polynomial = self._replaced(polynomial, newest, value)

    def _replaced(self, polynomial: Polynomial, atom: int, value: Polynomial) -> Polynomial:
        """The polynomial with another one in the place of an atom."""
        stays: dict[Monomial, int] = {}
        by_power: dict[int, dict[Monomial, int]] = {}
        for monomial, coefficient in polynomial.terms.items():
            power = monomial.count(atom)
            if power:
                others = tuple(each for each in monomial if each != atom)
                by_power.setdefault(power, {})[others] = coefficient
            else:
                stays[monomial] = coefficient
        polynomial = Polynomial(self, stays)
        for power, terms in by_power.items():
            replaced = Polynomial(self, terms)
            for _ in range(power):
                replaced = replaced * value
            polynomial = polynomial + replaced
        return polynomial

    def value_of(self, polynomial: Polynomial, values: Mapping[str, int]) -> int:
        """The number, for these values of the inputs by their names."""
        total = 0
        for monomial, coefficient in polynomial.terms.items():
            for number in monomial:
                atom = self._atoms[number]
                if atom.whole is not None:
                    coefficient *= self.value_of(atom.whole, values) >> atom.places
                elif atom.stands_for is not None:
                    coefficient *= self.value_of(atom.stands_for, values)
                else:
                    coefficient *= values[atom.name]
            total += coefficient
        return total

    def inputs_of(self, polynomials: Iterable[Polynomial]) -> set[int]:
        """The inputs that the polynomials depend on."""
        found: set[int] = set()
        stack = [atom for each in polynomials for atom in each.atoms()]
        while stack:
            atom = stack.pop()
            if atom not in found:
                found.add(atom)
                for below in (self._atoms[atom].whole, self._atoms[atom].stands_for):
                    stack += below.atoms() if below is not None else ()
        return {atom for atom in found if self._atoms[atom].name}
