"""A Markdown table (the GitHub kind) of the figures that people read."""

from __future__ import annotations

from collections.abc import Sequence

from bancada.export._columns import columns_of
from bancada.records import Result

# What Markdown or the HTML in it would take for its own.
_ESCAPES = {"&": "&amp;", "<": "&lt;", ">": "&gt;", "\r": "", "\n": "<br>"} | {mark: f"\\{mark}" for mark in "\\|*_`[]~"}
TABLE_ESCAPES = str.maketrans(_ESCAPES)


def render(results: Sequence[Result]) -> str:
    columns = columns_of(results)
    lines = [
        _line([column.title for column in columns]),
        _line(["--:" if column.numeric else "---" for column in columns]),
        *(_line([column.text(result).translate(TABLE_ESCAPES) for column in columns]) for result in results),
    ]
    return "\n".join(lines) + "\n"


def _line(cells: Sequence[str]) -> str:
    return f"| {' | '.join(cells)} |"
