r"""A table as a `longtable`: \usepackage{booktabs,longtable}, UTF-8 input (the default since 2018)."""

from __future__ import annotations

from collections.abc import Sequence
from string import ascii_lowercase

from bancada.answers.export.latex import escaped
from bancada.answers.paper.table import Cell, Column, Table
from bancada.answers.ranking import number

_NOTHING = "–"
# A column of words longer than this is broken into lines.
_LONG = 28
# What the long columns of a table share, of the width of a line; short ones take what they need.
_SHARED = 0.9
_LEAST_SHARE = 0.08
# A table with more characters in a line than this is set small, and its columns are broken, heads included.
_WIDE = 80
# How many characters a line of small type has on a page on its side, and how many the room between two columns takes.
_LINE = 150
_BETWEEN = 3
# Without a blank a word is broken at a hyphen alone. More of a column than this does not make it wider.
_MOST = 160


def latex_table(table: Table) -> str:
    """The table with caption and label, its head on every page, and its notes as footnotes under the last row."""
    marks = _marks(table.notes)
    texts = [[_text(cell) for cell in row] for row in table.rows]
    is_wide = _needs(table.columns, texts) > _WIDE
    widths = _broken(table.columns, texts) if is_wide else _widths(table.columns, texts)
    head = [" & ".join(escaped(column.title) for column in table.columns) + r" \\", r"\midrule"]
    lines = [
        rf"\begin{{longtable}}{{{''.join(widths)}}}",
        rf"\caption{{{escaped(table.caption)}}}\label{{tab:{table.name}}}\\",
        r"\toprule",
        *head,
        r"\endfirsthead",
        r"\toprule",
        *head,
        r"\endhead",
        r"\bottomrule",
        r"\endfoot",
    ]
    for place, row in enumerate(texts):
        cells = [escaped(text) for text in row]
        if table.notes and table.notes[place]:
            marked = _marked(table.columns)
            cells[marked] += rf"\textsuperscript{{{marks[table.notes[place]]}}}"
        lines.append(" & ".join(cells) + r" \\")
    if marks:
        lines.append(r"\bottomrule")
        wide = rf"\multicolumn{{{len(table.columns)}}}{{@{{}}l@{{}}}}"
        lines += [
            rf"{wide}{{\footnotesize\textsuperscript{{{mark}}} {escaped(note)}}} \\" for note, mark in marks.items()
        ]
        # The rule of the last page's foot stands above the notes already.
        lines.insert(lines.index(r"\endfoot") + 1, r"\endlastfoot")
    lines.append(r"\end{longtable}")
    if is_wide:
        lines = [r"\begingroup\footnotesize", *lines, r"\endgroup"]
    return "\n".join(lines) + "\n"


def _marks(notes: Sequence[str]) -> dict[str, str]:
    """A letter for each different note, in the order in which they come."""
    different = [note for note in dict.fromkeys(notes) if note]
    return {note: _letters(place) for place, note in enumerate(different)}


def _letters(place: int) -> str:
    more, last = divmod(place, len(ascii_lowercase))
    return (_letters(more - 1) if more else "") + ascii_lowercase[last]


def _marked(columns: Sequence[Column]) -> int:
    """The column of our figure if there is one, otherwise the last one."""
    names = [column.name for column in columns]
    return names.index("ours") if "ours" in names else len(names) - 1


def _widths(columns: Sequence[Column], texts: Sequence[Sequence[str]]) -> list[str]:
    """The kind of each column; long words share the line by how long they are."""
    most = [max([len(row[place]) for row in texts] or [0]) for place in range(len(columns))]
    long = [place for place, column in enumerate(columns) if not column.numeric and most[place] > _LONG]
    room = _SHARED - 0.07 * (len(columns) - len(long))
    whole = sum(min(most[place], 160) for place in long)
    kinds = []
    for place, column in enumerate(columns):
        if place in long:
            share = max(_LEAST_SHARE, room * min(most[place], 160) / whole)
            kinds.append(rf"p{{{share:.2f}\linewidth}}")
        else:
            kinds.append("r" if column.numeric else "l")
    return kinds


def _needs(columns: Sequence[Column], texts: Sequence[Sequence[str]]) -> int:
    """The characters of the longest line, if nothing is broken but long words are."""
    return sum(min(max(len(text) for text in column), _LONG) + _BETWEEN for column in _columns(columns, texts))


def _columns(columns: Sequence[Column], texts: Sequence[Sequence[str]]) -> list[list[str]]:
    """Head and cells of each column."""
    return [[column.title, *(row[place] for row in texts)] for place, column in enumerate(columns)]


def _broken(columns: Sequence[Column], texts: Sequence[Sequence[str]]) -> list[str]:
    """Each column has room for its longest word; what is left of the line goes to those that are longer than that."""
    found = _columns(columns, texts)
    words = [
        max(min(len(word), _LONG) for text in column for word in text.replace("-", "- ").split(" ")) for column in found
    ]
    more = [min(max(len(text) for text in column), _MOST) - word for column, word in zip(found, words, strict=True)]
    rest = max(0, _LINE - sum(words) - _BETWEEN * len(columns))
    whole = sum(more) or 1
    asked = [word + rest * one / whole for word, one in zip(words, more, strict=True)]
    # Words that are too long for all to fit stand out of their cells, not the table out of the page.
    fits = min(1.0, (_LINE - _BETWEEN * len(columns)) / sum(asked))
    shares = [one * fits / _LINE for one in asked]
    return [rf"p{{{share:.3f}\linewidth}}" for share in shares]


def _text(cell: Cell) -> str:
    if cell is None or cell == "":
        return _NOTHING
    return cell if isinstance(cell, str) else number(cell)
