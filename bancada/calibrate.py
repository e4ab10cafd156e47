"""Holds a board against its simulator: the same firmware, the same inputs, the same stretch of code, the cycles of both."""

from __future__ import annotations

import random
from collections.abc import Iterator
from dataclasses import dataclass

from bancada import catalogue
from bancada.board import board_at
from bancada.build import build
from bancada.catalogue import Experiment, named
from bancada.device import Device, open_device
from bancada.errors import UserError
from bancada.monitor import OPERATION_EMPTY, DeviceError
from bancada.plan import plan
from bancada.records import Build, Case, Firmware, Status, Workload

# What a difference could hide in: tables in flash and in RAM, calls and loops, 8-bit and 64-bit arithmetic, calls that outlast the
# sixteen bits of the timer. All are this repository's own, so that nothing is fetched.
_IMPLEMENTATIONS = (
    "tatu/aes128", "tatu/aes256/small", "tatu/aes128/tiny", "tatu/speck128-128", "tatu/sha256", "tatu/ascon-aead128",
    "tatu/chacha20-poly1305",
)  # fmt: skip
_SIZE_BYTES = 128
_INPUTS = 4


@dataclass(frozen=True)
class Calibrated:
    """One operation on random inputs: cycles between the markers beyond those of an empty region, by the simulator and by the board."""

    implementation: str
    operation: str
    size_bytes: int
    simulated: tuple[int, ...]
    measured: tuple[int, ...]

    @property
    def differences(self) -> tuple[int, ...]:
        """Measured less simulated, for each input."""
        return tuple(there - here for here, there in zip(self.simulated, self.measured, strict=True))


def _everything() -> Experiment:
    """The operations of the fixed set, as an experiment is planned."""
    rows = [row for row in catalogue.candidates()["tatu"].implementation]
    return Experiment(
        folder=catalogue.candidates()["tatu"].folder,
        name="calibrate",
        title="Calibration",
        question="Does the board count what the simulator counts?",
        study="",
        citation="",
        targets=(),
        candidates=("tatu",),
        algorithms=tuple(dict.fromkeys(row.algorithm for row in rows)),
        operations=tuple(dict.fromkeys(name for row in rows for name in row.all_operations())),
        key_bits=tuple(dict.fromkeys(bits for row in rows for bits in row.key_bits)),
        optimisations=("-Os",),
        sizes_bytes=(_SIZE_BYTES,),
        samples=16,
    )


def _planned(target_name: str) -> list[tuple[Firmware, tuple[Case, ...]]]:
    """The firmware of the fixed set, in its order."""
    workloads: dict[str, Workload] = {}
    for workload in plan(_everything(), (target_name,)):
        if workload.firmware is not None:
            workloads.setdefault(workload.firmware.implementation, workload)
    chosen = [workloads[name] for name in _IMPLEMENTATIONS if name in workloads]
    return [(workload.firmware, workload.cases) for workload in chosen if workload.firmware is not None]


def _cycles(device: Device, cases: tuple[Case, ...]) -> list[tuple[int, ...]]:
    """Cycles of each case on each input between the markers, by the engine, or by the device's timer where the engine does not count."""

    def region_or(timer_cycles: int) -> int:
        if not device.session.is_counting:
            return timer_cycles
        counted = device.session.regions()[-1].region_cycles
        assert counted is not None
        return counted

    empty = region_or(device.monitor.call(OPERATION_EMPTY)[1])
    found = []
    for case in cases:
        source = random.Random(f"calibrate {case.operation}")
        cycles = []
        for _ in range(_INPUTS):
            device.client.prepare(case, source)
            cycles.append(region_or(device.client.call(case)) - empty)
        found.append(tuple(cycles))
    return found


def _both(firmware: Firmware, made: Build, cases: tuple[Case, ...]) -> Iterator[Calibrated]:
    with open_device(firmware, made, is_simulated=True) as device:
        simulated = _cycles(device, cases)
    with open_device(firmware, made) as device:
        measured = _cycles(device, cases)
    for case, here, there in zip(cases, simulated, measured, strict=True):
        yield Calibrated(firmware.implementation, case.operation, case.size_bytes, here, there)


def calibrate(target_name: str, port: str) -> Iterator[Calibrated]:
    """Each operation of the fixed set, as it is measured. UserError if the board fails at one: it is no measure then."""
    named("target", catalogue.targets(), target_name)
    chosen = _planned(target_name)
    if not chosen:
        raise UserError(f"None of the implementations that calibrate can be on the target '{target_name}'.")
    with board_at(target_name, port):
        for firmware, cases in chosen:
            made = build(firmware)
            if made.status is not Status.OK:
                raise UserError(f"{firmware.implementation} {made.status}: {made.reason}")
            possible = tuple(case for case in cases if case.operation not in made.operation_reason)
            try:
                yield from _both(firmware, made, possible)
            except DeviceError as error:
                raise UserError(f"{firmware.implementation} on the board: {error}") from error
