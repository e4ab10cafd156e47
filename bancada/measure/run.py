"""Executes a firmware on its engine and returns raw samples: one region for each random input."""

from __future__ import annotations

import random
from collections.abc import Callable
from dataclasses import dataclass, field, replace

from bancada.measure.device import Device, open_device
from bancada.measure.samples import Run
from bancada.measure.timer import whole_count
from bancada.model.build import Build
from bancada.model.run import Region
from bancada.monitor.monitor import OPERATION_EMPTY, DeviceError, NoRoom
from bancada.plan.case import Case, Firmware
from bancada.primitives.status import Refused

# The timer of a board counts long calls a second time, and a piece can be taken once.
_NOT_ON_A_BOARD = "What comes in pieces is counted by simulators only."


def _sample(device: Device, case: Case, source: random.Random) -> Region:
    return _regions(device, case, source)[0]


def _regions(device: Device, case: Case, source: random.Random) -> list[Region]:
    """The region of one call, and of its repetition if the call took longer than the device's timer can count."""
    device.client.prepare(case, source)
    device.session.regions()
    device.client.call(case)
    regions = device.session.regions()
    if not regions:
        raise DeviceError(f"The engine reported no region for operation '{case.operation}'.")
    return regions


def _sum(pieces: list[Region]) -> Region:
    """What a call costs whose input comes in pieces."""
    if len(pieces) == 1:
        return pieces[0]
    events: dict[str, int] = {}
    for piece in pieces:
        for name, times in piece.events.items():
            events[name] = events.get(name, 0) + times
    stacks = [piece.stack_bytes for piece in pieces if piece.stack_bytes is not None]
    instructions = [piece.instructions for piece in pieces if piece.instructions is not None]
    return Region(
        cycles=sum(piece.cycles for piece in pieces),
        region_cycles=None,
        stack_bytes=max(stacks, default=None),
        instructions=sum(instructions) if instructions else None,
        events=events,
    )


def _empty(device: Device) -> Region:
    """The cost of a region without a call."""
    device.session.regions()
    device.monitor.call(OPERATION_EMPTY)
    regions = device.session.regions()
    if not regions:
        raise DeviceError("The engine reported no region for an empty one.")
    return regions[0]


def _no_room(case: Case) -> str:
    return f"A message of {case.size_bytes} B is longer than the laboratory's firmware has room for on this device."


def _inputs(case: Case) -> random.Random:
    """The source of a case's random keys and inputs. It always gives the same ones."""
    return random.Random(f"{case.operation} {case.firmware.algorithm} {case.firmware.key_bits} {case.size_bytes}")


@dataclass
class _Samples:
    """The measurements of each case, and the reason for each case that the library refused. The others can still be
    measured."""

    regions: dict[Case, tuple[Region, ...]] = field(default_factory=dict)
    refused: dict[Case, str] = field(default_factory=dict)

    def take(self, case: Case, measure: Callable[[], list[Region]]) -> None:
        try:
            self.regions[case] = tuple(measure())
        except Refused as error:
            self.refused[case] = str(error)
        except NoRoom:
            self.refused[case] = _no_room(case)


@dataclass(frozen=True)
class _Simulated:
    """What a board is compared with, in the simulator: an empty region, and the regions of each call of each case."""

    empty: Region
    calls: dict[Case, list[list[Region]]]
    refused: dict[Case, str]


def _simulated(firmware: Firmware, build: Build, cases: tuple[Case, ...], samples: int) -> _Simulated:
    """The calls that the board will execute, on the same inputs. Where cycles depend on data, only the same input is
    comparable."""
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
        firmware = case.firmware
        if firmware.primitive.is_in_pieces(firmware):
            calls = (_regions(device, case, source) for _ in range(samples))
            return [_sum([net(piece, empty) for piece in call]) for call in calls]
        return [net(_sample(device, case, source), empty) for _ in range(samples)]

    for case in cases:
        found.take(case, lambda case=case: measure(case))  # type: ignore[misc]
    return found


def _by_board(device: Device, firmware: Firmware, build: Build, cases: tuple[Case, ...], samples: int) -> _Samples:
    """The value of the device's own timer for each call, beside the same call in the simulator."""
    if firmware.primitive.is_in_pieces(firmware):
        return _Samples(refused=dict.fromkeys(cases, _NOT_ON_A_BOARD))
    empty_cycles = device.monitor.call(OPERATION_EMPTY)[1]
    simulated, found = _simulated(firmware, build, cases, samples), _Samples()
    found.refused.update(simulated.refused)

    def measure(case: Case) -> list[Region]:
        source = _inputs(case)
        return [
            _by_timer(device, case, source, empty_cycles + _beside_the_call(call[0], simulated.empty), call)
            for call in simulated.calls[case]
        ]

    for case in simulated.calls:
        found.take(case, lambda case=case: measure(case))  # type: ignore[misc]
    return found


def _beside_the_call(region: Region, empty: Region) -> int:
    """Cycles between the markers that are neither the call nor the markers' own: the loading of arguments, a few
    instructions of known timing (docs/reference/metrics.md, "cycles"). The simulator tells them apart in the same ELF;
    a timer cannot."""
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
    assert region.instructions is not None
    assert empty.instructions is not None
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
    target = firmware.target
    with open_device(firmware, build) as device:
        is_counting = device.session.is_counting
        found = (
            _by_engine(device, cases, samples) if is_counting else _by_board(device, firmware, build, cases, samples)
        )
        # Memory on the heap is not counted. Then the context is unknown, and so is the sum of RAM.
        counted = () if firmware.heap else cases
        context_bytes = {case.operation: device.client.context_bytes(case.operation) for case in counted}
    image = list(build.images.values())[-1]
    return Run(
        regions=found.regions,
        context_bytes=context_bytes,
        main_cycles=target.engine.cycles_to_main(target, image.elf_path),
        engine_version=target.engine.version(target),
        refused=found.refused,
    )
