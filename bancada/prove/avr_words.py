"""Words in two or three registers of an AVR, as integers: for transforms of coefficients modulo a small prime.

What sixteen bits hold is known modulo 2^16. A polynomial that is congruent to both bytes together, and whose bounds
are within 2^16 numbers, is the word itself, whatever was carried out of it before. So the bytes are written anew as
those of that polynomial, which gets a name if it is long. Modulo the prime a Montgomery reduction leaves no floor: all
of its floors have a multiple of the prime as coefficient. Words of three bytes are the same with 24 bits.
"""

from __future__ import annotations

from itertools import pairwise

from bancada.formulas.integers import Integers
from bancada.formulas.polynomial import Monomial, Polynomial, Range
from bancada.prove.avr_number import Number

_BYTE = Range(0, 255)
_CASES = 256


class Words:
    """Of one ring, and of so many bytes each."""

    def __init__(self, ring: Integers, size: int = 2) -> None:
        self._ring = ring
        self.size = size
        self._whole = 1 << 8 * size
        self.signed = Range(-(self._whole >> 1), (self._whole >> 1) - 1)
        self._unsigned = Range(0, self._whole - 1)
        self._residues: dict[tuple[int, int], Polynomial] = {}

    def bytes_of(self, number: Polynomial, bounds: Range) -> tuple[object, ...]:
        """The bytes of a number, the lowest first, which is within these bounds: one that a word holds."""
        constant = number.constant()
        if constant is not None:
            return tuple((constant % self._whole).to_bytes(self.size, "little"))
        floors = [number]
        for places in range(8, 8 * self.size, 8):
            floors.append(self._ring.floor(number, places, Range(bounds.low >> places, bounds.high >> places)))
        lower = [self._byte(one - 256 * above, _BYTE) for one, above in pairwise(floors)]
        places = 8 * self.size
        is_negative = self._ring.floor(number, places - 1, Range(-1, 0)) if bounds.low < 0 else self._ring.constant(0)
        high = Range(bounds.low >> places - 8, bounds.high >> places - 8) if bounds.low >= 0 else _BYTE
        return (*lower, self._byte(floors[-1] - 256 * is_negative, high))

    def _byte(self, value: Polynomial, bounds: Range) -> object:
        constant = value.constant()
        return Number(value, bounds) if constant is None else constant

    def number_of(self, *bytes_: object) -> tuple[Polynomial, Range] | None:
        """The number that the bytes of a word are, and its bounds: with a sign if these allow it. None: as far as
        bounds tell, it may be one of more numbers than a word holds, or the bytes are no numbers."""
        together = self._ring.constant(0)
        for at, each in enumerate(bytes_):
            value = self._value(each)
            if value is None:
                return None
            together = together + value * (1 << 8 * at)
        whole = self._whole
        terms = {at: (each + whole // 2) % whole - whole // 2 for at, each in together.terms.items()}
        number = Polynomial(self._ring, {at: each for at, each in terms.items() if each})
        bounds = self.range_of(number)
        for window in (self.signed, self._unsigned):
            wraps = (window.high - bounds.high) // whole
            if bounds.low + wraps * whole >= window.low:
                moved = Range(bounds.low + wraps * whole, bounds.high + wraps * whole)
                return number + wraps * whole, moved
        return None

    def _value(self, byte: object) -> Polynomial | None:
        if isinstance(byte, int):
            return self._ring.constant(byte)
        return byte.value if isinstance(byte, Number) and not byte.flags else None

    def settle(self, registers: list[object], low: int, longest: int) -> None:
        """Writes the word in two registers anew, if its number is known. One with more than `longest` terms gets a
        name."""
        if all(isinstance(each, int) for each in registers[low : low + 2]):
            return
        found = self.number_of(*registers[low : low + 2])
        if found is None:
            return
        number, bounds = found
        if len(number.terms) > longest:
            number = self._ring.named(number, bounds)
        registers[low : low + 2] = self.bytes_of(number, bounds)

    def range_of(self, number: Polynomial) -> Range:
        """Bounds of a number, by cases of a quotient that it has."""
        bounds = self._ring.range_of(number)
        by_cases = self._by_cases_of_a_quotient(number)
        return bounds if by_cases is None else bounds.within(by_cases)

    def _by_cases_of_a_quotient(self, number: Polynomial) -> Range | None:
        """For w + c + t Q, where Q is a floor of a number made of one floor h of w alone: Q is a number for each value
        of h, and so are the bounds of w."""
        atoms = self._ring.atoms
        for (newest,) in (at for at in number.terms if len(at) == 1 and self._ring.is_floor(at[0])):
            quotient = atoms[newest]
            assert quotient.whole is not None
            inner = quotient.whole.atoms()
            if len(inner) != 1 or not self._ring.is_floor(next(iter(inner))):
                continue
            [at] = inner
            floor = atoms[at]
            assert floor.whole is not None
            factor, constant = quotient.whole.terms.get((at,), 0), quotient.whole.terms.get((), 0)
            times = number.terms[newest,]
            rest = (number - times * Polynomial(self._ring, {(newest,): 1}) - floor.whole).constant()
            if rest is None or len(quotient.whole.terms) > 2 or floor.range.high - floor.range.low >= _CASES:
                continue
            starts = [
                ((value << floor.places) + rest + times * ((factor * value + constant) >> quotient.places))
                for value in range(floor.range.low, floor.range.high + 1)
            ]
            return Range(min(starts), max(starts) + (1 << floor.places) - 1)
        return None

    def residue(self, number: Polynomial, modulus: int) -> Polynomial:
        """The number modulo `modulus`, without names."""
        total: dict[Monomial, int] = {}
        for monomial, coefficient in number.terms.items():
            if coefficient % modulus:
                part = Polynomial(self._ring, {(): coefficient})
                for atom in monomial:
                    part = part * self._residue_of(atom, modulus)
                for at, each in part.terms.items():
                    total[at] = (total.get(at, 0) + each) % modulus
        return Polynomial(self._ring, {at: each for at, each in total.items() if each})

    def _residue_of(self, atom: int, modulus: int) -> Polynomial:
        stands_for = self._ring.atoms[atom].stands_for
        if stands_for is None:
            return Polynomial(self._ring, {(atom,): 1})
        found = self._residues.get((atom, modulus))
        if found is None:
            found = self._residues[atom, modulus] = self.residue(stands_for, modulus)
        return found
