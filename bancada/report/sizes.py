"""Cycles a byte against message size: what it costs to begin, and what each further byte adds."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

from bancada.ranking import number
from bancada.report import svg
from bancada.report.axes import half_label, linear_ticks, logarithmic_ticks, set_axis, tick_texts
from bancada.report.svg import Drawing

_LINEAR_RATIO = 8.0
_KEY_PITCH = 19.0


@dataclass(frozen=True)
class Line:
    """One implementation: (size in bytes, cycles a byte), sizes above zero."""

    name: str
    points: tuple[tuple[float, float], ...]
    colour: str
    marker: str


def draw_sizes(lines: Sequence[Line], width: float, name: str, label: str) -> str:
    """The lines, and under them a key in the order in which they end."""
    values = [cost for line in lines for _, cost in line.points]
    sizes = sorted({size for line in lines for size, _ in line.points})
    low, high = min(values), max(values)
    logarithmic = low > 0 and high > _LINEAR_RATIO * low
    low, high = (low / 1.15, high * 1.15) if logarithmic else (0.0, high * 1.06)
    columns = max(1, int(width // (max(svg.text_width(line.name) for line in lines) + 50)))
    rows = -(-len(lines) // columns)
    top, plot, under = 30.0, 260.0 if width >= 480 else 230.0, 46.0
    bottom = under + rows * _KEY_PITCH + 6
    height = top + plot + bottom
    ticks = (logarithmic_ticks if logarithmic else linear_ticks)(low, high, plot, vertical=True)
    left = max(svg.text_width(text, svg.SMALL_PX) for text in tick_texts(ticks, logarithmic)) + 8
    drawing = Drawing(width, height, left, max(24.0, half_label(sizes[-1])), top, bottom)
    axes = drawing.axes
    x_ticks = _size_ticks(sizes, drawing.plot_width)
    set_axis(axes, "x", sizes[0] / 1.1, sizes[-1] * 1.1, True, x_ticks)
    set_axis(axes, "y", low, high, logarithmic, ticks)
    svg.grid(drawing, "both")
    for line in lines:
        axes.plot(
            [size for size, _ in line.points], [cost for _, cost in line.points], color=line.colour, marker=line.marker,
            markersize=7, markeredgecolor=svg.PAPER, markeredgewidth=1, linewidth=2, clip_on=False, zorder=3,
        )
    scale = ", logarithmic" if logarithmic else ""
    drawing.text(1.0, 9.0, f"cycles for each byte{scale}", size_px=svg.SMALL_PX, colour=svg.MUTED)
    below = top + plot
    drawing.text(left, below + 36, "message size, bytes, logarithmic", size_px=svg.SMALL_PX, colour=svg.MUTED)
    for index, line in enumerate(sorted(lines, key=lambda line: line.points[-1][1], reverse=True)):
        x = 1 + width / columns * (index // rows)
        y = below + under + 14 + _KEY_PITCH * (index % rows)
        drawing.line(x, y, x + 26, y, colour=line.colour, width_px=2)
        drawing.mark(x + 13, y, line.marker, line.colour)
        drawing.text(x + 34, y, svg.shorten(line.name, width / columns - 42))
    return drawing.svg(name, label)


def _size_ticks(sizes: Sequence[float], length_px: float) -> list[float]:
    """The sizes that were measured, if their labels have room; else round numbers."""
    span = math.log10(sizes[-1] / sizes[0]) or 1.0
    places = [math.log10(size / sizes[0]) / span * length_px for size in sizes]
    room = svg.text_width(number(sizes[-1]), svg.SMALL_PX) + 8
    if all(second - first >= room for first, second in zip(places, places[1:], strict=False)):
        return list(sizes)
    return logarithmic_ticks(sizes[0], sizes[-1], length_px, vertical=False)
