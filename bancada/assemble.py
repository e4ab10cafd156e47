"""Gathers what the report is drawn from: results of the store, facts of the catalogue, published figures."""

from __future__ import annotations

import hashlib
import json
from dataclasses import asdict
from pathlib import Path

from bancada import __version__, catalogue
from bancada.audit.marks import with_audits
from bancada.audit.section import audit_note, audit_sections
from bancada.audit.store import read_audits
from bancada.board_section import board_sections, without_boards
from bancada.catalogue import Experiment, Target
from bancada.function_sizes import tatu_function_sizes
from bancada.published import published_figures
from bancada.ranking import METRICS, at_best_level
from bancada.records import Result, Status
from bancada.report.input import ExperimentSection, ExtraSection, ReportInput, SourcedFact, TargetFacts
from bancada.store import Store
from bancada.studies import STUDIES
from bancada.studies.within_bands import findings_within_bands
from bancada.validation_section import validation_sections
from bancada.validation_store import read_validations


def _target_facts(target: Target) -> TargetFacts:
    core = catalogue.cores()[target.core]
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
        static = "" if target.event_power.static_w is None else f", {target.event_power.static_w:g} W static"
        return SourcedFact("power", f"by events, {target.event_power.voltage_v:g} V{static}", target.event_power.source)
    return SourcedFact("power", "not known: no figure is published, so there is no energy; --watts takes yours", "")


def _eliminated_once(results: list[Result]) -> list[Result]:
    """A case that was eliminated is told once, not again for every message size."""
    told: set[tuple[str, ...]] = set()
    kept = []
    for result in results:
        what = (result.target, result.implementation, result.operation, result.optimisation, result.compiler)
        if result.status is Status.OK or what not in told:
            kept.append(result)
            told.add(what)
    return kept


def _at_best_levels(results: list[Result], named: set[str | None]) -> list[Result]:
    """Of messages of many sizes, each implementation at the optimisation levels that are best for something, and the cases `named`."""
    best = {id(result) for name in ("cycles", "flash", "ram") for result in at_best_level(results, METRICS[name])}
    return [result for result in results if result.status is not Status.OK or id(result) in best or result.case in named]


_BEST_LEVELS_NOTE = (
    "Of the optimisation levels, those are shown that are best for an implementation in cycles, flash or RAM; "
    "`bancada export` has them all."
)


def _section(experiment: Experiment, store: Store) -> ExperimentSection:
    audits = read_audits(store.path)
    every = with_audits(store.results(experiment.name), audits)
    stored = _eliminated_once(without_boards(every))
    published = published_figures(experiment, stored)
    results = _at_best_levels(stored, {figure.ours_case for figure in published}) if experiment.sizes_bytes else stored
    notes = experiment.notes if len(results) == len(stored) else (*experiment.notes, _BEST_LEVELS_NOTE)
    leaks = audit_note(audits, [result.implementation for result in results], [result.target for result in results])
    study = STUDIES.get(experiment.name)
    observed = store.observations(experiment.name)
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
        findings=findings_within_bands(study, stored, observed) if study else (),
        parts=(*(study.parts(stored, observed) if study else ()), *board_sections(every)),
    )


def _function_sizes() -> ExtraSection:
    """Flash is a figure too: what each function and table of Tatu costs in a program that calls it."""
    sizes = tatu_function_sizes()
    return ExtraSection(
        title="The flash of each function of Tatu",
        paragraphs=(
            "Compiled for the Arduino UNO at -Os, one section each; the linker keeps only what a program calls "
            "(--gc-sections) and may shorten calls a little more.",
        ),
        columns=("Function or table", "File", "Flash, B", "Static RAM, B"),
        rows=tuple((size.name, size.source_file, str(size.flash_bytes), str(size.ram_bytes)) for size in sizes),
    )


def assemble(store: Store) -> ReportInput:
    """Everything that the store holds, by experiment, in the catalogue's order."""
    known = catalogue.experiments()
    sections = tuple(_section(known[name], store) for name in store.experiments() if name in known)
    names = sorted({result.target for section in sections for result in section.results})
    dates = [result.date for section in sections for result in section.results]
    return ReportInput(
        title="What cryptography costs on constrained devices",
        made=max(dates, default=""),
        tool_version=__version__,
        targets=tuple(_target_facts(catalogue.targets()[name]) for name in names if name in catalogue.targets()),
        experiments=sections,
        extra=(
            *audit_sections(read_audits(store.path)),
            *validation_sections(read_validations(store.path)),
            *((_function_sizes(),) if any(section.name == "records" for section in sections) else ()),
        ),
    )


def digest(content: ReportInput) -> str:
    """Hash of all that the page depends on: what is drawn, and what draws it."""
    hasher = hashlib.sha256(json.dumps(asdict(content), default=str).encode())
    package = Path(__file__).parent
    for path in sorted([*package.glob("report/**/*"), *package.glob("studies/*.py"), package / "ranking.py"]):
        if path.is_file() and path.suffix != ".pyc":
            hasher.update(path.read_bytes())
    return hasher.hexdigest()
