"""A store is read without being changed or made: in a folder that cannot be written, and no other program's file."""

from __future__ import annotations

import os
import shutil
import sqlite3
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest

from bancada.model.errors import UserError
from bancada.store.reading import connect_to_read, refuse_foreign
from bancada.store.store import Store, result_from_dict
from tests.example_results import result

pytestmark = pytest.mark.quick

NOBODY = 65534


@pytest.fixture
def folder() -> Iterator[Path]:
    """A folder that another user may look into, which pytest's are not."""
    path = Path(tempfile.mkdtemp())
    path.chmod(0o755)
    yield path
    path.chmod(0o755)
    shutil.rmtree(path)


def store_in_write_ahead_mode(path: Path) -> None:
    database = sqlite3.connect(path)
    database.execute("PRAGMA journal_mode = WAL")
    database.execute("CREATE TABLE results (name TEXT)")
    database.execute("INSERT INTO results VALUES ('one')")
    database.commit()
    database.close()


def without_rights(path: Path) -> int:
    """0 if a process that may write nothing there reads the row of the store."""
    child = os.fork()
    if child == 0:
        code = 1
        try:
            if os.geteuid() == 0:
                os.setgroups([])
                os.setgid(NOBODY)
                os.setuid(NOBODY)
            assert not os.access(path.parent, os.W_OK)
            code = int(connect_to_read(path).execute("SELECT name FROM results").fetchall() != [("one",)])
        finally:
            os._exit(code)
    return os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])


def test_a_store_in_a_folder_that_cannot_be_written_is_read(folder: Path) -> None:
    path = folder / "results.sqlite"
    store_in_write_ahead_mode(path)
    path.chmod(0o444)
    folder.chmod(0o555)
    assert without_rights(path) == 0
    assert [file.name for file in folder.iterdir()] == ["results.sqlite"]


def test_reading_makes_no_file(tmp_path: Path) -> None:
    path = tmp_path / "nothing.sqlite"
    connect_to_read(path).close()
    assert not path.exists()


def test_the_file_of_another_program_is_refused_and_stays_as_it_was(tmp_path: Path) -> None:
    path = tmp_path / "mine.db"
    with sqlite3.connect(path) as database:
        database.execute("CREATE TABLE songs (name TEXT)")
    before = path.read_bytes()
    for refuse in (connect_to_read, refuse_foreign):
        with pytest.raises(UserError, match=r"mine.db is a database of another program"):
            refuse(path)
    assert path.read_bytes() == before


@pytest.mark.parametrize("code", [sqlite3.SQLITE_READONLY, sqlite3.SQLITE_READONLY_DIRECTORY])
def test_nobody_is_told_to_move_away_a_store_that_only_cannot_be_written(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, code: int
) -> None:
    def refuse(*_: object, **__: object) -> None:
        error = sqlite3.OperationalError("attempt to write a readonly database")
        error.sqlite_errorcode = code
        raise error

    monkeypatch.setattr("bancada.store.store.sqlite3.connect", refuse)
    with pytest.raises(UserError, match="it must be in a folder that you may write to") as refused:
        Store(tmp_path / "results.sqlite")
    assert "move the file away" not in str(refused.value)


@pytest.mark.parametrize("value", [float("nan"), float("inf"), True, "3"])
def test_what_is_no_finite_number_is_no_figure(value: object) -> None:
    """JSON as Python reads it has NaN and Infinity, which no export can write."""
    with pytest.raises(ValueError, match="'time_us' is .*, which is no number"):
        result_from_dict(result().as_dict() | {"time_us": value})
