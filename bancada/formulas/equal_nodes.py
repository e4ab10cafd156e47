"""Which nodes of a graph are the same function? Hints for a solver, which confirms them step by step (`steps.py`).

The idea is that of `normal.py`, made a second time and in another way: a node's form is a random number of 128 bits
for each atom, all of them added modulo 2. Forms of unequal nodes are equal with a probability of 2^-128. Nothing
depends on that: a hint that is wrong is one that a solver refutes.
"""

from __future__ import annotations

import random
from collections.abc import Sequence

from bancada.formulas.graph import AND, XOR, Graph

_ATOM_BITS = 128
# The lowest bit of a form is its complement.
_COMPLEMENT = 1


def equal_nodes(graph: Graph, literals: Sequence[int]) -> tuple[list[int], dict[int, int]]:
    """The nodes that the literals depend on, operands first; and for each node the literal of the first node that is
    the same function, or its complement. A node that is the first of its kind stands for itself."""
    cone = graph.cone(literals)
    atoms = _Atoms()
    forms = {0: 0}
    first: dict[int, int] = {0: 0}
    same: dict[int, int] = {0: 0}
    for node in cone:
        operation = graph.operation(node)
        if operation is None:
            form = atoms.atom(node)
        else:
            kind, operands = operation
            found = [forms[operand >> 1] ^ operand & 1 for operand in operands]
            if kind == XOR:
                form = 0
                for each in found:
                    form ^= each
            else:
                form = atoms.product(found) if kind == AND else atoms.majority(found)
        forms[node] = form
        complement = form & _COMPLEMENT
        earlier = first.setdefault(form ^ complement, 2 * node ^ complement)
        same[node] = earlier ^ complement
    return cone, same


class _Atoms:
    """A random number for each atom, which is known by what it is made of."""

    def __init__(self) -> None:
        self._numbers: dict[object, int] = {}
        self._draw = random.Random(1)

    def atom(self, key: object) -> int:
        found = self._numbers.get(key)
        if found is None:
            found = self._numbers[key] = self._draw.getrandbits(_ATOM_BITS) << 1
        return found

    def product(self, forms: list[int]) -> int:
        if len(forms) > 2 and not any(form & _COMPLEMENT for form in forms):
            return self.atom((AND, *sorted(forms)))
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
        total = self.atom((AND, min(plain, other), max(plain, other)))
        if second & _COMPLEMENT:
            total ^= plain
        if first & _COMPLEMENT:
            total ^= second
        return total

    def majority(self, forms: list[int]) -> int:
        """The majority of complements is the complement of the majority: the first one has none."""
        ordered = sorted((form & ~_COMPLEMENT, form & _COMPLEMENT) for form in forms)
        complement = ordered[0][1]
        return self.atom(tuple((form, bit ^ complement) for form, bit in ordered)) ^ complement
