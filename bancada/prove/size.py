"""How large the formulas of a proof may become."""

from __future__ import annotations

from bancada.formulas.graph import Graph
from bancada.prove.errors import CannotProve

# Some 3 GB. The largest of Tatu's proofs needs a fifth.
_MOST_NODES = 10_000_000
_EVERY = 1024


def hold_size(graph: Graph, instructions: int) -> None:
    """CannotProve if the formulas have become too large; asked after each instruction, looked at now and then."""
    if instructions % _EVERY == 0 and len(graph) > _MOST_NODES:
        raise CannotProve(
            f"the formulas have {len(graph):,} nodes after {instructions:,} instructions, which is too many: a loop"
            " that does not end, or a function to prove in parts, each called alone"
        )
