"""The arithmetic of forms, in which `normal.py` and `equal_nodes.py` write every node: the exclusive OR of atoms, which
are inputs, products of bits and majorities of bits. Bit 0 of a form is its complement. Each step is an equality of
Boolean algebra."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence

from bancada.formulas.graph import AND, MAJORITY, XOR

COMPLEMENT = 1


class Forms(ABC):
    """What an atom is, and what stands for a form in the key of an atom, is up to each of the two."""

    @abstractmethod
    def atom(self, key: object) -> int:
        """The form of one atom, which is known by what it is made of."""

    @abstractmethod
    def identity(self, form: int) -> int:
        """A number that stands for a form without its complement."""

    def of(self, kind: str, operands: Sequence[int]) -> int:
        """The form of an operation on forms."""
        if kind == XOR:
            total = 0
            for each in operands:
                total ^= each
            return total
        return self._products(operands) if kind == AND else self._majority(operands)

    def _products(self, forms: Sequence[int]) -> int:
        if len(forms) > 2 and not any(form & COMPLEMENT for form in forms):
            return self.atom((AND, *sorted(self.identity(form) for form in forms)))
        total = forms[0]
        for form in forms[1:]:
            total = self._product(total, form)
        return total

    def _product(self, first: int, second: int) -> int:
        if first <= COMPLEMENT:
            return second if first else 0
        if second <= COMPLEMENT:
            return first if second else 0
        if first ^ second <= COMPLEMENT:
            return first if first == second else 0
        # (x + a)(y + b) = xy + bx + ay + ab
        plain, other = first & ~COMPLEMENT, second & ~COMPLEMENT
        total = self.atom((AND, *sorted((self.identity(plain), self.identity(other)))))
        if second & COMPLEMENT:
            total ^= plain
        if first & COMPLEMENT:
            total ^= second
        return total

    def _majority(self, forms: Sequence[int]) -> int:
        """The majority of complements is the complement of the majority: the first one has none."""
        ordered = sorted((self.identity(form & ~COMPLEMENT), form & COMPLEMENT) for form in forms)
        complement = ordered[0][1]
        key = (MAJORITY, *((identity, bit ^ complement) for identity, bit in ordered))
        return self.atom(key) ^ complement
