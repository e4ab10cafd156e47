"""Works on workloads that share their runs: build, conformance, run. It needs no store and can be sent to another
machine.

The campaign says which results it has (`Batch.known`). Every case is built, and only cases without a result are run.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import cache

from bancada.build.build import build
from bancada.catalogue.target import Target
from bancada.costing.events import caches_of
from bancada.costing.memory import memory_cycles
from bancada.measure.checked_calls import call_fault
from bancada.measure.conformance import conformance
from bancada.measure.derive import derive
from bancada.measure.device import open_device
from bancada.measure.own_code import MEASURING_ROOMS, added_code, code_digest
from bancada.measure.ram import why_not_in_ram, why_overflowed
from bancada.measure.read_metrics import Metrics
from bancada.measure.run import run
from bancada.measure.samples import Run
from bancada.model.build import Build, Conformance
from bancada.model.errors import UserError
from bancada.model.key import result_key
from bancada.model.result import Result
from bancada.model.run import Region
from bancada.model.status import Status
from bancada.monitor.monitor import DeviceError, Facts, StackOverflow
from bancada.plan.case import Case, Firmware, Workload


@cache
def measuring_code() -> str:
    """Hash of the laboratory's own code that checks, runs and derives: a stricter vector is a new question."""
    return code_digest(MEASURING_ROOMS)


@dataclass(frozen=True)
class Batch:
    """Workloads that one run of a device may answer. The record is complete and can be pickled.

    `described` holds what the campaign's catalogue says of each target, with assumed watts. `known` holds the keys of
    the results that the campaign has. `metrics_digest` is the hash of its metrics from outside
    (bancada.measure.read_metrics).
    """

    workloads: tuple[Workload, ...]
    samples: int
    full: bool
    described: dict[str, str]
    known: frozenset[str]
    metrics_digest: str = ""

    @property
    def cases(self) -> tuple[Case, ...]:
        """Every case of every workload."""
        return tuple(case for workload in self.workloads for case in workload.cases)


@dataclass(frozen=True)
class Found:
    """The outcome of a case."""

    made: Build | None
    tested: Conformance | None
    raw: Run | None
    status: Status
    reason: str | None


@dataclass(frozen=True)
class Answer:
    """A case and the key of its result. `found` is None where the campaign has that result already."""

    case: Case
    key: str
    found: Found | None


def result_of(case: Case, found: Found, metrics: Metrics) -> Result:
    """The result with its figures."""
    return derive(case, found.made, found.tested, found.raw, found.status, found.reason, metrics)


def in_batches(workloads: list[Workload]) -> list[tuple[Workload, ...]]:
    """Groups the workloads with the same firmware on the same device, in the order of the plan."""
    batches: dict[Firmware, list[Workload]] = {}
    first_clock: dict[str, Target] = {}
    for workload in workloads:
        if workload.firmware is not None:
            target = workload.firmware.target
            first = first_clock.setdefault(target.device, target)
            batches.setdefault(replace(workload.firmware, target=first), []).append(workload)
    return [tuple(batch) for batch in batches.values()]


def _judge(case: Case, made: Build, tested: Conformance | None) -> tuple[Status, str | None]:
    """Decides by size first, then by conformance, in the order of the survey's elimination."""
    if made.status is not Status.OK:
        return made.status, made.reason
    needs_decrypt = case.operation in case.firmware.primitive.decrypting
    reason = made.operation_reason.get("decrypt" if needs_decrypt else case.operation)
    if reason is not None:
        return Status.DOES_NOT_FIT, reason
    if needs_decrypt and not made.with_decrypt:
        return Status.DOES_NOT_FIT, made.operation_reason.get("both") or "decryption does not fit beside encryption"
    if tested is not None and tested.total == 0:
        return Status.FAILED, "no vector was run, so nothing is known of its correctness"
    if tested is not None and tested.passed != tested.total:
        return Status.NOT_CONFORMANT, tested.first_failure
    return Status.OK, None


@dataclass(frozen=True)
class _Ran:
    """The outcome of running a firmware. `failure` is the status and reason of its cases where the device failed."""

    tested: Conformance | None
    raw: Run | None
    failure: tuple[Status, str] | None


def _test_and_run(firmware: Firmware, made: Build, cases: tuple[Case, ...], samples: int, full: bool) -> _Ran:
    tested: Conformance | None = None
    raw: Run | None = None
    facts: Facts | None = None
    fault = call_fault(firmware, made)
    if fault is not None:
        return _Ran(Conformance(0, 1, fault, None), None, None)
    try:
        with open_device(firmware, made, is_counted=False) as device:
            facts = device.facts
            tested = conformance(firmware, device, full)
        measured = tuple(case for case in cases if _judge(case, made, tested)[0] is Status.OK)
        if measured:
            raw = run(firmware, made, measured, samples)
    except StackOverflow as error:
        return _Ran(tested, None, (Status.DOES_NOT_FIT, why_overflowed(firmware.target, made, facts, error)))
    except DeviceError as error:
        return _Ran(tested, None, (Status.FAILED, str(error)))
    return _Ran(tested, raw, None)


class Clocks:
    """Targets that are one device at several clocks. What is executed does not depend on the clock, so it runs once.
    Only the cycles that wait for a memory with its own timing depend on the clock. They are computed again for each
    clock."""

    def __init__(self) -> None:
        self._ran: dict[object, _Ran] = {}

    def test_and_run(self, firmware: Firmware, made: Build, cases: tuple[Case, ...], samples: int, full: bool) -> _Ran:
        """The run at the first clock, with the waiting cycles of this clock."""
        key = (made.elf_sha256, tuple(case.question for case in cases), samples, full)
        if key not in self._ran:
            self._ran[key] = _test_and_run(firmware, made, cases, samples, full)
            return self._ran[key]
        return self._for(firmware, self._ran[key])

    @staticmethod
    def _for(firmware: Firmware, ran: _Ran) -> _Ran:
        if ran.raw is None:
            return ran
        regions = {
            replace(case, firmware=firmware): tuple(
                _at_clock_of(firmware.target, case.target, region) for region in found
            )
            for case, found in ran.raw.regions.items()
        }
        refused = {replace(case, firmware=firmware): why for case, why in ran.raw.refused.items()}
        return replace(ran, raw=replace(ran.raw, regions=regions, refused=refused))


def _at_clock_of(target: Target, ran_on: Target, region: Region) -> Region:
    """The region as it is on the same device at another clock."""
    here, there = (_waiting_cycles(one, region) for one in (target, ran_on))
    return replace(region, cycles=region.cycles + round(here - there))


def _waiting_cycles(target: Target, region: Region) -> float:
    memory = target.memory
    return memory_cycles(memory, caches_of(region.events)) if memory is not None and region.events else 0.0


def _judge_run(case: Case, made: Build, ran: _Ran) -> tuple[Status, str | None]:
    """Decides by what was known before the case was measured, then by how measuring went."""
    status, reason = _judge(case, made, ran.tested)
    if status is not Status.OK or ran.raw is None:
        return status, reason
    if case in ran.raw.refused:
        return Status.FAILED, ran.raw.refused[case]
    reason = why_not_in_ram(case, made, ran.raw)
    return (Status.OK, None) if reason is None else (Status.DOES_NOT_FIT, reason)


def _execute(firmware: Firmware, made: Build, cases: tuple[Case, ...], batch: Batch, clocks: Clocks) -> list[Found]:
    if made.status is not Status.OK:
        return [Found(made, None, None, *_judge(case, made, None)) for case in cases]
    unjudged = firmware.primitive.why_unjudged(firmware.algorithm, firmware.key_bits)
    if unjudged is not None:
        return [Found(made, None, None, Status.FAILED, unjudged) for _ in cases]
    ran = clocks.test_and_run(firmware, made, cases, batch.samples, batch.full)
    if ran.failure is not None:
        return [Found(made, ran.tested, None, *ran.failure) for _ in cases]
    return [Found(made, ran.tested, ran.raw, *_judge_run(case, made, ran)) for case in cases]


def _wherever_made(made: Build) -> Build:
    """The build without the paths of its machine: equal firmware is the same question on every machine."""
    return replace(
        made, elf_path=None, images={name: replace(image, elf_path="") for name, image in made.images.items()}
    )


def failed(cases: tuple[Case, ...], reason: str) -> list[Answer]:
    """The cases as failed before there was anything to run."""
    return [
        Answer(case, result_key(case.identity, reason), Found(None, None, None, Status.FAILED, reason))
        for case in cases
    ]


def _work(firmware: Firmware, cases: tuple[Case, ...], batch: Batch, clocks: Clocks) -> list[Answer]:
    try:
        made = build(firmware)
    except UserError as error:
        return failed(cases, str(error))
    target = firmware.target
    facts = (
        _wherever_made(made),
        batch.described[target.name],
        target.engine.version(target),
        measuring_code(),
        firmware.primitive.added_code(firmware.algorithm),
        batch.samples,
        batch.full,
        *((batch.metrics_digest,) if batch.metrics_digest else ()),
        *((engine_code,) if (engine_code := added_code(target.engine)) else ()),
    )
    keys = {case: result_key(case.identity, *facts) for case in cases}
    missing = tuple(case for case, key in keys.items() if key not in batch.known)
    fresh = dict(zip(missing, _execute(firmware, made, missing, batch, clocks), strict=True)) if missing else {}
    return [Answer(case, key, fresh.get(case)) for case, key in keys.items()]


def work(batch: Batch) -> Iterator[list[Answer]]:
    """Works on one workload after the other. What an earlier one ran is not run again."""
    clocks = Clocks()
    for workload in batch.workloads:
        assert workload.firmware is not None, "what cannot be is no work"
        yield _work(workload.firmware, workload.cases, batch, clocks)
