"""The tables of an experiment as the report has them."""

from __future__ import annotations

from collections.abc import Iterator

from bancada.answers.paper.table import Cell, Column, Table, named
from bancada.answers.report.bars import BarPlot
from bancada.answers.report.figures import Palette, panels, size_plots
from bancada.answers.report.input import ExperimentSection, ExtraSection, XYPlot
from bancada.measure.read_metrics import Metrics
from bancada.model.finding import Finding, PublishedFigure
from bancada.model.status import Fidelity

_DATA = "data-"


def findings_table(section: ExperimentSection) -> Table:
    """Every finding with its verdict, and how sure it is."""
    columns = (
        Column("claim", "Claim"),
        Column("judged_for", "Judged for"),
        Column("published", "Published"),
        Column("within", "Holds within"),
        Column("ours", "Ours"),
        Column("verdict", "Verdict"),
        Column("draws_alike", "Draws of 100", numeric=True),
        Column("varied", "Assumptions varied"),
        Column("made_by", "Changed by an assumption alone"),
        Column("why", "Why"),
    )
    rows = tuple(_finding(finding) for finding in section.findings)
    return Table("findings", f"{section.title}: what the study found, and what we find", columns, rows)


def _finding(finding: Finding) -> tuple[Cell, ...]:
    return (
        finding.claim,
        finding.judged_for,
        finding.published,
        finding.within,
        finding.ours,
        str(finding.verdict),
        finding.draws_alike,
        "; ".join(finding.varied),
        "; ".join(finding.made_by),
        finding.why,
    )


def published_table(section: ExperimentSection) -> Table:
    """Published figures beside ours; the fidelity of ours is the note of a row."""
    columns = (
        Column("figure", "Figure"),
        Column("metric", "Metric"),
        Column("unit", "Unit"),
        Column("published", "Published", numeric=True),
        Column("ours", "Ours", numeric=True),
        Column("ratio", "Ours / published", numeric=True),
        Column("standing", "Decided"),
        Column("case", "Case"),
    )
    rows = tuple(
        (
            one.label,
            one.metric,
            one.unit,
            one.published,
            one.ours,
            None if one.ratio is None else round(one.ratio, 3),
            one.standing,
            one.ours_case,
        )
        for one in section.published
    )
    caption = f"{section.title}: published figures beside ours"
    return Table("published", caption, columns, rows, tuple(_fidelity(one) for one in section.published))


def _fidelity(figure: PublishedFigure) -> str:
    if figure.fidelity is None:
        return ""
    band = "" if figure.band_percent is None else f", ±{figure.band_percent:g} %"
    words = {Fidelity.EXACT: "Exact: every cycle counted", Fidelity.MEASURED: "Measured"}
    return f"{words.get(figure.fidelity, 'Modelled')}{band}."


def section_tables(section: ExperimentSection) -> tuple[Table, ...]:
    """The tables of the experiment's sections, and the data of its plots, each by its title."""
    found = []
    for part in section.parts:
        if part.columns:
            found.append(_part(section, part))
        found += [plot_table(plot) for plot in part.plots]
    return tuple(_unlike(found))


def _part(section: ExperimentSection, part: ExtraSection) -> Table:
    columns = tuple(Column(named(title) if title else f"column-{n}", title) for n, title in enumerate(part.columns, 1))
    return Table(named(part.title), f"{section.title}: {part.title}", columns, part.rows)


def figures_of(section: ExperimentSection, metrics: Metrics) -> tuple[tuple[str, XYPlot | BarPlot, Table], ...]:
    """Every figure of an experiment, those of its sections first: name of its files, plot, data."""
    plots: list[XYPlot | BarPlot] = [plot for part in section.parts for plot in part.plots]
    if section.plots:
        palette = Palette(tuple(dict.fromkeys(result.candidate for result in section.results)))
        views = [view for panel in panels(section.name, section.results, palette, metrics) for view in panel.plots]
        views += size_plots(section.name, section.results, metrics)
        plots += [view.data for view in views]
    data = _unlike([bars_table(plot) if isinstance(plot, BarPlot) else plot_table(plot) for plot in plots])
    return tuple((table.name.removeprefix(_DATA), plot, table) for plot, table in zip(plots, data, strict=True))


def bars_table(plot: BarPlot) -> Table:
    """Every bar with its parts, and from where to where it may reach."""
    parts = plot.parts or ("Value",)
    columns = (
        Column("name", "Name"),
        *(Column(named(part), part, numeric=True) for part in parts),
        Column("low", "Low", numeric=True),
        Column("high", "High", numeric=True),
        Column("words", "In words"),
    )
    rows = tuple((bar.name, *bar.parts, bar.low, bar.high, bar.hint) for bar in plot.bars)
    return Table(f"{_DATA}{named(plot.title)}", f"{plot.title}. {plot.axis_title}. {plot.caption}", columns, rows)


def plot_table(plot: XYPlot) -> Table:
    """Every point of a plot with its series and the band of its height."""
    columns = (
        Column("series", "Series"),
        Column("point", "Point"),
        Column("x", plot.x_title, numeric=True),
        Column("y", plot.y_title, numeric=True),
        Column("band_percent", "Band, ± %", numeric=True),
    )
    rows: list[tuple[Cell, ...]] = []
    for series in plot.series:
        names = series.point_names or ("",) * len(series.points)
        rows += [
            (series.name, name, x, y, series.band_percent) for name, (x, y) in zip(names, series.points, strict=True)
        ]
    return Table(f"{_DATA}{named(plot.title)}", f"{plot.title}. {plot.caption}", columns, tuple(rows))


def _unlike(tables: list[Table]) -> Iterator[Table]:
    """Two sections with one title are two tables."""
    seen: dict[str, int] = {}
    for table in tables:
        times = seen[table.name] = seen.get(table.name, 0) + 1
        yield (
            table
            if times == 1
            else Table(f"{table.name}-{times}", table.caption, table.columns, table.rows, table.notes)
        )
