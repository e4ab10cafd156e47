"""Runs experiments with a progress bar, and prints their outcome."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from functools import cache

from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn

from bancada.answers.compiler_table import compiler_name, render_compilers, what_compilers_move
from bancada.answers.ranking import advisable, headline, render_headline
from bancada.campaign.campaign import Outcome, Worker, run_campaign
from bancada.catalogue.experiment import Experiment
from bancada.commands.heartbeat import heartbeat
from bancada.commands.options import console as wide_console
from bancada.commands.options import what_can_be_read
from bancada.commands.unplanned import unplanned
from bancada.commands.verdict import verdict
from bancada.commands.without_compiler import runnable
from bancada.measure.read_metrics import Metrics
from bancada.model.result import Result
from bancada.model.status import Status
from bancada.plan.laboratory import Laboratory
from bancada.plan.plan import plan
from bancada.store.store import Store
from bancada.studies.found import study_of


@cache
def _console() -> Console:
    return wide_console()


def tell(line: str) -> None:
    """Prints one line, above the progress bar if there is one."""
    _console().print(f"  {line}", style="yellow", highlight=False, markup=False)


def _summary(experiment: Experiment, outcome: Outcome) -> str:
    fresh = len(outcome.results) - outcome.cached
    return f"{experiment.name}: {_counted(outcome.results)} ({fresh} run, {outcome.cached} unchanged)"


def _counted(results: Sequence[Result]) -> str:
    """As in "12 ok, 3 not-conformant"."""
    counts = Counter(result.status for result in results)
    return ", ".join(f"{counts[status]} {status}" for status in Status if counts[status])


def whole_status(experiments: Sequence[Experiment], results: Sequence[Result], is_right: bool) -> str:
    """The last line of a run of several experiments: what became of all their cases."""
    names = ", ".join(experiment.name for experiment in experiments)
    if is_right:
        end = "No case failed; whoever is not conformant or does not fit is a finding."
    else:
        end = "Not all went well: the reasons stand above."
    return f"{len(experiments)} experiments ended ({names}): {_counted(results)}. {end}"


def _eliminated(results: tuple[Result, ...]) -> list[str]:
    """One line for each implementation that was eliminated or failed, with the first reason; the report has them
    all."""
    lines: dict[tuple[str, Status], str] = {}
    several = len({(result.target, compiler_name(result)) for result in results if result.flags}) > len(
        {result.target for result in results}
    )
    for result in results:
        if result.status not in (Status.OK, Status.NOT_OFFERED):
            name = f"{result.implementation} by {compiler_name(result)}" if several else result.implementation
            lines.setdefault((name, result.status), result.reason or "")
    return [f"{implementation} {status}: {reason}" for (implementation, status), reason in lines.items()]


def _kept_besides(experiment: Experiment, planned: list[str], store: Store) -> str:
    """One sentence on results of this experiment that are kept although no experiment plans their cases now. '' where
    there are none."""
    kept = unplanned(store.results(experiment.name), planned)
    if not kept:
        return ""
    of = ", ".join(f"{name}: {count}" for name, count in sorted(Counter(result.target for result in kept).items()))
    return (
        f"{len(kept)} earlier results of cases that {experiment.name} does not plan are kept and shown ({of}); to"
        f" forget them: bancada store prune --experiment {experiment.name} --unplanned --yes"
    )


def _left_out(laboratory: Laboratory, experiment: Experiment) -> str:
    """One sentence on the candidates of this experiment that a run without --from-git leaves out. '' where it has
    none."""
    named = [laboratory.candidate(name) for name in experiment.candidates if name != "*"]
    names = sorted(candidate.name for candidate in named if candidate.is_from_git)
    if not names:
        return ""
    return (
        f"{experiment.name}: left out what git fetches ({', '.join(names)}); to measure it:"
        f" bancada run {experiment.name} --from-git"
    )


# Message sizes that the headline shows: a packet of the studies' sensor. Block ciphers have one size each.
_HEADLINE_SIZES = {"aead": 16, "hash": 16, "mac": 16}


def _in_headline(result: Result) -> bool:
    size = _HEADLINE_SIZES.get(result.primitive)
    return size is None or result.operation == "set-key" or (result.size_bytes == size and not result.associated_bytes)


@contextmanager
def progress(name: str, total: int, console: Console) -> Iterator[Callable[[int, str], None]]:
    """Shows how far a run is: a bar on a terminal, a line a minute in a file or a pipe. Yields what to call with the
    number of cases that ended and the name of the last."""
    if not console.is_terminal:
        with heartbeat(name, total, lambda line: console.print(line, highlight=False, markup=False)) as beat:
            yield beat.advance
        return
    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeElapsedColumn())
    with Progress(*columns, TextColumn("{task.fields[case]}"), console=console) as bar:
        task = bar.add_task(name, total=total, case="")
        yield lambda done, case: bar.update(task, advance=done, case=case)


def first_figure(
    advance: Callable[[int, str], None], experiment: Experiment, store: Store, metrics: Metrics
) -> Callable[[int, str], None]:
    """`advance`, which also prints the first figure that there is, so that who tries the laboratory sees one at
    once."""
    was_shown = False

    def announce(done: int, case: str) -> None:
        nonlocal was_shown
        advance(done, case)
        if was_shown:
            return
        for result in store.results(experiment.name):
            if result.status is Status.OK and result.case == case:
                was_shown = True
                found = [(metric, metric.value(result)) for metric in metrics.shown_in("headline")]
                figures = ", ".join(f"{metric.title} {value:g} {metric.unit}" for metric, value in found if value)
                tell(f"first of the figures: {result.implementation} {result.operation} on {result.target}: {figures}")

    return announce


def run_experiments(
    laboratory: Laboratory,
    experiments: list[Experiment],
    store: Store,
    metrics: Metrics,
    targets: tuple[str, ...],
    candidates: tuple[str, ...],
    worker: Worker,
    quick: bool,
    full: bool,
    compilers: tuple[str, ...] = (),
    from_git: bool = False,
) -> bool:
    """Runs each experiment, then prints the headline table, and of several one status of all.

    False if something is not well, as bancada.commands.verdict says.
    """
    console = _console()
    # A study that does not load is reported before hours of measuring, not after.
    studies = {experiment: study_of(experiment) for experiment in experiments}
    planned = [
        (experiment, plan(laboratory, experiment, targets, candidates, quick, compilers, from_git))
        for experiment in experiments
    ]
    # A missing compiler is one sentence, not one for each case.
    possible = [(experiment, *runnable(workloads)) for experiment, workloads in planned]
    everything: list[Result] = []
    for experiment, workloads, lacking in possible:
        total = sum(len(workload.cases) for workload in workloads)
        with progress(experiment.name, total, console) as advance:
            announced = first_figure(advance, experiment, store, metrics) if lacking else advance
            outcome = run_campaign(experiment, workloads, store, worker, full, metrics, announced)
        everything += outcome.results
        console.print(_summary(experiment, outcome))
        if lacking:
            tell(lacking)
        if not (candidates or targets or quick or compilers):
            whole = plan(laboratory, experiment, from_git=True)
            kept = _kept_besides(experiment, [case.name for workload in whole for case in workload.cases], store)
            if kept:
                tell(kept)
        if not (from_git or candidates) and (left_out := _left_out(laboratory, experiment)):
            tell(left_out)
        if not (candidates or targets or compilers or lacking):
            studies[experiment].observe(
                laboratory, experiment, store, lambda line: console.print(f"  {line}", highlight=False, markup=False)
            )
    for line in _eliminated(tuple(everything)):
        console.print(f"  {line}", style="yellow", highlight=False, markup=False)
    if moved := what_compilers_move(result for result in everything if _in_headline(result)):
        console.print(render_compilers(moved))
    known = what_can_be_read(laboratory)
    advised = [one for one in advisable(everything, known.not_advised) if _in_headline(one)]
    for target in dict.fromkeys(result.target for result in everything):
        shown = headline(advised, target, metrics)
        console.print(render_headline(shown, metrics))
    right, said = verdict(everything, known.candidates, named=bool(candidates))
    if said:
        console.print(f"  {said}", style="yellow", highlight=False, markup=False)
    if len(experiments) > 1:
        console.print(whole_status(experiments, everything, right), highlight=False, markup=False)
    return right
