"""Runs workloads here or on other machines, and stores what comes of each. A failure is a result; the campaign goes on."""

from __future__ import annotations

import threading
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor, as_completed
from dataclasses import dataclass

from bancada import interrupt
from bancada.batch import Answer, Batch, Found, described, in_batches, result_of, work
from bancada.catalogue import Experiment
from bancada.compile import look_again
from bancada.engines import cost_process, stop_all
from bancada.records import BOARD, Case, Observation, Result, Status, Workload
from bancada.store import Store, result_key


@dataclass(frozen=True)
class Outcome:
    """What became of a campaign."""

    results: tuple[Result, ...]
    cached: int


class Interrupted(Exception):
    """Ctrl-C: what was finished is stored."""


class Ledger:
    """The store as a campaign sees it: what is known of a batch before, and what is written after. Safe to use from several threads."""

    def __init__(self, experiment: Experiment, workloads: list[Workload], store: Store, progress: Callable[[int, str], None]) -> None:
        self._experiment = experiment
        self._store = store
        self._progress = progress
        self._lock = threading.Lock()
        self._positions: dict[str, int] = {}
        self._results: list[Result] = []
        self._cached = 0
        for workload in workloads:
            for case in workload.cases:
                self._positions.setdefault(case.name, len(self._positions))

    def batch(self, workloads: tuple[Workload, ...], full: bool) -> Batch:
        """The batch with what is known of it by now. A failed case is no knowledge: it is tried again."""
        names = tuple(case.name for workload in workloads for case in workload.cases)
        targets = {workload.firmware.target for workload in workloads if workload.firmware is not None}
        return Batch(
            workloads,
            self._experiment.samples,
            full,
            {target: described(target) for target in targets},
            frozenset(self._store.keys(names, but=Status.FAILED)),
        )

    def write(self, answers: list[Answer]) -> None:
        """Stores results; they are finished when this returns."""
        for answer in answers:
            known = self._store.find(answer.key) if answer.found is None else None
            result = known if known is not None else result_of(answer.case, self._found(answer))
            if answer.found is not None and result.engine == BOARD:
                self._keep_samples(answer, result)
            self._store.put(self._experiment.name, self._positions[result.case], answer.key, result)
            with self._lock:
                self._results.append(result)
                self._cached += answer.found is None
                self._progress(1, result.case)

    def _keep_samples(self, answer: Answer, result: Result) -> None:
        """What a board's timer said for every call: nobody can count it again as a simulator can."""
        raw = answer.found.raw if answer.found is not None else None
        if raw is None or answer.case not in raw.regions:
            return
        regions = raw.regions[answer.case]
        figures = {"timer_cycles": [region.region_cycles for region in regions], "cycles": [region.cycles for region in regions]}
        parameters = {"engine_version": result.engine_version, "elf_sha256": result.elf_sha256}
        self._store.put_observation(
            self._experiment.name, answer.key, Observation("board-samples", result.case, result.fidelity, parameters, figures, result.date)
        )

    @staticmethod
    def _found(answer: Answer) -> Found:
        assert answer.found is not None, f"the result of {answer.case.name} left the store meanwhile"
        return answer.found

    def write_impossible(self, case: Case) -> None:
        """A combination that cannot be: nothing runs, and what is stored stays as it is."""
        key = result_key(case, "cannot be")
        known = self._store.find(key) is not None
        self.write([Answer(case, key, None if known else Found(None, None, None, Status.DOES_NOT_BUILD, case.why_not))])

    def outcome(self) -> Outcome:
        """All that was written, in the order of the plan."""
        return Outcome(tuple(sorted(self._results, key=lambda result: self._positions[result.case])), self._cached)


# Works on batches until all are written to the ledger; on Ctrl-C and on errors it stops what it began and raises.
Worker = Callable[[list[tuple[Workload, ...]], Ledger, bool], None]


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

        with cost_process.beside(jobs > 1 and len(batches) > 1), ThreadPoolExecutor(max_workers=jobs) as pool:
            futures = [pool.submit(one, workloads) for workloads in batches]
            try:
                for future in as_completed(futures):
                    interrupt.check()
                    future.result()
            except BaseException:
                stopping.set()
                for future in futures:
                    future.cancel()
                stop_all()
                raise

    return run_here


def run_campaign(
    experiment: Experiment,
    workloads: list[Workload],
    store: Store,
    worker: Worker,
    full: bool,
    progress: Callable[[int, str], None],
) -> Outcome:
    """Runs every workload, where `worker` does; calls `progress(cases finished, name)` as they end.

    Every finished case is stored at once. Interrupted on Ctrl-C, with all that was finished stored.
    """
    look_again()
    ledger = Ledger(experiment, workloads, store, progress)
    try:
        for workload in workloads:
            if workload.firmware is None:
                for case in workload.cases:
                    ledger.write_impossible(case)
        worker(in_batches(workloads), ledger, full)
    except KeyboardInterrupt:
        raise Interrupted from None
    return ledger.outcome()
