"""The normal form never calls two different functions one: random formulas, held against their whole truth tables."""

from __future__ import annotations

import random
from collections.abc import Callable

import pytest

from bancada.formulas.graph import Graph
from bancada.formulas.normal import normal_forms
from bancada.prove.decide import _refuted_by_abc

pytestmark = pytest.mark.quick

INPUTS = 6
ROWS = 1 << INPUTS


@pytest.mark.parametrize("seed", range(8))
def test_one_form_is_one_function(seed: int) -> None:
    draw = random.Random(seed)
    graph = Graph()
    literals = [graph.input(f"x{at}") for at in range(INPUTS)]
    values = {
        literal >> 1: sum(1 << row for row in range(ROWS) if row >> at & 1) for at, literal in enumerate(literals)
    }
    literals += [0, 1]
    operations: list[Callable[[int, int, int], int]] = [
        lambda a, b, c: graph.conjunction(a, b),
        lambda a, b, c: graph.disjunction(a, b),
        lambda a, b, c: graph.difference(a, b),
        graph.choice,
        graph.majority,
        lambda a, b, c: graph.difference(a, graph.difference(b, a)),
        lambda a, b, c: graph.lookup([draw.randrange(2) for _ in range(8)], [a, b, c]),
    ]
    for _ in range(600):
        first, second, third = (draw.choice(literals) ^ draw.randrange(2) for _ in range(3))
        literals.append(draw.choice(operations)(first, second, third))
    words = graph.evaluate(graph.cone(literals), values, ROWS)
    tables = [words[literal >> 1] ^ ((1 << ROWS) - 1 if literal & 1 else 0) for literal in literals]
    by_form: dict[int, int] = {}
    for form, table in zip(normal_forms(graph, literals), tables, strict=True):
        assert by_form.setdefault(form, table) == table
    # It is of use: most functions that are equal have one form.
    assert len(set(tables)) > 50
    assert len(by_form) < len(set(literals))


def test_a_counterexample_that_does_not_differ_refutes_nothing() -> None:
    """ABC does not name every input that matters: the others are drawn."""
    graph = Graph()
    one, other, third = (graph.input(name) for name in ("one", "other", "third"))
    inputs = sorted(graph.inputs)
    pair = (graph.conjunction(one, other), graph.conjunction(one, third))
    found = _refuted_by_abc(graph, [pair], inputs, "Input pattern: pi0=1")
    assert found.is_equal is False and found.counterexample is not None
    assert found.counterexample["one"] == 1 and found.counterexample["other"] != found.counterexample["third"]
    assert _refuted_by_abc(graph, [pair], inputs, "Input pattern: pi0=0").is_equal is None
