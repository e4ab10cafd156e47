"""Tables beside the results in the same file: audits, validations, proofs. Each is made when it is first needed."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Callable, Iterator, Sequence
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Any, TypeVar

from bancada.model.errors import UserError
from bancada.store.reading import BUSY_S, connect_to_read, has_table, refuse_foreign

_Kind = TypeVar("_Kind")


@contextmanager
def written(path: Path, definition: str, what: str) -> Iterator[sqlite3.Connection]:
    """One transaction, before which `definition` (SQL) makes the table if necessary.

    UserError if the file is another program's, or cannot be written: the sentence begins with `what`.
    """
    refuse_foreign(path)
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        with closing(sqlite3.connect(path, timeout=BUSY_S)) as database, database:
            database.executescript(definition)
            yield database
    except (sqlite3.Error, OSError) as error:
        raise UserError(f"{what} could not be stored in {path}: {error}.") from error


def rows_of(path: Path, table: str, query: str, what: str, values: Sequence[object] = ()) -> list[tuple[Any, ...]]:
    """The answer to a query; none if the file or its table is not there. UserError if it cannot be read."""
    database = connect_to_read(path)
    try:
        return database.execute(query, values).fetchall() if has_table(database, table) else []
    except sqlite3.Error as error:
        raise UserError(f"{what} in {path} cannot be read: {error}.") from error
    finally:
        database.close()


def record_of(text: str, path: Path, what: str, kind: Callable[[dict[str, Any]], _Kind]) -> _Kind:
    """What a stored record is. UserError if it is damaged, or of another version with other fields."""
    try:
        return kind(json.loads(text))
    except (ValueError, KeyError, TypeError, AttributeError, RecursionError) as error:
        raise UserError(
            f"{what} in {path} cannot be read: a record is damaged or of another version ({error}); move the file away"
            " and make it again, or use another file."
        ) from error
