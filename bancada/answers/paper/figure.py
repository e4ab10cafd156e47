"""A plot as SVG and PDF, in colours that print: points against axes, or bars."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from matplotlib import rc_context
from matplotlib.backends.backend_pdf import FigureCanvasPdf
from matplotlib.backends.backend_svg import FigureCanvasSVG
from matplotlib.figure import Figure

from bancada.answers.report.bars import BarPlot, is_logarithmic
from bancada.answers.report.input import XYPlot

_WIDTH_IN, _HEIGHT_IN = 6.3, 3.9
# Of bars: the height of title and axis, and of each bar.
_BARS_IN, _BAR_IN = 1.0, 0.22
_MARKERS = "os^DvpPX"
_COLOURS = ("#0072b2", "#d55e00", "#009e73", "#cc79a7", "#56b4e9", "#e69f00", "#000000", "#999999")
_LOGARITHMIC_RATIO = 12.0
# Without dates and random names, so that the same figures are the same files.
_SETTINGS: Any = {"svg.hashsalt": "bancada", "svg.fonttype": "none", "pdf.fonttype": 42}


def write_figure(plot: XYPlot | BarPlot, folder: Path, name: str) -> tuple[Path, Path]:
    """Writes NAME.svg and NAME.pdf, and gives their paths. OSError if they cannot be written."""
    with rc_context(_SETTINGS):
        figure = _bars(plot) if isinstance(plot, BarPlot) else _drawn(plot)
        svg, pdf = folder / f"{name}.svg", folder / f"{name}.pdf"
        # Neither has types.
        canvases: tuple[Any, Any] = (FigureCanvasSVG(figure), FigureCanvasPdf(figure))
        canvases[0].print_svg(svg, metadata={"Date": None})
        canvases[1].print_pdf(pdf, metadata={"CreationDate": None})
    return svg, pdf


def _bars(plot: BarPlot) -> Figure:
    """The first on top. Bars that are too unlike for a linear axis are dots."""
    figure = Figure(figsize=(_WIDTH_IN, _BARS_IN + _BAR_IN * len(plot.bars)), layout="constrained")
    axes = figure.add_subplot()
    rows = range(len(plot.bars))
    begins = [0.0] * len(plot.bars)
    if is_logarithmic(plot.bars):
        axes.plot([bar.value for bar in plot.bars], rows, "o", color=_COLOURS[0], markersize=4)
        axes.set_xscale("log")
    else:
        for place in range(len(plot.bars[0].parts)):
            widths = [bar.parts[place] for bar in plot.bars]
            label = plot.parts[place] if plot.parts else None
            axes.barh(rows, widths, 0.7, begins, color=_COLOURS[place % len(_COLOURS)], label=label)
            begins = [begin + width for begin, width in zip(begins, widths, strict=True)]
    for row, bar in enumerate(plot.bars):
        if bar.low is not None and bar.high is not None:
            axes.plot([bar.low, bar.high], [row, row], color="#000000", linewidth=0.8)
        text_at = (bar.end, row)
        axes.annotate(bar.figure, text_at, xytext=(4, 0), textcoords="offset points", va="center", fontsize=7)
    axes.set_yticks(rows, [bar.name for bar in plot.bars], fontsize=7)
    axes.invert_yaxis()
    axes.margins(x=0.15)
    axes.set_xlabel(plot.axis_title)
    axes.set_title(plot.title, fontsize=10)
    if plot.parts:
        axes.legend(fontsize=7, frameon=False)
    return figure


def _drawn(plot: XYPlot) -> Figure:
    figure = Figure(figsize=(_WIDTH_IN, _HEIGHT_IN), layout="constrained")
    axes = figure.add_subplot()
    for place, series in enumerate(plot.series):
        colour = _COLOURS[(place if series.colour is None else series.colour) % len(_COLOURS)]
        marker = _MARKERS[(place if series.marker is None else series.marker) % len(_MARKERS)]
        xs, ys = [x for x, _ in series.points], [y for _, y in series.points]
        axes.errorbar(
            xs,
            ys,
            yerr=None if series.band_percent is None else [y * series.band_percent / 100 for y in ys],
            label=series.name or None,
            color=colour,
            marker=marker if series.marked else "",
            markersize=4,
            linestyle=("--" if series.dashed else "-") if series.joined else "",
            linewidth=1.2,
            elinewidth=0.8,
            capsize=2,
        )
    heights = [y for series in plot.series for _, y in series.points]
    reaches = [x for series in plot.series for x, _ in series.points]
    for values, asked, scale in (
        (reaches, plot.x_logarithmic, axes.set_xscale),
        (heights, plot.y_logarithmic, axes.set_yscale),
    ):
        wide = min(values) > 0 and max(values) > _LOGARITHMIC_RATIO * min(values)
        if min(values) > 0 and (wide if asked is None else asked):
            scale("log")
    for text, height in plot.levels:
        axes.axhline(height, color="#666666", linestyle=":", linewidth=1)
        axes.annotate(text, (0.99, height), xycoords=("axes fraction", "data"), ha="right", va="bottom", fontsize=7)
    axes.set_xlabel(plot.x_title)
    axes.set_ylabel(plot.y_title)
    axes.set_title(plot.title, fontsize=10)
    if any(series.name for series in plot.series):
        axes.legend(fontsize=7, frameon=False)
    return figure
