"""One quantity against another: lines or dots, a key under the plot, error bands as whiskers."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from bancada.answers.ranking import number
from bancada.answers.report import svg
from bancada.answers.report.input import Series, XYPlot
from bancada.answers.report.pareto import MARKERS
from bancada.answers.report.scale import Scale, draw_axes, half_label
from bancada.answers.report.svg import Drawing

_LOGARITHMIC_RATIO = 12.0
_KEY_PITCH = 19.0
_HIGH_PX, _LOW_PX = 260.0, 230.0


@dataclass(frozen=True)
class _MeasuredScale(Scale):
    """A scale whose ticks are the values that were measured, if their labels have room; else round numbers."""

    values: tuple[float, ...] = ()

    def ticks(self, *, vertical: bool = False) -> list[float]:
        reach = [half_label(number(value)) for value in self.values]
        places = [self.pixel(value) for value in self.values]
        for place in range(len(places) - 1):
            if places[place + 1] - places[place] < reach[place] + reach[place + 1] + 8:
                return super().ticks(vertical=vertical)
        return list(self.values)

    def texts(self, ticks: Sequence[float]) -> list[str]:
        return [number(tick) for tick in ticks] if list(ticks) == list(self.values) else super().texts(ticks)


def draw_xy(plot: XYPlot, width: float, name: str, label: str) -> str:
    """The plot, and under it a key in the order in which the series end."""
    xs = sorted({x for series in plot.series for x, _ in series.points})
    x_low, x_high, x_logarithmic = _range(xs, plot.x_logarithmic, from_zero=not plot.x_ticks_measured)
    heights = [*_heights(plot), *(height for _, height in plot.levels)]
    y_low, y_high, y_logarithmic = _range(heights, plot.y_logarithmic, from_zero=plot.y_from_zero)
    keyed = [series for series in plot.series if series.name]
    if all(series.joined for series in keyed):
        keyed.sort(key=lambda series: series.points[-1][1], reverse=True)
    columns = max(1, int(width // (max((svg.text_width(series.name) for series in keyed), default=1.0) + 50)))
    rows = -(-len(keyed) // columns)
    top, under = 30.0, 46.0
    bottom = top + (_HIGH_PX if width >= svg.WIDE_PX else _LOW_PX)
    drawing = Drawing(width, bottom + under + rows * _KEY_PITCH + 6)
    y = Scale(y_low, y_high, y_logarithmic, bottom, top)
    left = max(svg.text_width(text, svg.SMALL_PX) for text in y.texts(y.ticks(vertical=True))) + 8
    right = width - half_label(number(xs[-1])) - 6
    x: Scale
    if plot.x_ticks_measured:
        x = _MeasuredScale(x_low, x_high, x_logarithmic, left, right, tuple(xs))
    else:
        x = Scale(x_low, x_high, x_logarithmic, left, right)
    draw_axes(drawing, x, y)
    drawing.text(1.0, 9.0, plot.y_title + (", logarithmic" if y_logarithmic else ""), small=True, muted=True)
    drawing.text(left, bottom + 36, plot.x_title + (", logarithmic" if x_logarithmic else ""), small=True, muted=True)
    for text, height in plot.levels:
        drawing.line([(x.begin_px, y.pixel(height)), (x.end_px, y.pixel(height))], svg.MUTED, width_px=1.2, dashed=True)
        drawing.text(x.end_px - 2, y.pixel(height) - 8, text, align="end", small=True, muted=True)
    for index, series in enumerate(plot.series):
        _draw(drawing, x, y, series, index, plot)
    for index, series in enumerate(keyed):
        across = 1 + width / columns * (index // rows)
        down = bottom + under + 14 + _KEY_PITCH * (index % rows)
        place = plot.series.index(series)
        if series.joined:
            drawing.line([(across, down), (across + 26, down)], _colour(series, place), dashed=series.dashed)
        if series.marked:
            drawing.mark(across + 13, down, _marker(series, place), _colour(series, place))
        drawing.text(across + 34, down, svg.shorten(series.name, width / columns - 42))
    return drawing.svg(name, label)


def _colour(series: Series, place: int) -> str:
    return svg.SERIES[(series.colour if series.colour is not None else place) % len(svg.SERIES)]


def _marker(series: Series, place: int) -> str:
    place = series.marker if series.marker is not None else place + place // len(svg.SERIES)
    return MARKERS[place % len(MARKERS)]


def _draw(drawing: Drawing, x: Scale, y: Scale, series: Series, place: int, plot: XYPlot) -> None:
    colour = _colour(series, place)
    points = [(x.pixel(across), y.pixel(height)) for across, height in series.points]
    if series.joined:
        drawing.line(points, colour, dashed=series.dashed)
    if series.band_percent:
        for (_, height), (across_px, _) in zip(series.points, points, strict=True):
            part = series.band_percent / 100
            ends = [y.pixel(max(height * (1 - part), y.low)), y.pixel(min(height * (1 + part), y.high))]
            drawing.line([(across_px, end) for end in ends], colour, width_px=1.2)
            for end in ends:
                drawing.line([(across_px - 3, end), (across_px + 3, end)], colour, width_px=1.2)
    if not series.marked:
        return
    names = series.point_names or ("",) * len(points)
    for (across, height), point, text in zip(series.points, points, names, strict=True):
        hint = f"{text or series.name}: {plot.x_title} {number(across)}, {plot.y_title} {number(height)}"
        drawing.mark(*point, _marker(series, place), colour, hint=hint)


def _heights(plot: XYPlot) -> list[float]:
    heights = []
    for series in plot.series:
        part = (series.band_percent or 0.0) / 100
        heights += [height * factor for _, height in series.points for factor in (1 - part, 1 + part)]
    return heights


def _range(values: Sequence[float], logarithmic: bool | None, *, from_zero: bool) -> tuple[float, float, bool]:
    """The limits of the axis with a margin, and whether it is logarithmic: as asked, otherwise where a linear axis
    would hide the least values."""
    low, high = min(values), max(values)
    chosen = low > 0 and (high > _LOGARITHMIC_RATIO * low if logarithmic is None else logarithmic)
    if chosen:
        air = max((high / low) ** 0.06, 1.1)
        return low / air, high * air, True
    if not from_zero and low > 0:
        some = (high - low or high) * 0.06
        return max(0.0, low - some), high + some, False
    return min(0.0, low * 1.05), (high or 1.0) * 1.06, False
