"""Words of 16 bits in two registers of an AVR, as integers: for transforms of coefficients modulo a small prime.

What sixteen bits hold is known modulo 2^16. A polynomial that is congruent to both bytes together, and whose bounds
are within 2^16 numbers, is the word itself, whatever was carried out of it before. So the bytes are written anew as
those of that polynomial, which gets a name if it is long. Modulo the prime a Montgomery reduction leaves no floor: all
of its floors have a multiple of the prime as coefficient.
"""

from __future__ import annotations

from bancada.formulas.integers import Integers
from bancada.formulas.polynomial import Monomial, Polynomial, Range
from bancada.prove.avr_number import Number

_BYTE, _SIGNED, _UNSIGNED = Range(0, 255), Range(-(1 << 15), (1 << 15) - 1), Range(0, (1 << 16) - 1)
_WHOLE = 1 << 16
_CASES = 256


class Words:
    """Of one ring."""

    def __init__(self, ring: Integers) -> None:
        self._ring = ring
        self._residues: dict[tuple[int, int], Polynomial] = {}

    def bytes_of(self, number: Polynomial, bounds: Range) -> tuple[object, object]:
        """The lower and the upper byte of a number, which is within these bounds: one that sixteen bits hold."""
        constant = number.constant()
        if constant is not None:
            return constant & 0xFF, constant >> 8 & 0xFF
        upper = self._ring.floor(number, 8, Range(bounds.low >> 8, bounds.high >> 8))
        is_negative = self._ring.floor(number, 15, Range(-1, 0)) if bounds.low < 0 else self._ring.constant(0)
        high = Range(bounds.low >> 8, bounds.high >> 8) if bounds.low >= 0 else _BYTE
        return self._byte(number - 256 * upper, _BYTE), self._byte(upper - 256 * is_negative, high)

    def _byte(self, value: Polynomial, bounds: Range) -> object:
        constant = value.constant()
        return Number(value, bounds) if constant is None else constant

    def number_of(self, low: object, high: object) -> tuple[Polynomial, Range] | None:
        """The number that two bytes are, and its bounds: with a sign if these allow it. None: as far as bounds tell,
        it may be one of more than 2^16 numbers, or the bytes are no numbers."""
        parts = [self._value(each) for each in (low, high)]
        if parts[0] is None or parts[1] is None:
            return None
        together = parts[0] + 256 * parts[1]
        terms = {at: (each + _WHOLE // 2) % _WHOLE - _WHOLE // 2 for at, each in together.terms.items()}
        number = Polynomial(self._ring, {at: each for at, each in terms.items() if each})
        bounds = self.range_of(number)
        for window in (_SIGNED, _UNSIGNED):
            wraps = (window.high - bounds.high) // _WHOLE
            if bounds.low + wraps * _WHOLE >= window.low:
                moved = Range(bounds.low + wraps * _WHOLE, bounds.high + wraps * _WHOLE)
                return number + wraps * _WHOLE, moved
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
