"""Flash against cycles. The front joins those that nobody beats in both; they are named first."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from bancada.ranking import number
from bancada.report import svg
from bancada.report.labels import Box, Point, Segment, Wanted, place_labels
from bancada.report.scale import Scale, draw_axes, half_label
from bancada.report.svg import Drawing

MARKERS = ("o", "s", "^", "D", "v", "p", "P", "X")
_LINEAR_RATIO = 8.0
_DOT_PX = 10.0


@dataclass(frozen=True)
class Dot:
    """One implementation at one optimisation level, or at all of those where it comes out the same."""

    name: str
    cycles: float
    flash: float
    colour: str
    marker: str
    hint: str
    named: bool


def front(dots: Sequence[Dot]) -> list[Dot]:
    """Those that no other beats in cycles and in flash, fastest first."""
    found: list[Dot] = []
    for dot in sorted(dots, key=lambda dot: (dot.cycles, dot.flash)):
        if not found or dot.flash < found[-1].flash or (dot.cycles, dot.flash) == (found[-1].cycles, found[-1].flash):
            found.append(dot)
    return found


def draw_pareto(dots: Sequence[Dot], width: float, name: str, label: str) -> str:
    drawing = Drawing(width, 480.0 if width >= svg.WIDE_PX else 500.0)
    top, bottom = 30.0, drawing.height - 46.0
    y = Scale(*_range([dot.flash for dot in dots]), bottom, top)
    left = max(svg.text_width(text, svg.SMALL_PX) for text in y.texts(y.ticks(vertical=True))) + 8
    low, high, logarithmic = _range([dot.cycles for dot in dots])
    x = Scale(low, high, logarithmic, left, width - max(14.0, half_label(number(high)) + 2))
    draw_axes(drawing, x, y)
    scale = {True: ", logarithmic", False: ""}
    drawing.text(1.0, 9.0, f"flash, bytes{scale[y.logarithmic]}", small=True, muted=True)
    title = f"cycles for one call{scale[x.logarithmic]}"
    drawing.text(left, drawing.height - 9, title, small=True, muted=True)

    def place(dot: Dot) -> Point:
        return x.pixel(dot.cycles), y.pixel(dot.flash)

    best = front(dots)
    corners = [place(dot) for dot in best]
    steps = corners[:1]
    for (_, y0), (x1, y1) in zip(corners, corners[1:], strict=False):
        steps += [(x1, y0), (x1, y1)]
    if len(steps) > 1:
        drawing.line(steps, svg.MUTED, width_px=1.5, dashed=True)
    on_front = set(best)
    for dot in sorted(dots, key=lambda dot: dot in on_front):
        size = _DOT_PX if dot in on_front else _DOT_PX - 2
        drawing.mark(*place(dot), dot.marker, dot.colour, size_px=size, hint=dot.hint)
    bounds = Box(left + 2, top - 10, width - 1, bottom - 2)
    rest = sorted((dot for dot in dots if dot.named and dot not in on_front), key=lambda dot: (dot.cycles, dot.flash))
    _name(drawing, [*best, *rest], on_front, place, [place(dot) for dot in dots], steps, bounds)
    return drawing.svg(name, label)


def _range(values: Sequence[float]) -> tuple[float, float, bool]:
    """Limits with some air, and whether the axis had better be logarithmic."""
    low, high = min(values), max(values)
    if low > 0 and high > _LINEAR_RATIO * low:
        air = (high / low) ** 0.06
        return low / air, high * air, True
    # Zero is in the picture unless all are so close together that it would be the picture.
    return (low * 0.75 if low > 0.4 * high else 0.0), (high or 1.0) * 1.08, False


def _name(
    drawing: Drawing, order: Sequence[Dot], on_front: set[Dot], place: Callable[[Dot], Point], dots: Sequence[Point],
    steps: Sequence[Point], bounds: Box,
) -> None:
    """The names, the most important first: those of the front must be there, others where there is room."""
    wanted = [
        Wanted(place(dot), svg.text_width(dot.name, svg.SMALL_PX, dot in on_front) + 2, dot in on_front) for dot in order
    ]
    lines: list[Segment] = list(zip(steps, steps[1:], strict=False))
    for dot, found in zip(order, place_labels(wanted, dots, _DOT_PX / 2, lines, bounds), strict=True):
        if found is None:
            continue
        if found.line:
            (x0, y0), (x1, y1) = found.line
            drawing.rule(x0, y0, x1, y1, "lead")
        middle = (found.box.top + found.box.bottom) / 2
        bold = dot in on_front
        drawing.text(found.box.left + 1, middle, dot.name, small=True, muted=not bold, bold=bold)
