"""The core registers that hold the same number whenever a block of a profile begins, by propagating constants along the
edges."""

from __future__ import annotations

from collections import defaultdict

from bancada.costing.cortex_a_addresses import Registers
from bancada.costing.cortex_a_operations import Operation
from bancada.costing.profile import ENTRY, Profile


def known_numbers(profile: Profile, operations: list[tuple[Operation, ...]]) -> list[dict[str, int]]:
    """For each block, the registers that hold the same number each time it begins."""
    moves = [tuple(operation.moves for operation in block if operation.moves) for block in operations]
    if not any(moves):
        return [{}] * len(operations)
    after: dict[int, list[int]] = defaultdict(list)
    for edge in profile.edges:
        after[edge.before].append(edge.after)
    found: list[dict[str, int] | None] = [None] * len(profile.blocks)
    waiting = list(after[ENTRY])
    for block in waiting:
        found[block] = {}
    while waiting:
        block = waiting.pop()
        registers = Registers(found[block])
        for one in moves[block]:
            registers.move(one)
        numbers = registers.numbers()
        for following in after[block]:
            known = found[following]
            kept = (
                numbers
                if known is None
                else {name: number for name, number in known.items() if numbers.get(name) == number}
            )
            if kept != known:
                found[following] = kept
                waiting.append(following)
    return [numbers or {} for numbers in found]
