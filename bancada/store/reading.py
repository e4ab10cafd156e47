"""Opens a file of results for reading. It never creates or changes a file, and it reads one in a folder that cannot be
written."""

from __future__ import annotations

import sqlite3
from pathlib import Path
from urllib.parse import quote

from bancada.model.errors import UserError

# Another campaign may be writing to the same file, on a busy machine.
BUSY_S = 60.0

# The tables that the laboratory keeps in such a file. Each is made when it is first needed.
TABLES = frozenset({"results", "latest", "observations", "audit", "validation", "proof", "mutant"})


def connect_to_read(path: Path) -> sqlite3.Connection:
    """A connection that cannot write. A file that is not there is read as an empty one.

    UserError if the file is another program's, or cannot be read.
    """
    if not path.exists():
        return sqlite3.connect(":memory:", check_same_thread=False)
    try:
        database = _connected(path)
        found = _tables_of(database)
    except sqlite3.Error as error:
        raise UserError(
            f"The store {path} cannot be opened: {error}; move the file away and run the experiments again, or use "
            f"another file."
        ) from error
    if found and not found & TABLES:
        database.close()
        raise UserError(_foreign(path))
    return database


def refuse_foreign(path: Path) -> None:
    """UserError if the file is another program's database: nothing of ours is written into it.

    A file that cannot be read now, because another campaign is making it, is left to the caller, which waits for it.
    """
    if not path.is_file():
        return
    database = sqlite3.connect(path, timeout=BUSY_S)
    try:
        found = _tables_of(database)
    except sqlite3.Error:
        return
    finally:
        database.close()
    if found and not found & TABLES:
        raise UserError(_foreign(path))


def _foreign(path: Path) -> str:
    return f"{path} is a database of another program, and no store of results; name another with --store."


def _tables_of(database: sqlite3.Connection) -> set[str]:
    return {name for (name,) in database.execute("SELECT name FROM sqlite_master WHERE type = 'table'")}


def _connected(path: Path) -> sqlite3.Connection:
    name = f"file:{quote(str(path.absolute()))}"
    database = sqlite3.connect(f"{name}?mode=ro", uri=True, check_same_thread=False, timeout=BUSY_S)
    try:
        database.execute("SELECT count(*) FROM sqlite_master").fetchone()
    except sqlite3.OperationalError as error:
        # A file in write-ahead mode needs an index beside it, which cannot be made in a folder that cannot be
        # written. Without a log beside it no process is writing, and the file is complete (sqlite.org, "Write-Ahead
        # Logging", read-only databases).
        database.close()
        log = path.with_name(path.name + "-wal")
        if error.sqlite_errorcode & 0xFF not in (sqlite3.SQLITE_CANTOPEN, sqlite3.SQLITE_READONLY) or (
            log.exists() and log.stat().st_size
        ):
            raise
        database = sqlite3.connect(f"{name}?mode=ro&immutable=1", uri=True, check_same_thread=False)
        database.execute("SELECT count(*) FROM sqlite_master").fetchone()
    return database


def has_table(database: sqlite3.Connection, table: str) -> bool:
    """Whether the file has that table."""
    query = "SELECT count(*) FROM sqlite_master WHERE type = 'table' AND name = ?"
    return bool(database.execute(query, (table,)).fetchone()[0])
