"""The report's page on how far modelled figures can be trusted: every table's predictions beside published silicon
figures."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from bancada.answers.ranking import number
from bancada.answers.report.input import ExtraSection, Series, XYPlot
from bancada.catalogue.core import SHORT_CALL_CYCLES, Core
from bancada.catalogue.target import Target
from bancada.validate.bands import FEWEST_FIGURES, bands
from bancada.validate.validate import deciding_figures
from bancada.validate.validation import SetSummary, Validation, summarise

_SETS = {
    "validation": "Held out: the figures that judge the tables",
    "fit": "Fitted: the figures that tables were tuned on",
    "set aside": "Set aside: figures that are not of the program alone",
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


def _summary_row(name: str, summaries: Sequence[SetSummary], core: Core | None) -> tuple[str, ...]:
    cells = []
    for part in ("fit", "validation"):
        found = next((summary for summary in summaries if (summary.core, summary.set) == (name, part)), None)
        cells.append(
            "none"
            if found is None
            else f"1: {found.largest_percent:.1f} %"
            if found.figures == 1
            else f"{found.figures}: mean {found.mean_percent:.1f} %, largest {found.largest_percent:.1f} %"
        )
    return name, *cells, _declared(core)


def _declared(core: Core | None) -> str:
    if core is None or core.band_percent is None:
        return "not declared"
    short = core.band_of_short_calls_percent
    of_short = f", below {SHORT_CALL_CYCLES} cycles ±{number(short)} %" if short is not None else ""
    assumed = ", assumed" if deciding_figures(core, from_git=True) < FEWEST_FIGURES else ""
    return f"±{number(core.band_percent)} %{of_short}{assumed}"


def _memory_section(targets: Sequence[Target]) -> tuple[ExtraSection, ...]:
    if not targets:
        return ()
    return (
        ExtraSection(
            title="What a band is of",
            columns=("Target", "Core", "The band is of"),
            rows=tuple(
                (
                    target.name,
                    target.core.name,
                    _band_is_of(target),
                )
                for target in targets
            ),
        ),
    )


def _band_is_of(target: Target) -> str:
    if target.memory is None:
        return "the core"
    compared = target.memory.compared
    return (
        f"the core; this board's memory: {compared}" if compared else "the core; this board's memory is not validated"
    )


def validation_sections(
    cores: Mapping[str, Core], outcomes: Sequence[Validation], targets: Iterable[Target] = ()
) -> tuple[ExtraSection, ...]:
    """The plots and the tables; none if nothing was validated. `targets` are those whose results are shown."""
    if not outcomes:
        return ()
    names = list(dict.fromkeys(outcome.core for outcome in outcomes))
    summaries = summarise(list(outcomes))
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
                    " run and costed here (`bancada validate`). The band of a result holds nine tenths of the held-out"
                    " figures of ciphers and hashes. Of fewer than ten figures, nine tenths are all of them. Fewer than"
                    " five decide nothing, and the band is assumed. On a Cortex-A it is 12 % at least, since no figure"
                    " is of code from a C compiler."
                ),
            ),
            plots=plots,
            columns=("Core", "Fit set", "Validation set", "Band of a result"),
            rows=tuple(_summary_row(core, summaries, cores.get(core)) for core in names),
        ),
        ExtraSection(
            title="Held-out errors by kind of code and length of a call",
            columns=(
                "Core",
                "Memory",
                "Kind of code",
                "Cycles of a call",
                "Figures",
                "Mean",
                "Nine tenths within",
                "Largest",
            ),
            rows=tuple(
                (
                    band.core,
                    band.memory or "no wait states",
                    band.kind,
                    f"{'below' if band.is_short else 'from'} {SHORT_CALL_CYCLES}",
                    number(band.figures),
                    f"{band.mean_percent:.1f} %",
                    band.nine_tenths,
                    f"{band.largest_percent:.1f} %",
                )
                for band in bands(outcomes)
            ),
        ),
        *_memory_section([target for target in targets if target.core.name in names]),
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
