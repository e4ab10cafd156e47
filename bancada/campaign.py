"""Runs workloads: build, conformance, run, metrics, store. A failure is a result; the campaign goes on."""

from __future__ import annotations

import hashlib
import threading
from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor, as_completed
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path

from bancada import catalogue, interrupt
from bancada.build import build
from bancada.catalogue import Experiment, named
from bancada.compile import look_again
from bancada.conformance import conformance
from bancada.costing.memory import memory_cycles
from bancada.device import open_device
from bancada.engines import engine, stop_all
from bancada.errors import UserError
from bancada.events import caches_of
from bancada.metrics import metrics
from bancada.monitor import DeviceError
from bancada.records import Build, Case, Conformance, Firmware, Region, Result, Run, Status, Workload
from bancada.run import run
from bancada.store import Store, result_key
from bancada.vectors import why_unjudged


@dataclass(frozen=True)
class Outcome:
    """What became of a campaign."""

    results: tuple[Result, ...]
    cached: int


class Interrupted(Exception):
    """Ctrl-C: what was finished is stored."""


@dataclass(frozen=True)
class _Finished:
    key: str
    result: Result
    cached: bool


# The modules that decide what a result says. `build` and `compile` are not here: what they make is in the key itself.
_MEASURING = (
    "campaign.py", "conformance.py", "device.py", "energy.py", "events.py", "metrics.py", "monitor.py", "records.py", "run.py",
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


def _result(
    case: Case, made: Build | None, tested: Conformance | None, raw: Run | None, status: Status, reason: str | None
) -> Result:
    target = named("target", catalogue.targets(), case.target)
    core = named("core", catalogue.cores(), case.core)
    return metrics(case, target, core, made, tested, raw, status, reason)


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
    """What came of running a firmware; `failure` is what the device did instead."""

    tested: Conformance | None
    raw: Run | None
    failure: str | None


def _test_and_run(firmware: Firmware, made: Build, cases: tuple[Case, ...], samples: int, full: bool) -> _Ran:
    tested: Conformance | None = None
    raw: Run | None = None
    try:
        with open_device(firmware, made, is_counted=False) as device:
            tested = conformance(firmware, device, full)
        measured = tuple(case for case in cases if _judge(case, made, tested)[0] is Status.OK)
        if measured:
            raw = run(firmware, made, measured, samples)
    except DeviceError as error:
        return _Ran(tested, None, str(error))
    return _Ran(tested, raw, None)


class _Clocks:
    """Targets that are one device at several clocks: what runs does not depend on the clock, so it runs once. Of its cycles only
    those that wait for a memory with a time of its own do, and these are worked out again for each clock."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._running: dict[object, Future[_Ran]] = {}

    def forget(self) -> None:
        """Begins anew: a campaign shares its own runs, and no older one's."""
        with self._lock:
            self._running.clear()

    def test_and_run(self, firmware: Firmware, made: Build, cases: tuple[Case, ...], samples: int, full: bool) -> _Ran:
        device, at_clock, _ = firmware.target.partition("@")
        if not at_clock:
            return _test_and_run(firmware, made, cases, samples, full)
        same = tuple(replace(case, target=device) for case in cases)
        key = (replace(firmware, target=device), made.elf_sha256, same, samples, full)
        with self._lock:
            first = key not in self._running
            shared = self._running.setdefault(key, Future())
        if not first:
            return self._for(firmware.target, shared.result())
        try:
            shared.set_result(_test_and_run(firmware, made, cases, samples, full))
        except BaseException as error:
            shared.set_exception(error)
            raise
        return shared.result()

    @staticmethod
    def _for(target: str, ran: _Ran) -> _Ran:
        if ran.raw is None:
            return ran
        regions = {
            replace(case, target=target): tuple(_at_clock_of(target, case.target, region) for region in found)
            for case, found in ran.raw.regions.items()
        }
        return replace(ran, raw=replace(ran.raw, regions=regions))


def _at_clock_of(target: str, ran_on: str, region: Region) -> Region:
    """The region as it is on the same device at another clock."""
    here, there = (_waiting_cycles(name, region) for name in (target, ran_on))
    return replace(region, cycles=region.cycles + round(here - there))


def _waiting_cycles(target: str, region: Region) -> float:
    memory = named("target", catalogue.targets(), target).memory
    return memory_cycles(memory, caches_of(region.events)) if memory is not None and region.events else 0.0


_clocks = _Clocks()


def _execute(firmware: Firmware, made: Build, cases: tuple[Case, ...], samples: int, full: bool) -> list[Result]:
    if made.status is not Status.OK:
        return [_result(case, made, None, None, *_judge(case, made, None)) for case in cases]
    unjudged = why_unjudged(firmware.primitive, firmware.algorithm, firmware.key_bits)
    if unjudged is not None:
        return [_result(case, made, None, None, Status.FAILED, unjudged) for case in cases]
    ran = _clocks.test_and_run(firmware, made, cases, samples, full)
    if ran.failure is not None:
        return [_result(case, made, ran.tested, None, Status.FAILED, ran.failure) for case in cases]
    return [_result(case, made, ran.tested, ran.raw, *_judge(case, made, ran.tested)) for case in cases]


def _impossible(case: Case, store: Store) -> _Finished:
    """A combination that cannot be: nothing runs, and what is stored stays as it is."""
    key = result_key(case, "cannot be")
    known = store.find(key)
    if known is not None:
        return _Finished(key, known, True)
    return _Finished(key, _result(case, None, None, None, Status.DOES_NOT_BUILD, case.why_not), False)


def _work(workload: Workload, store: Store, samples: int, full: bool) -> list[_Finished]:
    """One workload, or its results if nothing changed since they were stored."""
    firmware = workload.firmware
    if firmware is None:
        return [_impossible(case, store) for case in workload.cases]
    try:
        made = build(firmware)
    except UserError as error:
        return [
            _Finished(result_key(case, error), _result(case, None, None, None, Status.FAILED, str(error)), False)
            for case in workload.cases
        ]
    target = named("target", catalogue.targets(), firmware.target)
    core = named("core", catalogue.cores(), target.core)
    facts = (made, target.model_dump_json(), core.model_dump_json(), engine(target.engine).version(target), measuring_code(), samples, full)
    keys = {case: result_key(case, *facts) for case in workload.cases}
    known = {case: store.find(key) for case, key in keys.items()}
    missing = tuple(case for case, result in known.items() if result is None or result.status is Status.FAILED)
    fresh = dict(zip(missing, _execute(firmware, made, missing, samples, full), strict=True)) if missing else {}
    finished = []
    for case, key in keys.items():
        stored = known[case]
        if case in fresh:
            finished.append(_Finished(key, fresh[case], False))
        elif stored is not None:
            finished.append(_Finished(key, stored, True))
    return finished


def run_campaign(
    experiment: Experiment,
    workloads: list[Workload],
    store: Store,
    jobs: int,
    full: bool,
    progress: Callable[[int, str], None],
) -> Outcome:
    """Runs every workload on `jobs` threads; calls `progress(cases finished, name)` as they end.

    Every finished case is in the store before the next is begun. Interrupted on Ctrl-C, with all that was finished stored.
    """
    look_again()
    _clocks.forget()
    positions: dict[str, int] = {}
    for workload in workloads:
        for case in workload.cases:
            positions.setdefault(case.name, len(positions))
    results: list[Result] = []
    cached = 0
    stopping = threading.Event()

    def work(workload: Workload) -> list[_Finished]:
        if stopping.is_set():
            return []
        finished = _work(workload, store, experiment.samples, full)
        if stopping.is_set():
            return []
        for one in finished:
            store.put(experiment.name, positions[one.result.case], one.key, one.result)
        return finished

    with ThreadPoolExecutor(max_workers=jobs) as pool:
        futures = [pool.submit(work, workload) for workload in workloads]
        try:
            for future in as_completed(futures):
                interrupt.check()
                for one in future.result():
                    results.append(one.result)
                    cached += one.cached
                    progress(1, one.result.case)
        except BaseException as error:
            stopping.set()
            for future in futures:
                future.cancel()
            stop_all()
            if isinstance(error, KeyboardInterrupt):
                raise Interrupted from None
            raise
    results.sort(key=lambda result: positions[result.case])
    return Outcome(tuple(results), cached)
