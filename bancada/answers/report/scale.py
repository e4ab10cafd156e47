"""From figures to pixels, with ticks that are round numbers and whose labels have room."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

from bancada.answers.ranking import THIN_SPACE
from bancada.answers.report import svg

_LINE_PX = 34.0
_BETWEEN_PX = 30.0


@dataclass(frozen=True)
class Scale:
    """One axis: where a value stands, in pixels from `begin_px` (at `low`) to `end_px` (at `high`)."""

    low: float
    high: float
    logarithmic: bool
    begin_px: float
    end_px: float

    def pixel(self, value: float) -> float:
        if self.logarithmic:
            part = math.log(value / self.low) / math.log(self.high / self.low)
        else:
            part = (value - self.low) / (self.high - self.low)
        return self.begin_px + part * (self.end_px - self.begin_px)

    def ticks(self, *, vertical: bool = False) -> list[float]:
        choose = logarithmic_ticks if self.logarithmic else linear_ticks
        return choose(self.low, self.high, abs(self.end_px - self.begin_px), vertical=vertical)

    def texts(self, ticks: Sequence[float]) -> list[str]:
        return tick_texts(ticks, self.logarithmic)


def linear_ticks(low: float, high: float, length_px: float, *, vertical: bool) -> list[float]:
    """Multiples of 1, 2 or 5 times a power of ten: as many as fit."""
    span = high - low or 1.0
    exponent = math.floor(math.log10(span)) - 1
    last = [low]
    for step in (factor * 10.0**power for power in range(exponent, exponent + 3) for factor in (1, 2, 5)):
        first = math.ceil(low / step - 1e-9)
        ticks = [index * step for index in range(first, math.floor(high / step + 1e-9) + 1)]
        if ticks and _fit(ticks, span, length_px, vertical, False):
            return ticks
        last = ticks[-1:] or last
    return last


def logarithmic_ticks(low: float, high: float, length_px: float, *, vertical: bool) -> list[float]:
    """1, 2 and 5 in each decade, or whole decades, or every other: as many as fit."""
    first, last = math.floor(math.log10(low)), math.ceil(math.log10(high))
    span = math.log10(high / low) or 1.0
    choices: list[list[float]] = [
        [factor * 10.0**power for power in range(first, last + 1) for factor in factors]
        for factors in ((1, 2, 5), (1, 3), (1,))
    ]
    choices += [[10.0**power for power in range(first, last + 1, step)] for step in (2, 3, 4)]
    for choice in choices:
        ticks = [value for value in choice if low <= value <= high]
        if ticks and _fit(ticks, span, length_px, vertical, True):
            return ticks
    return [low]


def tick_texts(ticks: Sequence[float], logarithmic: bool) -> list[str]:
    """The ticks as text. On a linear scale all with as many decimals as the finest needs, so that they line up."""
    if logarithmic:
        return [f"{tick:,.0f}".replace(",", THIN_SPACE) if tick >= 1 else f"{tick:g}" for tick in ticks]
    decimals = next((count for count in range(9) if all(math.isclose(tick, round(tick, count)) for tick in ticks)), 9)
    return [f"{tick:,.{decimals}f}".replace(",", THIN_SPACE) if tick else "0" for tick in ticks]


def half_label(text: str) -> float:
    """How far the label of a tick reaches to each side of it."""
    return svg.text_width(text, svg.SMALL_PX) / 2


def _fit(ticks: Sequence[float], span: float, length_px: float, vertical: bool, logarithmic: bool) -> bool:
    """Whether every label keeps its distance from the next."""
    places = [(math.log10(tick) if logarithmic else tick) / span * length_px for tick in ticks]
    widths = [svg.text_width(text, svg.SMALL_PX) for text in tick_texts(ticks, logarithmic)]
    needs = [
        _LINE_PX if vertical else (first + second) / 2 + _BETWEEN_PX
        for first, second in zip(widths, widths[1:], strict=False)
    ]
    return all(second - first >= need for first, second, need in zip(places, places[1:], needs, strict=False))


def draw_axes(drawing: svg.Drawing, x: Scale, y: Scale) -> None:
    """Draws a grid over the whole plot, with the labels of both scales."""
    for ticks, scale in ((x.ticks(), x), (y.ticks(vertical=True), y)):
        for tick, text in zip(ticks, scale.texts(ticks), strict=True):
            place = scale.pixel(tick)
            if scale is x:
                drawing.rule(place, y.begin_px, place, y.end_px)
                drawing.text(place, y.begin_px + 12, text, align="middle", small=True, muted=True)
            else:
                drawing.rule(x.begin_px, place, x.end_px, place)
                drawing.text(x.begin_px - 6, place, text, align="end", small=True, muted=True)
    drawing.rule(x.begin_px, y.begin_px, x.end_px, y.begin_px, "axis")
    drawing.rule(x.begin_px, y.begin_px, x.begin_px, y.end_px, "axis")
