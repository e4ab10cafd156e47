"""The report's page on how far modelled figures can be trusted: every table's predictions beside published silicon
figures."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from bancada.answers.ranking import number
from bancada.answers.report.input import ExtraSection, Series, XYPlot
from bancada.catalogue.core import Core
from bancada.validate.validation import SetSummary, Validation, summarise

_SETS = {
    "validation": "Held out: the figures that judge the tables",
    "fit": "Fitted: the figures that tables were tuned on",
}


def _plot(outcomes: Sequence[Validation], title: str, cores: Sequence[str]) -> XYPlot:
    series = []
    for place, core in enumerate(cores):
        found = [outcome for outcome in outcomes if outcome.core == core]
        if found:
            series.append(
                Series(
                    core,
                    tuple((outcome.published, outcome.predicted / outcome.published) for outcome in found),
                    joined=False,
                    colour=place,
                    marker=place,
                    band_percent=found[0].band_percent,
                    point_names=tuple(f"{outcome.program} on {outcome.core}" for outcome in found),
                )
            )
    bands = sorted({outcome.band_percent for outcome in outcomes})
    band = f"±{number(bands[0])} %" if len(bands) == 1 else f"±{number(bands[0])} to ±{number(bands[-1])} %"
    return XYPlot(
        title,
        "published, in the unit of its source",
        "predicted ÷ published",
        tuple(series),
        f"Modelled {band}: whiskers are the band that every result of the core carries; it should reach the line.",
        x_logarithmic=True,
        y_logarithmic=False,
        y_from_zero=False,
        levels=(("equal", 1.0),),
    )


def _summary_row(core: str, summaries: Sequence[SetSummary], band_percent: float | None) -> tuple[str, ...]:
    cells = []
    for name in ("fit", "validation"):
        found = next((summary for summary in summaries if (summary.core, summary.set) == (core, name)), None)
        cells.append(
            "none"
            if found is None
            else f"{found.figures}: mean {found.mean_percent:.1f} %, largest {found.largest_percent:.1f} %"
        )
    return core, *cells, "not declared" if band_percent is None else f"±{number(band_percent)} %"


def validation_sections(cores: Mapping[str, Core], outcomes: Sequence[Validation]) -> tuple[ExtraSection, ...]:
    """The plots and the two tables; None if nothing was validated."""
    if not outcomes:
        return ()
    names = list(dict.fromkeys(outcome.core for outcome in outcomes))
    summaries = summarise(list(outcomes))
    bands = {name: cores[name].band_percent if name in cores else None for name in names}
    plots = tuple(
        _plot([outcome for outcome in outcomes if outcome.set == name], title, names)
        for name, title in _SETS.items()
        if any(outcome.set == name for outcome in outcomes)
    )
    return (
        ExtraSection(
            title="How far modelled figures can be trusted",
            paragraphs=(
                (
                    "Without a board, an ARM core's cycles are exact execution counts costed by a table of the core"
                    " (`cores/*.toml`, each number with its source). Each table names the published figures that it was"
                    " tuned on and, apart from them, those that only judge it. The same programs are fetched, built,"
                    " run and costed here (`bancada validate`); the largest error of the held-out set is the band that"
                    " every result of the core carries."
                ),
            ),
            plots=plots,
            columns=("Core", "Fit set", "Validation set", "Band of every result"),
            rows=tuple(_summary_row(core, summaries, bands[core]) for core in names),
        ),
        ExtraSection(
            title="Predicted against published, figure by figure",
            columns=("Program", "Core", "Set", "Measured on", "Published", "Predicted", "Error", "Source"),
            rows=tuple(
                (
                    outcome.program,
                    outcome.core,
                    outcome.set,
                    outcome.device,
                    f"{number(outcome.published)} {outcome.unit}",
                    f"{number(float(f'{outcome.predicted:.4g}'))}",
                    f"{outcome.error_percent:+.1f} %",
                    outcome.source + (f" {outcome.note}" if outcome.note else ""),
                )
                for name in _SETS
                for outcome in outcomes
                if outcome.set == name
            ),
        ),
    )
