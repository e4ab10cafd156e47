"""Holds a board against its simulator: the same firmware, the same inputs, the same stretch of code, the cycles of both."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator
from dataclasses import dataclass

from bancada import catalogue
from bancada.board import board_at
from bancada.build import build
from bancada.catalogue import Experiment, named
from bancada.device import Device, open_device
from bancada.errors import UserError
from bancada.monitor import OPERATION_EMPTY, DeviceError
from bancada.plan import plan
from bancada.records import Build, Case, Firmware, Region, Status, Workload
from bancada.timer import whole_count

# What a difference could hide in: tables in flash and in RAM, calls and loops, 8-bit and 64-bit arithmetic, calls that outlast the
# sixteen bits of the timer. All are this repository's own, so that nothing is fetched.
_IMPLEMENTATIONS = (
    "tatu/aes128", "tatu/aes256/small", "tatu/aes128/tiny", "tatu/speck128-128", "tatu/sha256", "tatu/ascon-aead128",
    "tatu/chacha20-poly1305",
)  # fmt: skip
_SIZE_BYTES = 256
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
    rows = catalogue.candidates()["tatu"].implementation
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


@dataclass(frozen=True)
class _Input:
    """One call on one input: what the timer said, and the regions that the engine counted, if it counts."""

    timer_cycles: int
    regions: list[Region]


def _called(device: Device, call: Callable[[], int]) -> _Input:
    device.session.regions()
    timer_cycles = call()
    return _Input(timer_cycles, device.session.regions())


def _empty(device: Device) -> _Input:
    """A region with nothing in it."""
    return _called(device, lambda: device.monitor.call(OPERATION_EMPTY)[1])


def _measured(device: Device, case: Case) -> list[_Input]:
    """A case on each input."""
    source, found = random.Random(f"calibrate {case.operation}"), []
    for _ in range(_INPUTS):
        device.client.prepare(case, source)
        found.append(_called(device, lambda: device.client.call(case)))
    return found


def _both(firmware: Firmware, made: Build, cases: tuple[Case, ...]) -> Iterator[Calibrated]:
    with open_device(firmware, made, is_simulated=True) as device:
        empty_here, here = _empty(device), [_measured(device, case) for case in cases]
    with open_device(firmware, made) as device:
        empty_there = _empty(device)
        for case, simulated in zip(cases, here, strict=True):
            counted = tuple(_between_markers(one) - _between_markers(empty_here) for one in simulated)
            timed = tuple(
                whole_count(board.timer_cycles, simulator.regions) - empty_there.timer_cycles
                for board, simulator in zip(_measured(device, case), simulated, strict=True)
            )
            yield Calibrated(firmware.implementation, case.operation, case.size_bytes, counted, timed)


def _between_markers(one: _Input) -> int:
    cycles = one.regions[0].region_cycles
    assert cycles is not None, "a simulator that leaves markers out by itself has no timer to be compared with"
    return cycles


def calibrate(target_name: str, port: str) -> Iterator[Calibrated]:
    """Each operation of the fixed set, as soon as it is measured. UserError if the board fails at one, for it is no measure then, and if
    there is none that the target has room for."""
    named("target", catalogue.targets(), target_name)
    chosen = _planned(target_name)
    if not chosen:
        raise UserError(f"None of the implementations that calibrate can be on the target '{target_name}'.")
    measured, reasons = 0, dict[str, str]()
    with board_at(target_name, port):
        for firmware, cases in chosen:
            made = build(firmware)
            if made.status is not Status.OK:
                raise UserError(f"{firmware.implementation} {made.status}: {made.reason}")
            possible = tuple(case for case in cases if case.operation not in made.operation_reason)
            reasons.update(made.operation_reason)
            measured += len(possible)
            try:
                yield from _both(firmware, made, possible)
            except DeviceError as error:
                raise UserError(f"{firmware.implementation} on the board: {error}") from error
    if not measured:
        first = next(iter(reasons.items()), None)
        why = f": {first[0]} does not fit ({first[1]})" if first is not None else ""
        raise UserError(f"Nothing could be calibrated: the target '{target_name}' has room for no operation of the fixed set{why}.")

