"""Counts, stack and caches of the profiler against Unicorn, which executes the same programs instruction by
instruction."""

from __future__ import annotations

from collections import Counter
from pathlib import Path
from typing import Any

import pytest

from bancada.costing.memory import CacheLevel, Memory
from bancada.engines.qemu.profiler import profile_program
from tests.engines.qemu.qemu_bench import Machine
from tests.engines.qemu.second_emulator import Access, Whole, execute, trace_of

FUNCTIONS = ("aes_set_key", "aes_encrypt", "speck_all", "sha256", "pages", "frames")


@pytest.fixture(scope="session")
def whole(machine: Machine, ciphers: Path) -> Whole:
    return execute(machine, ciphers, FUNCTIONS)


@pytest.mark.parametrize("function", FUNCTIONS)
def test_every_step_and_the_stack(machine: Machine, ciphers: Path, whole: Whole, function: str) -> None:
    [profile] = profile_program(ciphers, function=function, qemu=machine.qemu, stack=True)
    ours, theirs = trace_of(profile), whole.traces[function]
    assert ours.executed == theirs.executed
    assert ours.steps == theirs.steps
    assert ours.stack_bytes == theirs.stack_bytes


class Reference:
    """A cache level as its definition says, over Unicorn's accesses: a list for each set, the line used last at its
    end."""

    def __init__(self, level: CacheLevel) -> None:
        self.level = level
        self.sets: list[list[int]] = [[] for _ in range(level.sets)]
        self.counts: Counter[str] = Counter()
        self.before = -2

    def ask(self, address: int, is_store: bool, by_store: bool) -> tuple[bool, bool]:
        """Whether the next level is asked, and whether for a store; `by_store` is whether a store began it."""
        line = address // self.level.line_bytes
        held = self.sets[line % self.level.sets]
        if line not in held and is_store and not self.level.write_allocate:
            return True, True
        self.counts["accesses"] += 1
        self.counts["sequential accesses"] += line == self.before + 1
        missed = line not in held
        self.counts["misses"] += missed
        self.counts["store misses"] += missed and by_store
        self.counts["sequential misses"] += missed and line == self.before + 1
        self.before = line
        if not missed:
            held.remove(line)
        elif len(held) == self.level.ways:
            held.pop(0)
        held.append(line)
        return missed, False


def reference_counts(memory: Memory, accesses: list[Access], span: tuple[int, int]) -> dict[str, Counter[str]]:
    levels = {level.name: Reference(level) for level in memory.level}
    behind = {served: level.name for level in memory.level for served in level.misses_of}
    next_fetch = 0
    for number, access in enumerate(accesses[: span[1]]):
        if number == span[0]:
            for reference in levels.values():
                reference.counts.clear()
        for level in memory.level:
            what = "fetch" if access.kind == "fetch" else "data"
            if what not in level.serves:
                continue
            lines = dict.fromkeys(at // level.line_bytes for at in range(access.address, access.address + access.size))
            if what == "fetch" and access.address == next_fetch:
                lines.pop((access.address - 1) // level.line_bytes, None)
            for line in lines:
                name: str | None = level.name
                is_store = access.kind == "store"
                address = max(access.address, line * level.line_bytes)
                while name is not None and level.first_address <= address <= level.last_address:
                    asks, is_store = levels[name].ask(address, is_store, access.kind == "store")
                    name = behind.get(name) if asks else None
        if access.kind == "fetch":
            next_fetch = access.address + access.size
    return {name: reference.counts for name, reference in levels.items()}


def level(name: str, size: int, line: int, ways: int, **rest: Any) -> CacheLevel:
    return CacheLevel(
        name=name, size_bytes=size, line_bytes=line, ways=ways, miss_cycles=1, source="of this test", **rest
    )


MEMORIES = {
    "one small buffer for both": Memory(
        about="", level=(level("flash", 64, 8, 8, serves=("fetch", "data"), sequential_miss_cycles=1),)
    ),
    "two levels": Memory(
        about="",
        level=(
            level("l1i", 512, 32, 2, serves=("fetch",)),
            level("l1d", 256, 16, 4, serves=("data",), write_allocate=False),
            level("l2", 2048, 64, 4, misses_of=("l1i", "l1d")),
        ),
    ),
}


@pytest.mark.parametrize("function", ["aes_encrypt", "speck_all", "sha256"])
@pytest.mark.parametrize("memory", MEMORIES.values(), ids=MEMORIES)
def test_caches(machine: Machine, ciphers: Path, whole: Whole, memory: Memory, function: str) -> None:
    [profile] = profile_program(ciphers, function=function, qemu=machine.qemu, memory=memory)
    expected = reference_counts(memory, whole.accesses, whole.spans[function])
    counted = {cache.name: (cache.accesses, cache.misses) for cache in profile.caches}
    by_stores = {cache.name: cache.store_misses for cache in profile.caches}
    for name, counts in expected.items():
        assert by_stores[name] == counts["store misses"]
        assert counted[name] == (counts["accesses"], counts["misses"])
        assert counts["misses"] > 0
        if f"{name}-sequential" in counted:
            assert counted[f"{name}-sequential"] == (counts["sequential accesses"], counts["sequential misses"])
