"""From a matplotlib figure to SVG that lives inside the page: its colours, its font, its dark mode.

Figures are drawn with one unit = one CSS pixel, and with stand-in colours that become CSS variables here, so that
one drawing serves the light and the dark page. Text stays text. Its width is computed with DejaVu Sans, which is wider
than the fonts of browsers, so a label that fits here fits there.
"""

from __future__ import annotations

import io
import re
from collections.abc import Sequence
from functools import cache
from html import escape
from pathlib import Path
from typing import Any

import matplotlib
from matplotlib.artist import Artist
from matplotlib.backends.backend_svg import FigureCanvasSVG
from matplotlib.figure import Figure
from matplotlib.ft2font import FT2Font
from matplotlib.lines import Line2D
from matplotlib.patches import Rectangle
from matplotlib.transforms import IdentityTransform

# Placeholder colours, one for each variable of report.css.
INK, MUTED, PAPER = "#010001", "#010002", "#010003"
SERIES = tuple(f"#0200{index:02x}" for index in range(8))
PARTS = tuple(f"#0300{index:02x}" for index in range(3))
_VARIABLES = (
    {INK: "--ink", MUTED: "--muted", PAPER: "--paper"}
    | {colour: f"--series-{index}" for index, colour in enumerate(SERIES)}
    | {colour: f"--part-{index}" for index, colour in enumerate(PARTS)}
)

# A browser may draw the same font wider by this much, because of its rounding and hinting.
_BROWSER_WIDTH = 1.04
# From this width on, a drawing is for a wide page. Below it, it is for a phone.
WIDE_PX = 480.0
# The sizes of report.css: of a name, and of a small text.
TEXT_PX = 12.0
SMALL_PX = 11.0
_SETTINGS: Any = {
    "svg.fonttype": "none",
    "svg.hashsalt": "bancada",
    "font.family": "DejaVu Sans",
    "path.simplify": False,
}

_TAG = re.compile(r"<[^>]+>")
_LONG_NUMBER = re.compile(r"-?\d+\.\d{2,}")
_PATH = re.compile(r'(?<= d=")[^"]*')
_STYLE = re.compile(r'(?<= style=")[^"]*')
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
    if text_width(text, size_px) <= room_px + 0.01:
        return text
    while text and text_width(text + "…", size_px) > room_px:
        text = text[:-1]
    return text.rstrip() + "…"


class Drawing:
    """A figure of a given size. All places are pixels from its top left corner, as in the page.

    Texts and straight lines are written as SVG at once, with classes of report.css; matplotlib draws the rest.
    """

    def __init__(self, width: float, height: float) -> None:
        self.width, self.height = width, height
        # Shapes are put on the bare figure, in pixels: matplotlib's axes and their ticks would take most of the
        # time that the whole report takes.
        self._figure = Figure(figsize=(width / 72, height / 72), dpi=72)
        FigureCanvasSVG(self._figure)
        self._figure.patch.set_visible(False)
        self._titles: dict[str, str] = {}
        self._above: list[str] = []
        self._below: list[str] = []

    def text(
        self,
        x: float,
        y: float,
        text: str,
        *,
        align: str = "start",
        small: bool = False,
        muted: bool = False,
        bold: bool = False,
    ) -> None:
        """A line of text on its middle line, over everything else. `align` is SVG's text-anchor."""
        classes = f"{'s' if small else ''}{' m' if muted else ''}{' b' if bold else ''}".strip()
        style = (f' class="{classes}"' if classes else "") + ("" if align == "start" else f' text-anchor="{align}"')
        size_px = SMALL_PX if small else TEXT_PX
        self._above.append(f'<text x="{x:.0f}" y="{y + size_px * 0.36:.0f}"{style}>{escape(text)}</text>')

    def rule(self, x0: float, y0: float, x1: float, y1: float, kind: str = "rule") -> None:
        """A straight line under everything else: a `rule` of the grid, an `axis`, or a `lead` from a name to its
        dot."""
        self._below.append(f'<path class="{kind}" d="M{x0:.1f} {y0:.1f}L{x1:.1f} {y1:.1f}"/>')

    def line(
        self, points: Sequence[tuple[float, float]], colour: str, *, width_px: float = 2.0, dashed: bool = False
    ) -> None:
        xs, ys = [x for x, _ in points], [self.height - y for _, y in points]
        line = Line2D(xs, ys, color=colour, linewidth=width_px, transform=IdentityTransform())
        if dashed:
            line.set_linestyle((0, (4, 3)))
        self._add(line)

    def stripes(self, x0: float, x1: float, middle: float, thickness: float, step_px: float) -> None:
        """Gaps in a bar, so that two bars of one colour are told apart."""
        top, bottom = middle - thickness / 2, middle + thickness / 2
        count = int((x1 - x0) / step_px)
        path = "".join(f"M{x0 + step_px * place:.1f} {top:.1f}V{bottom:.1f}" for place in range(1, count + 1))
        if path:
            self._above.append(f'<path class="stripes" d="{path}"/>')

    def bar(self, x0: float, x1: float, middle: float, thickness: float, colour: str, hint: str) -> None:
        corner = (x0, self.height - middle - thickness / 2)
        bar = Rectangle(corner, x1 - x0, thickness, facecolor=colour, linewidth=0, transform=IdentityTransform())
        self._add(bar, hint)

    def mark(self, x: float, y: float, marker: str, colour: str, *, size_px: float = 7.0, hint: str = "") -> None:
        """The mark of a series, with an edge of the page's colour so that it stands out from what is under it."""
        mark = Line2D(
            [x],
            [self.height - y],
            marker=marker,
            color=colour,
            linestyle="none",
            markersize=size_px,
            markeredgecolor=PAPER,
            markeredgewidth=1,
            transform=IdentityTransform(),
        )
        self._add(mark, hint)

    def _add(self, artist: Artist, hint: str = "") -> None:
        """Adds an element over the earlier ones. `hint` is its tooltip."""
        artist.set_zorder(len(self._figure.get_children()))
        artist.set_clip_on(False)
        if hint and self.width >= WIDE_PX:  # a phone has no tooltips
            name = f"hint-{len(self._titles)}"
            artist.set_gid(name)
            self._titles[name] = hint
        self._figure.add_artist(artist)

    def svg(self, name: str, label: str) -> str:
        """The drawing as an <svg> element. `name` is unique in the page. `label` describes it for screen readers."""
        text = io.StringIO()
        with matplotlib.rc_context(_SETTINGS):
            self._figure.savefig(text, format="svg", metadata={"Date": None})
        return self._clean(text.getvalue(), name, label)

    def _clean(self, svg: str, name: str, label: str) -> str:
        body = svg[svg.index(">", svg.index("<svg")) + 1 : svg.rindex("</svg>")]
        body = re.sub(r"<metadata>.*?</metadata>", "", body, flags=re.DOTALL)
        # A style sheet inside an inline SVG would apply to the whole page.
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
        """Shortens an element: a tenth of a pixel is precise enough, and the commands of a path separate its
        numbers."""
        tag = _LONG_NUMBER.sub(lambda match: f"{float(match.group()):.1f}".removesuffix(".0"), tag)
        tag = _PATH.sub(lambda match: re.sub(r"\s*([A-Za-z])\s*", r"\1", match.group()), tag)
        return _STYLE.sub(lambda match: re.sub(r"([:;]) ", r"\1", match.group()), tag)
