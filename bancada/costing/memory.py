"""The cycles that a target's memories add to those of its core (targets/<name>/target.toml, [memory]).

The engine simulates each level and counts its accesses and misses exactly (CacheCounts). This module turns misses into
cycles. A target without levels has memory without wait states.
"""

from __future__ import annotations

from typing import Literal, Self

from pydantic import BaseModel, ConfigDict, Field, model_validator

from bancada.costing.profile import CacheCounts

# If sequential misses of a level cost less, its sequential accesses are counted a second time, under the name of the
# level with this ending.
SEQUENTIAL = "-sequential"


class CacheLevel(BaseModel):
    """One cache or line buffer: least-recently-used replacement, `ways` lines in each set (all lines in one set: fully
    associative).

    `serves` is what the core itself asks of it; `misses_of` are the levels whose misses it serves instead. Only
    accesses between `first_address` and `last_address` pass through it (a microcontroller's SRAM has no cache in front
    of it). A fetch asks once for each line that a run of instructions enters, a load or store once for each line that
    it touches.
    """

    model_config = ConfigDict(extra="forbid", frozen=True)

    name: str = Field(pattern=r"^[a-z][a-z0-9]*$")
    serves: tuple[Literal["fetch", "data"], ...] = ()
    misses_of: tuple[str, ...] = ()
    first_address: int = Field(default=0, ge=0)
    last_address: int = Field(default=0xFFFF_FFFF_FFFF_FFFF, ge=0)
    size_bytes: int = Field(gt=0)
    line_bytes: int = Field(gt=0)
    ways: int = Field(gt=0)
    # A store that misses loads its line. Otherwise it goes to the next level and is not counted here.
    write_allocate: bool = True
    miss_cycles: float = Field(ge=0)
    # The part of a miss that does not follow the core's clock, as that of a memory chip. Memory.at_clock turns it into
    # cycles.
    miss_ns: float = Field(default=0, ge=0)
    # Whether the core waits for the line of a store that misses. Otherwise a buffer takes the store, and the core
    # continues.
    stores_wait: bool = True
    # The cost of a miss on the line after the previous one, which a prefetcher has begun to read.
    sequential_miss_cycles: float | None = Field(default=None, ge=0)
    source: str

    @property
    def sets(self) -> int:
        return self.size_bytes // (self.line_bytes * self.ways)

    @model_validator(mode="after")
    def _is_whole(self) -> Self:
        for what, number in (("line_bytes", self.line_bytes), ("sets (size_bytes / line_bytes / ways)", self.sets)):
            if number < 1 or number & (number - 1):
                raise ValueError(f"{what} is {number}, which is not a power of two")
        if self.sets * self.ways * self.line_bytes != self.size_bytes:
            raise ValueError("size_bytes is not a whole number of sets of 'ways' lines")
        if not self.stores_wait and self.sequential_miss_cycles is not None:
            raise ValueError("a level has either 'stores_wait = false' or 'sequential_miss_cycles'")
        if bool(self.serves) == bool(self.misses_of):
            raise ValueError(
                "a level has either 'serves' (what the core asks of it) or 'misses_of' (the levels it stands behind)"
            )
        if self.last_address < self.first_address:
            raise ValueError("last_address is below first_address")
        return self


class LateRegion(BaseModel):
    """Addresses whose loads come late, with no cache in front of them.

    The first load of a group waits `first_load_cycles`. The core asks for the others while it waits
    (docs/reference/cores-cortex-m.md says what is a group). Stores do not wait: a buffer takes them.
    """

    model_config = ConfigDict(extra="forbid", frozen=True)

    name: str = Field(pattern=r"^[a-z][a-z0-9]{0,14}$")
    first_address: int = Field(ge=0)
    last_address: int = Field(ge=0)
    first_load_cycles: float = Field(gt=0)
    source: str

    @model_validator(mode="after")
    def _is_whole(self) -> Self:
        if self.last_address < self.first_address:
            raise ValueError("last_address is below first_address")
        return self


class Memory(BaseModel):
    """The [memory] table of a target: its levels, first those that the core asks, and regions whose loads come late.

    `compared` says how the target's figures compare with published ones, where they were compared. `band_percent` holds
    nine tenths of the held-out figures that were measured behind it, where there are some.
    """

    model_config = ConfigDict(extra="forbid", frozen=True)

    about: str
    compared: str = ""
    band_percent: float | None = Field(default=None, gt=0)
    level: tuple[CacheLevel, ...] = ()
    late_region: tuple[LateRegion, ...] = ()

    @model_validator(mode="after")
    def _levels_are_known(self) -> Self:
        seen: set[str] = set()
        for level in self.level:
            for behind in level.misses_of:
                if behind not in seen:
                    raise ValueError(f"level '{level.name}' is behind '{behind}', which is not a level before it")
            if level.name in seen:
                raise ValueError(f"two levels are called '{level.name}'")
            seen.add(level.name)
        for region in self.late_region:
            if region.name in seen:
                raise ValueError(f"two levels or regions are called '{region.name}'")
            seen.add(region.name)
        return self

    def at_clock(self, clock_hz: int) -> Memory:
        """The same memory with its times in cycles of that clock."""
        levels = tuple(
            level.model_copy(update={"miss_cycles": level.miss_cycles + level.miss_ns * clock_hz / 1e9, "miss_ns": 0.0})
            for level in self.level
        )
        return self.model_copy(update={"level": levels})


def memory_cycles(memory: Memory, counts: tuple[CacheCounts, ...]) -> float:
    """Cycles that the core waited for its memories, from what the engine counted at each level."""
    by_name = {count.name: count for count in counts}
    cycles = 0.0
    for level in memory.level:
        misses = by_name[level.name].misses
        if level.sequential_miss_cycles is not None:
            sequential = by_name[level.name + SEQUENTIAL].misses
            cycles += sequential * level.sequential_miss_cycles
            misses -= sequential
        if not level.stores_wait:
            misses -= by_name[level.name].store_misses
        cycles += misses * level.miss_cycles
    for region in memory.late_region:
        cycles += by_name[region.name].misses * region.first_load_cycles
    return cycles
