"""Figures of a table in other units and with other digits than ours."""

from __future__ import annotations

import math
import re
from collections.abc import Mapping
from dataclasses import replace

from bancada.answers.paper.table import Cell, Table
from bancada.answers.ranking import THIN_SPACE
from bancada.model.errors import UserError, unknown_name

# Units that measure the same thing, each with how many of the first one it is.
_SCALES: tuple[dict[str, float], ...] = (
    {"ns": 1.0, "µs": 1e3, "ms": 1e6, "s": 1e9},
    {"pJ": 1.0, "nJ": 1e3, "µJ": 1e6, "mJ": 1e9, "J": 1e12, "pWh": 3600.0, "nWh": 3.6e6, "µWh": 3.6e9, "mWh": 3.6e12},
    {"B": 1.0, "KiB": 1024.0, "MiB": 1048576.0},
)
_UNIT = re.compile(r"\(([^()]+)\)$")
# What a keyboard has in place of the letter.
_MICRO = re.compile("^u")


def in_units(table: Table, units: Mapping[str, str]) -> Table:
    """The table with the columns named in `units` in the unit that stands beside the name.

    A column's unit is at the end of its title, "Time (µs)", and mostly of its name, which follows. UserError for a
    column that the table does not have or that has no unit, and for a unit of something else.
    """
    for name, wanted in units.items():
        table = _in_unit(table, name, _MICRO.sub("µ", wanted))
    return table


def _in_unit(table: Table, name: str, wanted: str) -> Table:
    names = [column.name for column in table.columns]
    if name not in names:
        raise unknown_name("column", name, names)
    place = names.index(name)
    found = _UNIT.search(table.columns[place].title)
    scale = next((scale for scale in _SCALES if found and found[1] in scale), None)
    if found is None or scale is None:
        raise UserError(f"The column {name} has no unit that can be changed.")
    if wanted not in scale:
        raise UserError(f"The column {name} is in {found[1]}; write one of {', '.join(scale)}, not {wanted}.")
    factor = scale[found[1]] / scale[wanted]
    title = f"{table.columns[place].title[: found.start()]}({wanted})"
    columns = list(table.columns)
    columns[place] = replace(columns[place], name=_named(name, found[1], wanted), title=title)

    def scaled(cell: Cell) -> Cell:
        return cell * factor if isinstance(cell, (int, float)) else cell

    rows = tuple((*row[:place], scaled(row[place]), *row[place + 1 :]) for row in table.rows)
    return replace(table, columns=tuple(columns), rows=rows)


def _named(name: str, unit: str, wanted: str) -> str:
    """The name of a column, which programs read, with the other unit at its end: time_us, time_ms."""
    before, after = _in_a_name(unit), _in_a_name(wanted)
    for mark in "_-":
        if name.endswith(mark + before):
            return name.removesuffix(before) + after
    return name


def _in_a_name(unit: str) -> str:
    return "bytes" if unit == "B" else unit.replace("µ", "u").lower()


def with_digits(table: Table, digits: int) -> Table:
    """The table with so many significant digits, as text, in each number that is not whole."""
    rows = tuple(tuple(significant(cell, digits) if _is_broken(cell) else cell for cell in row) for row in table.rows)
    return replace(table, rows=rows)


def _is_broken(cell: Cell) -> bool:
    return isinstance(cell, float) and math.isfinite(cell) and not cell.is_integer()


def significant(value: Cell, digits: int) -> str:
    """A number with so many significant digits, zeros at the end included: 2.90, 12 300."""
    assert isinstance(value, (int, float))
    # The exponent after rounding: 9.99 with two digits is 10.
    exponent = int(f"{value:.{digits - 1}e}".partition("e")[2])
    decimals = digits - 1 - exponent
    text = f"{round(value, decimals):,.{max(0, decimals)}f}"
    return text.replace(",", THIN_SPACE)
