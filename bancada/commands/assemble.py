"""Gathers the input of the report: results of the store, facts of the catalogue, published figures."""

from __future__ import annotations

import hashlib
import json
from dataclasses import asdict, replace

from bancada import __version__
from bancada.answers.best import at_best_level
from bancada.answers.board_section import board_sections, without_boards
from bancada.answers.published import published_figures
from bancada.answers.report.input import EarlierRun, ExperimentSection, ReportInput, SourcedFact, TargetFacts
from bancada.audit.marks import with_audits
from bancada.audit.section import audit_note, audit_sections
from bancada.audit.store import read_audits
from bancada.catalogue.experiment import Experiment
from bancada.catalogue.target import EventPower, Target
from bancada.measure.metrics.energy import energy_band_percent
from bancada.measure.own_code import code_digest
from bancada.measure.read_metrics import Metrics
from bancada.model.result import Result
from bancada.model.status import Status
from bancada.plan.laboratory import Laboratory
from bancada.prove.marks import with_proofs
from bancada.store.store import Store
from bancada.studies.found import study_of
from bancada.studies.study import Evidence
from bancada.studies.within_bands import findings_within_bands
from bancada.validate.section import validation_sections
from bancada.validate.store import read_validations


def _target_facts(target: Target) -> TargetFacts:
    core = target.core
    power = target.power
    return TargetFacts(
        name=target.name,
        title=target.title,
        clock_hz=target.clock_hz,
        flash_bytes=target.flash_bytes,
        ram_bytes=target.ram_bytes,
        supply_volts=power.voltage_v if power else None,
        facts=(
            SourcedFact("device", target.about, ""),
            SourcedFact("cycles", f"{core.fidelity}: {core.title}", core.source),
            _power_fact(target),
        ),
    )


def _power_fact(target: Target) -> SourcedFact:
    if target.power is not None:
        asleep = "" if target.power.sleep_ua is None else f", {target.power.sleep_ua:g} µA asleep"
        return SourcedFact("current", f"{target.power.active_ma:g} mA active{asleep}", target.power.source)
    if target.event_power is not None:
        return _event_power_fact(target, target.event_power)
    return SourcedFact("power", "not known: no figure is published, so there is no energy; --watts takes yours", "")


def _event_power_fact(target: Target, power: EventPower) -> SourcedFact:
    static = ""
    if power.static_w is not None:
        static = f", {power.static_w:g} W static, of which {power.static_w / power.cores:g} W are one core's"
    band = energy_band_percent(target, None)
    stated = "" if band is None else f", energy ±{band:.0f} %"
    source = f"{power.source} {power.error_source}".strip()
    return SourcedFact("power", f"by events, {power.voltage_v:g} V{static}{stated}", source)


def _eliminated_once(results: list[Result]) -> list[Result]:
    """Keeps an eliminated case once, and not for every message size."""
    told: set[tuple[str, ...]] = set()
    kept = []
    for result in results:
        what = (result.target, result.implementation, result.operation, result.optimisation, result.compiler)
        if result.status is Status.OK or what not in told:
            kept.append(result)
            told.add(what)
    return kept


def _at_best_levels(
    results: list[Result], named: set[str | None], metrics: Metrics, study_optimisation: str
) -> list[Result]:
    """Of messages of many sizes, each implementation at the optimisation levels that are best for something and at the
    study's, and the cases `named`."""
    best = {id(result) for metric in metrics.shown_in("headline") for result in at_best_level(results, metric)}
    return [
        result
        for result in results
        if result.status is not Status.OK
        or id(result) in best
        or result.case in named
        or result.optimisation == study_optimisation
    ]


_BEST_LEVELS_NOTE = (
    "Of the optimisation levels, those are shown that are best for an implementation in cycles, flash or RAM, and the "
    "study's; `bancada export` has them all."
)


def _earlier_runs(results: list[Result], store: Store, metrics: Metrics) -> dict[str, tuple[EarlierRun, ...]]:
    """Of each case, the runs before the one that is shown that gave another status or another headline figure than the
    run after them."""
    found: dict[str, tuple[EarlierRun, ...]] = {}
    every = store.earlier(result.case for result in results)
    for shown in results:
        runs: list[EarlierRun] = []
        last = _run(shown, metrics)
        for result in every.get(shown.case, []):
            run = _run(result, metrics)
            if result.engine == shown.engine and result.date < shown.date and replace(run, date=last.date) != last:
                runs.append(run)
                last = run
        if runs:
            found[shown.case] = tuple(runs)
    return found


def _run(result: Result, metrics: Metrics) -> EarlierRun:
    values = [(metric, metric.value(result)) for metric in metrics.shown_in("headline")]
    figures = tuple((metric.title, metric.unit, value) for metric, value in values if value is not None)
    return EarlierRun(result.date, str(result.status), figures)


def section_of(laboratory: Laboratory, experiment: Experiment, store: Store, metrics: Metrics) -> ExperimentSection:
    """One experiment of the report."""
    audits = read_audits(store.path)
    every = with_proofs(laboratory, with_audits(store.results(experiment.name), audits), store.path)
    stored = _eliminated_once(without_boards(every))
    published = published_figures(experiment, stored, metrics)
    named = {figure.ours_case for figure in published}
    results = stored
    if experiment.sizes_bytes:
        results = _at_best_levels(stored, named, metrics, experiment.study_optimisation)
    notes = experiment.notes if len(results) == len(stored) else (*experiment.notes, _BEST_LEVELS_NOTE)
    leaks = audit_note(audits, [result.implementation for result in results], [result.target for result in results])
    study = study_of(experiment)
    evidence = Evidence(laboratory, experiment, stored, store.observations(experiment.name))
    return ExperimentSection(
        name=experiment.name,
        title=experiment.title,
        question=experiment.question,
        study=experiment.study,
        citation=experiment.citation,
        results=tuple(results),
        published=tuple(published),
        notes=(*notes, leaks) if leaks else notes,
        plots=experiment.plots,
        findings=findings_within_bands(study, evidence),
        parts=(*study.sections(evidence), *board_sections(every)),
        earlier=_earlier_runs(results, store, metrics),
        study_optimisation=experiment.study_optimisation,
    )


def _section_of_unknown(laboratory: Laboratory, name: str, store: Store) -> ExperimentSection:
    """Results whose experiment is not in this shell's catalogue. They are shown, with a note."""
    audits = read_audits(store.path)
    every = with_proofs(laboratory, with_audits(store.results(name), audits), store.path)
    return ExperimentSection(
        name=name,
        title=name,
        question="What these cases cost.",
        study="",
        citation="",
        results=tuple(_eliminated_once(without_boards(every))),
        notes=(
            (
                f"The experiment `{name}` is not defined here: its folder is in none of `BANCADA_PATH`, or its file"
                " cannot be read. Its results are shown as they are stored, without its question and its published"
                f" figures; `bancada store prune --experiment {name}` forgets them."
            ),
        ),
        parts=board_sections(every),
    )


def assemble(laboratory: Laboratory, store: Store, metrics: Metrics) -> ReportInput:
    """Everything in the store, by experiment, in the catalogue's order. Experiments that the catalogue does not have
    come last."""
    known = laboratory.experiments
    names = store.experiments()
    sections = (
        *(section_of(laboratory, known[name], store, metrics) for name in names if name in known),
        *(_section_of_unknown(laboratory, name, store) for name in names if name not in known and store.results(name)),
    )
    names = sorted({result.target for section in sections for result in section.results})
    dates = [result.date for section in sections for result in section.results]
    return ReportInput(
        title="What cryptography costs on constrained devices",
        made=max(dates, default=""),
        tool_version=__version__,
        targets=tuple(_target_facts(laboratory.targets[name]) for name in names if name in laboratory.targets),
        experiments=sections,
        not_advised=laboratory.not_advised,
        extra=(
            *audit_sections(read_audits(store.path)),
            *validation_sections(
                laboratory.cores,
                read_validations(store.path),
                [laboratory.targets[name] for name in names if name in laboratory.targets],
            ),
        ),
    )


def digest(content: ReportInput, metrics: Metrics) -> str:
    """Hash of everything that the page depends on: the data and the code that draws it. The same in every process."""
    hasher = hashlib.sha256(json.dumps(asdict(content), default=_in_order).encode())
    hasher.update(code_digest(("answers", "measure")).encode() + metrics.outside_digest.encode())
    return hasher.hexdigest()


def _in_order(value: object) -> object:
    """A set as JSON, in an order that does not change from one process to the next."""
    return sorted(value) if isinstance(value, frozenset) else str(value)
