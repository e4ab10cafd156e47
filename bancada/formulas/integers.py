"""Integers as polynomials, for arithmetic of many bytes: sums, differences, products, and what they carry.

A polynomial is over *atoms*: inputs, and floors of polynomials divided by a power of two. What an addition carries is
such a floor, and the byte that stays is the sum without it; so every byte is a polynomial, exactly. Floors have a
normal form: what is a multiple of the divisor is taken out, and a floor in a floor becomes one. So the carries of a
long addition are floors of the whole sums, byte by byte, and cancel where the bytes are put together again. A floor
that its bounds make a constant is that constant: so a carry that cannot be is 0.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import replace

from bancada.formulas.bounds import Bounds
from bancada.formulas.polynomial import Atom, ImpossibleCase, Monomial, Polynomial, Range


class Integers:
    """The atoms, and all that is done with polynomials over them."""

    def __init__(self) -> None:
        self.atoms: list[Atom] = []
        self._known: dict[object, int] = {}
        self._bounds = Bounds(self)
        self.assumed: list[tuple[Polynomial, Range]] = []
        self.not_negative: list[Polynomial] = []
        self.complements: list[Polynomial] = []
        """Not negative either, because a remainder is below its divisor."""
        self._values: dict[int, Polynomial] = {}
        self.unites_signs = False
        """Whether floors that are -1 below zero and else 0 are divided by the least power of two that makes them so."""

    def constant(self, value: int) -> Polynomial:
        return Polynomial(self, {(): value} if value else {})

    def input(self, name: str, low: int, high: int) -> Polynomial:
        """A new unknown, from `low` to `high`."""
        self.atoms.append(Atom(name, Range(low, high)))
        return Polynomial(self, {(len(self.atoms) - 1,): 1})

    def named(self, polynomial: Polynomial, bounds: Range, is_part: bool = False) -> Polynomial:
        """A name for the polynomial, an atom: products stay short. `without_names` puts it back."""
        key = ("name", frozenset(polynomial.terms.items()))
        found = self._known.get(key)
        if found is None:
            found = self._known[key] = len(self.atoms)
            self.atoms.append(Atom("", bounds, stands_for=polynomial, is_part=is_part))
        return Polynomial(self, {(found,): 1})

    def named_apart(self, polynomial: Polynomial, bounds: Range) -> Polynomial:
        """A new name, which `named` does not find: its bounds may be those of one case."""
        self.atoms.append(Atom("", bounds, stands_for=polynomial))
        return Polynomial(self, {(len(self.atoms) - 1,): 1})

    @contextmanager
    def one_case(self) -> Iterator[int]:
        """Atoms that are made within it may have bounds that hold in one case only: afterwards none of them is found
        again. Gives the number of the first of them."""
        known = len(self._known)
        try:
            yield len(self.atoms)
        finally:
            while len(self._known) > known:
                self._known.popitem()  # the newest

    def name_of(self, atom: int) -> str:
        return self.atoms[atom].name

    def assume(self, bit: Polynomial, value: int) -> None:
        """From now on `bit`, a sum of floors, has this value: the newest of them is what the others leave. What follows
        for the number that it is the floor of counts in bounds. ValueError: the newest atom is no such floor."""
        bit = self.without_names(bit)
        atom = max(bit.atoms(), default=-1)
        factor = bit.terms.get((atom,), 0)
        rest = bit - factor * Polynomial(self, {(atom,): 1})
        if abs(factor) != 1 or atom in rest.atoms() or not self.is_floor(atom):
            raise ValueError("the bit is no sum of floors")
        self._assume_floor(atom, (value - rest) * factor)
        for at, each in enumerate(self.atoms):
            if each.stands_for is not None:
                self.atoms[at] = replace(each, stands_for=self.with_assumed(each.stands_for))

    def assume_range(self, polynomial: Polynomial, bounds: Range) -> None:
        """From now on the polynomial is within these bounds: so is what its newest floor is of, if nothing else in it
        is multiplied by that."""
        settled = self.with_assumed(self.without_names(polynomial))
        self.assumed.append((settled, bounds))
        newest = max((at[0] for at in settled.terms if len(at) == 1 and self.is_floor(at[0])), default=None)
        if newest is None or settled.terms[newest,] != 1:
            return
        rest = settled - Polynomial(self, {(newest,): 1})
        atom = self.atoms[newest]
        if newest in rest.atoms() or atom.whole is None:
            return
        # low <= floor(w / 2^k) + rest <= high
        whole = self.with_assumed(self.without_names(atom.whole + rest * (1 << atom.places)))
        self.assumed.append((whole, Range(bounds.low << atom.places, (bounds.high + 1 << atom.places) - 1)))

    def _assume_floor(self, atom: int, value: Polynomial) -> None:
        known = self.atoms[atom]
        assert known.whole is not None
        self._values[atom] = value
        remainder = known.whole - value * (1 << known.places)
        self.not_negative.append(remainder)
        self.complements.append((1 << known.places) - 1 - remainder)
        kept = self.without_names(known.whole) - value * (1 << known.places)
        self.assumed.append((kept, Range(0, (1 << known.places) - 1)))
        atoms = value.atoms()
        if len(atoms) != 1 or not set(value.terms) <= {(), tuple(atoms)}:
            return
        # The value is factor * other + constant, and in the atom's range: that may leave one value of the other.
        [other] = atoms
        factor, constant = value.terms[other,], value.terms.get((), 0)
        low, high = sorted(((known.range.low - constant) * factor, (known.range.high - constant) * factor))
        left = self.atoms[other].range.within(Range(-(-low // factor**2), high // factor**2))
        if left.low > left.high:
            raise ImpossibleCase
        if left.low == left.high and self.is_floor(other):
            self._assume_floor(other, self.constant(left.low))

    def with_assumed(self, polynomial: Polynomial) -> Polynomial:
        """The polynomial with the values that were assumed."""
        while known := polynomial.atoms() & self._values.keys():
            polynomial = self.replaced(polynomial, max(known), self._values[max(known)])
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
                bounds = self.atoms[atom].range
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
            (atom[0] for atom, each in rest.items() if each == 1 and len(atom) == 1 and self.is_floor(atom[0])),
            default=None,
        )
        if inner is not None:
            atom = self.atoms[inner]
            assert atom.whole is not None
            del rest[inner,]
            merged = self.sum_of(atom.whole, Polynomial(self, rest), 1 << atom.places)
            return out + self.floor(merged, places + atom.places, known)
        return out + self._floor_atom(Polynomial(self, rest), places, known)

    def _less(self, known: Range, taken: Polynomial) -> Range:
        """The range of what is left of a number in the range `known`."""
        bounds = self.range_of(taken)
        return Range(known.low - bounds.high, known.high - bounds.low)

    def is_floor(self, atom: int) -> bool:
        return self.atoms[atom].whole is not None

    def _floor_atom(self, rest: Polynomial, places: int, known: Range) -> Polynomial:
        constant = rest.constant()
        if constant is not None:
            return self.constant(constant >> places)
        key = (places, frozenset(rest.terms.items()))
        found = self._known.get(key)
        if found is not None:
            bounds = self.atoms[found].range.within(known)
            return self.constant(bounds.low) if bounds.low == bounds.high else Polynomial(self, {(found,): 1})
        bounds = self.range_of(rest)
        if bounds.low >= -1 and bounds.high <= 0:
            return rest
        bounds = Range(bounds.low >> places, bounds.high >> places).within(known)
        if bounds.low == bounds.high:
            return self.constant(bounds.low)
        if self.unites_signs and bounds == Range(-1, 0):
            whole = self.range_of(rest)
            least = max(whole.high, -whole.low - 1).bit_length()
            if whole.low < 0 <= whole.high and least < places:
                return self.floor(rest, least, Range(-1, 0))
        self._known[key] = len(self.atoms)
        self.atoms.append(Atom("", bounds, rest, places))
        return Polynomial(self, {(len(self.atoms) - 1,): 1})

    def range_of(self, polynomial: Polynomial) -> Range:
        """Bounds of the polynomial's value, which need not be the closest ones. ImpossibleCase: what was assumed leaves
        no value."""
        return self._bounds.range_of(polynomial)

    def deep_range(self, polynomial: Polynomial) -> Range:
        """Closer bounds of a polynomial in names and floors, which take longer."""
        return self._bounds.deep_range(polynomial).within(self.range_of(polynomial))

    def is_zero(self, polynomial: Polynomial, known: Range) -> bool:
        """Whether a polynomial in floors that is in the range `known` is 0, as far as bounds and cases tell."""
        return self._bounds.is_zero(polynomial, known)

    def has_choices(self, polynomial: Polynomial) -> bool:
        """Whether it has products with bits."""
        return self._bounds.has_choices(polynomial)

    def without_names(self, polynomial: Polynomial, kept: int = -1) -> Polynomial:
        """The polynomial with every name but one replaced by what it stands for."""
        while True:
            names = (at for at in polynomial.atoms() if self.atoms[at].stands_for is not None and at != kept)
            newest = max(names, default=None)
            if newest is None:
                return polynomial
            value = self.atoms[newest].stands_for
            assert value is not None
            polynomial = self.replaced(polynomial, newest, value)

    def replaced(self, polynomial: Polynomial, atom: int, value: Polynomial) -> Polynomial:
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
                atom = self.atoms[number]
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
                for below in (self.atoms[atom].whole, self.atoms[atom].stands_for):
                    stack += below.atoms() if below is not None else ()
        return {atom for atom in found if self.atoms[atom].name}
