"""The cost of branches after their issue: bubbles of taken branches, and mispredictions, which follow from the
counts."""

from __future__ import annotations

from collections import defaultdict

from bancada.costing.cortex_a_classes import instruction_class
from bancada.costing.cortex_a_table import Branches
from bancada.costing.decode import decode
from bancada.costing.profile import ENTRY, Block, Profile


def penalties(profile: Profile, branches: Branches) -> tuple[float, ...]:
    """For each edge, the cycles lost between its two blocks, each time it is taken."""
    by_first: dict[int, list[int]] = defaultdict(list)
    for number, edge in enumerate(profile.edges):
        by_first[edge.before].append(number)
    lost = [0.0] * len(profile.edges)
    for before, numbers in by_first.items():
        if before == ENTRY:
            continue
        block = profile.blocks[before]
        times = {number: profile.edges[number].times for number in numbers}
        usual = max(times, key=lambda number: times[number])
        kind = _kind(block)
        always_taken = decode(block)[-1].changes_pc and kind != "conditional"
        for number in numbers:
            # An unconditional branch is taken even if it goes to the next instruction.
            goes_on = profile.blocks[profile.edges[number].after].address == block.address + len(block.code)
            taken = not goes_on or always_taken
            lost[number] = branches.taken_cycles if taken else 0.0
            if (
                kind == "conditional"
                and number != usual
                and not _is_short_loop(profile, block, times, branches.history)
            ):
                lost[number] = branches.mispredict_cycles
            elif kind == "indirect" and number != usual:
                lost[number] = branches.indirect_cycles
    return tuple(lost)


def _kind(block: Block) -> str:
    """The kind of the block's last instruction: "conditional", "indirect" (to a register, without returns), or "" for
    every other."""
    last = decode(block)[-1]
    if not last.changes_pc:
        return ""
    found = instruction_class(last, block.instruction_set)
    if found in ("indirect", "call-indirect", "load-pc"):
        return "indirect"
    is_conditional = last.condition != "al" or last.mnemonic in ("cbz", "cbnz", "tbz", "tbnz")
    return "conditional" if is_conditional else ""


def _is_short_loop(profile: Profile, block: Block, times: dict[int, int], history: int) -> bool:
    """Whether the branch closes a loop whose trip count, always the same except the first or the last time, fits in the
    predictor's history."""
    back = [number for number in times if profile.blocks[profile.edges[number].after].address <= block.address]
    if len(times) != 2 or len(back) != 1:
        return False
    turns = times[back[0]]
    exits = sum(times.values()) - turns
    trips = round(turns / exits)
    return 1 <= trips <= history and abs(turns - trips * exits) <= trips
