"""The input of the report: plain frozen records, so that the report runs and reads nothing."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from bancada.model.finding import Finding, PublishedFigure
from bancada.model.result import Result


@dataclass(frozen=True)
class SourcedFact:
    """A fact about a target, and its source."""

    label: str
    value: str
    source: str


@dataclass(frozen=True)
class EarlierRun:
    """What an earlier run of a case gave: its date, its status, and each figure as its title, its unit, its value."""

    date: str
    status: str
    figures: tuple[tuple[str, str, float], ...]


@dataclass(frozen=True)
class TargetFacts:
    """A device as the report introduces it. None means not known, or not applicable."""

    name: str
    title: str
    clock_hz: float
    flash_bytes: int | None
    ram_bytes: int | None
    supply_volts: float | None
    facts: tuple[SourcedFact, ...] = ()


@dataclass(frozen=True)
class Series:
    """The points of one series, in the order in which a line joins them.

    `colour` and `marker` are places in the palette where several series belong together; None takes the next.
    `band_percent` draws whiskers. Without a name it is not in the key.
    """

    name: str
    points: tuple[tuple[float, float], ...]
    joined: bool = True
    marked: bool = True
    dashed: bool = False
    colour: int | None = None
    marker: int | None = None
    band_percent: float | None = None
    point_names: tuple[str, ...] = ()


@dataclass(frozen=True)
class XYPlot:
    """One quantity against another. A scale of None becomes logarithmic where a linear one would hide the least values.

    `levels` are named heights, drawn as dashed lines across the plot. A linear scale of y begins at zero unless
    `y_from_zero` is False, as for ratios that are all about one.
    """

    title: str
    x_title: str
    y_title: str
    series: tuple[Series, ...]
    caption: str
    x_logarithmic: bool | None = None
    y_logarithmic: bool | None = None
    x_ticks_measured: bool = False
    levels: tuple[tuple[str, float], ...] = ()
    y_from_zero: bool = True


@dataclass(frozen=True)
class ExtraSection:
    """A further section: paragraphs, plots, and a table if `columns` is not empty. Its `red_rows` (counted from 0) are
    warnings."""

    title: str
    paragraphs: tuple[str, ...] = ()
    columns: tuple[str, ...] = ()
    rows: tuple[tuple[str, ...], ...] = ()
    plots: tuple[XYPlot, ...] = ()
    red_rows: tuple[int, ...] = ()


@dataclass(frozen=True)
class ExperimentSection:
    """One experiment: the question, the study that asked it, and all its results, eliminated ones included.

    Without `plots` it has tables only: where published figures are the subject, or another experiment draws the same
    results. `earlier` has the earlier runs of a case that gave something else, newest first. `study_optimisation` is a
    level that is shown whatever is best.
    """

    name: str
    title: str
    question: str
    study: str
    citation: str
    results: tuple[Result, ...]
    published: tuple[PublishedFigure, ...] = ()
    notes: tuple[str, ...] = ()
    plots: bool = True
    findings: tuple[Finding, ...] = ()
    parts: tuple[ExtraSection, ...] = ()
    earlier: Mapping[str, tuple[EarlierRun, ...]] = field(default_factory=dict)
    study_optimisation: str = ""


@dataclass(frozen=True)
class ReportInput:
    """One report. `made` is an ISO 8601 date or time; a target with results and without facts is only named.
    `not_advised` are candidates that are only there for comparison."""

    title: str
    made: str
    tool_version: str
    targets: tuple[TargetFacts, ...]
    experiments: tuple[ExperimentSection, ...]
    not_advised: frozenset[str] = frozenset()
    extra: tuple[ExtraSection, ...] = ()
