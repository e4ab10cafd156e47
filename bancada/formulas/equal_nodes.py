"""Which nodes of a graph are the same function? Hints for a solver, which confirms them step by step (`steps.py`).

The idea is that of `normal.py`, made a second time and in another way: a node's form is a random number of 128 bits
for each atom, all of them added modulo 2. Forms of unequal nodes are equal with a probability of 2^-128. Nothing
depends on that: a hint that is wrong is one that a solver refutes.
"""

from __future__ import annotations

import random
from collections.abc import Sequence

from bancada.formulas.forms import COMPLEMENT, Forms
from bancada.formulas.graph import Graph

_ATOM_BITS = 128


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
            form = atoms.atom(("input", node))
        else:
            kind, operands = operation
            form = atoms.of(kind, [forms[operand >> 1] ^ operand & 1 for operand in operands])
        forms[node] = form
        complement = form & COMPLEMENT
        earlier = first.setdefault(form ^ complement, 2 * node ^ complement)
        same[node] = earlier ^ complement
    return cone, same


class _Atoms(Forms):
    """A form is the sum of random numbers, one for each atom; it is its own identity."""

    def __init__(self) -> None:
        self._numbers: dict[object, int] = {}
        self._draw = random.Random(1)

    def atom(self, key: object) -> int:
        found = self._numbers.get(key)
        if found is None:
            found = self._numbers[key] = self._draw.getrandbits(_ATOM_BITS) << 1
        return found

    def identity(self, form: int) -> int:
        return form
