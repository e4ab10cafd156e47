"""Cycles of the Cortex-A cores: each edge's block walked through the core's pipeline model after the blocks that led to it.

What a block costs depends on the state that the blocks before it left the pipeline in. A profile says which block came
before, not which ones before that; they are taken to be, going backwards, each time the one that came most often. For a loop
that is the loop itself, so that it is costed in its steady state.
"""

from __future__ import annotations

from collections import defaultdict

from bancada.costing.cortex_a_branches import penalties
from bancada.costing.cortex_a_in_order import InOrderPipeline
from bancada.costing.cortex_a_operations import Operation, Operations
from bancada.costing.cortex_a_out_of_order import OutOfOrderPipeline
from bancada.costing.cortex_a_table import InOrderTable, OutOfOrderTable
from bancada.costing.profile import ENTRY, Profile

Pipeline = InOrderPipeline | OutOfOrderPipeline


def edge_cycles(profile: Profile, table: InOrderTable | OutOfOrderTable) -> tuple[float, ...]:
    """For each edge of the profile, the cycles of one execution of its second block after its first."""
    operations = Operations(table)
    usual_predecessor = _usual_predecessors(profile)
    branch = penalties(profile, table.branches)
    by_first: dict[int, list[int]] = defaultdict(list)
    for number, edge in enumerate(profile.edges):
        by_first[edge.before].append(number)
    cycles = [0.0] * len(profile.edges)
    for before, numbers in by_first.items():
        state = new_pipeline(table)
        for block in _path_to(before, usual_predecessor, profile, table.context_instructions, operations):
            for operation in block:
                state.step(operation)
        for number in numbers:
            pipeline = state.copy() if len(numbers) > 1 else state
            start = pipeline.now
            pipeline.stall(branch[number])
            for operation in operations.of(profile.blocks[profile.edges[number].after]):
                pipeline.step(operation)
            cycles[number] = pipeline.now - start
    return tuple(cycles)


def new_pipeline(table: InOrderTable | OutOfOrderTable) -> Pipeline:
    """The empty pipeline of a core."""
    return InOrderPipeline(table) if isinstance(table, InOrderTable) else OutOfOrderPipeline(table)


def _usual_predecessors(profile: Profile) -> dict[int, int]:
    best: dict[int, tuple[int, int]] = {}
    for edge in profile.edges:
        if edge.after not in best or edge.times > best[edge.after][0]:
            best[edge.after] = (edge.times, edge.before)
    return {after: before for after, (_, before) in best.items()}


def _path_to(
    last: int, usual_predecessor: dict[int, int], profile: Profile, instructions: int, operations: Operations
) -> list[tuple[Operation, ...]]:
    """The operations that most likely came before the end of block `last`, in program order, at most so many."""
    path: list[tuple[Operation, ...]] = []
    missing = instructions
    block = last
    while block != ENTRY and missing > 0:
        found = operations.of(profile.blocks[block])[-missing:]
        path.append(found)
        missing -= len(found)
        block = usual_predecessor.get(block, ENTRY)
    path.reverse()
    return path
