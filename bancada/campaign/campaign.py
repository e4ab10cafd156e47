"""Runs workloads here or on other machines, and stores the result of each. A failure is a result, and the campaign goes
on."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterable
from concurrent.futures import ThreadPoolExecutor, as_completed
from contextlib import ExitStack
from dataclasses import dataclass

from bancada.campaign import interrupt
from bancada.catalogue.experiment import Experiment
from bancada.catalogue.target import Engine
from bancada.compilers.compile import look_again
from bancada.measure.batch import Answer, Batch, Found, in_batches, result_of, work
from bancada.measure.read_metrics import Metrics
from bancada.model.finding import Observation
from bancada.model.key import result_key
from bancada.model.result import Result
from bancada.model.status import Fidelity, Status
from bancada.plan.case import Case, Workload
from bancada.store.store import Store


@dataclass(frozen=True)
class Outcome:
    """The outcome of a campaign."""

    results: tuple[Result, ...]
    cached: int


class Ledger:
    """The store as a campaign sees it: it tells what is known of a batch, and takes its results. Safe to use from
    several threads."""

    def __init__(
        self,
        experiment: Experiment,
        workloads: list[Workload],
        store: Store,
        metrics: Metrics,
        progress: Callable[[int, str], None],
    ) -> None:
        self._experiment = experiment
        self._store = store
        self._metrics = metrics
        self._progress = progress
        self._lock = threading.Lock()
        self._positions: dict[str, int] = {}
        self._results: list[Result] = []
        self._cached = 0
        for workload in workloads:
            for case in workload.cases:
                self._positions.setdefault(case.name, len(self._positions))

    def batch(self, workloads: tuple[Workload, ...], full: bool) -> Batch:
        """The batch with what is known of it now. A failed case counts as unknown, so it is tried again."""
        names = tuple(case.name for workload in workloads for case in workload.cases)
        targets = [workload.firmware.target for workload in workloads if workload.firmware is not None]
        return Batch(
            workloads,
            self._experiment.samples,
            full,
            {target.name: target.described for target in targets},
            frozenset(self._store.keys(names, but=Status.FAILED)),
            self._metrics.outside_digest,
        )

    def write(self, answers: list[Answer]) -> None:
        """Stores results; they are finished when this returns."""
        for answer in answers:
            known = self._store.find(answer.key) if answer.found is None else None
            result = known if known is not None else result_of(answer.case, self._found(answer), self._metrics)
            if answer.found is not None and result.fidelity is Fidelity.MEASURED:
                self._keep_samples(answer, result)
            self._store.put(self._experiment.name, self._positions[result.case], answer.key, result)
            with self._lock:
                self._results.append(result)
                self._cached += answer.found is None
                self._progress(1, result.case)

    def _keep_samples(self, answer: Answer, result: Result) -> None:
        """Keeps the timer's value of every call on a board. Unlike a simulator's, it cannot be reproduced exactly."""
        raw = answer.found.raw if answer.found is not None else None
        if raw is None or answer.case not in raw.regions:
            return
        regions = raw.regions[answer.case]
        figures = {
            "timer_cycles": [region.region_cycles for region in regions],
            "cycles": [region.cycles for region in regions],
        }
        parameters = {"engine_version": result.engine_version, "elf_sha256": result.elf_sha256}
        self._store.put_observation(
            self._experiment.name,
            answer.key,
            Observation("board-samples", result.case, result.fidelity, parameters, figures, result.date),
        )

    @staticmethod
    def _found(answer: Answer) -> Found:
        assert answer.found is not None, f"the result of {answer.case.name} left the store meanwhile"
        return answer.found

    def write_impossible(self, case: Case) -> None:
        """Stores a combination that cannot be. Nothing runs, and an earlier result stays."""
        assert case.refusal is not None
        key = result_key(case.identity, "cannot be")
        known = self._store.find(key) is not None
        self.write(
            [Answer(case, key, None if known else Found(None, None, None, case.refusal.status, case.refusal.reason))]
        )

    def outcome(self) -> Outcome:
        """Everything that was written, in the order of the plan."""
        return Outcome(tuple(sorted(self._results, key=lambda result: self._positions[result.case])), self._cached)


# Works on batches until all are written to the ledger. On Ctrl-C and on errors it stops what it began, and raises.
Worker = Callable[[list[tuple[Workload, ...]], Ledger, bool], None]


def engines_of(workloads: Iterable[Workload]) -> list[Engine]:
    """The engines that these workloads run on, each once."""
    every = {
        id(one.firmware.target.engine): one.firmware.target.engine for one in workloads if one.firmware is not None
    }
    return list(every.values())


def here(jobs: int) -> Worker:
    """Works on this machine, `jobs` batches at once."""

    def run_here(batches: list[tuple[Workload, ...]], ledger: Ledger, full: bool) -> None:
        stopping = threading.Event()

        def one(workloads: tuple[Workload, ...]) -> None:
            if stopping.is_set():
                return
            for answers in work(ledger.batch(workloads, full)):
                if stopping.is_set():
                    return
                ledger.write(answers)

        engines = engines_of(workload for workloads in batches for workload in workloads)
        with ExitStack() as stack:
            for engine in engines:
                stack.enter_context(engine.several(jobs > 1 and len(batches) > 1))
            pool = stack.enter_context(ThreadPoolExecutor(max_workers=jobs))
            futures = [pool.submit(one, workloads) for workloads in batches]
            try:
                for future in as_completed(futures):
                    interrupt.check()
                    future.result()
            except BaseException:
                stopping.set()
                for future in futures:
                    future.cancel()
                for engine in engines:
                    engine.stop_all()
                raise

    return run_here


def run_campaign(
    experiment: Experiment,
    workloads: list[Workload],
    store: Store,
    worker: Worker,
    full: bool,
    metrics: Metrics,
    progress: Callable[[int, str], None],
) -> Outcome:
    """Runs every workload by `worker`. Calls `progress(cases finished, name)` as cases end.

    Every finished case is stored at once. Raises Interrupted on Ctrl-C.
    """
    look_again()
    ledger = Ledger(experiment, workloads, store, metrics, progress)
    try:
        for workload in workloads:
            if workload.firmware is None:
                for case in workload.cases:
                    ledger.write_impossible(case)
        worker(in_batches(workloads), ledger, full)
    except KeyboardInterrupt:
        raise interrupt.Interrupted from None
    return ledger.outcome()
