"""One metric against another. The front joins those that none beats in both; they are named first."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from bancada.answers.ranking import number
from bancada.answers.report import svg
from bancada.answers.report.labels import Box, Point, Segment, Wanted, place_labels
from bancada.answers.report.scale import Scale, draw_axes, half_label
from bancada.answers.report.svg import Drawing

MARKERS = ("o", "s", "^", "D", "v", "p", "P", "X")
_LINEAR_RATIO = 8.0
_DOT_PX = 10.0


@dataclass(frozen=True)
class Dot:
    """One implementation at one optimisation level, or at all of those where it comes out the same."""

    name: str
    x: float
    y: float
    colour: str
    marker: str
    hint: str
    named: bool


def front(dots: Sequence[Dot]) -> list[Dot]:
    """Those that no other beats in both, the best in `x` first."""
    found: list[Dot] = []
    for dot in sorted(dots, key=lambda dot: (dot.x, dot.y)):
        if not found or dot.y < found[-1].y or (dot.x, dot.y) == (found[-1].x, found[-1].y):
            found.append(dot)
    return found


def draw_pareto(dots: Sequence[Dot], axes: tuple[str, str], width: float, name: str, label: str) -> str:
    """The plot as SVG; `axes` are the texts at the axes of x and y."""
    drawing = Drawing(width, 480.0 if width >= svg.WIDE_PX else 500.0)
    top, bottom = 30.0, drawing.height - 46.0
    y = Scale(*_range([dot.y for dot in dots]), bottom, top)
    left = max(svg.text_width(text, svg.SMALL_PX) for text in y.texts(y.ticks(vertical=True))) + 8
    low, high, logarithmic = _range([dot.x for dot in dots])
    x = Scale(low, high, logarithmic, left, width - max(14.0, half_label(number(high)) + 2))
    draw_axes(drawing, x, y)
    scale = {True: ", logarithmic", False: ""}
    drawing.text(1.0, 9.0, f"{axes[1]}{scale[y.logarithmic]}", small=True, muted=True)
    title = f"{axes[0]}{scale[x.logarithmic]}"
    drawing.text(left, drawing.height - 9, title, small=True, muted=True)

    def place(dot: Dot) -> Point:
        return x.pixel(dot.x), y.pixel(dot.y)

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
    rest = sorted((dot for dot in dots if dot.named and dot not in on_front), key=lambda dot: (dot.x, dot.y))
    _name(drawing, [*best, *rest], on_front, place, [place(dot) for dot in dots], steps, bounds)
    return drawing.svg(name, label)


def _range(values: Sequence[float]) -> tuple[float, float, bool]:
    """The limits of the axis with a margin, and whether it should be logarithmic."""
    low, high = min(values), max(values)
    if low > 0 and high > _LINEAR_RATIO * low:
        air = (high / low) ** 0.06
        return low / air, high * air, True
    # Zero is shown, unless all values are close together and far from it.
    return (low * 0.75 if low > 0.4 * high else 0.0), (high or 1.0) * 1.08, False


def _name(
    drawing: Drawing,
    order: Sequence[Dot],
    on_front: set[Dot],
    place: Callable[[Dot], Point],
    dots: Sequence[Point],
    steps: Sequence[Point],
    bounds: Box,
) -> None:
    """Places the names, the most important first. Those of the front must be there, others where there is room."""
    wanted = [
        Wanted(place(dot), svg.text_width(dot.name, svg.SMALL_PX, dot in on_front) + 2, dot in on_front)
        for dot in order
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
