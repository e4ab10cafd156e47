r"""A LaTeX table for a paper: \usepackage{booktabs}, and UTF-8 input (the default since 2018)."""

from __future__ import annotations

from collections.abc import Sequence

from bancada.answers.export._columns import columns_of
from bancada.answers.ranking import THIN_SPACE
from bancada.measure.read_metrics import Metrics
from bancada.model.result import Result

_ESCAPES = {
    "\\": r"\textbackslash{}",
    "{": r"\{",
    "}": r"\}",
    "$": r"\$",
    "&": r"\&",
    "#": r"\#",
    "%": r"\%",
    "_": r"\_",
    "~": r"\textasciitilde{}",
    "^": r"\textasciicircum{}",
    "[": "{[}",  # after the \\\\ of the row above, TeX would take it for a length
    "<": r"\textless{}",
    ">": r"\textgreater{}",
    "±": r"$\pm$",
    "÷": r"$\div$",
    "×": r"$\times$",
    "·": r"$\cdot$",
    "−": "$-$",
    "≤": r"$\le$",
    "≥": r"$\ge$",
    "†": r"\dag{}",
    "²": r"\textsuperscript{2}",
    "³": r"\textsuperscript{3}",
    "⁶": r"\textsuperscript{6}",
    "…": r"\dots{}",
    "µ": r"\textmu{}",
    "–": "--",
    THIN_SPACE: r"\,",
    "\r": "",
    "\n": " ",
}
_TABLE = str.maketrans(_ESCAPES)


def render(results: Sequence[Result], metrics: Metrics) -> str:
    columns = columns_of(results, metrics)
    lines = [
        rf"\begin{{tabular}}{{{''.join('r' if column.numeric else 'l' for column in columns)}}}",
        r"\toprule",
        _row([column.title for column in columns]),
        r"\midrule",
        *(_row([column.text(result) for column in columns]) for result in results),
        r"\bottomrule",
        r"\end{tabular}",
    ]
    return "\n".join(lines) + "\n"


def _row(cells: Sequence[str]) -> str:
    return " & ".join(escaped(cell) for cell in cells) + r" \\"


def escaped(text: str) -> str:
    """The text as TeX prints it. Two hyphens stay two, as in a flag or an option; TeX would join them to a dash."""
    return "-{}-".join(part.translate(_TABLE) for part in text.split("--"))
