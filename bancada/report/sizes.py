"""Cycles a byte against message size: what it costs to begin, and what each further byte adds."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from bancada.ranking import number
from bancada.report import svg
from bancada.report.scale import Scale, draw_axes, half_label
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
    top, under = 30.0, 46.0
    bottom = top + (260.0 if width >= svg.WIDE_PX else 230.0)
    drawing = Drawing(width, bottom + under + rows * _KEY_PITCH + 6)
    y = Scale(low, high, logarithmic, bottom, top)
    left = max(svg.text_width(text, svg.SMALL_PX) for text in y.texts(y.ticks(vertical=True))) + 8
    x = _SizeScale(sizes[0] / 1.1, sizes[-1] * 1.1, True, left, width - half_label(number(sizes[-1])) - 2, tuple(sizes))
    draw_axes(drawing, x, y)
    scale = ", logarithmic" if logarithmic else ""
    drawing.text(1.0, 9.0, f"cycles for each byte{scale}", small=True, muted=True)
    drawing.text(left, bottom + 36, "message size, bytes, logarithmic", small=True, muted=True)
    for line in lines:
        points = [(x.pixel(size), y.pixel(cost)) for size, cost in line.points]
        drawing.line(points, line.colour)
        for (size, cost), point in zip(line.points, points, strict=True):
            hint = f"{line.name}, {number(size)} B: {number(cost)} cycles a byte"
            drawing.mark(*point, line.marker, line.colour, hint=hint)
    for index, line in enumerate(sorted(lines, key=lambda line: line.points[-1][1], reverse=True)):
        across = 1 + width / columns * (index // rows)
        down = bottom + under + 14 + _KEY_PITCH * (index % rows)
        drawing.line([(across, down), (across + 26, down)], line.colour)
        drawing.mark(across + 13, down, line.marker, line.colour)
        drawing.text(across + 34, down, svg.shorten(line.name, width / columns - 42))
    return drawing.svg(name, label)


@dataclass(frozen=True)
class _SizeScale(Scale):
    """A scale whose ticks are the sizes that were measured, if their labels have room; else round numbers."""

    sizes: tuple[float, ...]

    def ticks(self, *, vertical: bool = False) -> list[float]:
        reach = [half_label(number(size)) for size in self.sizes]
        places = [self.pixel(size) for size in self.sizes]
        for place in range(len(places) - 1):
            if places[place + 1] - places[place] < reach[place] + reach[place + 1] + 8:
                return super().ticks(vertical=vertical)
        return list(self.sizes)
