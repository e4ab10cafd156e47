"""Executes a firmware on its engine and returns raw samples: one region for each random input."""

from __future__ import annotations

import random
from dataclasses import replace

from bancada import catalogue
from bancada.catalogue import named
from bancada.device import Device, open_device
from bancada.engines import engine
from bancada.monitor import OPERATION_EMPTY, DeviceError
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


def _inputs(case: Case) -> random.Random:
    """The source of a case's random keys and inputs, the same whenever it is asked again."""
    return random.Random(f"{case.operation} {case.algorithm} {case.key_bits} {case.size_bytes}")


def _simulated(firmware: Firmware, build: Build, cases: tuple[Case, ...]) -> tuple[Region, dict[Case, list[Region]]]:
    """An empty region and those of one call of each case, in the simulator of a target whose board is measured."""
    with open_device(firmware, build, is_simulated=True) as device:
        return _empty(device), {case: _regions(device, case, _inputs(case)) for case in cases}


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
    regions: dict[Case, tuple[Region, ...]] = {}
    with open_device(firmware, build) as device:
        if device.session.is_counting:
            empty = _empty(device)
            for case in cases:
                source = _inputs(case)
                regions[case] = tuple(net(_sample(device, case, source), empty) for _ in range(samples))
        else:
            empty_cycles = device.monitor.call(OPERATION_EMPTY)[1]
            empty, simulated = _simulated(firmware, build, cases)
            for case, found in simulated.items():
                source = _inputs(case)
                beside_cycles = empty_cycles + _beside_the_call(found[0], empty)
                regions[case] = tuple(_by_timer(device, case, source, beside_cycles, found) for _ in range(samples))
        # What is on the heap is not counted: then nobody knows what the caller keeps, and the sum of RAM is unknown too.
        counted = () if firmware.heap else cases
        context_bytes = {case.operation: device.client.context_bytes(case.operation) for case in counted}
    image = list(build.images.values())[-1]
    return Run(
        regions=regions,
        context_bytes=context_bytes,
        main_cycles=used.cycles_to_main(target, core, image.elf_path),
        engine_version=used.version(target),
    )
