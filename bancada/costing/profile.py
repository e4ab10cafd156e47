"""The exact counts of an engine between two markers: blocks of instructions, and how often each followed each
other."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Literal

InstructionSet = Literal["thumb", "arm", "aarch64"]

# The edge that enters the region comes from no block.
ENTRY = -1


@dataclass(frozen=True)
class Block:
    """A run of instructions that the engine executes from its first to its last.

    Blocks may overlap (one can start in the middle of another), and a block need not end in a branch.
    """

    address: int
    code: bytes
    instruction_set: InstructionSet


@dataclass(frozen=True)
class Edge:
    """Block number `after` was executed right after block number `before` (or ENTRY), `times` times."""

    before: int
    after: int
    times: int


@dataclass(frozen=True)
class CacheCounts:
    """Exact counts of one simulated cache (or prefetch buffer) level: `name` is the target's word for it ('l1d', 'l2',
    'flash'). `store_misses` are those of the misses that a store made."""

    name: str
    accesses: int
    misses: int
    store_misses: int = 0


@dataclass(frozen=True)
class Profile:
    """One region: edges refer to `blocks` by position. If the region contains a call with its call instruction,
    `behind` is the position of the one instruction after the return. Its edge costs more than the instruction alone.
    The difference belongs to the return."""

    blocks: tuple[Block, ...]
    edges: tuple[Edge, ...]
    stack_bytes: int
    caches: tuple[CacheCounts, ...] = field(default=())
    behind: int | None = None
