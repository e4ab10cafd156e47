"""A Markdown table (the GitHub kind) of the figures that people read."""

from __future__ import annotations

from collections.abc import Sequence

from bancada.export._columns import COLUMNS
from bancada.records import Result

# What Markdown or the HTML in it would take for its own.
_ESCAPES = {"&": "&amp;", "<": "&lt;", ">": "&gt;", "\r": "", "\n": "<br>"} | {mark: f"\\{mark}" for mark in "\\|*_`[]~"}
_TABLE = str.maketrans(_ESCAPES)


def render(results: Sequence[Result]) -> str:
    lines = [
        _line([column.title for column in COLUMNS]),
        _line(["--:" if column.numeric else "---" for column in COLUMNS]),
        *(_line([column.text(result).translate(_TABLE) for column in COLUMNS]) for result in results),
    ]
    return "\n".join(lines) + "\n"


def _line(cells: Sequence[str]) -> str:
    return f"| {' | '.join(cells)} |"
