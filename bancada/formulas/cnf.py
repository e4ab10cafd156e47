"""Clauses in the form of the solvers' competitions (DIMACS)."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from bancada.formulas.graph import AND, XOR, Graph


class Cnf:
    """Clauses over variables from 1 on; a negative number is a complement. Variable 1 is true."""

    def __init__(self) -> None:
        self.variables = 1
        self._clauses: list[tuple[int, ...]] = [(1,)]

    @property
    def false(self) -> int:
        return -1

    def variable(self) -> int:
        self.variables += 1
        return self.variables

    def clause(self, *literals: int) -> None:
        """At least one of these literals is true."""
        self._clauses.append(literals)

    def operation(self, kind: str, operands: Sequence[int]) -> int:
        """A new variable that is the operation of these literals (G. S. Tseitin, 1968)."""
        if kind == XOR:
            total = operands[0]
            for operand in operands[1:]:
                total = self._difference(total, operand)
            return total
        made = self.variable()
        if kind == AND:
            for operand in operands:
                self.clause(-made, operand)
            self.clause(made, *(-operand for operand in operands))
            return made
        first, second, third = operands
        for one, other in ((first, second), (first, third), (second, third)):
            self.clause(made, -one, -other)
            self.clause(-made, one, other)
        return made

    def _difference(self, one: int, other: int) -> int:
        made = self.variable()
        self.clause(-made, one, other)
        self.clause(-made, -one, -other)
        self.clause(made, -one, other)
        self.clause(made, one, -other)
        return made

    def write(self, path: Path) -> None:
        lines = [f"p cnf {self.variables} {len(self._clauses)}"]
        lines += [" ".join(map(str, (*clause, 0))) for clause in self._clauses]
        path.write_text("\n".join(lines) + "\n")


def differing(graph: Graph, found: Sequence[int], expected: Sequence[int]) -> tuple[Cnf, dict[int, int]]:
    """Clauses with a solution exactly if a found literal differs from the expected one, for some values of the inputs.
    And the variable of each input node."""
    cnf = Cnf()
    literals = {0: cnf.false}
    inputs: dict[int, int] = {}
    for node in graph.cone([*found, *expected]):
        operation = graph.operation(node)
        if operation is None:
            literals[node] = inputs[node] = cnf.variable()
        else:
            kind, operands = operation
            literals[node] = cnf.operation(
                kind, [literals[operand >> 1] * (-1 if operand & 1 else 1) for operand in operands]
            )
    differ = []
    for one, other in zip(found, expected, strict=True):
        first, second = (literals[each >> 1] * (-1 if each & 1 else 1) for each in (one, other))
        differ.append(cnf.operation(XOR, (first, second)))
    cnf.clause(*differ)
    return cnf, inputs
