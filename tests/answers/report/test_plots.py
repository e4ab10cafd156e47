"""What plots are made of: ticks, places for names, the front, colours."""

from __future__ import annotations

import itertools
import math
import re
from decimal import Decimal
from importlib.resources import files

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from bancada.answers.report import svg
from bancada.answers.report.bars import Bar, draw_bars, is_logarithmic
from bancada.answers.report.labels import Box, Wanted, place_labels
from bancada.answers.report.pareto import Dot, front
from bancada.answers.report.scale import Scale, linear_ticks, logarithmic_ticks, tick_texts

pytestmark = pytest.mark.quick

# scales and ticks


def test_a_scale_leads_from_figures_to_pixels() -> None:
    across = Scale(0, 200, False, 50, 450)
    assert [across.pixel(value) for value in (0, 50, 200)] == [50, 150, 450]
    upwards = Scale(10, 1000, True, 300, 100)
    assert [upwards.pixel(value) for value in (10, 100, 1000)] == pytest.approx([300, 200, 100])


@given(low=st.floats(0, 1e5), span=st.floats(1e-3, 1e7), length=st.floats(150, 1200))
@example(low=4096.03125, span=0.001, length=935.0)
@example(low=99999.99, span=0.001, length=935.0)
def test_linear_ticks_are_round_in_order_and_have_room(low: float, span: float, length: float) -> None:
    ticks = linear_ticks(low, low + span, length, vertical=False)
    assert ticks
    assert ticks == sorted(ticks)
    texts = tick_texts(ticks, logarithmic=False)
    if len(ticks) > 1:
        assert len(set(texts)) == len(texts), "no two ticks are written alike"
        # As they are written, since the difference of two floating-point numbers is not exact.
        written = [Decimal("".join(letter for letter in text if not letter.isspace())) for text in texts]
        (step,) = {after - before for before, after in zip(written, written[1:], strict=False)}
        assert step.normalize().as_tuple().digits in ((1,), (2,), (5,))
        assert all(low - span * 1e-6 <= tick <= low + span * (1 + 1e-6) for tick in ticks)
        widths = [svg.text_width(text, svg.SMALL_PX) for text in texts]
        for place in range(len(ticks) - 1):
            apart = (ticks[place + 1] - ticks[place]) / span * length
            assert apart > (widths[place] + widths[place + 1]) / 2


@given(low=st.floats(1e-2, 1e5), ratio=st.floats(3, 1e6), length=st.floats(150, 1200))
def test_logarithmic_ticks_are_inside_and_have_room(low: float, ratio: float, length: float) -> None:
    ticks = logarithmic_ticks(low, low * ratio, length, vertical=False)
    assert ticks
    assert all(low <= tick <= low * ratio for tick in ticks)
    widths = [svg.text_width(text, svg.SMALL_PX) for text in tick_texts(ticks, logarithmic=True)]
    for place in range(len(ticks) - 1):
        apart = math.log(ticks[place + 1] / ticks[place]) / math.log(ratio) * length
        assert apart > (widths[place] + widths[place + 1]) / 2


def test_ticks_of_a_linear_scale_have_as_many_decimals_as_the_finest_needs() -> None:
    assert tick_texts([0.0, 0.5, 1.0, 1.5], logarithmic=False) == ["0", "0.5", "1.0", "1.5"]
    assert tick_texts([0.0, 1000.0, 2000.0], logarithmic=False) == ["0", "1\u202f000", "2\u202f000"]
    assert tick_texts([0.1, 1.0, 10.0, 10_000.0], logarithmic=True) == ["0.1", "1", "10", "10\u202f000"]


# names beside dots

BOUNDS = Box(40, 10, 640, 420)
dots_and_names = st.lists(
    st.tuples(st.floats(50, 630), st.floats(20, 410), st.floats(20, 160), st.booleans()), min_size=1, max_size=25
)


@given(dots_and_names)
def test_names_never_lie_on_each_other_on_a_dot_or_over_the_edge(found: list[tuple[float, float, float, bool]]) -> None:
    wanted = [Wanted((x, y), width, must) for x, y, width, must in found]
    dots = [name.at for name in wanted]
    places = place_labels(wanted, dots, 5.0, [], BOUNDS)
    boxes = [place.box for place in places if place]
    assert not any(first.overlaps(second) for first, second in itertools.combinations(boxes, 2))
    assert not any(box.overlaps(Box(x, y, x, y).grown(5.0)) for box in boxes for x, y in dots)
    for box in boxes:
        assert BOUNDS.left <= box.left
        assert box.right <= BOUNDS.right
        assert BOUNDS.top <= box.top
        assert box.bottom <= BOUNDS.bottom


def test_a_lone_name_stands_close_to_the_right_of_its_dot() -> None:
    (place,) = place_labels([Wanted((100, 100), 60, True)], [(100, 100)], 5.0, [], BOUNDS)
    assert place is not None
    assert place.line is None
    assert 105 < place.box.left < 120
    assert place.box.top < 100 < place.box.bottom


def test_at_the_right_edge_a_name_goes_elsewhere() -> None:
    (place,) = place_labels([Wanted((630, 100), 60, True)], [(630, 100)], 5.0, [], BOUNDS)
    assert place is not None
    assert place.box.right <= 640


def test_a_cluster_of_names_that_must_be_there_is_spread_and_joined_by_lines() -> None:
    dots = [(200.0 + 2 * step, 200.0 + step) for step in range(9)]
    places = place_labels([Wanted(dot, 90, True) for dot in dots], dots, 5.0, [], BOUNDS)
    assert all(places)
    assert any(place and place.line for place in places)


def test_a_name_keeps_off_a_line_where_there_is_room_beside_it() -> None:
    line = ((90.0, 100.0), (400.0, 100.0))
    (place,) = place_labels([Wanted((100, 100), 60, True)], [(100, 100)], 5.0, [line], BOUNDS)
    assert place is not None
    assert place.box.bottom <= 100 or place.box.top >= 100


# the front


def dot(cycles: float, flash: float) -> Dot:
    return Dot(f"{cycles}/{flash}", cycles, flash, svg.SERIES[0], "o", "", True)


def test_the_front_is_what_nobody_beats_in_both() -> None:
    dots = [dot(10, 90), dot(20, 50), dot(30, 60), dot(20, 70), dot(40, 50), dot(90, 10)]
    assert front(dots) == [dots[0], dots[1], dots[5]]


def test_equals_on_the_front_are_both_on_it() -> None:
    first, second = dot(10, 10), Dot("twin", 10, 10, svg.SERIES[1], "s", "", True)
    assert len(front([first, second, dot(11, 11)])) == 2


@given(st.lists(st.tuples(st.integers(1, 30), st.integers(1, 30)), min_size=1, max_size=30, unique=True))
def test_the_front_agrees_with_its_definition(points: list[tuple[int, int]]) -> None:
    dots = [dot(*point) for point in points]
    expected = {
        one
        for one in dots
        if not any(other.x <= one.x and other.y <= one.y and (other.x, other.y) != (one.x, one.y) for other in dots)
    }
    assert set(front(dots)) == expected


# bars


def bar(name: str, *parts: float) -> Bar:
    return Bar(name, parts, "figure", svg.PARTS[: len(parts)], name)


def test_a_logarithmic_scale_only_where_a_linear_one_would_hide_the_short_ones() -> None:
    assert not is_logarithmic([bar("a", 1), bar("b", 30)])
    assert is_logarithmic([bar("a", 1), bar("b", 31)])
    assert not is_logarithmic([bar("a", 0), bar("b", 31)])
    assert not is_logarithmic([bar("a", 1, 1, 1), bar("b", 500, 1, 1)]), "parts of a bar add up on a linear scale only"


def test_a_name_too_long_for_its_room_is_shortened_and_the_rest_is_in_the_hint() -> None:
    name = "a library with a name that no plot has room for, and then some more of it"
    drawn = draw_bars([bar(name, 3)], "time, µs", 540, "plot", "label")
    assert f"<title>{name}</title>" in drawn
    assert "…</text>" in drawn


# from matplotlib to the page


def test_a_drawing_belongs_to_the_page() -> None:
    drawn = draw_bars([bar("<b>&", 3, 2, 1), bar("b", 30, 1, 1)], "time, µs", 540, "plot", 'a "label" & <more>')
    assert drawn.startswith('<svg class="plot" viewBox="0 0 540 ')
    assert "&lt;b&gt;&amp;</text>" in drawn
    assert 'aria-label="a &quot;label&quot; &amp; &lt;more&gt;"' in drawn
    for foreign in ("<metadata", "<style", "font-family", "http:", "DejaVu", "<?xml", "#0"):
        assert foreign not in drawn
    assert "fill:var(--part-2)" in drawn
    assert 'class="s m"' in drawn


def test_the_same_drawing_is_the_same_text() -> None:
    bars = [bar("a", 1), bar("b", 500)]
    assert draw_bars(bars, "axis", 350, "plot", "label") == draw_bars(bars, "axis", 350, "plot", "label")


def test_text_is_measured_on_the_safe_side() -> None:
    # DejaVu Sans, units of an em of 2048: i 569, M 1767 (its metrics file), set at 20 px.
    assert svg.text_width("i" * 10, 20) >= 569 * 10 / 2048 * 20
    assert svg.text_width("M" * 10, 20) >= 1767 * 10 / 2048 * 20
    assert svg.text_width("M" * 10, 20) < 1767 * 10 / 2048 * 20 * 1.1


# colours

# Machado, Oliveira and Fernandes (2009), severity 1.0: what a dichromat sees of linear RGB.
SIGHTS = {
    "normal": ((1, 0, 0), (0, 1, 0), (0, 0, 1)),
    "protanopia": ((0.152286, 1.052583, -0.204868), (0.114503, 0.786281, 0.099216), (-0.003882, -0.048116, 1.051998)),
    "deuteranopia": ((0.367322, 0.860646, -0.227968), (0.280085, 0.672501, 0.047413), (-0.011820, 0.042940, 0.968881)),
    "tritanopia": ((1.255528, -0.076749, -0.178779), (-0.078411, 0.930809, 0.147602), (0.004733, 0.691367, 0.303900)),
}
Colour = tuple[float, float, float]


def linear(colour: str) -> Colour:
    channels = [int(colour[place : place + 2], 16) / 255 for place in (1, 3, 5)]
    red, green, blue = (c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in channels)
    return red, green, blue


def seen(colour: str, sight: str) -> Colour:
    rows = [sum(a * b for a, b in zip(row, linear(colour), strict=True)) for row in SIGHTS[sight]]
    red, green, blue = (min(1.0, max(0.0, value)) for value in rows)
    return red, green, blue


def lab(colour: Colour) -> Colour:
    """CIE L*a*b*, D65."""
    red, green, blue = colour
    xyz = (
        (0.4124 * red + 0.3576 * green + 0.1805 * blue) / 0.9505,
        0.2126 * red + 0.7152 * green + 0.0722 * blue,
        (0.0193 * red + 0.1192 * green + 0.9505 * blue) / 1.089,
    )
    x, y, z = (value ** (1 / 3) if value > 0.008856 else 7.787 * value + 16 / 116 for value in xyz)
    return 116 * y - 16, 500 * (x - y), 200 * (y - z)


def contrast(first: str, second: str) -> float:
    """As WCAG 2 defines it."""
    light = [0.2126 * red + 0.7152 * green + 0.0722 * blue + 0.05 for red, green, blue in map(linear, (first, second))]
    return max(light) / min(light)


def themes() -> list[dict[str, str]]:
    """The variables of the light page, of the page made dark, and of the dark system."""
    css = (files("bancada.answers.report") / "report.css").read_text(encoding="utf-8")
    blocks = [
        dict(re.findall(r"--([\w-]+): (#\w{6})", block)) for block in re.findall(r"\{([^{}]*--paper: [^{}]*)\}", css)
    ]
    assert len(blocks) == 3 and blocks[1] == blocks[2], "both ways to the dark page lead to the same one"
    return blocks[:2]


@pytest.mark.parametrize("theme", themes(), ids=["light", "dark"])
@pytest.mark.parametrize("sight", SIGHTS)
def test_series_can_be_told_apart_by_every_eye(theme: dict[str, str], sight: str) -> None:
    for kind, count in (("series", 8), ("part", 3)):
        colours = [theme[f"{kind}-{place}"] for place in range(count)]
        for first, second in itertools.combinations(colours, 2):
            assert math.dist(lab(seen(first, sight)), lab(seen(second, sight))) > 20, (first, second)


@pytest.mark.parametrize("theme", themes(), ids=["light", "dark"])
def test_everything_stands_out_from_the_page(theme: dict[str, str]) -> None:
    for name in ("ink", "muted", "accent", "bad"):
        assert contrast(theme[name], theme["paper"]) >= 4.5, name
        assert contrast(theme[name], theme["surface"]) >= 4.5, name
    for name in [f"series-{place}" for place in range(8)] + [f"part-{place}" for place in range(3)]:
        assert contrast(theme[name], theme["paper"]) >= 2.95, name
