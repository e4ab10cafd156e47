"""A table as text."""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Callable, Sequence

from bancada.answers.export.markdown import TABLE_ESCAPES
from bancada.answers.paper.latex import latex_table
from bancada.answers.paper.table import Cell, Table
from bancada.answers.ranking import number
from bancada.model.errors import UserError, unknown_name

_NOTHING = "–"
_NOTE = "note"


def render_tables(tables: Sequence[Table], format: str) -> str:
    """The tables in one of the formats csv, jsonl, markdown and latex. UserError for another one, and for several
    tables in csv, which is one."""
    if format not in _FORMATS:
        raise unknown_name("format of tables", format, sorted(_FORMATS))
    if format == "csv" and len(tables) > 1:
        names = ", ".join(table.name for table in tables)
        raise UserError(f"A file of comma-separated values is one table; choose one with --table: {names}")
    return "\n".join(_FORMATS[format](table) for table in tables)


def _csv(table: Table) -> str:
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\r\n")
    writer.writerow([*(column.name for column in table.columns), *([_NOTE] if table.notes else [])])
    for place, row in enumerate(table.rows):
        cells = ["" if cell is None else cell for cell in row]
        writer.writerow([*cells, *([table.notes[place]] if table.notes else [])])
    return text.getvalue()


def _jsonl(table: Table) -> str:
    lines = []
    for place, row in enumerate(table.rows):
        record: dict[str, Cell] = {"table": table.name}
        record |= {column.name: cell for column, cell in zip(table.columns, row, strict=True)}
        if table.notes:
            record[_NOTE] = table.notes[place]
        lines.append(json.dumps(record, ensure_ascii=False, allow_nan=False))
    return "".join(f"{line}\n" for line in lines)


def _markdown(table: Table) -> str:
    heads = [column.title.translate(TABLE_ESCAPES) for column in table.columns] + (["Note"] if table.notes else [])
    ruler = ["--:" if column.numeric else "---" for column in table.columns] + (["---"] if table.notes else [])
    lines = [f"**{table.caption.translate(TABLE_ESCAPES)}**\n", _line(heads), _line(ruler)]
    for place, row in enumerate(table.rows):
        cells = [_text(cell).translate(TABLE_ESCAPES) for cell in row]
        lines.append(_line([*cells, *([table.notes[place].translate(TABLE_ESCAPES)] if table.notes else [])]))
    return "\n".join(lines) + "\n"


def _line(cells: Sequence[str]) -> str:
    return f"| {' | '.join(cells)} |"


def _text(cell: Cell) -> str:
    if cell is None:
        return _NOTHING
    return cell if isinstance(cell, str) else number(cell)


_FORMATS: dict[str, Callable[[Table], str]] = {
    "csv": _csv,
    "jsonl": _jsonl,
    "markdown": _markdown,
    "latex": latex_table,
}
