"""A Markdown table (the GitHub kind) of the figures that people read."""

from __future__ import annotations

from collections.abc import Sequence

from bancada.answers.export._columns import columns_of
from bancada.measure.read_metrics import Metrics
from bancada.model.result import Result

# Characters that mean something in Markdown or in HTML.
_ESCAPES = {"&": "&amp;", "<": "&lt;", ">": "&gt;", "\r": "", "\n": "<br>"} | {
    mark: f"\\{mark}" for mark in "\\|*_`[]~"
}
TABLE_ESCAPES = str.maketrans(_ESCAPES)


def render(results: Sequence[Result], metrics: Metrics) -> str:
    columns = columns_of(results, metrics)
    lines = [
        _line([column.title for column in columns]),
        _line(["--:" if column.numeric else "---" for column in columns]),
        *(_line([column.text(result).translate(TABLE_ESCAPES) for column in columns]) for result in results),
    ]
    return "\n".join(lines) + "\n"


def _line(cells: Sequence[str]) -> str:
    return f"| {' | '.join(cells)} |"
