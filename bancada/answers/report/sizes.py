"""A metric for each byte against message size: what it costs to begin, and what each further byte adds."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from bancada.answers.report.input import Series, XYPlot
from bancada.answers.report.xy import draw_xy

_LOGARITHMIC_RATIO = 8.0


@dataclass(frozen=True)
class Line:
    """One implementation: (size in bytes, figure for each byte), sizes above zero."""

    name: str
    points: tuple[tuple[float, float], ...]


def sizes_plot(lines: Sequence[Line], y_title: str, title: str, caption: str = "") -> XYPlot:
    """The lines as data."""
    costs = [cost for line in lines for _, cost in line.points]
    return XYPlot(
        title=title,
        x_title="message size, bytes",
        y_title=y_title,
        series=tuple(Series(line.name, line.points) for line in lines),
        caption=caption,
        x_logarithmic=True,
        y_logarithmic=max(costs) > _LOGARITHMIC_RATIO * min(costs),
        x_ticks_measured=True,
    )


def draw_sizes(lines: Sequence[Line], y_title: str, width: float, name: str, label: str) -> str:
    """The lines, and under them a key in the order in which they end."""
    return draw_xy(sizes_plot(lines, y_title, label), width, name, label)
