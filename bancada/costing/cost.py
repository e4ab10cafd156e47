"""Cycles of a profile: the count of each edge between blocks, times the core's cycles for its second block."""

from __future__ import annotations

from dataclasses import dataclass

from bancada.costing.cortex_a import edge_cycles as cortex_a_edge_cycles
from bancada.costing.cortex_a_table import InOrderTable, OutOfOrderTable
from bancada.costing.cortex_m import edge_cycles as cortex_m_edge_cycles
from bancada.costing.decode import decode
from bancada.costing.memory import Memory, memory_cycles
from bancada.costing.profile import Profile
from bancada.costing.table import Table


@dataclass(frozen=True)
class Cost:
    """`by_block` has the cycles of each block of the profile, in their order. Only `cycles` contains the waits for
    memory."""

    cycles: float
    instructions: int
    by_block: tuple[float, ...]


def cost(profile: Profile, table: Table, memory: Memory | None = None) -> Cost:
    """The cycles of a profile. UnknownInstruction names the first instruction that the table does not know."""
    if isinstance(table, InOrderTable | OutOfOrderTable):
        once = cortex_a_edge_cycles(profile, table)
    else:
        once = cortex_m_edge_cycles(profile, table)
    by_block = [0.0] * len(profile.blocks)
    instructions = 0
    for edge, cycles in zip(profile.edges, once, strict=True):
        by_block[edge.after] += edge.times * cycles
        instructions += edge.times * len(decode(profile.blocks[edge.after]))
    waiting = memory_cycles(memory, profile.caches) if memory is not None else 0.0
    return Cost(sum(by_block) + waiting, instructions, tuple(by_block))
