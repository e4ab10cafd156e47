"""From a matplotlib figure to SVG that lives inside the page: its colours, its font, its dark mode.

Figures are drawn with one unit = one CSS pixel, and with stand-in colours that become CSS variables here, so that
one drawing serves the light and the dark page. Text stays text. Its width is reckoned with DejaVu Sans, which is
wider than the fonts that browsers use, so a label that fits here fits there.
"""

from __future__ import annotations

import io
import re
from functools import cache
from html import escape
from pathlib import Path
from typing import Any

import matplotlib
from matplotlib.artist import Artist
from matplotlib.axes import Axes
from matplotlib.backends.backend_svg import FigureCanvasSVG
from matplotlib.figure import Figure
from matplotlib.ft2font import FT2Font
from matplotlib.lines import Line2D
from matplotlib.transforms import IdentityTransform

# Stand-ins: colours that nobody would choose, one for each variable of report.css.
INK, MUTED, RULE, PAPER = "#010001", "#010002", "#010003", "#010004"
SERIES = tuple(f"#0200{index:02x}" for index in range(8))
PARTS = tuple(f"#0300{index:02x}" for index in range(3))
_VARIABLES = (
    {INK: "--ink", MUTED: "--muted", RULE: "--rule", PAPER: "--paper"}
    | {colour: f"--series-{index}" for index, colour in enumerate(SERIES)}
    | {colour: f"--part-{index}" for index, colour in enumerate(PARTS)}
)

# A browser sets the same font up to this much wider, by its own rounding and hinting.
_BROWSER_WIDTH = 1.04
TEXT_PX = 12.0
SMALL_PX = 11.0
_SETTINGS: Any = {"svg.fonttype": "none", "svg.hashsalt": "bancada", "font.family": "DejaVu Sans", "path.simplify": False}

_TAG = re.compile(r"<[^>]+>")
_LONG_NUMBER = re.compile(r"-?\d+\.\d{2,}")
_GROUP_ID = re.compile(r'<g id="([^"]*)"([^>]*)>')
_DEFINED_ID = re.compile(r'((?:id="|href="#|url\(#))([mp][0-9a-f]{6,})')


@cache
def _font(bold: bool) -> FT2Font:
    name = "DejaVuSans-Bold.ttf" if bold else "DejaVuSans.ttf"
    return FT2Font(str(Path(matplotlib.get_data_path()) / "fonts" / "ttf" / name))


@cache
def text_width(text: str, size_px: float = TEXT_PX, bold: bool = False) -> float:
    """The width of a line in pixels, on the safe side."""
    font = _font(bold)
    font.set_size(size_px, 72)
    font.set_text(text)
    return float(font.get_width_height()[0]) / 64 * _BROWSER_WIDTH


def shorten(text: str, room_px: float, size_px: float = TEXT_PX) -> str:
    """The text, or as much of its beginning as fits, with an ellipsis."""
    if text_width(text, size_px) <= room_px:
        return text
    while text and text_width(text + "…", size_px) > room_px:
        text = text[:-1]
    return text.rstrip() + "…"


class Drawing:
    """A figure of a given size in pixels, with one pair of axes placed by its margins."""

    def __init__(self, width: float, height: float, left: float, right: float, top: float, bottom: float) -> None:
        self.width, self.height = width, height
        self.plot_width, self.plot_height = width - left - right, height - top - bottom
        self.left, self.top = left, top
        self._figure = Figure(figsize=(width / 72, height / 72), dpi=72)
        FigureCanvasSVG(self._figure)
        box = (left / width, bottom / height, self.plot_width / width, self.plot_height / height)
        self.axes: Axes = self._figure.add_axes(box, facecolor="none")
        self._figure.patch.set_visible(False)
        for side in self.axes.spines.values():
            side.set_visible(False)
        self.axes.tick_params(length=0, labelsize=SMALL_PX, labelcolor=MUTED, pad=5, which="both")
        self._titles: dict[str, str] = {}
        self._above: list[str] = []
        self._below: list[str] = []

    def text(
        self, x: float, y: float, text: str, *, align: str = "start", size_px: float = TEXT_PX, colour: str = INK,
        bold: bool = False,
    ) -> None:
        """Text at pixels from the top left of the figure, on its middle line. `align` is SVG's text-anchor."""
        # Written straight to SVG: matplotlib would spend a fifth of the report's time on the layout of single lines.
        anchor = "" if align == "start" else f' text-anchor="{align}"'
        weight = ' font-weight="700"' if bold else ""
        self._above.append(
            f'<text x="{x:.1f}" y="{y + size_px * 0.36:.1f}" font-size="{size_px:g}"{anchor}{weight} '
            f'style="fill: {colour}">{escape(text)}</text>'
        )

    def line(self, x0: float, y0: float, x1: float, y1: float, *, colour: str = MUTED, width_px: float = 0.8) -> None:
        """A line between two points given in pixels from the top left, under everything else."""
        self._below.append(
            f'<path d="M{x0:.1f} {y0:.1f}L{x1:.1f} {y1:.1f}" style="stroke: {colour}; stroke-width: {width_px:g}"/>'
        )

    def mark(self, x: float, y: float, marker: str, colour: str) -> None:
        """The mark of a series at a point given in pixels from the top left, for a key."""
        mark = Line2D(
            [x], [self.height - y], marker=marker, color=colour, linestyle="none", markersize=7, markeredgecolor=PAPER,
            markeredgewidth=1, transform=IdentityTransform(),
        )
        self._figure.add_artist(mark)

    def hint(self, artist: Artist, title: str) -> None:
        """What a pointer resting on the artist is told."""
        name = f"hint-{len(self._titles)}"
        artist.set_gid(name)
        self._titles[name] = title

    def svg(self, name: str, label: str) -> str:
        """The drawing as an <svg> element. `name` is unique in the page; `label` says it to who cannot see it."""
        text = io.StringIO()
        with matplotlib.rc_context(_SETTINGS):
            self._figure.savefig(text, format="svg", metadata={"Date": None})
        return self._clean(text.getvalue(), name, label)

    def _clean(self, svg: str, name: str, label: str) -> str:
        body = svg[svg.index(">", svg.index("<svg")) + 1 : svg.rindex("</svg>")]
        body = re.sub(r"<metadata>.*?</metadata>", "", body, flags=re.DOTALL)
        # A style sheet inside an inline SVG would be the whole page's.
        body = re.sub(r"<defs>\s*<style.*?</style>\s*</defs>", "", body, flags=re.DOTALL)
        body = _GROUP_ID.sub(self._group, body)
        body = _DEFINED_ID.sub(rf"\g<1>{name}-\g<2>", body)
        body = _TAG.sub(lambda match: self._tag(match.group()), body)
        body = re.sub(r"\s*\n\s*", " ", body)
        body = "".join(self._below) + body + "".join(self._above)
        for colour, variable in _VARIABLES.items():
            body = body.replace(colour, f"var({variable})")
        body = re.sub(r">\s+<", "><", body)
        size = f"0 0 {self.width:g} {self.height:g}"
        return (
            f'<svg class="plot" viewBox="{size}" width="{self.width:g}" height="{self.height:g}" role="img" '
            f'aria-label="{escape(label)}">{body.strip()}</svg>'
        )

    def _group(self, match: re.Match[str]) -> str:
        title = self._titles.get(match.group(1))
        group = f"<g{match.group(2)}>"
        return group if title is None else f"{group}<title>{escape(title)}</title>"

    @staticmethod
    def _tag(tag: str) -> str:
        tag = _LONG_NUMBER.sub(lambda match: f"{float(match.group()):.1f}".removesuffix(".0"), tag)
        tag = re.sub(r' transform="rotate\(-?0 [^)]*\)"', "", tag)
        tag = re.sub(r"font-family: [^;\"]*;? ?", "", tag)
        return tag


def grid(drawing: Drawing, axis: str) -> None:
    """Fine lines behind the data, one for each tick."""
    drawing.axes.grid(True, axis="x" if axis == "x" else "y" if axis == "y" else "both", color=RULE, linewidth=1, zorder=0)
    drawing.axes.set_axisbelow(True)
