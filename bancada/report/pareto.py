"""Flash against cycles. The front joins those that nobody beats in both; they are named first."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from bancada.ranking import number
from bancada.report import svg
from bancada.report.axes import half_label, linear_ticks, logarithmic_ticks, set_axis, tick_texts
from bancada.report.labels import Box, Point, Segment, Wanted, place_labels
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
    wide = width >= 480
    height = 480.0 if wide else 500.0
    top, bottom = 30.0, 46.0
    y_low, y_high, y_log = _range([dot.flash for dot in dots])
    y_ticks = (logarithmic_ticks if y_log else linear_ticks)(y_low, y_high, height - top - bottom, vertical=True)
    left = max(svg.text_width(text, svg.SMALL_PX) for text in tick_texts(y_ticks, y_log)) + 8
    x_low, x_high, x_log = _range([dot.cycles for dot in dots])
    drawing = Drawing(width, height, left, max(14.0, half_label(x_high)), top, bottom)
    axes = drawing.axes
    x_ticks = (logarithmic_ticks if x_log else linear_ticks)(x_low, x_high, drawing.plot_width, vertical=False)
    set_axis(axes, "x", x_low, x_high, x_log, x_ticks)
    set_axis(axes, "y", y_low, y_high, y_log, y_ticks)
    svg.grid(drawing, "both")
    for side in ("left", "bottom"):
        axes.spines[side].set_visible(True)
        axes.spines[side].set_color(svg.RULE)

    best = front(dots)
    axes.step(
        [dot.cycles for dot in best], [dot.flash for dot in best], where="post", color=svg.MUTED, linewidth=1.5,
        linestyle=(0, (4, 3)), zorder=2,
    )
    on_front = set(best)
    for dot in sorted(dots, key=lambda dot: dot in on_front):
        (artist,) = axes.plot(
            [dot.cycles], [dot.flash], dot.marker, color=dot.colour, markersize=_DOT_PX if dot in on_front else _DOT_PX - 2,
            markeredgecolor=svg.PAPER, markeredgewidth=1, zorder=4, clip_on=False,
        )
        drawing.hint(artist, dot.hint)
    _name(drawing, dots, best)
    scale = {True: ", logarithmic", False: ""}
    drawing.text(1.0, 9.0, f"flash, bytes{scale[y_log]}", size_px=svg.SMALL_PX, colour=svg.MUTED)
    drawing.text(left, height - 9, f"cycles for one call{scale[x_log]}", size_px=svg.SMALL_PX, colour=svg.MUTED)
    return drawing.svg(name, label)


def _range(values: Sequence[float]) -> tuple[float, float, bool]:
    """Limits with some air, and whether the axis had better be logarithmic."""
    low, high = min(values), max(values)
    if low > 0 and high > _LINEAR_RATIO * low:
        air = (high / low) ** 0.06
        return low / air, high * air, True
    # Zero is in the picture unless all are so close together that it would be the picture.
    return (low * 0.75 if low > 0.4 * high else 0.0), (high or 1.0) * 1.08, False


def _name(drawing: Drawing, dots: Sequence[Dot], best: Sequence[Dot]) -> None:
    on_front = set(best)
    rest = [dot for dot in dots if dot.named and dot not in on_front]
    order = [*best, *sorted(rest, key=lambda dot: (dot.cycles, dot.flash))]

    def pixel(cycles: float, flash: float) -> Point:
        x, y = drawing.axes.transData.transform((cycles, flash))
        return float(x), drawing.height - float(y)

    corners = [pixel(dot.cycles, dot.flash) for dot in best]
    lines: list[Segment] = []
    for (x0, y0), (x1, y1) in zip(corners, corners[1:], strict=False):
        lines += [((x0, y0), (x1, y0)), ((x1, y0), (x1, y1))]
    wanted = [
        Wanted(pixel(dot.cycles, dot.flash), svg.text_width(dot.name, svg.SMALL_PX, dot in on_front) + 2, dot in on_front)
        for dot in order
    ]
    bounds = Box(drawing.left + 2, drawing.top - 10, drawing.width - 1, drawing.height - 48)
    places = place_labels(wanted, [pixel(dot.cycles, dot.flash) for dot in dots], _DOT_PX / 2, lines, bounds)
    for dot, place in zip(order, places, strict=True):
        if place is None:
            continue
        if place.line:
            (x0, y0), (x1, y1) = place.line
            drawing.line(x0, y0, x1, y1)
        middle = (place.box.top + place.box.bottom) / 2
        front_dot = dot in on_front
        colour = svg.INK if front_dot else svg.MUTED
        drawing.text(place.box.left + 1, middle, dot.name, size_px=svg.SMALL_PX, colour=colour, bold=front_dot)
