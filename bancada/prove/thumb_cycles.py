"""The cycles of the instructions that one call executes, on a Cortex-M core."""

from __future__ import annotations

from collections.abc import Sequence

from bancada.costing.cortex_m_table import CortexMTable
from bancada.costing.cost import cost
from bancada.costing.profile import ENTRY, Block, Edge, Profile
from bancada.prove.program import Program

# BL to a function, and an instruction behind it, at addresses that no program has.
_CALLER = 0x4000_0000
_BL, _NOP = bytes.fromhex("00f000f8"), bytes.fromhex("00bf")


def cycles_of(program: Program, table: CortexMTable, trace: Sequence[int], sizes: Sequence[int]) -> float:
    """From the call instruction to the instruction behind it, without waits for flash.

    `trace` has the addresses of the instructions in their order, `sizes` the length of each in bytes. UserError names
    an instruction that the table does not know.
    """
    blocks: dict[Block, int] = {}
    edges: dict[tuple[int, int], int] = {}

    def number_of(address: int, code: bytes) -> int:
        return blocks.setdefault(Block(address, code, "thumb"), len(blocks))

    before = number_of(_CALLER, _BL)
    edges[ENTRY, before] = 1
    start = 0
    for at in range(1, len(trace) + 1):
        if at < len(trace) and trace[at] == trace[at - 1] + sizes[at - 1] and not _ends(program, trace[at - 1]):
            continue
        first = trace[start] - program.flash_start
        last = trace[at - 1] + sizes[at - 1] - program.flash_start
        block = number_of(trace[start], program.flash[first:last])
        edges[before, block] = edges.get((before, block), 0) + 1
        before, start = block, at
    behind = number_of(_CALLER + len(_BL), _NOP)
    edges[before, behind] = 1
    made = tuple(Edge(one, other, times) for (one, other), times in edges.items())
    whole = cost(Profile(tuple(blocks), made, 0), table)
    alone = cost(Profile((Block(_CALLER + len(_BL), _NOP, "thumb"),), (Edge(ENTRY, 0, 1),), 0), table)
    return whole.cycles - alone.cycles


def _ends(program: Program, address: int) -> bool:
    """Whether an instruction may end a block: a conditional branch that was not taken, or any other branch."""
    at = address - program.flash_start
    half = int.from_bytes(program.flash[at : at + 2], "little")
    is_short_branch = half >> 12 == 0b1101 or half >> 11 == 0b11100 or half & 0xF500 == 0xB100
    is_wide_branch = half >> 11 == 0b11110 and program.flash[at + 3] & 0x80 != 0
    return is_short_branch or is_wide_branch
