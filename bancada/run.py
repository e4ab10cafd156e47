"""Executes a firmware on its engine and returns raw samples: one region for each random input."""

from __future__ import annotations

import random

from bancada import catalogue
from bancada.catalogue import named
from bancada.device import Device, open_device
from bancada.engines.simavr import cycles_to_main, engine_version
from bancada.monitor import DeviceError
from bancada.records import Build, Firmware, Region, Run

# Start-up code copies and clears at most the whole RAM: far below this on any ATmega.
_MAIN_LIMIT_CYCLES = 1_000_000


def _sample(device: Device, operation: str, key: bytes, data: bytes) -> Region:
    device.cipher.prepare_timed_call(operation, key, data)
    device.session.regions()
    device.cipher.timed_call(operation)
    regions = device.session.regions()
    if not regions:
        raise DeviceError(f"The engine reported no region for operation '{operation}'.")
    return regions[0]


def _net(region: Region, empty: Region) -> Region:
    """A region without a call is counted between the markers, less what an empty one costs."""
    if region.cycles != region.region_cycles:
        return region
    return Region(region.cycles - empty.region_cycles, region.region_cycles, region.stack_bytes, region.instructions)


def run(firmware: Firmware, build: Build, operations: tuple[str, ...], samples: int) -> Run:
    """Calls each operation on `samples` random keys and inputs, the same ones whenever it is asked again.

    DeviceError if the firmware crashes or stops answering.
    """
    target = named("target", catalogue.targets(), firmware.target)
    regions: dict[str, tuple[Region, ...]] = {}
    with open_device(firmware, build) as device:
        empty = _sample(device, "empty", bytes(firmware.key_bits // 8), bytes(firmware.block_bytes))
        for operation in operations:
            source = random.Random(f"{operation} {firmware.algorithm} {firmware.key_bits}")
            regions[operation] = tuple(
                _net(
                    _sample(
                        device,
                        operation,
                        source.randbytes(firmware.key_bits // 8),
                        source.randbytes(firmware.block_bytes),
                    ),
                    empty,
                )
                for _ in range(samples)
            )
        facts = device.facts
    encrypt_bytes = facts.encrypt_context_bytes
    decrypt_bytes = facts.decrypt_context_bytes
    context_bytes = {
        "set-key": encrypt_bytes,
        "encrypt": encrypt_bytes,
        "set-decrypt-key": decrypt_bytes,
        "decrypt": decrypt_bytes,
    }
    image = build.images["both"] if "both" in build.images else build.images["encrypt"]
    return Run(
        regions=regions,
        context_bytes=context_bytes,
        main_cycles=cycles_to_main(target.mcu, target.clock_hz, image.elf_path, _MAIN_LIMIT_CYCLES),
        engine_version=engine_version(),
    )
