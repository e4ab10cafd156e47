"""Keeps every result in SQLite. A result is written in one transaction as soon as its case is finished."""

from __future__ import annotations

import hashlib
import json
import sqlite3
import threading
from collections.abc import Iterable
from dataclasses import asdict
from pathlib import Path
from typing import Any

from bancada.errors import UserError
from bancada.records import SCHEMA, Fidelity, Observation, Result, Status

_SCHEMAS_BEFORE = ("bancada-result-1", "bancada-result-2")

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


def result_key(*parts: object) -> str:
    """Hash of all that can change a result."""
    return hashlib.sha256(json.dumps([str(part) for part in parts]).encode()).hexdigest()


def result_from_dict(record: dict[str, Any]) -> Result:
    """A Result from one exported line. UserError if it is of another schema.

    A line of the schemas before this one lacks some fields: they are None.
    """
    if record.get("schema") not in (SCHEMA, *_SCHEMAS_BEFORE):
        raise UserError(f"A result has schema '{record.get('schema')}', this program reads '{SCHEMA}': run the experiments again into another file (--store).")
    values = {name: record.get(name) for name in Result.__dataclass_fields__}
    values["schema"] = SCHEMA
    values["status"] = Status(record["status"])
    values["fidelity"] = Fidelity(record["fidelity"])
    return Result(**values)  # type: ignore[arg-type]


class Store:
    """Results on disk. Safe to use from several threads; nothing is ever half written."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._lock = threading.Lock()
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
            self._database = sqlite3.connect(path, check_same_thread=False)
            self._database.execute("PRAGMA journal_mode=WAL")
            self._database.executescript(_TABLES)
        except (sqlite3.Error, OSError) as error:
            raise UserError(f"The store {path} cannot be opened: {error}.") from error

    @property
    def path(self) -> Path:
        """The file."""
        return self._path

    def close(self) -> None:
        """Closes the file."""
        self._database.close()

    def find(self, key: str) -> Result | None:
        """The result of that key, if it was ever stored."""
        with self._lock:
            row = self._database.execute("SELECT record FROM results WHERE key = ?", (key,)).fetchone()
        return result_from_dict(json.loads(row[0])) if row else None

    def keys(self, names: Iterable[str], but: Status) -> set[str]:
        """The keys of all results of these cases, however old, `but` those with that status."""
        query = "SELECT key FROM results WHERE name = ? AND json_extract(record, '$.status') != ?"
        with self._lock, self._database:
            self._database.execute("CREATE INDEX IF NOT EXISTS results_of_case ON results (name)")
            return {key for name in names for (key,) in self._database.execute(query, (name, str(but)))}

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
            raise UserError(f"The result of {result.case} could not be stored in {self._path}: {error}.") from error

    def keep_only(self, experiment: str, names: Iterable[str]) -> None:
        """Forgets that cases no longer planned belong to the experiment; their results stay."""
        wanted = set(names)
        with self._lock, self._database:
            known = self._database.execute("SELECT name FROM latest WHERE experiment = ?", (experiment,)).fetchall()
            gone = [(experiment, name) for (name,) in known if name not in wanted]
            self._database.executemany("DELETE FROM latest WHERE experiment = ? AND name = ?", gone)

    def results(self, experiment: str | None = None) -> list[Result]:
        """The latest results of one experiment in the order of its plan, or of all: each case once, as last measured."""
        where, values = ("WHERE experiment = ?", (experiment,)) if experiment else ("", ())
        query = (
            "SELECT record FROM latest JOIN results USING (key) "
            f"{where} ORDER BY experiment, position"
        )
        with self._lock:
            rows = self._database.execute(query, values).fetchall()
        newest: dict[str, Result] = {}
        for row in rows:
            result = result_from_dict(json.loads(row[0]))
            if result.case not in newest or result.date > newest[result.case].date:
                newest[result.case] = result
        return list(newest.values())

    def experiments(self) -> list[str]:
        """Names of the experiments that have results or observations."""
        query = "SELECT experiment FROM latest UNION SELECT experiment FROM observations ORDER BY experiment"
        with self._lock:
            rows = self._database.execute(query).fetchall()
        return [row[0] for row in rows]

    def find_observation(self, experiment: str, kind: str, name: str, key: str) -> Observation | None:
        """The observation of that name, if nothing that can change it (hashed in `key`) has changed since."""
        query = "SELECT record FROM observations WHERE experiment = ? AND kind = ? AND name = ? AND key = ?"
        with self._lock:
            row = self._database.execute(query, (experiment, kind, name, key)).fetchone()
        return _observation(row[0]) if row else None

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
            raise UserError(f"The observation {observation.name} could not be stored in {self._path}: {error}.") from error

    def observations(self, experiment: str) -> list[Observation]:
        """The latest observations of an experiment, in the order in which they were first made."""
        query = "SELECT record FROM observations WHERE experiment = ? ORDER BY rowid"
        with self._lock:
            rows = self._database.execute(query, (experiment,)).fetchall()
        return [_observation(row[0]) for row in rows]


def _observation(record: str) -> Observation:
    values = json.loads(record)
    return Observation(**{**values, "fidelity": Fidelity(values["fidelity"])})
