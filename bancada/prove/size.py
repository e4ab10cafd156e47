"""How large the formulas of a proof may become, and how long following its program may take."""

from __future__ import annotations

import time

from bancada.formulas.graph import Graph
from bancada.prove.errors import CannotProve, TimeUsedUp

# Some 3 GB. The largest of Tatu's proofs needs a fifth.
_MOST_NODES = 10_000_000
_EVERY = 1024


def hold_size(graph: Graph, instructions: int, last_second: float) -> None:
    """CannotProve if the formulas have become too large, TimeUsedUp if this process has computed for more than
    `last_second` seconds; asked after each instruction, looked at now and then."""
    if instructions % _EVERY:
        return
    if len(graph) > _MOST_NODES:
        raise CannotProve(
            f"the formulas have {len(graph):,} nodes after {instructions:,} instructions, which is too many: a loop"
            " that does not end, or a function to prove in parts, each called alone"
        )
    if time.process_time() > last_second:
        raise TimeUsedUp(
            f"after {instructions:,} instructions there is no more time: a loop that does not end, or a function that"
            " needs a greater --limit-seconds or a proof in parts, each called alone"
        )
