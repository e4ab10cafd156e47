"""Works on the workloads that share their runs: build, conformance, run. Needs no store and can be sent to another machine.

The asker says which results it has (`Batch.known`); whoever works builds, and runs only what the asker has not.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path

from bancada import catalogue
from bancada.build import build
from bancada.catalogue import named
from bancada.conformance import conformance
from bancada.costing.memory import memory_cycles
from bancada.device import open_device
from bancada.engines import engine
from bancada.errors import UserError
from bancada.events import caches_of
from bancada.metrics import metrics
from bancada.monitor import DeviceError, Facts, StackOverflow
from bancada.ram import why_not_in_ram, why_overflowed
from bancada.records import Build, Case, Conformance, Firmware, Region, Result, Run, Status, Workload
from bancada.run import run
from bancada.store import result_key
from bancada.vectors import why_unjudged

# The modules that decide what a result says. `build` and `compile` are not here: what they make is in the key itself.
_MEASURING = (
    "batch.py", "conformance.py", "device.py", "energy.py", "event*.py", "metrics.py", "monitor.py", "ram.py", "records.py", "run.py", "timer.py",
    "costing/*.py", "engines/*.py", "primitives/*.py", "references/*.py", "vectors/*.py",
)  # fmt: skip


@cache
def measuring_code() -> str:
    """Hash of the laboratory's own code that checks, runs and derives: a stricter vector is a new question."""
    package = Path(__file__).parent
    digest = hashlib.sha256()
    for path in sorted(path for pattern in _MEASURING for path in package.glob(pattern)):
        digest.update(path.read_bytes())
    return digest.hexdigest()


@dataclass(frozen=True)
class Batch:
    """Workloads that one run of a device may answer, whole and picklable.

    `described` holds what the asker's catalogue says of each target (its assumed watts too); `known` the keys whose results the
    asker has already.
    """

    workloads: tuple[Workload, ...]
    samples: int
    full: bool
    described: dict[str, str]
    known: frozenset[str]

    @property
    def cases(self) -> tuple[Case, ...]:
        """Every case of every workload."""
        return tuple(case for workload in self.workloads for case in workload.cases)


@dataclass(frozen=True)
class Found:
    """What came of a case that was worked on."""

    made: Build | None
    tested: Conformance | None
    raw: Run | None
    status: Status
    reason: str | None


@dataclass(frozen=True)
class Answer:
    """A case and the key of its result; `found` is None where the asker has that result already."""

    case: Case
    key: str
    found: Found | None


def described(target_name: str) -> str:
    """All that this catalogue says of a target and its core."""
    target = named("target", catalogue.targets(), target_name)
    return target.model_dump_json() + named("core", catalogue.cores(), target.core).model_dump_json()


def result_of(case: Case, found: Found) -> Result:
    """The result with its figures."""
    target = named("target", catalogue.targets(), case.target)
    core = named("core", catalogue.cores(), case.core)
    return metrics(case, target, core, found.made, found.tested, found.raw, found.status, found.reason)


def device_of(target_name: str) -> str:
    """The device that a target is, at whatever clock."""
    return target_name.partition("@")[0]


def in_batches(workloads: list[Workload]) -> list[tuple[Workload, ...]]:
    """Workloads with the same firmware on the same device together, in the order of the plan."""
    batches: dict[Firmware, list[Workload]] = {}
    for workload in workloads:
        if workload.firmware is not None:
            batches.setdefault(replace(workload.firmware, target=device_of(workload.firmware.target)), []).append(workload)
    return [tuple(batch) for batch in batches.values()]


def _judge(case: Case, made: Build, tested: Conformance | None) -> tuple[Status, str | None]:
    """Embedding first, then conformance, as the survey eliminates."""
    if made.status is not Status.OK:
        return made.status, made.reason
    needs_decrypt = case.operation in ("decrypt", "set-decrypt-key")
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
    """What came of running a firmware; `failure` is what the device did instead, and what became of the cases therefore."""

    tested: Conformance | None
    raw: Run | None
    failure: tuple[Status, str] | None


def _test_and_run(firmware: Firmware, made: Build, cases: tuple[Case, ...], samples: int, full: bool) -> _Ran:
    tested: Conformance | None = None
    raw: Run | None = None
    facts: Facts | None = None
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
    """Targets that are one device at several clocks: what runs does not depend on the clock, so it runs once. Of its cycles only
    those that wait for a memory with a time of its own do, and these are worked out again for each clock."""

    def __init__(self) -> None:
        self._ran: dict[object, _Ran] = {}

    def test_and_run(self, firmware: Firmware, made: Build, cases: tuple[Case, ...], samples: int, full: bool) -> _Ran:
        """As the first of the clocks ran it, with the waiting of this one."""
        device = device_of(firmware.target)
        key = (made.elf_sha256, tuple(replace(case, target=device) for case in cases), samples, full)
        if key not in self._ran:
            self._ran[key] = _test_and_run(firmware, made, cases, samples, full)
            return self._ran[key]
        return self._for(firmware.target, self._ran[key])

    @staticmethod
    def _for(target: str, ran: _Ran) -> _Ran:
        if ran.raw is None:
            return ran
        regions = {
            replace(case, target=target): tuple(_at_clock_of(target, case.target, region) for region in found)
            for case, found in ran.raw.regions.items()
        }
        refused = {replace(case, target=target): why for case, why in ran.raw.refused.items()}
        return replace(ran, raw=replace(ran.raw, regions=regions, refused=refused))


def _at_clock_of(target: str, ran_on: str, region: Region) -> Region:
    """The region as it is on the same device at another clock."""
    here, there = (_waiting_cycles(name, region) for name in (target, ran_on))
    return replace(region, cycles=region.cycles + round(here - there))


def _waiting_cycles(target: str, region: Region) -> float:
    memory = named("target", catalogue.targets(), target).memory
    return memory_cycles(memory, caches_of(region.events)) if memory is not None and region.events else 0.0


def _judge_run(case: Case, made: Build, ran: _Ran) -> tuple[Status, str | None]:
    """What was known before the case was measured decides first, then how measuring it went."""
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
    unjudged = why_unjudged(firmware.primitive, firmware.algorithm, firmware.key_bits)
    if unjudged is not None:
        return [Found(made, None, None, Status.FAILED, unjudged) for _ in cases]
    ran = clocks.test_and_run(firmware, made, cases, batch.samples, batch.full)
    if ran.failure is not None:
        return [Found(made, ran.tested, None, *ran.failure) for _ in cases]
    return [Found(made, ran.tested, ran.raw, *_judge_run(case, made, ran)) for case in cases]


def _wherever_made(made: Build) -> Build:
    """The build without the paths of the machine that made it: equal firmware is the same question on every machine."""
    return replace(made, elf_path=None, images={name: replace(image, elf_path="") for name, image in made.images.items()})


def failed(cases: tuple[Case, ...], reason: str) -> list[Answer]:
    """The cases as failed before there was anything to run."""
    return [Answer(case, result_key(case, reason), Found(None, None, None, Status.FAILED, reason)) for case in cases]


def _work(firmware: Firmware, cases: tuple[Case, ...], batch: Batch, clocks: Clocks) -> list[Answer]:
    try:
        made = build(firmware)
    except UserError as error:
        return failed(cases, str(error))
    target = named("target", catalogue.targets(), firmware.target)
    facts = (_wherever_made(made), batch.described[target.name], engine(target.engine).version(target), measuring_code(), batch.samples, batch.full)
    keys = {case: result_key(case, *facts) for case in cases}
    missing = tuple(case for case, key in keys.items() if key not in batch.known)
    fresh = dict(zip(missing, _execute(firmware, made, missing, batch, clocks), strict=True)) if missing else {}
    return [Answer(case, key, fresh.get(case)) for case, key in keys.items()]


def work(batch: Batch) -> Iterator[list[Answer]]:
    """Works on one workload after the other; what an earlier one ran is not run again for a later one."""
    clocks = Clocks()
    for workload in batch.workloads:
        assert workload.firmware is not None, "what cannot be is no work"
        yield _work(workload.firmware, workload.cases, batch, clocks)
