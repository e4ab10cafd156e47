"""Cycles of the Cortex-A cores: the pipeline model executes the block of each edge after the blocks that led to it.

The cost of a block depends on the state of the pipeline after the previous blocks. A profile has only one previous
block. The model assumes the most frequent predecessor of each earlier block. In a loop this is the loop itself, so a
loop is costed in its steady state.
"""

from __future__ import annotations

from collections import defaultdict

from bancada.costing.cortex_a_branches import penalties
from bancada.costing.cortex_a_in_order import InOrderPipeline
from bancada.costing.cortex_a_numbers import known_numbers
from bancada.costing.cortex_a_operations import Operation, Operations
from bancada.costing.cortex_a_out_of_order import OutOfOrderPipeline
from bancada.costing.cortex_a_table import InOrderTable, OutOfOrderTable
from bancada.costing.profile import ENTRY, Block, Profile

Pipeline = InOrderPipeline | OutOfOrderPipeline


# The stall of a mispredicted branch is rounded to this part of a cycle, so that calls with other data share the
# computed costs.
_STALL_STEPS = 16

# The most likely predecessors: blocks in program order, how many of the last operations of the first block, and the
# registers whose number is known when that block begins. Of the other blocks, every operation.
_Path = tuple[tuple[int, ...], int, tuple[tuple[str, int], ...]]

# Computed for one table: blocks by number, their operations, and the cost of a block after a path of other blocks.


class _Known:
    def __init__(self, table: InOrderTable | OutOfOrderTable) -> None:
        self.table = table  # kept, so that its identity stays unique
        self.operations = Operations(table)
        self.numbers: dict[Block, int] = {}
        self.cycles: dict[tuple[_Path, int, float], float] = {}

    def number(self, block: Block) -> int:
        return self.numbers.setdefault(block, len(self.numbers))


_known: dict[int, _Known] = {}


def edge_cycles(profile: Profile, table: InOrderTable | OutOfOrderTable) -> tuple[float, ...]:
    """For each edge of the profile, the cycles of one execution of its second block after its first."""
    known = _known.setdefault(id(table), _Known(table))
    usual_predecessor = _usual_predecessors(profile)
    branch = penalties(profile, table.branches)
    numbers_of_blocks = [known.number(block) for block in profile.blocks]
    operations = [known.operations.of(block) for block in profile.blocks]
    lengths = [len(found) for found in operations]
    numbers_of_registers = known_numbers(profile, operations)
    by_first: dict[int, list[int]] = defaultdict(list)
    for number, edge in enumerate(profile.edges):
        by_first[edge.before].append(number)
    cycles = [0.0] * len(profile.edges)
    kind = InOrderPipeline if isinstance(table, InOrderTable) else OutOfOrderPipeline
    for before, numbers in by_first.items():
        path, taken = _path_to(before, usual_predecessor, lengths, table.context_instructions)
        known_at_start = numbers_of_registers[path[0]] if path else {}
        place = tuple([numbers_of_blocks[block] for block in path]), taken, tuple(sorted(known_at_start.items()))
        state: Pipeline | None = None
        for number in numbers:
            stall, added = kind.split_stall(round(branch[number] * _STALL_STEPS) / _STALL_STEPS)
            after = profile.edges[number].after
            key = (place, numbers_of_blocks[after], stall)
            if key not in known.cycles:
                if state is None:
                    state = _state_after(path, taken, operations, known_at_start, table)
                known.cycles[key] = _cycles(state.copy(), stall, operations[after])
            cycles[number] = known.cycles[key] + added
    return tuple(cycles)


def _state_after(
    path: list[int],
    taken: int,
    operations: list[tuple[Operation, ...]],
    numbers: dict[str, int],
    table: InOrderTable | OutOfOrderTable,
) -> Pipeline:
    state = new_pipeline(table)
    for place, block in enumerate(path):
        skipped = 0 if place else len(operations[block]) - taken
        if place == 0 and isinstance(state, InOrderPipeline):
            state.know(numbers, operations[block][:skipped])
        for operation in operations[block][skipped:]:
            state.step(operation)
    return state


def _cycles(pipeline: Pipeline, stall: float, block: tuple[Operation, ...]) -> float:
    start = pipeline.now
    pipeline.stall(stall)
    for operation in block:
        pipeline.step(operation)
    return pipeline.now - start


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
    last: int, usual_predecessor: dict[int, int], lengths: list[int], instructions: int
) -> tuple[list[int], int]:
    """The most likely path to the end of block `last`, with at most this many instructions: the blocks in program
    order, and how many of the last operations of the first block."""
    path: list[int] = []
    missing, taken = instructions, 0
    block = last
    while block != ENTRY and missing > 0 and lengths[block]:
        path.append(block)
        taken = lengths[block]
        missing -= taken
        block = usual_predecessor.get(block, ENTRY)
    path.reverse()
    return path, taken + min(missing, 0)
