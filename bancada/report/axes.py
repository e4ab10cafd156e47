"""Ticks that are round numbers and whose labels have room."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Literal

from matplotlib.axes import Axes
from matplotlib.ticker import FixedFormatter, FixedLocator, NullLocator

from bancada.ranking import THIN_SPACE
from bancada.report import svg

_LINE_PX = 34.0
_BETWEEN_PX = 30.0


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
        [factor * 10.0**power for power in range(first, last + 1) for factor in factors] for factors in ((1, 2, 5), (1, 3), (1,))
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


def half_label(value: float) -> float:
    """How far the label of a tick may reach beyond it."""
    return svg.text_width(tick_texts([value], True)[0], svg.SMALL_PX) / 2 + 1


def set_axis(
    axes: Axes, which: Literal["x", "y"], low: float, high: float, logarithmic: bool, ticks: Sequence[float]
) -> None:
    scale: Literal["log", "linear"] = "log" if logarithmic else "linear"
    if which == "x":
        axes.set_xscale(scale)
        axes.set_xlim(low, high)
    else:
        axes.set_yscale(scale)
        axes.set_ylim(low, high)
    axis = axes.xaxis if which == "x" else axes.yaxis
    axis.set_major_locator(FixedLocator(list(ticks)))
    axis.set_major_formatter(FixedFormatter(tick_texts(ticks, logarithmic)))
    axis.set_minor_locator(NullLocator())


def _fit(ticks: Sequence[float], span: float, length_px: float, vertical: bool, logarithmic: bool) -> bool:
    """Whether every label keeps its distance from the next."""
    places = [(math.log10(tick) if logarithmic else tick) / span * length_px for tick in ticks]
    widths = [svg.text_width(text, svg.SMALL_PX) for text in tick_texts(ticks, logarithmic)]
    needs = [
        _LINE_PX if vertical else (first + second) / 2 + _BETWEEN_PX for first, second in zip(widths, widths[1:], strict=False)
    ]
    return all(second - first >= need for first, second, need in zip(places, places[1:], needs, strict=False))
