"""Time and energy of whole processes and of single messages at every clock, from what observe.py counted once."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from bancada.catalogue.target import Target
from bancada.costing.events import caches_of
from bancada.costing.memory import Memory, memory_cycles
from bancada.measure.metrics.energy import energy
from bancada.model.finding import Observation
from bancada.model.run import Region
from bancada.plan.laboratory import Laboratory

from .costs import CORES, SIGNED, STUDY_LEVEL, Costs, Place, Spent, place_of
from .observe import ALONE, AT_ONCE, HEAP_KIND, MESSAGE_KIND, PROCESS_KIND

_MEMORY_LEVEL = "l2"
_CORES_AT_ONCE = 4
_COMPARED = ("message-sha-256", SIGNED["RSA-2048"])


@dataclass(frozen=True)
class System:
    """What is not counted: the kernel's cycles for a process on each cluster, how much longer memory takes when all
    cores ask it, each core's error, and the error of programs that are compared with others."""

    kernel_cycles: Mapping[str, float]
    memory_at_once: float
    error: Mapping[str, float]
    own_error: float

    def error_of(self, cluster: str, algorithm: str) -> float:
        """The factor of a program's cycles."""
        return self.error[cluster] * (self.own_error if algorithm in _COMPARED else 1.0)


def system_of(assumed: Mapping[str, float]) -> System:
    """Of the assumptions in findings.toml."""
    little = assumed["start_kcycles"] * 1000
    return System(
        {"little": little, "big": little * assumed["start_on_a15"]},
        assumed["memory_at_once"],
        {cluster: assumed[f"cycles_{cluster}"] for cluster in CORES},
        assumed["own_error"],
    )


def _without_kernel(system: System) -> System:
    return replace(system, kernel_cycles=dict.fromkeys(CORES, 0.0))


def _slower(memory: Memory, times: float) -> Memory:
    levels = tuple(
        level.model_copy(update={"miss_cycles": level.miss_cycles * times}) if level.name == _MEMORY_LEVEL else level
        for level in memory.level
    )
    return memory.model_copy(update={"level": levels})


def _targets(laboratory: Laboratory, cluster: str) -> Iterator[tuple[int, Target]]:
    for name, target in laboratory.targets.items():
        place = place_of(name)
        if place is not None and place[0] == cluster:
            yield place[1], target


def _spent(target: Target, cluster: str, found: Observation, system: System, is_at_once: bool) -> Spent:
    figures = found.figures
    assert target.memory is not None
    memory = _slower(target.memory, system.memory_at_once) if is_at_once else target.memory
    counted = figures["core_cycles"] * system.error_of(cluster, found.parameters["algorithm"])
    counted += memory_cycles(memory, caches_of(figures["events"]))
    # What the kernel does costs as much a cycle as what was counted.
    whole = counted + system.kernel_cycles[cluster]
    time_us = whole / target.clock_hz * 1e6
    events = {name: round(times * whole / counted) for name, times in figures["events"].items()}
    used = energy(target, (Region(round(whole), None, None, None, events),), time_us)
    energy_uj = None
    if used is not None and used.dynamic_uj is not None and used.static_uj is not None:
        # The study's energy is the cluster's.
        energy_uj = used.dynamic_uj * (_CORES_AT_ONCE if is_at_once else 1) + used.static_uj
    return Spent(time_us, energy_uj, target.core.band_percent or 0.0)


def _costs(
    laboratory: Laboratory,
    found: Sequence[Observation],
    system: System,
    is_at_once: bool,
    power: Mapping[str, float] | None,
) -> Costs:
    spent: dict[Place, Spent] = {}
    for one in found:
        cluster, algorithm, role = (one.parameters[name] for name in ("cluster", "algorithm", "role"))
        for mhz, target in _targets(laboratory, cluster):
            spent[cluster, mhz, algorithm, STUDY_LEVEL, role] = _spent(target, cluster, one, system, is_at_once)
    return Costs(spent, power)


def costs_of_processes(
    laboratory: Laboratory,
    observations: Sequence[Observation],
    system: System,
    *,
    is_at_once: bool,
    power: Mapping[str, float] | None = None,
) -> Costs:
    """Costs of whole processes, alone or four at once."""
    how = AT_ONCE if is_at_once else ALONE
    found = [one for one in observations if one.kind == PROCESS_KIND and one.parameters["how"] == how]
    return _costs(laboratory, found, system, is_at_once, power)


def costs_of_messages(laboratory: Laboratory, observations: Sequence[Observation], system: System) -> dict[str, Costs]:
    """Costs of a message alone by wolfSSL's multiplication, in words."""
    kinds: dict[str, list[Observation]] = {}
    for one in observations:
        if one.kind == MESSAGE_KIND:
            kinds.setdefault(one.parameters["how"], []).append(one)
    return {name: _costs(laboratory, found, _without_kernel(system), False, None) for name, found in kinds.items()}


@dataclass(frozen=True)
class Taken:
    """What a process takes besides static RAM and stack: heap, the most at a time, and the context of its key."""

    heap_bytes: int
    context_bytes: int


def taken(observations: Sequence[Observation]) -> dict[tuple[str, str, str], Taken]:
    """By (algorithm, role, multiplication in words)."""
    return {
        (one.parameters["algorithm"], one.parameters["role"], one.parameters["how"]): Taken(
            one.figures["heap_bytes"], one.figures["context_bytes"]
        )
        for one in observations
        if one.kind == HEAP_KIND
    }
