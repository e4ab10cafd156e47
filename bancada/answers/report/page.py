"""Puts the page together: views from records, markup from report.html.j2, everything inline."""

from __future__ import annotations

import json
import math
import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, replace
from importlib.resources import files
from typing import Any

from jinja2 import Environment, StrictUndefined
from markupsafe import Markup, escape

from bancada.answers.best import Best
from bancada.answers.ranking import StudyRow, advisable, fidelity_text, number, study_table
from bancada.answers.report.addresses import addresses
from bancada.answers.report.answer import answer
from bancada.answers.report.figures import Palette, PanelView, PlotView, panels, size_plots, xy_plots
from bancada.answers.report.input import ExperimentSection, ExtraSection, ReportInput
from bancada.answers.report.packing import packed
from bancada.answers.report.table import Eliminated, TableView, anchors, eliminated, table
from bancada.answers.words import (
    TIME_UNIT,
    algorithm_title,
    count_text,
    date_text,
    has_parameter_set,
    least_associated,
    listing,
    primitive_order,
    primitive_title,
    sentence,
    short_and_long,
    time_text,
)
from bancada.language.catalogue import Catalogue
from bancada.language.page import in_language, script_in_language
from bancada.measure.read_metrics import Metrics
from bancada.model.finding import PublishedFigure
from bancada.model.result import Result
from bancada.model.source import Source
from bancada.model.status import Status

_SHOWN_TIES = 3
# More questions than this are chosen from a list: on a phone, buttons would fill the screen.
_PILLS_LIMIT = 12
# More devices than this are chosen from a list: the first screen is one answer.
_DEVICES_AT_ONCE = 2
# A table with more rows than this is closed at first.
_LONG_TABLE = 12
# The same for eliminated implementations, each of which has a sentence or two.
_ELIMINATED_AT_ONCE = 8
# Of more experiments than this, each is closed at first: a page that is a list can be read.
_EXPERIMENTS_AT_ONCE = 2
# Of more findings than this, each shows its claim and its verdict, and the rest when it is opened.
_FINDINGS_AT_ONCE = 4
# More sources than this are closed at first.
_SOURCES_AT_ONCE = 6
# Rows of a table of figures that a packed page shows without a script.
_ROWS_AT_ONCE = 60
# Plots of a section that it shows so.
_PLOTS_AT_ONCE = 2
# A finding with more assumptions than this does not list them: they stand once, below the findings.
_ASSUMPTIONS_AT_ONCE = 3
# A larger page is packed.
_LONG_PAGE_CHARACTERS = 1_500_000
_CODE = re.compile(r"`([^`]+)`")


@dataclass(frozen=True)
class StudyView:
    """The study's table: for each direction, the best of everything by each metric."""

    title: str
    fidelity: str
    rows: tuple[tuple[str, tuple[tuple[str, str], ...]], ...]


@dataclass(frozen=True)
class PublishedRow:
    label: str
    metric: str
    published: str
    ours: str
    ratio: str
    position: float | None
    fidelity: str
    anchor: str | None
    source: int | None
    ours_name: str
    standing: str
    id: str


@dataclass(frozen=True)
class PublishedGroup:
    """Figures that differ for the same reason, which is stated once."""

    rows: tuple[PublishedRow, ...]
    note: str


@dataclass(frozen=True)
class PartView:
    """A part of an experiment, or a section of its own, with its plots drawn."""

    section: ExtraSection
    plots: tuple[PlotView, ...]


@dataclass(frozen=True)
class ExperimentView:
    section: ExperimentSection
    parts: tuple[PartView, ...]
    table: TableView
    panels: tuple[PanelView, ...]
    panel_groups: tuple[tuple[str, tuple[PanelView, ...]], ...]
    size_plots: tuple[PlotView, ...]
    studies: tuple[StudyView, ...]
    published: tuple[PublishedGroup, ...]
    sources: tuple[Source, ...]
    eliminated: tuple[Eliminated, ...]
    not_offered: tuple[tuple[str, str], ...]
    initial_vectors: tuple[tuple[str, str], ...]
    summary: str
    verdicts: str
    assumptions: tuple[str, ...]
    finding_ids: tuple[str, ...]


def draw_report(report: ReportInput, metrics: Metrics, catalogue: Catalogue | None = None) -> str:
    """The whole page, in the language of the catalogue. It needs a browser, and no network."""
    spoken = catalogue or Catalogue("en", {})
    report = _in_target_order(report)
    not_offered = {section.name: _not_offered(section.results) for section in report.experiments}
    report = _of_what_is_offered(report)
    every = _newest([result for section in report.experiments for result in section.results])
    where: dict[str, str] = {}
    for section in report.experiments:
        where = anchors(section.name, section.results, metrics) | where
    facts = {target.name: target for target in report.targets}
    names = list(dict.fromkeys([*facts, *sorted({result.target for result in every})]))
    with_results = [name for name in names if any(result.target == name for result in every)]
    palette = Palette(tuple(dict.fromkeys(sorted(result.candidate for result in every))))

    context: dict[str, Any] = {
        "report": report,
        "made": date_text(report.made),
        "pills_limit": _PILLS_LIMIT,
        "one_device_at_a_time": len(with_results) > _DEVICES_AT_ONCE,
        "answers": [
            answer(advisable(every, report.not_advised), name, facts.get(name), where, metrics) for name in with_results
        ],
        "experiments": [
            _experiment(section, not_offered[section.name], palette, where, metrics, report.not_advised)
            for section in report.experiments
        ],
        "extra": _with_addresses("report", [_part(f"extra-{at}", one) for at, one in enumerate(report.extra)], [], [])[
            0
        ],
        "headline": metrics.shown_in("headline"),
        "study_metrics": metrics.shown_in("study"),
        "definitions": [metric for metric in metrics if metric.shown_in],
        "limits": [metric for metric in metrics.shown_in("headline") if not metric.timed],
        "long_table": _LONG_TABLE,
        "rows_at_once": _ROWS_AT_ONCE,
        "plots_at_once": _PLOTS_AT_ONCE,
        "assumptions_at_once": _ASSUMPTIONS_AT_ONCE,
        "is_folded": len(report.experiments) > _EXPERIMENTS_AT_ONCE,
        "eliminated_at_once": _ELIMINATED_AT_ONCE,
        "findings_at_once": _FINDINGS_AT_ONCE,
        "sources_at_once": _SOURCES_AT_ONCE,
        "css": Markup(_read("report.css")),
        "js": Markup(script_in_language(_read("report.js"), spoken)),
    }
    for view in context["experiments"]:
        _name_figures(view.table.data, spoken)
    template = _environment().from_string(_read("report.html.j2"))
    page = template.render({**context, "pack": Markup, "is_packed": False})
    if len(page) > _LONG_PAGE_CHARACTERS:
        # Before a part is packed, since nothing in it is found afterwards; what is not packed, with the whole page.
        context["pack"] = lambda part: packed(str(part), lambda text: in_language(text, spoken))
        page = template.render({**context, "is_packed": True})
    return in_language(page, spoken).strip() + "\n"


def _name_figures(data: dict[str, Any], spoken: Catalogue) -> None:
    """Titles and units of figures in the data of report.js, in the language of the page."""
    data["figures"] = [[name, spoken.gettext(title), spoken.gettext(unit)] for name, title, unit in data["figures"]]


def _in_target_order(report: ReportInput) -> ReportInput:
    """The same report, the results of each experiment by target in the order of `targets`, others after them."""
    known = [target.name for target in report.targets]

    def place(result: Result) -> tuple[bool, int, str]:
        if result.target in known:
            return (False, known.index(result.target), "")
        return (True, 0, result.target)

    sections = tuple(
        replace(section, results=tuple(sorted(section.results, key=place))) for section in report.experiments
    )
    return replace(report, experiments=sections)


def _not_offered(results: Sequence[Result]) -> tuple[tuple[str, str], ...]:
    """Cases that libraries do not offer: each reason, and the implementations that it applies to."""
    groups: dict[str, set[str]] = {}
    for result in results:
        if result.status is Status.NOT_OFFERED:
            groups.setdefault(result.reason or "No reason was recorded.", set()).add(result.implementation)
    return tuple((reason, listing(sorted(names))) for reason, names in sorted(groups.items()))


def _of_what_is_offered(report: ReportInput) -> ReportInput:
    """The same report without cases that are not offered: they are neither figures nor failures."""
    sections = tuple(
        replace(section, results=tuple(one for one in section.results if one.status is not Status.NOT_OFFERED))
        for section in report.experiments
    )
    return replace(report, experiments=sections)


def _read(name: str) -> str:
    return (files(__package__) / name).read_text(encoding="utf-8")


def _environment() -> Environment:
    environment = Environment(autoescape=True, trim_blocks=True, lstrip_blocks=True, undefined=StrictUndefined)
    environment.filters["prose"] = _prose
    environment.filters["json"] = _json
    environment.filters["number"] = number
    environment.filters["sentence"] = sentence
    environment.filters["svg"] = Markup  # figures are ours, their texts already escaped
    return environment


def _prose(text: str) -> Markup:
    """Text of an experiment: `so` becomes code, everything else is escaped."""
    return Markup(_CODE.sub(r"<code>\1</code>", str(escape(text))))


def _json(value: object) -> Markup:
    """JSON that may stand inside <script>: nothing in it can close the element."""
    text = json.dumps(value, ensure_ascii=False, separators=(",", ":"))
    return Markup(text.replace("<", "\\u003c").replace("\u2028", "\\u2028").replace("\u2029", "\\u2029"))


def _newest(results: Sequence[Result]) -> list[Result]:
    """Each case once: experiments share cases."""
    newest: dict[tuple[str, str], Result] = {}
    for result in results:
        key = (result.engine, result.case)
        if key not in newest or result.date > newest[key].date:
            newest[key] = result
    return list(newest.values())


def _experiment(
    section: ExperimentSection,
    not_offered: tuple[tuple[str, str], ...],
    palette: Palette,
    where: dict[str, str],
    metrics: Metrics,
    not_advised: frozenset[str],
) -> ExperimentView:
    results = section.results
    parts, found, by_size = _with_addresses(
        section.name,
        [_part(f"{section.name}-part-{index}", part) for index, part in enumerate(section.parts)],
        panels(section.name, results, palette, metrics) if section.plots else [],
        size_plots(section.name, results, metrics) if section.plots else [],
    )
    sources = tuple(dict.fromkeys(figure.source for figure in section.published if figure.source is not None))
    groups: dict[str, list[PanelView]] = {}
    for panel in found:
        groups.setdefault(panel.group, []).append(panel)
    return ExperimentView(
        section=section,
        parts=tuple(parts),
        table=table(section.name, results, metrics, section.earlier, section.study_optimisation),
        panels=tuple(found),
        panel_groups=tuple((name, tuple(members)) for name, members in groups.items()),
        size_plots=tuple(by_size),
        studies=tuple(_studies(advisable(results, not_advised), metrics)),
        published=tuple(_published(section, sources, where, metrics)),
        sources=sources,
        eliminated=tuple(eliminated(results)),
        not_offered=not_offered,
        initial_vectors=tuple(_initial_vectors(results)),
        summary=_summary(results),
        verdicts=listing([f"{verdict} {number(times)}" for verdict, times in _verdicts(section)])
        if section.findings
        else "",
        assumptions=_assumptions(section),
        finding_ids=tuple(addresses("finding", section.name, (finding.claim for finding in section.findings))),
    )


def _with_addresses(
    name: str, parts: Sequence[PartView], panels: Sequence[PanelView], by_size: Sequence[PlotView]
) -> tuple[list[PartView], list[PanelView], list[PlotView]]:
    """Each plot of a section with its address."""
    of_parts = [plot for part in parts for plot in part.plots]
    of_panels = [plot for panel in panels for plot in panel.plots]
    plots = [*of_parts, *of_panels, *by_size]
    ids = iter(addresses("figure", name, (plot.data.title for plot in plots)))

    def named(plots: Sequence[PlotView]) -> tuple[PlotView, ...]:
        return tuple(replace(plot, id=next(ids)) for plot in plots)

    return (
        [replace(part, plots=named(part.plots)) for part in parts],
        [replace(panel, plots=named(panel.plots)) for panel in panels],
        list(named(by_size)),
    )


def _part(owner: str, section: ExtraSection) -> PartView:
    return PartView(section, xy_plots(owner, section.plots))


def _verdicts(section: ExperimentSection) -> list[tuple[str, int]]:
    """How often each verdict was given, most often first."""
    return Counter(str(finding.verdict) for finding in section.findings).most_common()


def _assumptions(section: ExperimentSection) -> tuple[str, ...]:
    """Each assumption once, of the findings that have too many to list them."""
    many = [finding.varied for finding in section.findings if len(finding.varied) > _ASSUMPTIONS_AT_ONCE]
    return tuple(dict.fromkeys(one for varied in many for one in varied))


def _summary(results: Sequence[Result]) -> str:
    ok = sum(result.status == Status.OK for result in results)
    candidates = {result.candidate for result in results}
    return (
        f"{count_text(len(results), 'case')} of {count_text(len(candidates), 'library', 'libraries')}: "
        f"{number(ok)} with figures, {number(len(results) - ok)} eliminated"
    )


def _studies(results: Sequence[Result], metrics: Metrics) -> list[StudyView]:
    """One table for each target and primitive."""
    groups: dict[tuple[str, str], list[StudyRow]] = {}
    for row in study_table(least_associated(results), metrics):
        groups.setdefault((row.target, row.primitive), []).append(row)
    several_targets = len({target for target, _ in groups}) > 1
    views = []
    order = list(dict.fromkeys(result.target for result in results))
    for target, primitive in sorted(groups, key=lambda key: (order.index(key[0]), primitive_order(key[1]))):
        members = groups[target, primitive]
        shown = short_and_long(row.size_bytes for row in members)
        rows = []
        for row in members:
            if row.size_bytes in shown:
                name = row.direction if row.direction == row.operation else f"{row.direction} ({row.operation})"
                size = f", {number(row.size_bytes)} B" if len(shown) > 1 else ""
                cells = tuple(_study_cell(row.best.get(metric.name)) for metric in metrics.shown_in("study"))
                rows.append((sentence(name + size), cells))
        title = sentence(primitive_title(primitive)) + (f" on {target}" if several_targets else "")
        winners = [result for row in members for best in row.best.values() for result in best.winners]
        views.append(StudyView(title, listing(sorted({fidelity_text(result) for result in winners})), tuple(rows)))
    return views


def _study_cell(best: Best | None) -> tuple[str, str]:
    """The algorithm, the variant and the keys that tie, as the study writes them, and the figure."""
    if best is None:
        return "not measured", ""
    names: dict[str, list[int]] = {}
    for result in best.winners:
        variant = "" if result.variant in ("", "plain") else f" {result.variant}"
        key_bits = 0 if has_parameter_set(result.algorithm) else result.key_bits
        names.setdefault(f"{result.candidate} {algorithm_title(result.algorithm)}{variant}", []).append(key_bits)
    shown = [f"{name}{_keys(keys)}" for name, keys in list(names.items())[:_SHOWN_TIES]]
    rest = len(names) - len(shown)
    figure = time_text(best.value) if best.metric.unit == TIME_UNIT else f"{number(best.value)} {best.metric.unit}"
    return listing(shown if not rest else [*shown, f"{rest} more"]), figure


def _keys(keys: Sequence[int]) -> str:
    known = sorted(set(keys) - {0})
    return f", {'/'.join(map(str, known))}-bit key" if known else ""


def _published(
    section: ExperimentSection, sources: Sequence[Source], where: dict[str, str], metrics: Metrics
) -> list[PublishedGroup]:
    groups: list[PublishedGroup] = []
    figures = section.published
    ids = addresses("published", section.name, (f"{figure.label} {figure.metric}" for figure in figures))
    for figure, id in zip(figures, ids, strict=True):
        ratio = figure.ratio
        row = PublishedRow(
            label=figure.label,
            metric=known.title if (known := metrics.published(figure.metric)) else figure.metric,
            published=f"{number(figure.published)} {figure.unit}",
            ours="no figure" if figure.ours is None else f"{number(figure.ours)} {figure.unit}",
            ratio="" if ratio is None else f"{_ratio_text(ratio)} ×",
            position=None if not ratio else _position(ratio),
            fidelity=_fidelity_of(figure),
            anchor=where.get(figure.ours_case or ""),
            source=None if figure.source is None else sources.index(figure.source) + 1,
            ours_name=figure.ours_name,
            standing=figure.standing,
            id=id,
        )
        if groups and groups[-1].note == figure.note:
            groups[-1] = PublishedGroup((*groups[-1].rows, row), figure.note)
        else:
            groups.append(PublishedGroup((row,), figure.note))
    return groups


def _fidelity_of(figure: PublishedFigure) -> str:
    """The fidelity of ours with its band; '' where there is none of ours."""
    band = "" if figure.band_percent is None else f" ±{figure.band_percent:g} %"
    return f"{figure.fidelity}{band}" if figure.fidelity else ""


def _ratio_text(ratio: float) -> str:
    return f"{ratio:.2f}" if 0.1 <= ratio < 10 else number(ratio)


def _position(ratio: float) -> float:
    """Where a ratio stands on a logarithmic scale from an eighth (0) to eight (100), equal in the middle."""
    return round(50 + 50 * min(1.0, max(-1.0, math.log(ratio, 8))), 1)


def _initial_vectors(results: Sequence[Result]) -> list[tuple[str, str]]:
    """The requirement of SP 800-38A on CBC: each finding, and the libraries that it applies to."""
    groups: dict[str, set[str]] = {}
    for result in results:
        if result.sp800_38a:
            groups.setdefault(result.sp800_38a, set()).add(result.candidate)
    return [(finding, listing(sorted(candidates))) for finding, candidates in sorted(groups.items())]
