"""What a target's caches add to its core's cycles, and what is said of a description that cannot be."""

from __future__ import annotations

from typing import Any

import pytest
from pydantic import ValidationError

from bancada.costing.cost import cost
from bancada.costing.memory import CacheLevel, Memory, memory_cycles
from bancada.costing.profile import ENTRY, Block, CacheCounts, Edge, Profile
from bancada.measure.laboratory import open_laboratory

pytestmark = pytest.mark.quick

LEVEL: dict[str, Any] = {
    "name": "flash",
    "serves": ["fetch"],
    "size_bytes": 64,
    "line_bytes": 8,
    "ways": 1,
    "miss_cycles": 3,
    "source": "a test",
}


def memory(*levels: dict[str, Any]) -> Memory:
    return Memory.model_validate({"about": "a test", "level": levels})


def test_a_miss_costs_its_cycles_and_a_hit_nothing() -> None:
    assert memory_cycles(memory(LEVEL), (CacheCounts("flash", accesses=100, misses=7),)) == 21


def test_a_miss_that_the_prefetcher_saw_coming_costs_less() -> None:
    counts = (CacheCounts("flash", 100, 7), CacheCounts("flash-sequential", 80, 5))
    assert memory_cycles(memory({**LEVEL, "sequential_miss_cycles": 1}), counts) == 5 * 1 + 2 * 3


def test_levels_add_up() -> None:
    second = {**LEVEL, "name": "l2", "serves": [], "misses_of": ["flash"], "miss_cycles": 50}
    assert memory_cycles(memory(LEVEL, second), (CacheCounts("flash", 100, 7), CacheCounts("l2", 7, 2))) == 21 + 100


def test_waiting_is_added_to_the_cores_cycles_and_to_no_block() -> None:
    table = open_laboratory().cores["cortex-m0plus"].table
    assert table is not None
    nop = Block(0, bytes.fromhex("00bf"), "thumb")
    profile = Profile((nop,), (Edge(ENTRY, 0, 4),), stack_bytes=0, caches=(CacheCounts("flash", 4, 2),))
    found = cost(profile, table, memory(LEVEL))
    assert (found.cycles, found.by_block) == (4 + 2 * 3, (4.0,))


@pytest.mark.parametrize(
    ("change", "said"),
    [
        ({"line_bytes": 12, "size_bytes": 48}, "line_bytes is 12, which is not a power of two"),
        ({"size_bytes": 72}, "9, which is not a power of two"),
        ({"size_bytes": 68}, "not a whole number of sets"),
        ({"serves": []}, "either 'serves'"),
        ({"misses_of": ["l1"]}, "either 'serves'"),
        ({"first_address": 8, "last_address": 7}, "last_address is below first_address"),
    ],
)
def test_a_level_that_cannot_be_is_refused_with_the_reason(change: dict[str, Any], said: str) -> None:
    with pytest.raises(ValidationError, match=said):
        CacheLevel.model_validate({**LEVEL, **change})


def test_a_level_behind_none_is_refused() -> None:
    with pytest.raises(ValidationError, match="is behind 'l1', which is not a level before it"):
        memory({**LEVEL, "serves": [], "misses_of": ["l1"]})


def test_two_levels_of_one_name_are_refused() -> None:
    with pytest.raises(ValidationError, match="two levels are called 'flash'"):
        memory(LEVEL, LEVEL)


REGION: dict[str, Any] = {
    "name": "sram3",
    "first_address": 0x2004_0000,
    "last_address": 0x2009_FFFF,
    "first_load_cycles": 1.5,
    "source": "a test",
}


def test_the_groups_that_begin_in_a_late_region_wait() -> None:
    described = Memory.model_validate({"about": "a test", "level": [LEVEL], "late_region": [REGION]})
    assert memory_cycles(described, (CacheCounts("flash", 100, 7), CacheCounts("sram3", 8, 8))) == 7 * 3 + 8 * 1.5


@pytest.mark.parametrize(
    ("change", "said"),
    [
        ({"name": "flash"}, "two levels or regions are called 'flash'"),
        ({"last_address": 0x2003_FFFF}, "last_address is below first_address"),
    ],
)
def test_a_late_region_that_cannot_be_is_refused_with_the_reason(change: dict[str, Any], said: str) -> None:
    with pytest.raises(ValidationError, match=said):
        Memory.model_validate({"about": "a test", "level": [LEVEL], "late_region": [{**REGION, **change}]})


def test_the_late_region_of_the_stm32l4r5_is_all_of_its_ram_but_sram1() -> None:
    target = open_laboratory().targets["stm32l4r5"]
    assert target.memory is not None and target.ram_origin is not None
    [region] = target.memory.late_region
    assert region.first_address == target.ram_origin + 192 * 1024
    assert region.last_address == target.ram_origin + target.ram_bytes - 1


@pytest.mark.parametrize(
    ("target", "name", "lines", "line_bytes", "ways"),
    [
        ("samd21", "flash", 8, 8, 1),
        ("stm32f4", "flash", 64, 16, 64),
        ("stm32f4", "flashdata", 8, 16, 8),
        ("rp2040", "xip", 2048, 8, 2),
    ],
)
def test_the_caches_of_the_microcontrollers_are_those_of_their_data_sheets(
    target: str, name: str, lines: int, line_bytes: int, ways: int
) -> None:
    memory_of = open_laboratory().targets[target].memory
    assert memory_of is not None
    [level] = [level for level in memory_of.level if level.name == name]
    assert (level.size_bytes, level.line_bytes, level.ways) == (lines * line_bytes, line_bytes, ways)
    # Every address of the flash goes through it, none of the RAM.
    assert level.last_address - level.first_address + 1 == open_laboratory().targets[target].flash_bytes
