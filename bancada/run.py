"""Executes a firmware on its engine and returns raw samples: one region for each random input."""

from __future__ import annotations

import random
from collections.abc import Callable
from dataclasses import dataclass, replace

from bancada import catalogue
from bancada.catalogue import named
from bancada.device import Device, open_device
from bancada.engines import engine
from bancada.monitor import OPERATION_EMPTY, DeviceError, NoRoom
from bancada.primitives.status import Refused
from bancada.records import Build, Case, Firmware, Region, Run
from bancada.timer import whole_count


def _sample(device: Device, case: Case, source: random.Random) -> Region:
    return _regions(device, case, source)[0]


def _regions(device: Device, case: Case, source: random.Random) -> list[Region]:
    """The region of one call, and of its repetition if it outlasted the device's timer."""
    device.client.prepare(case, source)
    device.session.regions()
    device.client.call(case)
    regions = device.session.regions()
    if not regions:
        raise DeviceError(f"The engine reported no region for operation '{case.operation}'.")
    return regions


def _empty(device: Device) -> Region:
    """What a region costs in which nothing is called."""
    device.session.regions()
    device.monitor.call(OPERATION_EMPTY)
    regions = device.session.regions()
    if not regions:
        raise DeviceError("The engine reported no region for an empty one.")
    return regions[0]


def _no_room(case: Case) -> str:
    return f"A message of {case.size_bytes} B is longer than the laboratory's firmware has room for on this device."


def _inputs(case: Case) -> random.Random:
    """The source of a case's random keys and inputs, the same whenever it is asked again."""
    return random.Random(f"{case.operation} {case.algorithm} {case.key_bits} {case.size_bytes}")


class _Samples:
    """What was measured of each case, and the sentence for each that the library refused: the others can still be measured."""

    def __init__(self) -> None:
        self.regions: dict[Case, tuple[Region, ...]] = {}
        self.refused: dict[Case, str] = {}

    def take(self, case: Case, measure: Callable[[], list[Region]]) -> None:
        try:
            self.regions[case] = tuple(measure())
        except Refused as error:
            self.refused[case] = str(error)
        except NoRoom:
            self.refused[case] = _no_room(case)


@dataclass(frozen=True)
class _Simulated:
    """What a board is held beside, in the simulator: an empty region, and for each case the regions of each of its calls."""

    empty: Region
    calls: dict[Case, list[list[Region]]]
    refused: dict[Case, str]


def _simulated(firmware: Firmware, build: Build, cases: tuple[Case, ...], samples: int) -> _Simulated:
    """The calls that the board will be asked for, on the same inputs: where cycles depend on data, no other call tells what one takes."""
    with open_device(firmware, build, is_simulated=True) as device:
        found = _Simulated(_empty(device), {}, {})
        for case in cases:
            source = _inputs(case)
            try:
                found.calls[case] = [_regions(device, case, source) for _ in range(samples)]
            except Refused as error:
                found.refused[case] = str(error)
            except NoRoom:
                found.refused[case] = _no_room(case)
        return found


def _by_engine(device: Device, cases: tuple[Case, ...], samples: int) -> _Samples:
    """What the engine counts of each call, the region itself subtracted."""
    empty, found = _empty(device), _Samples()

    def measure(case: Case) -> list[Region]:
        source = _inputs(case)
        return [net(_sample(device, case, source), empty) for _ in range(samples)]

    for case in cases:
        found.take(case, lambda case=case: measure(case))  # type: ignore[misc]
    return found


def _by_board(device: Device, firmware: Firmware, build: Build, cases: tuple[Case, ...], samples: int) -> _Samples:
    """What the device's own timer says of each call, beside the same call in the simulator."""
    empty_cycles = device.monitor.call(OPERATION_EMPTY)[1]
    simulated, found = _simulated(firmware, build, cases, samples), _Samples()
    found.refused.update(simulated.refused)

    def measure(case: Case) -> list[Region]:
        source = _inputs(case)
        return [_by_timer(device, case, source, empty_cycles + _beside_the_call(call[0], simulated.empty), call) for call in simulated.calls[case]]

    for case in simulated.calls:
        found.take(case, lambda case=case: measure(case))  # type: ignore[misc]
    return found


def _beside_the_call(region: Region, empty: Region) -> int:
    """Cycles between the markers that are neither the call nor the markers' own: the loading of arguments, a few instructions of known
    timing (docs/metrics.md, "cycles"). The simulator tells them from the call, in the same ELF; a timer cannot."""
    return (region.region_cycles or 0) - empty.cycles - net(region, empty).cycles


def _by_timer(device: Device, case: Case, source: random.Random, beside_cycles: int, simulated: list[Region]) -> Region:
    """One call as the device's own timer saw it: `region_cycles` is what the timer said, `cycles` the call alone."""
    device.client.prepare(case, source)
    timer_cycles = whole_count(device.client.call(case), simulated)
    return Region(timer_cycles - beside_cycles, timer_cycles, None, None)


def net(region: Region, empty: Region) -> Region:
    """A region without a call is counted between the markers, less what an empty one costs."""
    if region.region_cycles is None or region.cycles != region.region_cycles:
        return region
    if not region.events:
        return replace(region, cycles=region.cycles - empty.cycles)
    assert region.instructions is not None and empty.instructions is not None
    return replace(
        region,
        cycles=region.cycles - empty.cycles,
        instructions=region.instructions - empty.instructions,
        events={name: times - empty.events[name] for name, times in region.events.items()},
    )


def run(firmware: Firmware, build: Build, cases: tuple[Case, ...], samples: int) -> Run:
    """Calls each case's operation on `samples` random keys and inputs, the same ones whenever it is asked again.

    DeviceError if the firmware crashes or stops answering.
    """
    target = named("target", catalogue.targets(), firmware.target)
    core = named("core", catalogue.cores(), target.core)
    used = engine(target.engine)
    with open_device(firmware, build) as device:
        is_counting = device.session.is_counting
        found = _by_engine(device, cases, samples) if is_counting else _by_board(device, firmware, build, cases, samples)
        # What is on the heap is not counted: then nobody knows what the caller keeps, and the sum of RAM is unknown too.
        counted = () if firmware.heap else cases
        context_bytes = {case.operation: device.client.context_bytes(case.operation) for case in counted}
    image = list(build.images.values())[-1]
    return Run(
        regions=found.regions,
        context_bytes=context_bytes,
        main_cycles=used.cycles_to_main(target, core, image.elf_path),
        engine_version=used.version(target),
        refused=found.refused,
    )
