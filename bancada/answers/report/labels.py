"""Names beside dots, so that no name lies on another, on a dot, or over the edge.

Each name tries places around its dot, near ones first, and takes the one that is least in the way. A name that had
to go far is joined to its dot by a line.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

HEIGHT_PX = 15.0
_NEAR_PX = 12.0
_FAR_PX = (7.0, 12.0, 20.0, 30.0, 42.0, 56.0, 72.0, 92.0, 116.0, 144.0)
_DIRECTIONS = 24
# Penalties, in pixels of distance that a name goes further to avoid them: lying on a line of the plot, a joining line
# over another dot or line, and a joining line under another name.
_ON_LINE = 40.0
_OVER_DOT = 12.0
_OVER_LINE = 60.0
_UNDER_NAME = 90.0

Point = tuple[float, float]
Segment = tuple[Point, Point]


@dataclass(frozen=True)
class Box:
    left: float
    top: float
    right: float
    bottom: float

    def overlaps(self, other: Box) -> bool:
        apart = (
            self.right <= other.left or other.right <= self.left or self.bottom <= other.top or other.bottom <= self.top
        )
        return not apart

    def grown(self, by: float) -> Box:
        return Box(self.left - by, self.top - by, self.right + by, self.bottom + by)


@dataclass(frozen=True)
class Wanted:
    """A name for a dot. One that `must` be there may go far. Another one stays near or is left out."""

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
    """A place for each name, or None where there is no room.

    Those that must have a place get theirs first. A greedy choice depends on its order, so a few orders are tried, and
    the one is taken that leaves out the fewest and moves names least.
    """
    field = _Field([Box(x, y, x, y).grown(dot_radius_px + 1.5) for x, y in dots], dot_radius_px, lines, bounds)
    first = [index for index, name in enumerate(wanted) if name.must]
    rest = [index for index, name in enumerate(wanted) if not name.must]
    middle = sum(wanted[index].at[1] for index in first) / (len(first) or 1)
    orders = (
        first,
        first[::-1],
        sorted(first, key=lambda index: wanted[index].width_px, reverse=True),
        sorted(first, key=lambda index: abs(wanted[index].at[1] - middle)),
        sorted(first, key=lambda index: abs(wanted[index].at[1] - middle), reverse=True),
        first[::2] + first[1::2],
    )
    best = min(
        (field.place(wanted, order, {}) for order in orders), key=lambda found: (len(first) - len(found), _cost(found))
    )
    every = field.place(wanted, rest, best)
    return [every[index][1] if index in every else None for index in range(len(wanted))]


Found = dict[int, tuple[float, Place]]


def _cost(found: Found) -> float:
    return sum(cost for cost, _ in found.values())


@dataclass(frozen=True)
class _Field:
    """The obstacles of names."""

    discs: Sequence[Box]
    dot_radius_px: float
    lines: Sequence[Segment]
    bounds: Box

    def place(self, wanted: Sequence[Wanted], order: Sequence[int], taken: Found) -> Found:
        """The cheapest free place for each name in turn, beside those already taken."""
        found = dict(taken)
        for index in order:
            cheapest: tuple[float, Place] | None = None
            for distance, place in _places(wanted[index], self.dot_radius_px, self.bounds):
                if cheapest is not None and cheapest[0] <= distance:
                    break  # places come nearest first: none of those that follow can cost less
                if self._free(place, [other for _, other in found.values()]):
                    cost = distance + self._in_the_way(place, wanted[index].at, [other for _, other in found.values()])
                    if cheapest is None or cost < cheapest[0]:
                        cheapest = (cost, place)
            if cheapest:
                found[index] = cheapest
        return found

    def _free(self, place: Place, placed: Sequence[Place]) -> bool:
        box, bounds = place.box, self.bounds
        if box.left < bounds.left or box.right > bounds.right or box.top < bounds.top or box.bottom > bounds.bottom:
            return False
        if any(box.overlaps(disc) for disc in self.discs):
            return False
        return not any(box.grown(1.0).overlaps(other.box) for other in placed)

    def _in_the_way(self, place: Place, own: Point, placed: Sequence[Place]) -> float:
        cost = _ON_LINE * sum(_crosses(line, place.box) for line in self.lines)
        cost += _UNDER_NAME * sum(other.line is not None and _crosses(other.line, place.box) for other in placed)
        if place.line:
            x, y = own
            others = (
                disc for disc in self.discs if not (disc.left <= x <= disc.right and disc.top <= y <= disc.bottom)
            )
            cost += _OVER_DOT * sum(_crosses(place.line, disc) for disc in others)
            cost += _UNDER_NAME * sum(_crosses(place.line, other.box) for other in placed)
            cost += _OVER_LINE * sum(other.line is not None and _meet(place.line, other.line) for other in placed)
        return cost


def _places(name: Wanted, dot_radius_px: float, bounds: Box) -> Iterator[tuple[float, Place]]:
    x, y = name.at
    for far in _FAR_PX if name.must else _FAR_PX[:4]:
        for step in range(_DIRECTIONS):
            # Beginning at the right, where a name is read at once, and alternating upwards and downwards.
            angle = math.pi * 2 / _DIRECTIONS * ((step + 1) // 2) * (-1 if step % 2 else 1)
            across, down = math.cos(angle), math.sin(angle)
            reach = far + dot_radius_px
            edge_x, middle_y = x + reach * across, y + reach * down
            if abs(across) < 0.3:
                # Above or below; near an edge of the plot as far aside as it needs.
                left = min(max(edge_x - name.width_px / 2, bounds.left), bounds.right - name.width_px)
                middle_y += math.copysign(HEIGHT_PX / 2, down)
            else:
                left = edge_x if across > 0 else edge_x - name.width_px
            box = Box(left, middle_y - HEIGHT_PX / 2, left + name.width_px, middle_y + HEIGHT_PX / 2)
            line = None
            if far > _NEAR_PX:
                end = (min(max(x, box.left), box.right), min(max(y, box.top + 3), box.bottom - 3))
                line = ((x, y), end)
            yield far + step * 0.2, Place(box, line)


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


def _meet(first: Segment, second: Segment) -> bool:
    """Whether two lines cross."""

    def side(line: Segment, point: Point) -> float:
        (x0, y0), (x1, y1) = line
        return (x1 - x0) * (point[1] - y0) - (y1 - y0) * (point[0] - x0)

    apart = side(first, second[0]) * side(first, second[1]) > 0 or side(second, first[0]) * side(second, first[1]) > 0
    return not apart
