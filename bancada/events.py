"""Events of a processor that published power models are made of, counted exactly in a profile."""

from __future__ import annotations

from bancada.costing.decode import Instruction, decode
from bancada.costing.profile import CacheCounts, Profile

# Neither memory, nor program flow, nor an operation on data.
_OTHERS = frozenset(("nop", "it", "dmb", "dsb", "isb", "svc", "mrs", "msr", "mrc", "mcr", "hint", "yield", "bkpt", "brk", "pld", "prfm"))

_DATA_ACCESSES = "data-accesses"
_STORE_MISSES = "-store-misses"


def events_of(profile: Profile) -> dict[str, int]:
    """How often each event happened.

    `instructions`: executed. `data-accesses`: loads and stores; of several registers, one for every two, which are moved at once.
    `data-operations`: integer instructions that neither access memory nor branch. `<level>-accesses` and `<level>-misses`: of each
    level of the target's memory; `<level>-store-misses`: those misses that stores made.
    """
    times = [0] * len(profile.blocks)
    for edge in profile.edges:
        times[edge.after] += edge.times
    events = {"instructions": 0, _DATA_ACCESSES: 0, "data-operations": 0}
    for block, executed in zip(profile.blocks, times, strict=True):
        for instruction in decode(block):
            events["instructions"] += executed
            events[_DATA_ACCESSES] += executed * _accesses(instruction)
            events["data-operations"] += executed * _is_data_operation(instruction)
    for cache in profile.caches:
        events[f"{cache.name}-accesses"] = cache.accesses
        events[f"{cache.name}-misses"] = cache.misses
        events[f"{cache.name}{_STORE_MISSES}"] = cache.store_misses
    return events


def caches_of(events: dict[str, int]) -> tuple[CacheCounts, ...]:
    """The counts of a profile's caches, from its events."""
    names = [name.removesuffix("-accesses") for name in events if name.endswith("-accesses") and name != _DATA_ACCESSES]
    return tuple(
        CacheCounts(name, events[f"{name}-accesses"], events[f"{name}-misses"], events[f"{name}{_STORE_MISSES}"]) for name in names
    )


def _accesses(instruction: Instruction) -> int:
    if instruction.memory is None or instruction.mnemonic in _OTHERS:
        return 0
    return (len(instruction.registers) + 1) // 2 if instruction.mnemonic.startswith(("push", "pop", "ldm", "stm", "v")) else 1


def _is_data_operation(instruction: Instruction) -> bool:
    is_vector = instruction.mnemonic.startswith("v") or any(name[0] == "v" for name in instruction.writes)
    return instruction.memory is None and not instruction.changes_pc and instruction.mnemonic not in _OTHERS and not is_vector
