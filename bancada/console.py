"""Runs experiments with a progress bar, and prints what came of them."""

from __future__ import annotations

from collections import Counter

from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn

from bancada import catalogue
from bancada.campaign import Outcome, Worker, run_campaign
from bancada.catalogue import Experiment
from bancada.compile import compiler_version
from bancada.plan import plan
from bancada.ranking import headline, render_headline
from bancada.records import Result, Status
from bancada.store import Store
from bancada.studies import STUDIES


def _summary(experiment: Experiment, outcome: Outcome) -> str:
    counts = Counter(result.status for result in outcome.results)
    parts = [f"{counts[status]} {status}" for status in Status if counts[status]]
    fresh = len(outcome.results) - outcome.cached
    return f"{experiment.name}: {', '.join(parts)} ({fresh} run, {outcome.cached} unchanged)"


def _eliminated(results: tuple[Result, ...]) -> list[str]:
    """One line for each implementation that was eliminated or failed, with the first reason; the report has them all."""
    lines: dict[tuple[str, Status], str] = {}
    for result in results:
        if result.status is not Status.OK:
            lines.setdefault((result.implementation, result.status), result.reason or "")
    return [f"{implementation} {status}: {reason}" for (implementation, status), reason in lines.items()]


# Message sizes that the headline shows: a packet of the studies' sensor. Block ciphers have one size each.
_HEADLINE_SIZES = {"aead": 16, "hash": 16, "mac": 16}


def _in_headline(result: Result) -> bool:
    size = _HEADLINE_SIZES.get(result.primitive)
    return size is None or result.operation == "set-key" or (result.size_bytes == size and not result.associated_bytes)


def run_experiments(
    experiments: list[Experiment],
    store: Store,
    targets: tuple[str, ...],
    candidates: tuple[str, ...],
    worker: Worker,
    quick: bool,
    full: bool,
) -> bool:
    """Runs each experiment, then prints the headline table. False if a case failed (elimination is not failure)."""
    console = Console()
    planned = [(experiment, plan(experiment, targets, candidates, quick)) for experiment in experiments]
    for name in sorted({case.target for _, workloads in planned for workload in workloads for case in workload.cases}):
        toolchain = catalogue.targets()[name].toolchain
        compiler_version(toolchain.compiler, toolchain.package)  # a missing compiler is one sentence, not one for each case
    everything: list[Result] = []
    for experiment, workloads in planned:
        total = sum(len(workload.cases) for workload in workloads)
        columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeElapsedColumn())
        with Progress(*columns, TextColumn("{task.fields[case]}"), console=console) as bar:
            task = bar.add_task(experiment.name, total=total, case="")
            outcome = run_campaign(
                experiment, workloads, store, worker, full, lambda done, case: bar.update(task, advance=done, case=case)
            )
        everything += outcome.results
        if not (candidates or targets or quick):
            store.keep_only(experiment.name, (result.case for result in outcome.results))
        console.print(_summary(experiment, outcome))
        study = STUDIES.get(experiment.name)
        if study is not None and not (candidates or targets):
            study.observe(experiment, store, lambda line: console.print(f"  {line}", highlight=False, markup=False))
    for line in _eliminated(tuple(everything)):
        console.print(f"  {line}", style="yellow", highlight=False, markup=False)
    for target in dict.fromkeys(result.target for result in everything):
        console.print(render_headline(headline([result for result in everything if _in_headline(result)], target)))
    return not any(result.status is Status.FAILED for result in everything)
