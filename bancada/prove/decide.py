"""Are these literals the same functions? By the graph itself, by random assignments, and by Berkeley's ABC."""

from __future__ import annotations

import random
import re
import shutil
import subprocess
import tempfile
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from bancada.formulas.graph import Graph
from bancada.formulas.normal import normal_forms

_PATTERNS = 256
ABC = "berkeley-abc"


@dataclass(frozen=True)
class Decision:
    """`by` names what decided; `counterexample` gives each input's name a bit. None: undecided."""

    is_equal: bool | None
    by: str
    counterexample: dict[str, int] | None = None


def decide(
    graph: Graph, found: Sequence[int], expected: Sequence[int], limit_seconds: float, seed: int = 1
) -> Decision:
    """Decides whether each found literal is the expected one for every value of every input.

    Random assignments come first: one that differs is a counterexample. Then the normal form, then ABC for the bits
    that are left, for at most `limit_seconds`. The same seed tries the same assignments.
    """
    inputs = sorted(graph.inputs)
    draw = random.Random(seed)
    values = {node: draw.getrandbits(_PATTERNS) for node in inputs}
    # The same literal is the same function: that one node has one form is nothing to compute.
    different = [pair for pair in zip(found, expected, strict=True) if pair[0] != pair[1]]
    found, expected = [one for one, _ in different], [other for _, other in different]
    literals = [*found, *expected]
    counterexample = _counterexample(graph, list(zip(found, expected, strict=True)), values)
    if counterexample is not None:
        return Decision(False, "simulation", counterexample)
    normal = normal_forms(graph, literals)
    left = [
        pair
        for pair, one, other in zip(
            zip(found, expected, strict=True), normal[: len(found)], normal[len(found) :], strict=True
        )
        if one != other
    ]
    if not left:
        return Decision(True, "normal form")
    return _by_abc(graph, left, inputs, limit_seconds)


def _counterexample(graph: Graph, pairs: Sequence[tuple[int, int]], values: Mapping[int, int]) -> dict[str, int] | None:
    """One of the assignments for which a pair differs; None if there is none. `values`: of each input node, one bit for
    each assignment."""
    words = graph.evaluate(graph.cone([literal for pair in pairs for literal in pair]), values, _PATTERNS)
    every = (1 << _PATTERNS) - 1
    for one, other in pairs:
        differ = words.get(one >> 1, 0) ^ words.get(other >> 1, 0) ^ (every if (one ^ other) & 1 else 0)
        if differ:
            place = (differ & -differ).bit_length() - 1
            return {graph.inputs[node]: value >> place & 1 for node, value in values.items()}
    return None


def _by_abc(graph: Graph, pairs: Sequence[tuple[int, int]], inputs: Sequence[int], limit_seconds: float) -> Decision:
    left = f"{len(pairs)} bits are left"
    if shutil.which(ABC) is None:
        return Decision(None, f"{left} for a solver; {ABC} is not installed (apt-get install {ABC})")
    with tempfile.TemporaryDirectory() as folder:
        found, expected = Path(folder) / "found.aig", Path(folder) / "expected.aig"
        graph.write_aiger(found, inputs, [one for one, _ in pairs])
        graph.write_aiger(expected, inputs, [other for _, other in pairs])
        # The newer of its commands is quicker, and gives no counterexample.
        for command in ("&cec", "cec"):
            said = _said_by_abc(f"{command} -T {max(1, round(limit_seconds / 2))} {found} {expected}", limit_seconds)
            if "Networks are equivalent" in said:
                return Decision(True, f"normal form and {ABC}")
            if command == "cec" and "NOT EQUIVALENT" in said:
                return _refuted_by_abc(graph, pairs, inputs, said)
    return Decision(None, f"{left}; {ABC} has no answer in {limit_seconds:g} s")


def _refuted_by_abc(graph: Graph, pairs: Sequence[tuple[int, int]], inputs: Sequence[int], said: str) -> Decision:
    """With what ABC says of inputs. It does not name all that matter: the others are drawn."""
    known = {int(place): -int(bit) for place, bit in re.findall(r"pi(\d+)=([01])", said)}
    draw = random.Random(said)
    every = (1 << _PATTERNS) - 1
    values = {node: known[at] & every if at in known else draw.getrandbits(_PATTERNS) for at, node in enumerate(inputs)}
    counterexample = _counterexample(graph, pairs, values)
    if counterexample is None:
        return Decision(None, f"{ABC} says that outputs differ, but not for which inputs")
    return Decision(False, ABC, counterexample)


def _said_by_abc(command: str, limit_seconds: float) -> str:
    """'' if it had no answer in half the time, and a little more."""
    with tempfile.TemporaryDirectory() as folder:
        try:
            done = subprocess.run(
                [ABC, "-c", command],
                cwd=folder,
                capture_output=True,
                text=True,
                timeout=limit_seconds / 2 + 5,
                check=False,
            )
        except subprocess.TimeoutExpired:
            return ""
    return done.stdout
