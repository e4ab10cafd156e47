"""A table for a paper."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Sequence
from dataclasses import dataclass, replace

from bancada.model.errors import unknown_name

# None is not measured.
Cell = str | int | float | None


@dataclass(frozen=True)
class Column:
    """`name` is for programs, `title` for people."""

    name: str
    title: str
    numeric: bool = False


@dataclass(frozen=True)
class Table:
    """Rows have a cell for each column. `notes` has a text for each row, such as the band of a modelled figure, or is
    empty; equal texts are one footnote."""

    name: str
    caption: str
    columns: tuple[Column, ...]
    rows: tuple[tuple[Cell, ...], ...]
    notes: tuple[str, ...] = ()

    def with_columns(self, names: Sequence[str]) -> Table:
        """The table with these columns, in this order. UserError for one that it does not have."""
        places = {column.name: place for place, column in enumerate(self.columns)}
        for name in names:
            if name not in places:
                raise unknown_name("column", name, list(places))
        chosen = [places[name] for name in names]
        return replace(
            self,
            columns=tuple(self.columns[place] for place in chosen),
            rows=tuple(tuple(row[place] for place in chosen) for row in self.rows),
        )


def named(title: str) -> str:
    """A title as the name of a table or a file: small letters, digits and dashes."""
    plain = unicodedata.normalize("NFKD", title).encode("ascii", "ignore").decode()
    return re.sub(r"[^a-z0-9]+", "-", plain.lower()).strip("-") or "table"
