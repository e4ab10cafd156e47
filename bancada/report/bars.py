"""Horizontal bars with names: time by implementation, and RAM stacked into its parts.

Names stand before the bars where there is room and above them on a phone; figures stand at their ends. Nothing
is placed by trial: each label has a strip of its own.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from bancada.ranking import number
from bancada.report import svg
from bancada.report.axes import half_label, linear_ticks, logarithmic_ticks, set_axis
from bancada.report.svg import Drawing

# Beyond this ratio of longest to shortest a bar on a linear axis says nothing of the short ones.
_LINEAR_RATIO = 30.0
_GAP = 8.0
_DOT_PX = 10.0


@dataclass(frozen=True)
class Bar:
    """One implementation: parts that add up to the value, the figure at its end, and what is between low and high."""

    name: str
    parts: tuple[float, ...]
    figure: str
    colours: tuple[str, ...]
    hint: str
    low: float | None = None
    high: float | None = None

    @property
    def value(self) -> float:
        return sum(self.parts)

    @property
    def end(self) -> float:
        return max(self.value, self.high or 0.0)


def is_logarithmic(bars: Sequence[Bar]) -> bool:
    """A logarithmic axis has no zero for a bar to begin at, so those bars are drawn as dots on lines."""
    values = [bar.value for bar in bars]
    stacked = any(len(bar.parts) > 1 for bar in bars)
    return not stacked and min(values) > 0 and max(values) > _LINEAR_RATIO * min(values)


def draw_bars(bars: Sequence[Bar], axis_title: str, width: float, name: str, label: str) -> str:
    """The bars in the order given, the first on top."""
    names_before = width >= 480
    pitch = 24.0 if names_before else 40.0
    widest_name = max(svg.text_width(bar.name) for bar in bars)
    left = min(widest_name, width * 0.42) + _GAP if names_before else 6.0
    widest_figure = max(svg.text_width(bar.figure) for bar in bars)
    top, bottom = 4.0, 44.0
    height = top + pitch * len(bars) + bottom
    # The figure of the longest bar has room to the right of the plot, so no bar pushes a figure out of the page.
    drawing = Drawing(width, height, left, widest_figure + _GAP + _DOT_PX / 2, top, bottom)
    axes = drawing.axes
    axes.set_ylim(len(bars) * pitch, 0)
    axes.set_yticks([])
    logarithmic = is_logarithmic(bars)
    start = _scale(drawing, bars, logarithmic)
    svg.grid(drawing, "x")
    axes.spines["left"].set_visible(not logarithmic)
    axes.spines["left"].set_color(svg.MUTED)

    middles: list[float] = []
    for index, bar in enumerate(bars):
        middle = pitch * (index + 0.5) if names_before else pitch * index + 29
        name_y = top + (middle if names_before else middle - 18)
        room = left - _GAP if names_before else width - 2
        name_x = left - _GAP if names_before else 1.0
        drawing.text(name_x, name_y, svg.shorten(bar.name, room), align="end" if names_before else "start")
        middles.append(middle)
        if logarithmic:
            _dot(drawing, bar, middle, start)
        _whiskers(drawing, bar, middle, start, _DOT_PX if logarithmic else 3.0)
        beyond = _DOT_PX / 2 if logarithmic else 0.0
        drawing.text(drawing.left + _pixel(drawing, bar.end) + beyond + _GAP - 1, top + middle, bar.figure)
    if not logarithmic:
        _rectangles(drawing, bars, middles)
    drawing.text(left if names_before else 1.0, height - 9, axis_title, size_px=svg.SMALL_PX, colour=svg.MUTED)
    return drawing.svg(name, label)


def _scale(drawing: Drawing, bars: Sequence[Bar], logarithmic: bool) -> float:
    """Set the axis from its start, which is returned, to the longest bar."""
    end = max(bar.end for bar in bars) or 1.0
    start = 0.0
    if logarithmic:
        # A little before the shortest bar, so that it has a length.
        least = min(bar.low if bar.low else bar.value for bar in bars)
        start = least / (end / least) ** 0.06
    ticks = logarithmic_ticks if logarithmic else linear_ticks
    chosen = ticks(start, end, drawing.plot_width, vertical=False)
    set_axis(drawing.axes, "x", start, end, logarithmic, chosen)
    # Above a bar there is no margin for a label to reach into.
    inside = [tick for tick in chosen if drawing.left + _pixel(drawing, tick) >= half_label(tick)]
    set_axis(drawing.axes, "x", start, end, logarithmic, inside or chosen)
    return start


def _pixel(drawing: Drawing, value: float) -> float:
    axes = drawing.axes
    x, _ = axes.transData.transform((value, 0.0))
    return float(x) - drawing.left


def _rectangles(drawing: Drawing, bars: Sequence[Bar], middles: Sequence[float]) -> None:
    begins, lengths, heights, colours, hints = [], [], [], [], []
    for bar, middle in zip(bars, middles, strict=True):
        begin = 0.0
        for part, colour in zip(bar.parts, bar.colours, strict=True):
            if part:
                begins.append(begin)
                lengths.append(part)
                heights.append(middle)
                colours.append(colour)
                hints.append(bar.hint)
            begin += part
    patches = drawing.axes.barh(heights, lengths, left=begins, height=13, color=colours, zorder=3, clip_on=False)
    for patch, hint in zip(patches, hints, strict=True):
        drawing.hint(patch, hint)


def _dot(drawing: Drawing, bar: Bar, middle: float, start: float) -> None:
    colour = bar.colours[0]
    axes = drawing.axes
    axes.plot([start, bar.value], [middle, middle], color=colour, linewidth=2, zorder=2, clip_on=False)
    (dot,) = axes.plot([bar.value], [middle], "o", color=colour, markersize=_DOT_PX, markeredgewidth=0, zorder=3, clip_on=False)
    drawing.hint(dot, bar.hint)


def _whiskers(drawing: Drawing, bar: Bar, middle: float, start: float, least_px: float) -> None:
    """From low to high, where it can be told from a point."""
    if bar.low is None or bar.high is None:
        return
    low = max(bar.low, start)
    if _pixel(drawing, bar.high) - _pixel(drawing, low) <= least_px:
        return
    for ends, heights in (
        ([low, bar.high], [middle, middle]),
        ([low, low], [middle - 3.5, middle + 3.5]),
        ([bar.high, bar.high], [middle - 3.5, middle + 3.5]),
    ):
        drawing.axes.plot(ends, heights, color=svg.INK, linewidth=1.2, clip_on=False, zorder=4)
