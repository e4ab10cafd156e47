"""Keeps every result in SQLite. A result is written in one transaction as soon as its case is finished."""

from __future__ import annotations

import json
import math
import sqlite3
import threading
import time
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from dataclasses import asdict
from pathlib import Path
from typing import Any, TypeVar

from bancada.model.errors import UserError
from bancada.model.finding import Observation
from bancada.model.result import FIELDS, SCHEMA, Result
from bancada.model.status import Fidelity, Status
from bancada.store.reading import BUSY_S, connect_to_read, has_table, refuse_foreign

_SCHEMAS_BEFORE = ("bancada-result-1", "bancada-result-2", "bancada-result-3")
# In these, a field that is not the record's own is the figure of a metric from outside. Before, it could be one that is
# gone.
_SCHEMAS_WITH_METRICS = ("bancada-result-3", SCHEMA)

_BUSY_LOOK_S = 0.05

# The fields of a record that are numbers, or None.
_NUMBERS = tuple(
    name for name in FIELDS if name.endswith(("_bytes", "_us", "_uj", "_percent", "_median", "_min", "_max", "_bits"))
) + ("samples", "conformance_passed", "conformance_total")

_ANOTHER = "move the file away and run the experiments again, or use another file"

_ELSEWHERE = "it must be in a folder that you may write to, with room left: name another with --store"

_Kind = TypeVar("_Kind")

_TABLES = """
CREATE TABLE IF NOT EXISTS results (
    key    TEXT PRIMARY KEY,
    name   TEXT NOT NULL,
    record TEXT NOT NULL
);
CREATE TABLE IF NOT EXISTS latest (
    experiment TEXT NOT NULL,
    name       TEXT NOT NULL,
    position   INTEGER NOT NULL,
    key        TEXT NOT NULL REFERENCES results (key),
    PRIMARY KEY (experiment, name)
);
CREATE TABLE IF NOT EXISTS observations (
    experiment TEXT NOT NULL,
    kind       TEXT NOT NULL,
    name       TEXT NOT NULL,
    key        TEXT NOT NULL,
    record     TEXT NOT NULL,
    PRIMARY KEY (experiment, kind, name)
);
"""


def result_from_dict(record: dict[str, Any]) -> Result:
    """A Result from one exported line. UserError if it has another schema. A line of an earlier schema lacks some
    fields, which are then None. Other fields of a record are figures of metrics from outside.
    """
    if record.get("schema") not in (SCHEMA, *_SCHEMAS_BEFORE):
        raise UserError(
            f"A result has schema '{record.get('schema')}', this program reads '{SCHEMA}': run the experiments again"
            " into another file (--store)."
        )
    values = {name: record.get(name) for name in FIELDS}
    values["schema"] = SCHEMA
    values["status"] = _status(record)
    values["fidelity"] = Fidelity(record["fidelity"])
    for name in _NUMBERS:
        value = values[name]
        if value is not None and (
            not isinstance(value, (int, float)) or isinstance(value, bool) or not math.isfinite(value)
        ):
            raise ValueError(f"'{name}' is {value!r}, which is no number")
    for name in ("case", "target", "implementation", "operation", "compiler", "optimisation", "date"):
        if not isinstance(values[name], str):
            raise ValueError(f"'{name}' is {values[name]!r}, which is no word")
    added = tuple(
        (name, value)
        for name, value in record.items()
        if name not in FIELDS and isinstance(value, (int, float, str, type(None)))
    )
    return Result(**values, added=added if record["schema"] in _SCHEMAS_WITH_METRICS else ())  # type: ignore[arg-type]


def _status(record: dict[str, Any]) -> Status:
    """Earlier versions stored `not-offered` as `does-not-build`. Such a record has no flags, because no compiler was
    called."""
    status = Status(record["status"])
    was_tried = bool(record.get("flags"))
    return Status.NOT_OFFERED if status is Status.DOES_NOT_BUILD and not was_tried else status


def _what_to_do(error: sqlite3.Error) -> str:
    """A file that is good, in a place where nothing can be written, is not to be moved away."""
    # The lower byte is the kind: a folder that cannot be written has a code of its own.
    is_place = getattr(error, "sqlite_errorcode", 0) & 0xFF in (
        sqlite3.SQLITE_CANTOPEN,
        sqlite3.SQLITE_READONLY,
        sqlite3.SQLITE_FULL,
    )
    return _ELSEWHERE if is_place else _ANOTHER


class Store:
    """Results on disk. Several threads and processes may use it. A result is written completely or not at all.

    A store that is opened for reading creates and changes no file. A missing file has no results.
    """

    def __init__(self, path: Path, *, to_read: bool = False) -> None:
        self._path = path
        self._lock = threading.Lock()
        if to_read:
            self._database = connect_to_read(path)
            return
        refuse_foreign(path)
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
            self._database = sqlite3.connect(path, check_same_thread=False, timeout=BUSY_S)
            self._retrying(lambda: self._database.execute("PRAGMA journal_mode=WAL"))
            self._database.executescript(_TABLES)
        except OSError as error:
            raise UserError(
                f"The store {path} cannot be opened: {error.strerror}: {error.filename}; {_ELSEWHERE}."
            ) from error
        except sqlite3.Error as error:
            raise UserError(f"The store {path} cannot be opened: {error}; {_what_to_do(error)}.") from error

    @staticmethod
    def _retrying(change: Callable[[], object]) -> None:
        """SQLite waits for other processes that have the file. It does not wait while the kind of journal changes, as
        when two campaigns make one store at the same time (its documentation of sqlite3_busy_handler)."""
        end = time.monotonic() + BUSY_S
        while True:
            try:
                change()
                return
            except sqlite3.OperationalError as error:
                if error.sqlite_errorcode != sqlite3.SQLITE_BUSY or time.monotonic() > end:
                    raise
                time.sleep(_BUSY_LOOK_S)

    @contextmanager
    def _used(self) -> Iterator[sqlite3.Connection]:
        """The database for one transaction. UserError if the file is damaged, or no store."""
        try:
            with self._lock, self._database:
                yield self._database
        except sqlite3.Error as error:
            raise UserError(
                f"The store of results cannot be used: {self._path}: {error}; {_what_to_do(error)}."
            ) from error

    def _read(self, record: str, kind: Callable[[dict[str, Any]], _Kind]) -> _Kind:
        try:
            return kind(json.loads(record))
        except (ValueError, KeyError, TypeError, AttributeError, RecursionError) as error:
            raise UserError(
                f"The store {self._path} holds a record that cannot be read ({error}); {_ANOTHER}."
            ) from error

    @property
    def path(self) -> Path:
        """The file."""
        return self._path

    def close(self) -> None:
        """Closes the file."""
        self._database.close()

    def find(self, key: str) -> Result | None:
        """The result of that key, if it was ever stored."""
        with self._used() as database:
            row = database.execute("SELECT record FROM results WHERE key = ?", (key,)).fetchone()
        return self._read(row[0], result_from_dict) if row else None

    def keys(self, names: Iterable[str], but: Status) -> set[str]:
        """The keys of all results of these cases, of any age, except those with the status `but`."""
        query = "SELECT key FROM results WHERE name = ? AND json_extract(record, '$.status') != ?"
        with self._used() as database:
            database.execute("CREATE INDEX IF NOT EXISTS results_of_case ON results (name)")
            return {key for name in names for (key,) in database.execute(query, (name, str(but)))}

    def put(self, experiment: str, position: int, key: str, result: Result) -> None:
        """Stores a result and makes it the experiment's latest for its case. UserError if the disk is full."""
        record = json.dumps(result.as_dict())
        try:
            with self._lock, self._database:
                self._database.execute("INSERT OR REPLACE INTO results VALUES (?, ?, ?)", (key, result.case, record))
                self._database.execute(
                    "INSERT OR REPLACE INTO latest VALUES (?, ?, ?, ?)", (experiment, result.case, position, key)
                )
        except sqlite3.Error as error:
            raise UserError(
                f"The result of {result.case} could not be stored in {self._path}: {error}; what was stored before is"
                " kept, and the same command resumes."
            ) from error

    def entries(self) -> list[tuple[str, Result]]:
        """The latest results of every experiment. A case that several experiments share comes once for each."""
        query = "SELECT experiment, record FROM latest JOIN results USING (key) ORDER BY experiment, position"
        with self._used() as database:
            rows = database.execute(query).fetchall() if has_table(database, "results") else []
        return [(experiment, self._read(record, result_from_dict)) for experiment, record in rows]

    def forget(self, entries: Iterable[tuple[str, str]]) -> None:
        """Removes cases, by name, from experiments. They are then in no report, table or export. Their results stay in
        the file, so running such a case again does no work."""
        with self._used() as database:
            database.executemany("DELETE FROM latest WHERE experiment = ? AND name = ?", list(entries))

    def results(self, experiment: str | None = None) -> list[Result]:
        """The latest results of one experiment in the order of its plan, or of all: each case once, as last
        measured."""
        where, values = ("WHERE experiment = ?", (experiment,)) if experiment else ("", ())
        query = f"SELECT record FROM latest JOIN results USING (key) {where} ORDER BY experiment, position"
        with self._used() as database:
            rows = database.execute(query, values).fetchall() if has_table(database, "results") else []
        newest: dict[str, Result] = {}
        for row in rows:
            result = self._read(row[0], result_from_dict)
            if result.case not in newest or result.date > newest[result.case].date:
                newest[result.case] = result
        return list(newest.values())

    def earlier(self, cases: Iterable[str]) -> dict[str, list[Result]]:
        """For each of these cases that was measured more than once, every result of it, newest first. What an earlier
        version stored and this one cannot read is left out."""
        query = "SELECT record FROM results WHERE name = ?"
        found: dict[str, list[Result]] = {}
        with self._used() as database:
            if not has_table(database, "results"):
                return {}
            counted = dict(database.execute("SELECT name, count(*) FROM results GROUP BY name HAVING count(*) > 1"))
            rows = {case: database.execute(query, (case,)).fetchall() for case in cases if case in counted}
        for case, records in rows.items():
            results = [result for (record,) in records if (result := _readable(record)) is not None]
            found[case] = sorted(results, key=lambda result: result.date, reverse=True)
        return found

    def experiments(self) -> list[str]:
        """Names of the experiments that have results or observations."""
        with self._used() as database:
            tables = [name for name in ("latest", "observations") if has_table(database, "results")]
            rows = [row for name in tables for row in database.execute(f"SELECT DISTINCT experiment FROM {name}")]
        return sorted({row[0] for row in rows})

    def find_observation(self, experiment: str, kind: str, name: str, key: str) -> Observation | None:
        """The observation of that name, if nothing that can change it has changed since (`key` is the hash of that)."""
        query = "SELECT record FROM observations WHERE experiment = ? AND kind = ? AND name = ? AND key = ?"
        with self._used() as database:
            row = database.execute(query, (experiment, kind, name, key)).fetchone()
        return self._read(row[0], _observation) if row else None

    def put_observation(self, experiment: str, key: str, observation: Observation) -> None:
        """Stores an observation in the place of an earlier one of its kind and name. UserError if the disk is full."""
        record = json.dumps(asdict(observation))
        try:
            with self._lock, self._database:
                self._database.execute(
                    "INSERT OR REPLACE INTO observations VALUES (?, ?, ?, ?, ?)",
                    (experiment, observation.kind, observation.name, key, record),
                )
        except sqlite3.Error as error:
            raise UserError(
                f"The observation {observation.name} could not be stored in {self._path}: {error}; what was stored"
                " before is kept, and the same command resumes."
            ) from error

    def observations(self, experiment: str) -> list[Observation]:
        """The latest observations of an experiment, in the order in which they were first made."""
        query = "SELECT record FROM observations WHERE experiment = ? ORDER BY rowid"
        with self._used() as database:
            rows = database.execute(query, (experiment,)).fetchall() if has_table(database, "observations") else []
        return [self._read(row[0], _observation) for row in rows]


def _readable(record: str) -> Result | None:
    try:
        return result_from_dict(json.loads(record))
    except (UserError, ValueError, KeyError, TypeError, AttributeError, RecursionError):
        return None


def _observation(values: dict[str, Any]) -> Observation:
    return Observation(**{**values, "fidelity": Fidelity(values["fidelity"])})
