"""Bounds of polynomials: from those of their atoms, from what floors are floors of, and from what was assumed."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from math import gcd
from typing import Protocol

from bancada.formulas.polynomial import Atom, ImpossibleCase, Monomial, Polynomial, Range, Ring

# How many atoms are taken case by case for one bound, and how far apart their values may be.
_SPLITS, _CHOICES = 3, 2
_CARRIES = 16  # a name with fewer values stands for what was carried


class RingOfFloors(Ring, Protocol):
    """What bounds need to know of the ring (integers.py)."""

    atoms: list[Atom]
    assumed: list[tuple[Polynomial, Range]]
    not_negative: list[Polynomial]
    complements: list[Polynomial]

    def is_floor(self, atom: int) -> bool: ...

    def without_names(self, polynomial: Polynomial, kept: int = -1) -> Polynomial: ...

    def with_assumed(self, polynomial: Polynomial) -> Polynomial: ...


def _only(ring: Ring, atom: int) -> Polynomial:
    return Polynomial(ring, {(atom,): 1})


class Bounds:
    """Of the polynomials of one ring."""

    def __init__(self, ring: RingOfFloors) -> None:
        self._ring = ring

    def range_of(self, polynomial: Polynomial) -> Range:
        """Bounds of the polynomial's value, which need not be the closest ones. ImpossibleCase: what was assumed leaves
        no value."""
        first = self._interval(polynomial.terms)
        for fact, bounds in self._ring.assumed:
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
        newest = max((at[0] for at in polynomial.terms if len(at) == 1 and self._ring.is_floor(at[0])), default=None)
        if newest is None or abs(polynomial.terms[newest,]) != 1:
            return polynomial.constant() == 0
        # 0 = h + rest for h = floor(w / 2^k): h is -rest exactly if 0 <= w + 2^k rest < 2^k.
        atom = self._ring.atoms[newest]
        assert atom.whole is not None
        sign = polynomial.terms[newest,]
        least, most = (known.low, known.high) if sign > 0 else (-known.high, -known.low)
        rest = polynomial * sign - Polynomial(self._ring, {(newest,): 1})
        named = atom.whole + rest * (1 << atom.places)
        within = self._ring.without_names(named)
        chosen: list[int] = []
        stack = sorted(within.atoms())
        while stack and len(chosen) < _SPLITS:
            each = stack.pop(0)
            whole = self._ring.atoms[each].whole
            if each not in chosen and each != newest and self._is_choice(each):
                chosen.append(each)
            stack += sorted(whole.atoms()) if whole is not None else ()
        divisor = 1 << atom.places
        assumed = self.range_of(self._ring.with_assumed(within))
        return (
            most <= 0
            or assumed.high < divisor
            or self._highest(within, chosen, []) < divisor
            or self._is_not_above_zero(named - (divisor - 1))
            or self._highest_by_remainder(named) < divisor
            or self._highest_by_bytes(named) < divisor
            or self._deep(named) < divisor
        ) and (
            least >= 0
            or assumed.low >= 0
            or self._highest(-within, chosen, []) <= 0
            or self._is_not_above_zero(-named)
            or self._highest_by_bytes(-named) <= 0
            or self._deep(-named) <= 0
        )

    def _above_without_names(self, polynomial: Polynomial, kept: int = -1) -> int:
        """As `_above`, of polynomials without names but one: what a floor is of is put without names too, so that it
        cancels."""
        return self._above(polynomial, lambda each: self._ring.without_names(each, kept))

    def _highest_by_remainder(self, polynomial: Polynomial) -> int:
        """An upper bound of a polynomial with x - 2^k floor(x / 2^k): this is the remainder of every number that was
        assumed not to be negative and differs from x by a multiple of 2^k, so it is at most that number."""
        found = [self._above(polynomial)]
        for atom in sorted(self._linear_floors(polynomial.terms)):
            floor = self._ring.atoms[atom]
            assert floor.whole is not None
            if polynomial.terms[atom,] != -1 << floor.places:
                continue
            rest = polynomial - floor.whole + Polynomial(self._ring, {(atom,): 1 << floor.places})
            for number in self._ring.not_negative:
                if all(not each & (1 << floor.places) - 1 for each in (number - floor.whole).terms.values()):
                    # A name that x has may stand for many floors; but its bounds are known.
                    for kept in (-1, *floor.whole.atoms()):
                        found.append(self._above(rest) + self._above_without_names(number, kept))
        return min(found)

    def _highest_by_bytes(self, polynomial: Polynomial) -> int:
        """An upper bound of a polynomial with bytes that make one number, or whose complements do: this is at most
        every number that was assumed not to be negative and differs from it by a multiple of 256 to the number of
        bytes."""
        found = [self._above(polynomial)]
        for sign in (1, -1):
            number, size = self._number_of_bytes(polynomial, sign)
            if number is None:
                continue
            whole = self._ring.with_assumed(self._ring.without_names(number))
            for other in (*self._ring.not_negative, *self._ring.complements):
                difference = whole - self._ring.with_assumed(self._ring.without_names(other))
                if all(not each & size - 1 for each in difference.terms.values()):
                    most = min(self._above(other), self._above_without_names(other))
                    found.append(self._above(polynomial - number) + most)
        return min(found)

    def _number_of_bytes(self, polynomial: Polynomial, sign: int) -> tuple[Polynomial | None, int]:
        """The number from 0 on that bytes of the polynomial make, the lowest first, or their complements if `sign` is
        -1; and what it is below."""
        bytes_: dict[int, int] = {}
        for at, coefficient in polynomial.terms.items():
            place = coefficient.bit_length() - 1
            bounds = self._ring.atoms[at[0]].range if len(at) == 1 else Range(-1, 0)
            if coefficient == sign << place and not place % 8 and bounds.low >= 0 and bounds.high <= 255:
                bytes_[place // 8] = at[0]
        count = next(at for at in range(len(bytes_) + 1) if at not in bytes_)
        if not count:
            return None, 1
        number = Polynomial(self._ring, {(bytes_[at],): sign << 8 * at for at in range(count)})
        return number + (((1 << 8 * count) - 1) if sign < 0 else 0), 1 << 8 * count

    def _is_not_above_zero(self, polynomial: Polynomial) -> bool:
        """Whether the polynomial is at most 0, as far as bounds tell. Floors in products give way too: for
        f = floor(w / 2^k) and a factor m that is not negative, m f is at most m w / 2^k. So do floors in a number that
        was assumed not to be negative, of which so much is added that they cancel."""
        polynomial = self._without_pairs(self._ring.with_assumed(self._ring.without_names(polynomial)))
        for atom in sorted(self._linear_floors(polynomial.terms)):
            times = polynomial.terms[atom,]
            for number, _ in self._ring.assumed if times > 0 else ():
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
                fits = fits and all(self._ring.atoms[each].range.low >= 0 for each in others)
                found[atom] = found.get(atom, True) and fits
        return {atom for atom, fits in found.items() if fits and self._ring.is_floor(atom)}

    def _product_given_way(self, polynomial: Polynomial, floor: int) -> Polynomial:
        """2^k times the polynomial, at least, without the floor in products."""
        whole, places = self._by_another_floor(floor, polynomial.atoms())
        inside, others = {}, {}
        for monomial, coefficient in polynomial.terms.items():
            if len(monomial) > 1 and floor in monomial:
                inside[tuple(each for each in monomial if each != floor)] = coefficient
            else:
                others[monomial] = coefficient << places
        whole = self._ring.with_assumed(self._ring.without_names(whole))
        return Polynomial(self._ring, others) + Polynomial(self._ring, inside) * whole

    def _by_another_floor(self, floor: int, others: set[int]) -> tuple[Polynomial, int]:
        """What the floor is of, and by how many places it is divided. For w = 2^j v + u, floor(w / 2^k) is
        floor((v + floor(u / 2^j)) / 2^(k - j)), where floor(u / 2^j) is one of the others."""
        atom = self._ring.atoms[floor]
        assert atom.whole is not None
        for other in sorted(others, reverse=True):
            inner = self._ring.atoms[other]
            if other == floor or inner.whole is None or inner.places >= atom.places:
                continue
            rest = atom.whole - inner.whole
            if all(not coefficient & (1 << inner.places) - 1 for coefficient in rest.terms.values()):
                upper = Polynomial(self._ring, {at: each >> inner.places for at, each in rest.terms.items()})
                return upper + Polynomial(self._ring, {(other,): 1}), atom.places - inner.places
        return atom.whole, atom.places

    def _without_pairs(self, polynomial: Polynomial) -> Polynomial:
        """At least the polynomial: without c floor(v / 2^k) - c floor(w / 2^k) where v is at most w."""
        terms = dict(polynomial.terms)
        floors = sorted(self._linear_floors(terms))
        for one in floors:
            for other in floors:
                mine, others = self._ring.atoms[one], self._ring.atoms[other]
                if terms.get((one,), 0) <= 0 or terms.get((other,), 0) != -terms[one,] or mine.places != others.places:
                    continue
                assert mine.whole is not None and others.whole is not None
                if self._is_not_above_zero(mine.whole - others.whole):
                    del terms[one,], terms[other,]
        return Polynomial(self._ring, terms)

    def has_choices(self, polynomial: Polynomial) -> bool:
        """Whether it has products with bits."""
        return any(len(at) > 1 and any(map(self._is_choice, at)) for at in polynomial.terms)

    def _is_derived(self, atom: int) -> bool:
        return self._ring.atoms[atom].whole is not None or self._ring.atoms[atom].stands_for is not None

    def _is_choice(self, atom: int) -> bool:
        bounds = self._ring.atoms[atom].range
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
        bounds = self._ring.atoms[last].range
        found = []
        for value in range(bounds.low, bounds.high + 1):
            more = [self._with(fact, last, value) for fact in (*facts, *self._facts(last, value))]
            if any(self._interval(fact.terms).low > 0 or -self._above(-fact) > 0 for fact in more):
                continue  # this cannot be
            found.append(self._highest(self._with(polynomial, last, value), others, more))
        return max(found, default=0)

    def _facts(self, atom: int, value: int) -> list[Polynomial]:
        """What holds if the atom has this value."""
        known = self._ring.atoms[atom]
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
        greatest = max((at for at in fact.terms if at), key=lambda at: abs(fact.terms[at]), default=None)
        if greatest is None:
            return 0
        times, left = divmod(polynomial.terms.get(greatest, 0), fact.terms[greatest])
        return times if not left else 0

    def _with(self, polynomial: Polynomial, atom: int, value: int) -> Polynomial:
        terms: dict[Monomial, int] = {}
        for monomial, coefficient in polynomial.terms.items():
            times = monomial.count(atom)
            at = tuple(each for each in monomial if each != atom) if times else monomial
            terms[at] = terms.get(at, 0) + coefficient * value**times
        return Polynomial(self._ring, {at: each for at, each in terms.items() if each})

    def _interval(self, terms: Mapping[Monomial, int], places: int = 0) -> Range:
        """Bounds from those of the atoms alone, of terms that are 2^places times as large as they should be."""
        low = high = 0
        atoms = self._ring.atoms
        for monomial, coefficient in terms.items():
            least = most = 1
            for atom in monomial:
                bounds = atoms[atom].range
                if least >= 0 and bounds.low >= 0:
                    least *= bounds.low
                    most *= bounds.high
                    continue
                ends = (least * bounds.low, least * bounds.high, most * bounds.low, most * bounds.high)
                least, most = min(ends), max(ends)
            low += coefficient * (least if coefficient > 0 else most)
            high += coefficient * (most if coefficient > 0 else least)
        return Range(-(-low >> places), high >> places)

    def _above(
        self, polynomial: Polynomial, put: Callable[[Polynomial], Polynomial] = lambda polynomial: polynomial
    ) -> int:
        """An upper bound: floors give way to what they are floors of, the newest first, after which `put` may write the
        sum in another way. All is scaled by a power of two, so that coefficients are integers."""
        terms = dict(put(polynomial).terms)
        scale = 0
        best = self._interval(terms).high
        while True:
            newest = max(self._linear_floors(terms), default=None)
            if newest is None:
                return best
            terms, scale = self._given_way(terms, scale, newest)
            terms = dict(put(Polynomial(self._ring, terms)).terms)
            best = min(best, self._interval(terms, scale).high)

    def deep_range(self, polynomial: Polynomial) -> Range:
        """Bounds of a polynomial in names and floors that are in no product: one after the other is replaced by what it
        stands for, or gives way to what it is a floor of. Where that is best is kept."""
        return Range(-self._deep(-polynomial), self._deep(polynomial))

    def _deep(self, polynomial: Polynomial) -> int:
        terms = dict(polynomial.terms)
        scale = 0
        best = self._interval(terms).high
        while True:
            inside = {atom for monomial in terms if len(monomial) > 1 for atom in monomial}
            linear = (at[0] for at in terms if len(at) == 1 and at[0] not in inside)
            derived = [atom for atom in linear if self._is_derived(atom)]
            if not derived:
                return best
            newest = max(derived, key=self._order)
            stands_for = self._ring.atoms[newest].stands_for
            if stands_for is None:
                terms, scale = self._given_way(terms, scale, newest)
            else:
                polynomial = Polynomial(self._ring, terms)
                terms = dict((polynomial + (stands_for - _only(self._ring, newest)) * terms[newest,]).terms)
            best = min(best, self._above_at_best(Polynomial(self._ring, terms)) >> scale)

    def _order(self, atom: int) -> tuple[int, int]:
        """Names of carries and of parts first, because the floors that these stand for cancel each other; then floors;
        the newest first."""
        known = self._ring.atoms[atom]
        if known.stands_for is None:
            return 1, atom
        return (2 if known.is_part or known.range.high - known.range.low < _CARRIES else 0), atom

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
        return {at[0] for at in terms if len(at) == 1 and at[0] not in inside and self._ring.is_floor(at[0])}

    def _given_way(self, terms: dict[Monomial, int], scale: int, floor: int) -> tuple[dict[Monomial, int], int]:
        """For f = floor(w / 2^k), w - 2^k + 1 <= 2^k f <= w: an upper bound without f."""
        atom = self._ring.atoms[floor]
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
