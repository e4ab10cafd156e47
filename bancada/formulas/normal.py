"""A normal form of a graph, in which most functions that were computed in two ways are one number.

Every bit is written as the XOR of *atoms*: inputs, products of bits and majorities of bits. This form is a set, here an
integer with one bit for each atom, so it does not depend on the order of the XORs, and equal terms cancel. Complements
go out of products and majorities: x OR y is x + y + xy. Two atoms are the same if they are made of the same bits. So
implementations of a cipher that differ only in the order of XORs, in complements, and in which linear bits they keep,
have the same form. Each step is an equality of Boolean algebra.
"""

from __future__ import annotations

from collections.abc import Sequence

from bancada.formulas.forms import Forms
from bancada.formulas.graph import Graph


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
            forms[node] = atoms.of(kind, [forms[operand >> 1] ^ operand & 1 for operand in operands])
        # A form may have thousands of atoms, and most are needed for a short while only.
        for each in ended.get(node, ()):
            if each:
                del forms[each]
    return [forms[literal >> 1] ^ literal & 1 for literal in literals]


class _Atoms(Forms):
    """A form is an integer with one bit for each atom; its identity is a small number."""

    def __init__(self) -> None:
        self._numbers: dict[object, int] = {}
        self._identities: dict[int, int] = {}

    def atom(self, key: object) -> int:
        return 1 << self._numbers.setdefault(key, len(self._numbers) + 1)

    def identity(self, form: int) -> int:
        return self._identities.setdefault(form, len(self._identities))
