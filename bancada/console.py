"""Runs experiments with a progress bar, and prints what came of them."""

from __future__ import annotations

from collections import Counter
from functools import cache

from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn

from bancada import catalogue
from bancada.campaign import Outcome, Worker, run_campaign
from bancada.catalogue import Experiment
from bancada.compile import compiler_version
from bancada.compiler_table import compiler_name, render_compilers, what_compilers_move
from bancada.plan import plan
from bancada.ranking import headline, render_headline
from bancada.records import BOARD, Result, Status
from bancada.store import Store
from bancada.studies import STUDIES


@cache
def _console() -> Console:
    return Console()


def tell(line: str) -> None:
    """One line for the person who waits, above the progress bar if there is one."""
    _console().print(f"  {line}", style="yellow", highlight=False, markup=False)


def _summary(experiment: Experiment, outcome: Outcome) -> str:
    counts = Counter(result.status for result in outcome.results)
    parts = [f"{counts[status]} {status}" for status in Status if counts[status]]
    fresh = len(outcome.results) - outcome.cached
    return f"{experiment.name}: {', '.join(parts)} ({fresh} run, {outcome.cached} unchanged)"


def _eliminated(results: tuple[Result, ...]) -> list[str]:
    """One line for each implementation that was eliminated or failed, with the first reason; the report has them all."""
    lines: dict[tuple[str, Status], str] = {}
    several = len({(result.target, compiler_name(result)) for result in results}) > len({result.target for result in results})
    for result in results:
        if result.status is not Status.OK:
            name = f"{result.implementation} by {compiler_name(result)}" if several else result.implementation
            lines.setdefault((name, result.status), result.reason or "")
    return [f"{implementation} {status}: {reason}" for (implementation, status), reason in lines.items()]


def _still_planned(experiment: Experiment, results: tuple[Result, ...], store: Store) -> set[str]:
    """The cases of this run, and those that differ from one of them only in the compiler or in that a board ran them: --compiler and
    --port added them."""

    def but_for_the_compiler(case: str) -> tuple[str, str]:
        rest, _, build = case.removeprefix(f"{BOARD}:").rpartition("/")
        return rest, build.rpartition("-")[2]

    planned = {but_for_the_compiler(result.case) for result in results}
    stored = {result.case for result in store.results(experiment.name)}
    return {case for case in stored if but_for_the_compiler(case) in planned} | {result.case for result in results}


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
    compilers: tuple[str, ...] = (),
) -> bool:
    """Runs each experiment, then prints the headline table. False if a case failed (elimination is not failure)."""
    console = _console()
    planned = [(experiment, plan(experiment, targets, candidates, quick, compilers)) for experiment in experiments]
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
        if not (candidates or targets or quick or compilers):
            store.keep_only(experiment.name, _still_planned(experiment, outcome.results, store))
        console.print(_summary(experiment, outcome))
        study = STUDIES.get(experiment.name)
        if study is not None and not (candidates or targets or compilers):
            study.observe(experiment, store, lambda line: console.print(f"  {line}", highlight=False, markup=False))
    for line in _eliminated(tuple(everything)):
        console.print(f"  {line}", style="yellow", highlight=False, markup=False)
    if moved := what_compilers_move(result for result in everything if _in_headline(result)):
        console.print(render_compilers(moved))
    for target in dict.fromkeys(result.target for result in everything):
        console.print(render_headline(headline([result for result in everything if _in_headline(result)], target)))
    return not any(result.status is Status.FAILED for result in everything)
