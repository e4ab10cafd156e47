"""Horizontal bars with names, one for each implementation. A bar may be stacked from parts.

Names stand before the bars where there is room and above them on a phone; figures stand at their ends. Each label has a
strip of its own.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from bancada.answers.report import svg
from bancada.answers.report.scale import Scale, half_label
from bancada.answers.report.svg import Drawing

# Beyond this ratio of the longest to the shortest, the short bars cannot be read on a linear axis.
_LINEAR_RATIO = 30.0
_GAP = 8.0
_DOT_PX = 10.0
_STRIPES_PX = 10.0
_BAR_PX = 13.0


@dataclass(frozen=True)
class Bar:
    """One implementation: parts that add up to the value, the figure at its end, and the range from low to high.

    `pattern` tells apart what has the same colour: 0 is plain, others have stripes, the more the closer.
    """

    name: str
    parts: tuple[float, ...]
    figure: str
    colours: tuple[str, ...]
    hint: str
    low: float | None = None
    high: float | None = None
    pattern: int = 0

    @property
    def value(self) -> float:
        return sum(self.parts)

    @property
    def end(self) -> float:
        return max(self.value, self.high or 0.0)


@dataclass(frozen=True)
class BarPlot:
    """Bars as data, the first on top. `parts` are the titles of what a bar is stacked from, if it is."""

    title: str
    axis_title: str
    bars: tuple[Bar, ...]
    caption: str
    parts: tuple[str, ...] = ()


def is_logarithmic(bars: Sequence[Bar]) -> bool:
    """A logarithmic axis has no zero for a bar to begin at, so those bars are drawn as dots on lines."""
    values = [bar.value for bar in bars]
    stacked = any(len(bar.parts) > 1 for bar in bars)
    return not stacked and min(values) > 0 and max(values) > _LINEAR_RATIO * min(values)


def draw_bars(bars: Sequence[Bar], axis_title: str, width: float, name: str, label: str) -> str:
    """The bars in the order given, the first on top."""
    names_before = width >= svg.WIDE_PX
    pitch = 24.0 if names_before else 40.0
    left = min(max(svg.text_width(bar.name) for bar in bars), width * 0.42) + _GAP if names_before else 6.0
    # The figure of the longest bar has room to the right of the plot, so no bar pushes a figure out of the page.
    right = max(svg.text_width(bar.figure) for bar in bars) + _GAP + _DOT_PX / 2
    top, bottom = 4.0, 44.0
    drawing = Drawing(width, top + pitch * len(bars) + bottom)
    logarithmic = is_logarithmic(bars)
    scale = _scale(bars, logarithmic, left, width - right)
    _axis(drawing, scale, top, drawing.height - bottom)
    drawing.text(left if names_before else 1.0, drawing.height - 9, axis_title, small=True, muted=True)

    for index, bar in enumerate(bars):
        middle = top + (pitch * (index + 0.5) if names_before else pitch * index + 29)
        if names_before:
            drawing.text(left - _GAP, middle, svg.shorten(bar.name, left - _GAP), align="end")
        else:
            drawing.text(1.0, middle - 18, svg.shorten(bar.name, width - 2))
        end = scale.pixel(bar.end) + _GAP
        if logarithmic:
            value = scale.pixel(bar.value)
            drawing.line([(scale.begin_px, middle), (value, middle)], bar.colours[0], dashed=bar.pattern > 0)
            drawing.mark(value, middle, "o", bar.colours[0], size_px=_DOT_PX, hint=bar.hint)
            end += _DOT_PX / 2 - 1
        else:
            _parts(drawing, scale, bar, middle)
        _whiskers(drawing, scale, bar, middle, _DOT_PX if logarithmic else 3.0)
        drawing.text(end, middle, bar.figure)
    return drawing.svg(name, label)


def _scale(bars: Sequence[Bar], logarithmic: bool, begin_px: float, end_px: float) -> Scale:
    end = max(bar.end for bar in bars) or 1.0
    start = 0.0
    if logarithmic:
        # A little before the shortest bar, so that it has a length.
        least = min(bar.low if bar.low else bar.value for bar in bars)
        start = least / (end / least) ** 0.06
    return Scale(start, end, logarithmic, begin_px, end_px)


def _axis(drawing: Drawing, scale: Scale, top: float, bottom: float) -> None:
    ticks = scale.ticks()
    for tick, text in zip(ticks, scale.texts(ticks), strict=True):
        x = scale.pixel(tick)
        # Where bars begin at the edge, a label has no margin.
        if x >= half_label(text):
            drawing.rule(x, top, x, bottom, "rule" if tick else "axis")
            drawing.text(x, bottom + 12, text, align="middle", small=True, muted=True)


def _parts(drawing: Drawing, scale: Scale, bar: Bar, middle: float) -> None:
    begin = 0.0
    for part, colour in zip(bar.parts, bar.colours, strict=True):
        if part:
            drawing.bar(scale.pixel(begin), scale.pixel(begin + part), middle, _BAR_PX, colour, bar.hint)
        begin += part
    if bar.pattern:
        step_px = _STRIPES_PX / bar.pattern
        drawing.stripes(scale.pixel(0.0), scale.pixel(bar.value), middle, _BAR_PX, step_px)


def _whiskers(drawing: Drawing, scale: Scale, bar: Bar, middle: float, least_px: float) -> None:
    """The range from low to high, where it is wider than a point."""
    if bar.low is None or bar.high is None:
        return
    low, high = scale.pixel(max(bar.low, scale.low)), scale.pixel(bar.high)
    if high - low > least_px:
        drawing.line([(low, middle), (high, middle)], svg.INK, width_px=1.2)
        for end in (low, high):
            drawing.line([(end, middle - 3.5), (end, middle + 3.5)], svg.INK, width_px=1.2)
