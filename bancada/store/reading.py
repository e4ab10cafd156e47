"""Opens a file of results for reading. No result is changed, and no file stays beside it. One in a folder that cannot
be written is read too."""

from __future__ import annotations

import os
import sqlite3
from pathlib import Path
from urllib.parse import quote

from bancada.model.errors import UserError

# Another campaign may be writing to the same file, on a busy machine.
BUSY_S = 60.0

# The tables that the laboratory keeps in such a file. Each is made when it is first needed.
TABLES = frozenset({"results", "latest", "observations", "audit", "validation", "proof", "mutant"})


def connect_to_read(path: Path) -> sqlite3.Connection:
    """A connection by which nothing can be changed. The caller closes it, so that SQLite's files beside the store go.
    A file that is not there is read as an empty one.

    UserError if the file is another program's, or cannot be read.
    """
    if not path.exists():
        return sqlite3.connect(":memory:", check_same_thread=False)
    try:
        database = _connected(Path(os.path.realpath(path)))
        try:
            found = _tables_of(database)
        except BaseException:
            database.close()
            raise
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
    """UserError if the file is another program's database, or no file but a device or a pipe: nothing of ours is
    written into it.

    A file that cannot be read now, because another campaign is making it, is left to the caller, which waits for it.
    """
    if not path.is_file():
        if path.exists():
            raise UserError(f"{path} is no file, and no store of results; name another with --store.")
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


# What SQLite says where it cannot make the files that it needs beside a store in write-ahead mode: the folder cannot be
# written, or the disk is full.
_NO_FILES_BESIDE = frozenset({sqlite3.SQLITE_CANTOPEN, sqlite3.SQLITE_READONLY, sqlite3.SQLITE_FULL})
_NO_INDEX_BESIDE = frozenset({sqlite3.SQLITE_IOERR_SHMOPEN, sqlite3.SQLITE_IOERR_SHMSIZE, sqlite3.SQLITE_IOERR_SHMMAP})


def _connected(path: Path) -> sqlite3.Connection:
    """A connection to a file by its real path, beside which SQLite has its own files.

    In write-ahead mode a reader, too, needs a log and an index beside the store. Whoever closes the last connection
    removes them, but not by a connection that may only read (sqlite.org, "Write-Ahead Logging"). So the file is opened
    for writing where that is allowed, and SQLite is told that nothing is written. Where it is not allowed, a file
    without a log is read as one that nobody writes: then SQLite makes no files.
    """
    may_write = os.access(path, os.W_OK) and os.access(path.parent, os.W_OK)
    if not may_write and _is_whole(path):
        return _opened(path, "mode=ro&immutable=1")
    try:
        return _opened(path, "mode=rw" if may_write else "mode=ro")
    except sqlite3.OperationalError as error:
        code = error.sqlite_errorcode
        if (code & 0xFF not in _NO_FILES_BESIDE and code not in _NO_INDEX_BESIDE) or not _is_whole(path):
            raise
        return _opened(path, "mode=ro&immutable=1")


def _is_whole(path: Path) -> bool:
    """Whether a file in write-ahead mode has no log beside it: no process is writing, and all is in the file."""
    try:
        with path.open("rb") as file:
            is_write_ahead = file.read(20)[18:] == b"\2\2"  # sqlite.org, "Database File Format", 1.3.3
        log = path.with_name(path.name + "-wal")
        return is_write_ahead and not (log.exists() and log.stat().st_size)
    except OSError:
        return False


def _opened(path: Path, how: str) -> sqlite3.Connection:
    name = f"file:{quote(str(path))}?{how}"
    database = sqlite3.connect(name, uri=True, check_same_thread=False, timeout=BUSY_S)
    try:
        database.execute("PRAGMA query_only = ON")
        database.execute("SELECT count(*) FROM sqlite_master").fetchone()
    except BaseException:
        database.close()
        raise
    return database


def has_table(database: sqlite3.Connection, table: str) -> bool:
    """Whether the file has that table."""
    query = "SELECT count(*) FROM sqlite_master WHERE type = 'table' AND name = ?"
    return bool(database.execute(query, (table,)).fetchone()[0])
