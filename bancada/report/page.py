"""Puts the page together: views from records, markup from report.html.j2, everything inline."""

from __future__ import annotations

import json
import math
import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from importlib.resources import files

from jinja2 import Environment, StrictUndefined
from markupsafe import Markup, escape

from bancada.ranking import STUDY_METRICS, Best, StudyRow, fidelity_text, number, study_table
from bancada.records import PublishedFigure, Result, Status
from bancada.report.answer import answer
from bancada.report.figures import Palette, PanelView, PlotView, panels, size_plots, xy_plots
from bancada.report.input import ExperimentSection, ExtraSection, ReportInput
from bancada.report.table import Eliminated, TableView, anchors, eliminated, table
from bancada.report.words import (
    algorithm_title,
    count_text,
    date_text,
    least_associated,
    listing,
    metric_title,
    primitive_order,
    primitive_title,
    sentence,
    short_and_long,
    time_text,
)

_SHOWN_TIES = 3
# More questions than this are chosen from a list: on a phone, buttons would fill the screen.
_PILLS_LIMIT = 12
# More devices than this are chosen from a list: the first screen is one answer.
_DEVICES_AT_ONCE = 2
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


@dataclass(frozen=True)
class PublishedGroup:
    """Figures that differ for the same reason, said once."""

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
    eliminated: tuple[Eliminated, ...]
    initial_vectors: tuple[tuple[str, str], ...]
    summary: str


def draw_report(report: ReportInput) -> str:
    """The whole page. It asks nothing of the network and nothing of the machine that shows it but a browser."""
    report = _in_target_order(report)
    every = _newest([result for section in report.experiments for result in section.results])
    where: dict[str, str] = {}
    for section in report.experiments:
        where = anchors(section.name, section.results) | where
    facts = {target.name: target for target in report.targets}
    names = list(dict.fromkeys([*facts, *sorted({result.target for result in every})]))
    with_results = [name for name in names if any(result.target == name for result in every)]
    palette = Palette(tuple(dict.fromkeys(sorted(result.candidate for result in every))))

    context = {
        "report": report,
        "made": date_text(report.made),
        "pills_limit": _PILLS_LIMIT,
        "one_device_at_a_time": len(with_results) > _DEVICES_AT_ONCE,
        "answers": [answer(every, name, facts.get(name), where) for name in with_results],
        "experiments": [_experiment(section, palette, where) for section in report.experiments],
        "extra": [_part(f"extra-{index}", section) for index, section in enumerate(report.extra)],
        "css": Markup(_read("report.css")),  # noqa: S704 -- our own file
        "js": Markup(_read("report.js")),  # noqa: S704 -- our own file
    }
    return _environment().from_string(_read("report.html.j2")).render(context).strip() + "\n"


def _in_target_order(report: ReportInput) -> ReportInput:
    """The same report, the results of each experiment by target in the order of `targets`, others after them."""
    known = [target.name for target in report.targets]

    def place(result: Result) -> tuple[bool, int, str]:
        if result.target in known:
            return (False, known.index(result.target), "")
        return (True, 0, result.target)

    sections = tuple(replace(section, results=tuple(sorted(section.results, key=place))) for section in report.experiments)
    return replace(report, experiments=sections)


def _read(name: str) -> str:
    return (files(__package__) / name).read_text(encoding="utf-8")


def _environment() -> Environment:
    environment = Environment(autoescape=True, trim_blocks=True, lstrip_blocks=True, undefined=StrictUndefined)
    environment.filters["prose"] = _prose
    environment.filters["json"] = _json
    environment.filters["number"] = number
    environment.filters["svg"] = Markup  # figures are ours, their texts already escaped
    return environment


def _prose(text: str) -> Markup:
    """Text of an experiment: `so` becomes code, everything else is escaped."""
    return Markup(_CODE.sub(r"<code>\1</code>", str(escape(text))))  # noqa: S704 -- escaped before


def _json(value: object) -> Markup:
    """JSON that may stand inside <script>: nothing in it can close the element."""
    text = json.dumps(value, ensure_ascii=False, separators=(",", ":"))
    return Markup(text.replace("<", "\\u003c").replace("\u2028", "\\u2028").replace("\u2029", "\\u2029"))  # noqa: S704


def _newest(results: Sequence[Result]) -> list[Result]:
    """Each case once: experiments share cases."""
    newest: dict[tuple[str, str], Result] = {}
    for result in results:
        key = (result.engine, result.case)
        if key not in newest or result.date > newest[key].date:
            newest[key] = result
    return list(newest.values())


def _experiment(section: ExperimentSection, palette: Palette, where: dict[str, str]) -> ExperimentView:
    results = section.results
    found = panels(section.name, results, palette) if section.plots else []
    groups: dict[str, list[PanelView]] = {}
    for panel in found:
        groups.setdefault(panel.group, []).append(panel)
    return ExperimentView(
        section=section,
        parts=tuple(_part(f"{section.name}-part-{index}", part) for index, part in enumerate(section.parts)),
        table=table(section.name, results),
        panels=tuple(found),
        panel_groups=tuple((name, tuple(members)) for name, members in groups.items()),
        size_plots=tuple(size_plots(section.name, results)) if section.plots else (),
        studies=tuple(_studies(results)),
        published=tuple(_published(section.published, where)),
        eliminated=tuple(eliminated(results)),
        initial_vectors=tuple(_initial_vectors(results)),
        summary=_summary(results),
    )


def _part(owner: str, section: ExtraSection) -> PartView:
    return PartView(section, xy_plots(owner, section.plots))


def _summary(results: Sequence[Result]) -> str:
    ok = sum(result.status == Status.OK for result in results)
    candidates = {result.candidate for result in results}
    return (
        f"{count_text(len(results), 'case')} of {count_text(len(candidates), 'library', 'libraries')}: "
        f"{number(ok)} with figures, {number(len(results) - ok)} eliminated"
    )


def _studies(results: Sequence[Result]) -> list[StudyView]:
    """One table for each target and primitive."""
    groups: dict[tuple[str, str], list[StudyRow]] = {}
    for row in study_table(least_associated(results)):
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
                rows.append((sentence(name + size), tuple(_study_cell(row.best.get(metric)) for metric in STUDY_METRICS)))
        title = sentence(primitive_title(primitive)) + (f" on {target}" if several_targets else "")
        winners = [result for row in members for best in row.best.values() for result in best.winners]
        views.append(StudyView(title, listing(sorted({fidelity_text(result) for result in winners})), tuple(rows)))
    return views


def _study_cell(best: Best | None) -> tuple[str, str]:
    """As the study writes it, the algorithm, the variant and the keys that tie; and the figure."""
    if best is None:
        return "not measured", ""
    names: dict[str, list[int]] = {}
    for result in best.winners:
        variant = "" if result.variant in ("", "plain") else f" {result.variant}"
        names.setdefault(f"{result.candidate} {algorithm_title(result.algorithm)}{variant}", []).append(result.key_bits)
    shown = [f"{name}{_keys(keys)}" for name, keys in list(names.items())[:_SHOWN_TIES]]
    rest = len(names) - len(shown)
    figure = time_text(best.value) if best.metric.name == "time" else f"{number(best.value)} {best.metric.unit}"
    return listing(shown if not rest else [*shown, f"{rest} more"]), figure


def _keys(keys: Sequence[int]) -> str:
    known = sorted(set(keys) - {0})
    return f", {'/'.join(map(str, known))}-bit key" if known else ""


def _published(figures: Sequence[PublishedFigure], where: dict[str, str]) -> list[PublishedGroup]:
    groups: list[PublishedGroup] = []
    for figure in figures:
        ratio = figure.ratio
        row = PublishedRow(
            label=figure.label,
            metric=metric_title(figure.metric),
            published=f"{number(figure.published)} {figure.unit}",
            ours="no figure" if figure.ours is None else f"{number(figure.ours)} {figure.unit}",
            ratio="" if ratio is None else f"{_ratio_text(ratio)} ×",
            position=None if not ratio else _position(ratio),
            fidelity=str(figure.fidelity) if figure.fidelity else "",
            anchor=where.get(figure.ours_case or ""),
        )
        if groups and groups[-1].note == figure.note:
            groups[-1] = PublishedGroup((*groups[-1].rows, row), figure.note)
        else:
            groups.append(PublishedGroup((row,), figure.note))
    return groups


def _ratio_text(ratio: float) -> str:
    return f"{ratio:.2f}" if 0.1 <= ratio < 10 else number(ratio)


def _position(ratio: float) -> float:
    """Where a ratio stands on a logarithmic scale from an eighth (0) to eight (100), equal in the middle."""
    return round(50 + 50 * min(1.0, max(-1.0, math.log(ratio, 8))), 1)


def _initial_vectors(results: Sequence[Result]) -> list[tuple[str, str]]:
    """What SP 800-38A asks of CBC: each finding, and the libraries it is true of."""
    groups: dict[str, set[str]] = {}
    for result in results:
        if result.sp800_38a:
            groups.setdefault(result.sp800_38a, set()).add(result.candidate)
    return [(finding, listing(sorted(candidates))) for finding, candidates in sorted(groups.items())]
