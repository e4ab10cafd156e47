"""The outcomes of `bancada validate` in the file of results: the table `validation`, the latest of each core."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Iterable
from dataclasses import asdict
from pathlib import Path

from bancada.model.errors import UserError
from bancada.store.reading import connect_to_read, has_table, refuse_foreign
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
    refuse_foreign(path)
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        with sqlite3.connect(path) as database:
            database.executescript(_TABLE)
            database.execute("DELETE FROM validation WHERE core = ?", (core,))
            database.executemany("INSERT INTO validation VALUES (?, ?, ?)", rows)
        database.close()
    except (sqlite3.Error, OSError) as error:
        raise UserError(f"The validation of {core} could not be stored in {path}: {error}.") from error


def read_validations(path: Path, core: str | None = None) -> list[Validation]:
    """The latest outcomes of one core or of all, each core's in the order of its file; none if there are none."""
    where, values = ("WHERE core = ?", (core,)) if core else ("", ())
    database = connect_to_read(path)
    try:
        if not has_table(database, "validation"):
            return []
        rows = database.execute(f"SELECT record FROM validation {where} ORDER BY core, position", values).fetchall()
    except sqlite3.Error as error:
        raise UserError(f"The validations in {path} cannot be read: {error}.") from error
    finally:
        database.close()
    return [Validation(**json.loads(record)) for (record,) in rows]
