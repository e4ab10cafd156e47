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


def _sample(device: Device, case: Case, source: random.Random) -> Region:
    device.client.prepare(case, source)
    device.session.regions()
    device.client.call(case)
    regions = device.session.regions()
    if not regions:
        raise DeviceError(f"The engine reported no region for operation '{case.operation}'.")
    return regions[0]


def _empty(device: Device) -> Region:
    """What a region costs in which nothing is called."""
    device.session.regions()
    device.monitor.call(OPERATION_EMPTY)
    regions = device.session.regions()
    if not regions:
        raise DeviceError("The engine reported no region for an empty one.")
    return regions[0]


def _net(region: Region, empty: Region) -> Region:
    """A region without a call is counted between the markers, less what an empty one costs."""
    if region.region_cycles is None or region.cycles != region.region_cycles:
        return region
    return replace(region, cycles=region.cycles - empty.cycles)


def run(firmware: Firmware, build: Build, cases: tuple[Case, ...], samples: int) -> Run:
    """Calls each case's operation on `samples` random keys and inputs, the same ones whenever it is asked again.

    DeviceError if the firmware crashes or stops answering.
    """
    target = named("target", catalogue.targets(), firmware.target)
    core = named("core", catalogue.cores(), target.core)
    used = engine(target.engine)
    regions: dict[Case, tuple[Region, ...]] = {}
    with open_device(firmware, build) as device:
        empty = _empty(device)
        for case in cases:
            source = random.Random(f"{case.operation} {case.algorithm} {case.key_bits} {case.size_bytes}")
            regions[case] = tuple(_net(_sample(device, case, source), empty) for _ in range(samples))
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
