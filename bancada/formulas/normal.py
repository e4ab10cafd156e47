"""A normal form of a graph, in which most functions that were computed in two ways are one number.

Every bit is written as the XOR of *atoms*: inputs, products of bits and majorities of bits. This form is a set, here an
integer with one bit for each atom, so it does not depend on the order of the XORs, and equal terms cancel. Complements
go out of products and majorities: x OR y is x + y + xy. Two atoms are the same if they are made of the same bits. So
implementations of a cipher that differ only in the order of XORs, in complements, and in which linear bits they keep,
have the same form. Each step is an equality of Boolean algebra.
"""

from __future__ import annotations

from collections.abc import Sequence

from bancada.formulas.graph import AND, MAJORITY, XOR, Graph

# Bit 0 of a form is its complement; an atom's bit is its number.
_COMPLEMENT = 1


def normal_forms(graph: Graph, literals: Sequence[int]) -> list[int]:
    """A number for each literal. Two literals that get the same number are the same function of the inputs."""
    cone = graph.cone(literals)
    last_use: dict[int, int] = {}
    for node in cone:
        operation = graph.operation(node)
        for operand in operation[1] if operation else ():
            last_use[operand >> 1] = node
    for literal in literals:
        last_use[literal >> 1] = len(graph)
    ended: dict[int, list[int]] = {}
    for node, user in last_use.items():
        ended.setdefault(user, []).append(node)
    forms = {0: 0}
    atoms = _Atoms()
    for node in cone:
        operation = graph.operation(node)
        if operation is None:
            forms[node] = atoms.atom(("input", node))
        else:
            kind, operands = operation
            found = [forms[operand >> 1] ^ operand & 1 for operand in operands]
            if kind == XOR:
                total = 0
                for each in found:
                    total ^= each
                forms[node] = total
            elif kind == AND:
                forms[node] = atoms.product(found)
            else:
                forms[node] = atoms.majority(found)
        # A form may have thousands of atoms, and most are needed for a short while only.
        for each in ended.get(node, ()):
            if each:
                del forms[each]
    return [forms[literal >> 1] ^ literal & 1 for literal in literals]


class _Atoms:
    """The atoms by what they are made of."""

    def __init__(self) -> None:
        self._numbers: dict[object, int] = {}
        self._identities: dict[int, int] = {}

    def atom(self, key: object) -> int:
        return 1 << self._numbers.setdefault(key, len(self._numbers) + 1)

    def _identity(self, form: int) -> int:
        """A small number in the place of a form without its complement."""
        return self._identities.setdefault(form, len(self._identities))

    def product(self, forms: Sequence[int]) -> int:
        if len(forms) > 2 and not any(form & _COMPLEMENT for form in forms):
            return self.atom((AND, *sorted(self._identity(form) for form in forms)))
        total = forms[0]
        for form in forms[1:]:
            total = self._product(total, form)
        return total

    def _product(self, first: int, second: int) -> int:
        if first <= _COMPLEMENT:
            return second if first else 0
        if second <= _COMPLEMENT:
            return first if second else 0
        if first ^ second <= _COMPLEMENT:
            return first if first == second else 0
        # (x + a)(y + b) = xy + bx + ay + ab
        plain, other = first & ~_COMPLEMENT, second & ~_COMPLEMENT
        total = self.atom((AND, *sorted((self._identity(plain), self._identity(other)))))
        if second & _COMPLEMENT:
            total ^= plain
        if first & _COMPLEMENT:
            total ^= second
        return total

    def majority(self, forms: Sequence[int]) -> int:
        """The majority of complements is the complement of the majority: the first one has none."""
        plain = [form & ~_COMPLEMENT for form in forms]
        ordered = sorted(zip(map(self._identity, plain), (form & _COMPLEMENT for form in forms), strict=True))
        complement = ordered[0][1]
        key = (MAJORITY, *((identity, bit ^ complement) for identity, bit in ordered))
        return self.atom(key) ^ complement
