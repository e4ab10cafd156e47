"""Events of a processor that published power models use, counted exactly in a profile."""

from __future__ import annotations

from bancada.costing.decode import Instruction, decode
from bancada.costing.profile import ENTRY, Block, CacheCounts, Profile
from bancada.model.event_names import ACCESSES, DATA_ACCESSES, MISSES, OF_INSTRUCTIONS, STORE_MISSES

# Instructions that access no memory, change no program flow and operate on no data.
_OTHERS = frozenset(
    ("nop", "it", "dmb", "dsb", "isb", "svc", "mrs", "msr", "mrc", "mcr", "hint", "yield", "bkpt", "brk", "pld", "prfm")
)

# A Cortex-A15 fetches 128 bits at once (T. Lanier, "Exploring the Design of the Cortex-A15 Processor", Arm, 2011).
# The model assumes that they are aligned.
_FETCH_BYTES = 16


def events_of(profile: Profile) -> dict[str, int]:
    """How often each event happened.

    `instructions`: executed. `data-accesses`: loads and stores; of several registers, one for every two, which are
    moved at once. `data-operations`: integer instructions that neither access memory nor branch. `fetches`: aligned
    pieces of 16 bytes of code that are entered, each again when a branch goes there. `<level>-accesses` and
    `<level>-misses`: of each level of the target's memory; `<level>-store-misses`: those misses that stores made.
    """
    times = [0] * len(profile.blocks)
    for edge in profile.edges:
        times[edge.after] += edge.times
    events = dict.fromkeys(OF_INSTRUCTIONS, 0)
    for edge in profile.edges:
        before = None if edge.before == ENTRY else profile.blocks[edge.before]
        events["fetches"] += edge.times * _fetches(before, profile.blocks[edge.after])
    for block, executed in zip(profile.blocks, times, strict=True):
        for instruction in decode(block):
            events["instructions"] += executed
            events[DATA_ACCESSES] += executed * _accesses(instruction)
            events["data-operations"] += executed * _is_data_operation(instruction)
    for cache in profile.caches:
        events[f"{cache.name}{ACCESSES}"] = cache.accesses
        events[f"{cache.name}{MISSES}"] = cache.misses
        events[f"{cache.name}{STORE_MISSES}"] = cache.store_misses
    return events


def caches_of(events: dict[str, int]) -> tuple[CacheCounts, ...]:
    """The counts of a profile's caches, from its events."""
    names = [name.removesuffix(ACCESSES) for name in events if name.endswith(ACCESSES) and name != DATA_ACCESSES]
    return tuple(
        CacheCounts(name, events[f"{name}{ACCESSES}"], events[f"{name}{MISSES}"], events[f"{name}{STORE_MISSES}"])
        for name in names
    )


def _fetches(before: Block | None, block: Block) -> int:
    """The pieces that the block enters. If it continues in the piece in which the previous block ended, that piece does
    not count again."""
    first, last = block.address // _FETCH_BYTES, (block.address + len(block.code) - 1) // _FETCH_BYTES
    goes_on = (
        before is not None and before.address + len(before.code) == block.address and block.address % _FETCH_BYTES != 0
    )
    return last - first + 1 - goes_on


def _accesses(instruction: Instruction) -> int:
    if instruction.memory is None or instruction.mnemonic in _OTHERS:
        return 0
    return (
        (len(instruction.registers) + 1) // 2
        if instruction.mnemonic.startswith(("push", "pop", "ldm", "stm", "v"))
        else 1
    )


def _is_data_operation(instruction: Instruction) -> bool:
    is_vector = instruction.mnemonic.startswith("v") or any(name[0] == "v" for name in instruction.writes)
    return (
        instruction.memory is None
        and not instruction.changes_pc
        and instruction.mnemonic not in _OTHERS
        and not is_vector
    )
