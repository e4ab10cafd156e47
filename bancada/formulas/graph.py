"""The one representation of every bit that a proof is about: a graph of ANDs, exclusive ORs and majorities.

A *literal* is an even number for a node and the odd number after it for the node's complement. Node 0 is the constant
false, so the literals 0 and 1 are false and true. The same operation on the same literals is the same node.
`normal.py` finds nodes that are the same function though they were made in another way.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from pathlib import Path

FALSE = 0
TRUE = 1
AND, XOR, MAJORITY = "and", "xor", "majority"
# How many nodes `tables` looks at, and down to how few nodes `are_disjoint` wants to come.
_INNER, _FEW = 64, 3
Operation = tuple[str, tuple[int, ...]]
Bits = tuple[int, ...]


class Graph:
    """Nodes in the order in which they were made: a node's operands always have smaller numbers."""

    def __init__(self) -> None:
        self._nodes: list[Operation | None] = [None]
        """An operation and its operands; None for an input. Operands are literals; those of a XOR are even."""
        self._known: dict[Operation, int] = {}
        self._products: dict[tuple[int, ...], list[int]] = {}
        self.inputs: dict[int, str] = {}
        self.watch: Callable[[Bits, Bits], Bits] | None = None
        """Gets the first operand and the result of each operation on words, and says what the result shall be."""

    def __len__(self) -> int:
        return len(self._nodes)

    def is_same(self, other: Graph) -> bool:
        """Whether both have the same nodes in the same order, and the same inputs."""
        return self._nodes == other._nodes and self.inputs == other.inputs

    def operation(self, node: int) -> Operation | None:
        """What the node is; None for an input and for the constant."""
        return self._nodes[node]

    def input(self, name: str) -> int:
        """A new input, whose name appears in counterexamples."""
        node = len(self._nodes)
        self._nodes.append(None)
        self.inputs[node] = name
        return 2 * node

    def _node(self, kind: str, operands: tuple[int, ...]) -> int:
        key = (kind, operands)
        found = self._known.get(key)
        if found is None:
            found = self._known[key] = 2 * len(self._nodes)
            self._nodes.append(key)
        return found

    def conjunction(self, first: int, second: int) -> int:
        """first AND second."""
        if first > second:
            first, second = second, first
        if first <= TRUE:
            return second if first else FALSE
        if first >> 1 == second >> 1:
            return first if first == second else FALSE
        return self._node(AND, (first, second))

    def disjunction(self, first: int, second: int) -> int:
        """first OR second."""
        return self.conjunction(first ^ 1, second ^ 1) ^ 1

    def difference(self, first: int, second: int) -> int:
        """first XOR second."""
        complement = (first ^ second) & 1
        first, second = min(first, second) & ~1, max(first, second) & ~1
        if first == FALSE:
            return second ^ complement
        if first == second:
            return complement
        return self._node(XOR, (first, second)) ^ complement

    def choice(self, condition: int, if_true: int, if_false: int) -> int:
        """if_true where the condition holds, else if_false."""
        if condition <= TRUE:
            return if_true if condition else if_false
        return self.difference(if_false, self.conjunction(condition, self.difference(if_true, if_false)))

    def majority(self, first: int, second: int, third: int) -> int:
        """What at least two of three say: the carry out of a full adder."""
        first, second, third = sorted((first, second, third))
        if first <= TRUE:
            return self.disjunction(second, third) if first else self.conjunction(second, third)
        if first >> 1 == second >> 1:
            return first if first == second else third
        if second >> 1 == third >> 1:
            return second if second == third else first
        return self._node(MAJORITY, (first, second, third))

    def lookup(self, table: Sequence[int], index: Sequence[int]) -> int:
        """table[index]; the index's least significant bit comes first, and the table has 2^len(index) literals."""
        if len(table) != 1 << len(index):
            raise ValueError(f"a table of {len(table)} entries for {len(index)} bits of index")
        nodes = sorted({bit & ~1 for bit in index if bit > TRUE})
        places = [(nodes.index(bit & ~1) if bit > TRUE else -1, bit & 1) for bit in index]
        rows = []
        for value in range(1 << len(nodes)):
            at = 0
            for place, (node, complement) in enumerate(places):
                at |= ((value >> node & 1 if node >= 0 else 0) ^ complement) << place
            rows.append(table[at])
        if max(rows) <= TRUE:
            return self._polynomial(rows, tuple(nodes))
        for node in nodes:
            rows = [self.choice(node, rows[at + 1], rows[at]) for at in range(0, len(rows), 2)]
        return rows[0]

    def _polynomial(self, table: list[int], variables: tuple[int, ...]) -> int:
        """A table of constants as its algebraic normal form, the XOR of products of variables, which is unique."""
        coefficients = table
        for place in range(len(variables)):
            half = 1 << place
            coefficients = [
                each ^ coefficients[at ^ half] if at & half else each for at, each in enumerate(coefficients)
            ]
        products = self._products.get(variables)
        if products is None:
            products = []
            for at in range(len(table)):
                chosen = tuple(variable for place, variable in enumerate(variables) if at >> place & 1)
                products.append(TRUE if not chosen else chosen[0] if len(chosen) == 1 else self._node(AND, chosen))
            self._products[variables] = products
        terms = [products[at] for at, each in enumerate(coefficients) if each and at]
        if not terms:
            return coefficients[0]
        total = terms[0] if len(terms) == 1 else self._node(XOR, tuple(sorted(terms)))
        return total ^ coefficients[0]

    def tables(self, literals: Sequence[int], most: int) -> tuple[list[int], list[int]] | None:
        """The literals as functions of at most so many nodes a little below them: these nodes, and for each literal its
        value for each of their assignments. Bit *i* of an assignment's number is the value of node *i*. None: there are
        no such nodes near."""
        inner: list[int] = []
        border = {literal >> 1 for literal in literals if literal > TRUE}
        while len(border) > most:
            node = max(border)
            operation = self._nodes[node]
            if operation is None or len(inner) == _INNER:
                return None
            border.remove(node)
            border |= {operand >> 1 for operand in operation[1] if operand > TRUE}
            inner.append(node)
        nodes = sorted(border)
        patterns = 1 << len(nodes)
        every = (1 << patterns) - 1
        values = {0: 0}
        for at, node in enumerate(nodes):
            values[node] = sum(1 << pattern for pattern in range(patterns) if pattern >> at & 1)
        for node in reversed(inner):
            operation = self._nodes[node]
            assert operation is not None
            found = [values[operand >> 1] ^ (every if operand & 1 else 0) for operand in operation[1]]
            values[node] = operate(operation[0], found, every)
        return nodes, [values[literal >> 1] ^ (every if literal & 1 else 0) for literal in literals]

    def are_disjoint(self, literals: Sequence[int]) -> bool:
        """Whether no two of the literals hold together, as far as a few nodes below them tell."""
        found = self.tables(literals, _FEW)
        if found is None:
            return False
        seen = 0
        for table in found[1]:
            if table & seen:
                return False
            seen |= table
        return True

    def cone(self, literals: Iterable[int]) -> list[int]:
        """Every node that the literals depend on, operands before what uses them; the constant is left out."""
        wanted = {literal >> 1 for literal in literals}
        stack = list(wanted)
        while stack:
            operation = self._nodes[stack.pop()]
            for operand in operation[1] if operation else ():
                if operand >> 1 not in wanted:
                    wanted.add(operand >> 1)
                    stack.append(operand >> 1)
        wanted.discard(0)
        return sorted(wanted)

    def evaluate(self, nodes: Iterable[int], values: Mapping[int, int], patterns: int) -> dict[int, int]:
        """These nodes, operands first as `cone` gives them, under many assignments at once.

        `values` has an integer for each input, whose bit *i* is its value in assignment *i* of `patterns`.
        """
        every = (1 << patterns) - 1
        words: dict[int, int] = {0: 0}
        for node in nodes:
            operation = self._nodes[node]
            if operation is None:
                words[node] = values[node]
                continue
            kind, operands = operation
            found = [words[operand >> 1] ^ (every if operand & 1 else 0) for operand in operands]
            words[node] = operate(kind, found, every)
        return words

    def write_aiger(self, path: Path, inputs: Sequence[int], outputs: Sequence[int]) -> None:
        """The outputs as functions of these inputs, as a binary AIGER 1.9 file: ANDs of two literals only."""
        ands: list[tuple[int, int]] = []
        first_and = len(inputs) + 1

        def both(one: int, other: int) -> int:
            ands.append((max(one, other), min(one, other)))
            return 2 * (first_and + len(ands) - 1)

        def differ(one: int, other: int) -> int:
            return both(both(one ^ 1, other ^ 1) ^ 1, both(one, other) ^ 1)

        literal = {0: 0} | {node: 2 * at for at, node in enumerate(inputs, start=1)}
        for node in self.cone(outputs):
            operation = self._nodes[node]
            if operation is None:
                continue
            kind, operands = operation
            mapped = [literal[operand >> 1] ^ operand & 1 for operand in operands]
            if kind == MAJORITY:
                one, other, third = mapped
                some = both(one ^ 1, other ^ 1) ^ 1
                literal[node] = both(both(one, other) ^ 1, both(some, third) ^ 1) ^ 1
                continue
            total = mapped[0]
            for each in mapped[1:]:
                total = both(total, each) if kind == AND else differ(total, each)
            literal[node] = total
        made = bytearray(f"aig {len(inputs) + len(ands)} {len(inputs)} 0 {len(outputs)} {len(ands)}\n".encode())
        for output in outputs:
            made += b"%d\n" % (literal[output >> 1] ^ output & 1)
        for at, (high, low) in enumerate(ands):
            made += _delta(2 * (first_and + at) - high) + _delta(high - low)
        path.write_bytes(bytes(made))


def operate(kind: str, words: Sequence[int], every: int) -> int:
    """An operation on many assignments at once, one for each bit of the words; `every` has all these bits."""
    if kind == MAJORITY:
        first, second, third = words
        return first & second | first & third | second & third
    total = every if kind == AND else 0
    for word in words:
        total = total & word if kind == AND else total ^ word
    return total


def _delta(value: int) -> bytes:
    """A number in AIGER's variable-length form: seven bits a byte, the lowest first."""
    made = bytearray()
    while value >= 0x80:
        made.append(value & 0x7F | 0x80)
        value >>= 7
    made.append(value)
    return bytes(made)
