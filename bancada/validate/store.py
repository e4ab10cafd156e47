"""The outcomes of `bancada validate` in the file of results: the table `validation`, the latest of each core."""

from __future__ import annotations

import json
from collections.abc import Iterable
from dataclasses import asdict
from pathlib import Path

from bancada.store.side_table import record_of, rows_of, written
from bancada.validate.validation import Validation

_TABLE = """
CREATE TABLE IF NOT EXISTS validation (
    core     TEXT NOT NULL,
    position INTEGER NOT NULL,
    record   TEXT NOT NULL,
    PRIMARY KEY (core, position)
);
"""


def store_validation(path: Path, core: str, outcomes: Iterable[Validation]) -> None:
    """Replaces the outcomes of one core, all at once. UserError if the file cannot be written."""
    rows = [(core, position, json.dumps(asdict(outcome))) for position, outcome in enumerate(outcomes)]
    with written(path, _TABLE, f"The validation of {core}") as database:
        database.execute("DELETE FROM validation WHERE core = ?", (core,))
        database.executemany("INSERT INTO validation VALUES (?, ?, ?)", rows)


def read_validations(path: Path, core: str | None = None) -> list[Validation]:
    """The latest outcomes of one core or of all, each core's in the order of its file; none if there are none.
    UserError if one cannot be read."""
    where, values = ("WHERE core = ?", (core,)) if core else ("", ())
    query = f"SELECT record FROM validation {where} ORDER BY core, position"
    rows = rows_of(path, "validation", query, "The validations", values)
    return [record_of(record, path, "The validations", lambda values: Validation(**values)) for (record,) in rows]
