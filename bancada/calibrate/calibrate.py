"""Compares a board with its simulator: the cycles of the same firmware on the same inputs, between the same markers."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator
from dataclasses import dataclass

from bancada.build.build import build
from bancada.campaign.board import board_at
from bancada.catalogue.candidate import Candidate
from bancada.catalogue.experiment import Experiment
from bancada.catalogue.target import Target
from bancada.measure.device import Device, open_device
from bancada.measure.timer import whole_count
from bancada.model.build import Build
from bancada.model.errors import UserError
from bancada.model.run import Region
from bancada.model.status import Status
from bancada.monitor.monitor import OPERATION_EMPTY, DeviceError
from bancada.plan.case import Case, Firmware
from bancada.plan.laboratory import Laboratory
from bancada.plan.plan import plan
from bancada.primitives.rows import operations_of, primitive_of

_SIZE_BYTES = 256
_INPUTS = 4


@dataclass(frozen=True)
class Calibrated:
    """One operation on random inputs. The cycles of the simulator and of the board are those between the markers, minus
    those of an empty region."""

    implementation: str
    operation: str
    size_bytes: int
    simulated: tuple[int, ...]
    measured: tuple[int, ...]

    @property
    def differences(self) -> tuple[int, ...]:
        """Measured minus simulated, for each input."""
        return tuple(there - here for here, there in zip(self.simulated, self.measured, strict=True))


def _fixed_set(laboratory: Laboratory) -> tuple[tuple[Candidate, tuple[str, ...]], ...]:
    """The candidates that name implementations for calibration, each with these names."""
    return tuple((one, one.calibration) for one in laboratory.candidates.values() if one.calibration)


def _everything(laboratory: Laboratory, candidate: Candidate) -> Experiment:
    """All operations of a candidate, as an experiment is planned."""
    rows = candidate.implementation
    operations = (
        name for row in rows for name in operations_of(row, primitive_of(candidate, row, laboratory.primitives))
    )
    return Experiment(
        folder=candidate.folder,
        name="calibrate",
        title="Calibration",
        question="Does the board count what the simulator counts?",
        study="",
        citation="",
        targets=(),
        candidates=(candidate.name,),
        algorithms=tuple(dict.fromkeys(row.algorithm for row in rows)),
        operations=tuple(dict.fromkeys(operations)),
        key_bits=tuple(dict.fromkeys(bits for row in rows for bits in row.key_bits)),
        optimisations=("-Os",),
        sizes_bytes=(_SIZE_BYTES,),
        samples=16,
    )


def _planned(laboratory: Laboratory, target: Target) -> list[tuple[Firmware, tuple[Case, ...]]]:
    """The firmware of the fixed set, in its order."""
    chosen: list[tuple[Firmware, tuple[Case, ...]]] = []
    for candidate, names in _fixed_set(laboratory):
        workloads: dict[str, tuple[Firmware, tuple[Case, ...]]] = {}
        for workload in plan(laboratory, _everything(laboratory, candidate), (target.name,)):
            if workload.firmware is not None:
                workloads.setdefault(workload.firmware.implementation, (workload.firmware, workload.cases))
        wanted = (f"{candidate.name}/{name}" for name in names)
        chosen += [workloads[name] for name in wanted if name in workloads]
    return chosen


@dataclass(frozen=True)
class _Input:
    """One call on one input: the timer's value, and the regions that the engine counted, if it counts."""

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
    assert cycles is not None, "an engine that subtracts the markers itself cannot be compared with a timer"
    return cycles


def calibrate(laboratory: Laboratory, target: Target, port: str) -> Iterator[Calibrated]:
    """Each operation of the fixed set, as soon as it is measured. UserError if the board fails at one, because then it
    measures nothing, and if the target has room for none."""
    if not _planned(laboratory, target):
        raise UserError(f"None of the implementations that calibrate can be on the target '{target.name}'.")
    measured, reasons = 0, dict[str, str]()
    with board_at(laboratory, target, port) as with_board:
        for firmware, cases in _planned(with_board, target):
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
        raise UserError(
            f"Nothing could be calibrated: the target '{target.name}' has room for no operation of the fixed set{why}."
        )
