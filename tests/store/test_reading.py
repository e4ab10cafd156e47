"""A store is read without being changed or made: in a folder that cannot be written, and no other program's file."""

from __future__ import annotations

import os
import shutil
import sqlite3
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import closing
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
    """0 if a process that may not write the store or its folder reads the row of the store."""
    child = os.fork()
    if child == 0:
        code = 1
        try:
            if os.geteuid() == 0:
                os.setgroups([])
                os.setgid(NOBODY)
                os.setuid(NOBODY)
            assert not (os.access(path.parent, os.W_OK) and os.access(path, os.W_OK))
            with closing(connect_to_read(path)) as database:
                code = int(database.execute("SELECT name FROM results").fetchall() != [("one",)])
        finally:
            os._exit(code)
    return os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])


@pytest.mark.parametrize(("of_file", "of_folder"), [(0o444, 0o555), (0o444, 0o777), (0o666, 0o555)])
def test_a_store_that_cannot_be_written_is_read(folder: Path, of_file: int, of_folder: int) -> None:
    """It, or its folder: there are no files beside it."""
    path = folder / "results.sqlite"
    store_in_write_ahead_mode(path)
    path.chmod(of_file)
    folder.chmod(of_folder)
    assert without_rights(path) == 0
    assert [file.name for file in folder.iterdir()] == ["results.sqlite"]


def rows(path: Path) -> list[tuple[str]]:
    """What a reader finds, who closes the store."""
    with closing(connect_to_read(path)) as database:
        return database.execute("SELECT name FROM results").fetchall()


def test_reading_leaves_no_file_beside_the_store(tmp_path: Path) -> None:
    path = tmp_path / "results.sqlite"
    store_in_write_ahead_mode(path)
    assert rows(path) == [("one",)]
    assert [file.name for file in tmp_path.iterdir()] == ["results.sqlite"]


def test_files_that_an_earlier_reader_left_go(tmp_path: Path) -> None:
    path = tmp_path / "results.sqlite"
    store_in_write_ahead_mode(path)
    with closing(sqlite3.connect(f"file:{path}?mode=ro", uri=True)) as database:
        database.execute("SELECT name FROM results").fetchall()
    assert len(list(tmp_path.iterdir())) == 3
    assert rows(path) == [("one",)]
    assert [file.name for file in tmp_path.iterdir()] == ["results.sqlite"]


_KILLED = """
import os, sqlite3, sys
database = sqlite3.connect(sys.argv[1])
database.execute("INSERT INTO results VALUES ('two')")
database.commit()
os.kill(os.getpid(), 9)
"""


def test_what_a_killed_writer_stored_is_read_and_stays(tmp_path: Path) -> None:
    path = tmp_path / "results.sqlite"
    store_in_write_ahead_mode(path)
    subprocess.run([sys.executable, "-c", _KILLED, str(path)], timeout=60)
    assert (tmp_path / "results.sqlite-wal").stat().st_size
    assert rows(path) == rows(path) == [("one",), ("two",)]
    assert [file.name for file in tmp_path.iterdir()] == ["results.sqlite"]


def test_a_reader_disturbs_no_writer(tmp_path: Path) -> None:
    path = tmp_path / "results.sqlite"
    store_in_write_ahead_mode(path)
    with closing(sqlite3.connect(path)) as writer:
        writer.execute("INSERT INTO results VALUES ('two')")
        assert rows(path) == [("one",)]
        writer.commit()
        assert rows(path) == [("one",), ("two",)]
        writer.execute("INSERT INTO results VALUES ('three')")
        writer.commit()
    assert rows(path) == [("one",), ("two",), ("three",)]


def test_nothing_can_be_written_by_a_connection_to_read(tmp_path: Path) -> None:
    path = tmp_path / "results.sqlite"
    store_in_write_ahead_mode(path)
    with (
        closing(connect_to_read(path)) as database,
        pytest.raises(sqlite3.OperationalError, match="attempt to write a readonly database"),
    ):
        database.execute("DELETE FROM results")


def test_a_link_to_a_store_is_read_where_the_store_is(tmp_path: Path) -> None:
    (tmp_path / "there").mkdir()
    path = tmp_path / "there" / "results.sqlite"
    store_in_write_ahead_mode(path)
    link = tmp_path / "link.sqlite"
    link.symlink_to(path)
    assert rows(link) == [("one",)]
    assert sorted(file.name for file in tmp_path.rglob("*")) == ["link.sqlite", "results.sqlite", "there"]


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
