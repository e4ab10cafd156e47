"""Names beside dots, so that no name lies on another, on a dot, or over the edge.

Greedy, in the order of importance: each name tries places around its dot, near ones first, and takes the one that
is least in the way. A name that had to go far is joined to its dot by a line.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

HEIGHT_PX = 15.0
_NEAR_PX = 12.0
_FAR_PX = (7.0, 12.0, 20.0, 30.0, 42.0, 56.0, 72.0, 92.0, 116.0, 144.0)
_DIRECTIONS = 16
# What it costs to lie on a line, in pixels of distance: a name goes this much further to avoid it.
_ON_LINE = 25.0

Point = tuple[float, float]
Segment = tuple[Point, Point]


@dataclass(frozen=True)
class Box:
    left: float
    top: float
    right: float
    bottom: float

    def overlaps(self, other: Box) -> bool:
        apart = self.right <= other.left or other.right <= self.left or self.bottom <= other.top or other.bottom <= self.top
        return not apart

    def grown(self, by: float) -> Box:
        return Box(self.left - by, self.top - by, self.right + by, self.bottom + by)


@dataclass(frozen=True)
class Wanted:
    """A name for a dot. One that `must` be there may go far; another stays near or away."""

    at: Point
    width_px: float
    must: bool


@dataclass(frozen=True)
class Place:
    """Where the name goes, and the line that joins it to its dot if it went far."""

    box: Box
    line: Segment | None


def place_labels(
    wanted: Sequence[Wanted], dots: Sequence[Point], dot_radius_px: float, lines: Sequence[Segment], bounds: Box
) -> list[Place | None]:
    """A place for each name, or None where there is no room."""
    discs = [Box(x, y, x, y).grown(dot_radius_px + 1.5) for x, y in dots]
    placed: list[Place] = []
    answer: list[Place | None] = []
    for name in wanted:
        found: tuple[float, Place] | None = None
        for distance, place in _places(name, dot_radius_px):
            if found is not None and found[0] <= distance:
                break  # places come nearest first: none of those that follow can cost less
            if _free(place, name.at, discs, placed, bounds):
                cost = distance + _ON_LINE * sum(_crosses(line, place.box) for line in lines)
                if found is None or cost < found[0]:
                    found = (cost, place)
        answer.append(found[1] if found else None)
        if found:
            placed.append(found[1])
    return answer


def _places(name: Wanted, dot_radius_px: float) -> Iterator[tuple[float, Place]]:
    x, y = name.at
    for far in _FAR_PX if name.must else _FAR_PX[:3]:
        for step in range(_DIRECTIONS):
            # Beginning at the right, where a name is read at once, and alternating upwards and downwards.
            angle = math.pi * 2 / _DIRECTIONS * ((step + 1) // 2) * (-1 if step % 2 else 1)
            across, down = math.cos(angle), math.sin(angle)
            reach = far + dot_radius_px
            edge_x, middle_y = x + reach * across, y + reach * down
            if abs(across) < 0.2:
                left = edge_x - name.width_px / 2
                middle_y += math.copysign(HEIGHT_PX / 2, down)
            else:
                left = edge_x if across > 0 else edge_x - name.width_px
            box = Box(left, middle_y - HEIGHT_PX / 2, left + name.width_px, middle_y + HEIGHT_PX / 2)
            line = None
            if far > _NEAR_PX:
                end = (min(max(x, box.left), box.right), min(max(y, box.top + 3), box.bottom - 3))
                line = ((x, y), end)
            yield far + step * 0.2, Place(box, line)


def _free(place: Place, own: Point, discs: Sequence[Box], placed: Sequence[Place], bounds: Box) -> bool:
    box = place.box
    if box.left < bounds.left or box.right > bounds.right or box.top < bounds.top or box.bottom > bounds.bottom:
        return False
    if any(box.overlaps(disc) for disc in discs):
        return False
    for other in placed:
        if box.grown(1.0).overlaps(other.box) or (other.line and _crosses(other.line, box)):
            return False
        if place.line and _crosses(place.line, other.box):
            return False
    if place.line:
        x, y = own
        for disc in discs:
            own_disc = disc.left <= x <= disc.right and disc.top <= y <= disc.bottom
            if not own_disc and _crosses(place.line, disc):
                return False
    return True


def _crosses(segment: Segment, box: Box) -> bool:
    """Whether a line passes through a box (Liang and Barsky's clipping)."""
    (x0, y0), (x1, y1) = segment
    begin, end = 0.0, 1.0
    for delta, low, high in ((x1 - x0, box.left - x0, box.right - x0), (y1 - y0, box.top - y0, box.bottom - y0)):
        if delta == 0:
            if low > 0 or high < 0:
                return False
            continue
        first, second = sorted((low / delta, high / delta))
        begin, end = max(begin, first), min(end, second)
        if begin > end:
            return False
    return True
