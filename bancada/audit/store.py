"""Audits in the file of results: the table `audit`, the latest of each operation of an implementation on a target."""

from __future__ import annotations

import json
import sqlite3
from pathlib import Path

from bancada.audit.findings import Audit, audit_from_dict
from bancada.errors import UserError

_TABLE = """
CREATE TABLE IF NOT EXISTS audit (
    target         TEXT NOT NULL,
    implementation TEXT NOT NULL,
    operation      TEXT NOT NULL,
    optimisation   TEXT NOT NULL,
    record         TEXT NOT NULL,
    PRIMARY KEY (target, implementation, operation, optimisation)
);
"""


def store_audit(path: Path, audit: Audit) -> None:
    """Stores an audit in the place of an earlier one of the same. UserError if the file cannot be written."""
    row = (audit.target, audit.implementation, audit.operation, audit.optimisation, json.dumps(audit.as_dict()))
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        with sqlite3.connect(path) as database:
            database.executescript(_TABLE)
            database.execute("INSERT OR REPLACE INTO audit VALUES (?, ?, ?, ?, ?)", row)
        database.close()
    except (sqlite3.Error, OSError) as error:
        raise UserError(f"The audit of {audit.implementation} could not be stored in {path}: {error}.") from error


def read_audits(path: Path) -> list[Audit]:
    """Every stored audit, by target and implementation; none if there are none."""
    if not path.is_file():
        return []
    try:
        with sqlite3.connect(path) as database:
            database.executescript(_TABLE)
            rows = database.execute("SELECT record FROM audit ORDER BY target, implementation, optimisation, rowid").fetchall()
        database.close()
    except sqlite3.Error as error:
        raise UserError(f"The audits in {path} cannot be read: {error}.") from error
    return [audit_from_dict(json.loads(record)) for (record,) in rows]
