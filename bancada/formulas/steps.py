"""An equality of two large functions as many small ones, which any SAT solver decides.

Nodes that are said to be the same function (`equal_nodes.py`) stand for one another: each is named by the first of
them. A *step* is one node, made of the names of its operands, and has to equal its own name. Names are defined by the
first node. If every step holds, then each node is what its name says, from the inputs upwards; so the outputs are equal
whose names are. A step sees only a part of the definitions, and everything below that part is free: what holds then
holds all the more. Steps that are the same but for the numbers of their variables are one step.
"""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from bancada.formulas.cnf import Cnf
from bancada.formulas.equal_nodes import equal_nodes
from bancada.formulas.graph import AND, XOR, Graph, Operation, operate

# Every value of eight bits is very likely among so many.
_PATTERNS = 4096
# How many levels of definitions a step may see, and how many definitions; what is wide is left free at first.
_DEEPEST, _DEEPEST_WIDE = 48, 4
_LARGEST = 2000
_EASY = 40
# How many definitions the steps of one part have: a solver that may choose among thousands of steps which one is wrong
# goes astray. cadical has no answer in five minutes to the 451,428 definitions of AES-128 *small* decryption as one,
# and takes 73 s for parts of 16,000, 57 s of 4,000 and 40 s of 1,000.
_PART = 1000
_NARROW, _ANY = 8, 1 << 30


@dataclass(frozen=True)
class _Window:
    """What one step sees: definitions, operands first, None for what is free; literals number them from 1 on. The step
    is that `one` and `other` are equal."""

    definitions: tuple[Operation | None, ...]
    one: int
    other: int


@dataclass(frozen=True)
class Steps:
    """One of `parts` has a solution exactly if a step is wrong, or if two outputs do not have one name."""

    parts: tuple[Cnf, ...]
    steps: int
    distinct: int


def steps(graph: Graph, found: Sequence[int], expected: Sequence[int]) -> Steps:
    """The steps that show that each found literal is the expected one."""
    cone, same = equal_nodes(graph, [*found, *expected])
    named = _Named(graph, same)
    known: dict[tuple[Operation, int], None] = {}
    windows: dict[_Window, None] = {}
    count = 0
    for node in cone:
        operation = named.operation(node)
        if operation is None:
            continue
        if same[node] == 2 * node:
            known[operation, 2 * node] = None
        elif (operation, same[node]) not in known:
            known[operation, same[node]] = None
            count += 1
            windows |= dict.fromkeys(named.windows(operation, same[node]))
    for one, other in zip(found, expected, strict=True):
        if named.name(one) != named.name(other):
            count += 1
            windows |= dict.fromkeys(named.windows(None, named.name(one), named.name(other)))
    return Steps(tuple(_parts(list(windows))), count, len(windows))


def _parts(windows: Sequence[_Window]) -> Iterator[Cnf]:
    """Each window in one of them; at least one, which has no solution where there is no window."""
    at = 0
    while at < len(windows) or at == 0:
        cnf = Cnf()
        wrong: list[int] = []
        size = 0
        while at < len(windows) and (not wrong or size + len(windows[at].definitions) <= _PART):
            size += len(windows[at].definitions)
            wrong.append(_wrong(cnf, windows[at]))
            at += 1
        cnf.clause(*wrong)
        yield cnf
        if not windows:
            return


class _Named:
    """The graph with every literal replaced by its name."""

    def __init__(self, graph: Graph, same: dict[int, int]) -> None:
        self._graph = graph
        self._same = same

    def name(self, literal: int) -> int:
        return self._same[literal >> 1] ^ literal & 1

    def operation(self, node: int) -> Operation | None:
        """The node's operation on names; None for an input."""
        made = self._graph.operation(node)
        return None if made is None else (made[0], tuple(sorted(map(self.name, made[1]))))

    def windows(self, operation: Operation | None, *names: int) -> list[_Window]:
        """One step with as many definitions as it needs: the deeper, the fewer assignments are only seeming faults.

        A large one that consists of exclusive ORs alone is several: in one order of its terms, they are easy.
        """
        roots = [literal >> 1 for literal in names] + [literal >> 1 for literal in (operation[1] if operation else ())]
        window = _Window((), 0, 0)
        for widest, deepest in ((_NARROW, _DEEPEST), (_ANY, _DEEPEST_WIDE)):
            before = -1
            for depth in range(1, deepest + 1):
                shown = self._shown(roots, depth, widest)
                if len(shown) == before:
                    break
                before = len(shown)
                window = self._numbered(roots, shown, operation, names)
                if _seems_to_hold(window):
                    return _in_order(window) if widest == _NARROW and len(window.definitions) > _EASY else [window]
                if len(shown) > _LARGEST:
                    break
        return [window]

    def _shown(self, roots: list[int], depth: int, widest: int) -> dict[int, Operation]:
        """The nodes whose definitions the step sees: so many levels of operations with at most `widest` operands. Of a
        product with more operands, that is of the bits of an index, the operands are always seen."""
        shown: dict[int, Operation] = {}
        level = set(roots)
        for _ in range(depth):
            following: set[int] = set()
            for node in level - shown.keys():
                operation = self.operation(node)
                if operation is not None and len(operation[1]) <= widest:
                    shown[node] = operation
                    following.update(operand >> 1 for operand in operation[1])
            level = following
        if widest == _ANY:
            # The products of one index have all in common that the step needs: their bits.
            for node in level:
                operation = self.operation(node)
                if operation is not None and operation[0] == AND:
                    shown[node] = operation
        return shown

    def _numbered(
        self, roots: list[int], shown: dict[int, Operation], operation: Operation | None, names: tuple[int, ...]
    ) -> _Window:
        numbers: dict[int, int] = {0: 0}
        definitions: list[Operation | None] = []
        stack = [(root, False) for root in reversed(roots)]
        while stack:
            node, is_ready = stack.pop()
            if node in numbers:
                continue
            made = shown.get(node)
            if made is not None and not is_ready:
                stack.append((node, True))
                stack += [(operand >> 1, False) for operand in reversed(made[1])]
                continue
            numbers[node] = len(numbers)
            definitions.append(None if made is None else _renumbered(made, numbers))
        ends = [2 * numbers[name >> 1] | name & 1 for name in names]
        if operation is not None:
            definitions.append(_renumbered(operation, numbers))
            ends.append(2 * len(definitions))
        return _Window(tuple(definitions), ends[0], ends[1])


def _in_order(window: _Window) -> list[_Window]:
    """A window of exclusive ORs as one for each: the sum of two sums of free variables, each in their order. A
    complement is the term 0."""
    terms: list[frozenset[int]] = [frozenset()]

    def terms_of(literal: int) -> frozenset[int]:
        return terms[literal >> 1] ^ (frozenset((0,)) if literal & 1 else frozenset())

    found: dict[_Window, None] = {}
    for definition in window.definitions:
        if definition is None:
            terms.append(frozenset((len(terms),)))
            continue
        kind, operands = definition
        if kind != XOR:
            return [window]
        total: frozenset[int] = frozenset()
        for operand in operands:
            following = total ^ terms_of(operand)
            found[_sum(total, terms_of(operand), following)] = None
            total = following
        terms.append(total)
    return list(found) if terms_of(window.one) == terms_of(window.other) else [window]


def _sum(first: frozenset[int], second: frozenset[int], total: frozenset[int]) -> _Window:
    """The window that says that the sums of two sets of variables have this sum."""
    variables = sorted((first | second) - {0})
    numbers = {0: 1} | {term: 2 * at for at, term in enumerate(variables, start=1)}
    definitions: list[Operation | None] = [None] * len(variables)
    ends = []
    for terms in (first, second, total):
        definitions.append((XOR, tuple(numbers[term] for term in sorted(terms)) or (0,)))
        ends.append(2 * len(definitions))
    definitions.append((XOR, (ends[0], ends[1])))
    return _Window(tuple(definitions), 2 * len(definitions), ends[2])


def _renumbered(operation: Operation, numbers: dict[int, int]) -> Operation:
    return operation[0], tuple(2 * numbers[operand >> 1] | operand & 1 for operand in operation[1])


def _seems_to_hold(window: _Window) -> bool:
    """Whether random values of the free variables give no fault."""
    draw = random.Random(1)
    every = (1 << _PATTERNS) - 1
    words = [0]

    def word_of(literal: int) -> int:
        return words[literal >> 1] ^ (every if literal & 1 else 0)

    for definition in window.definitions:
        if definition is None:
            words.append(draw.getrandbits(_PATTERNS))
        else:
            kind, operands = definition
            words.append(operate(kind, [word_of(operand) for operand in operands], every))
    return word_of(window.one) == word_of(window.other)


def _wrong(cnf: Cnf, window: _Window) -> int:
    """A variable that can be true only where this step is wrong."""
    variables = [cnf.false]

    def literal_of(literal: int) -> int:
        return -variables[literal >> 1] if literal & 1 else variables[literal >> 1]

    for definition in window.definitions:
        if definition is None:
            variables.append(cnf.variable())
        else:
            kind, operands = definition
            variables.append(cnf.operation(kind, [literal_of(operand) for operand in operands]))
    one, other = literal_of(window.one), literal_of(window.other)
    wrong = cnf.variable()
    cnf.clause(-wrong, one, other)
    cnf.clause(-wrong, -one, -other)
    return wrong
