"""Audits in the file of results: the table `audit` holds the latest audit of each operation of an implementation on a
target."""

from __future__ import annotations

import json
import sqlite3
from pathlib import Path

from bancada.audit.findings import Audit, audit_from_dict
from bancada.model.errors import UserError
from bancada.store.reading import connect_to_read, has_table, refuse_foreign

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
    """Stores an audit. It replaces an earlier one of the same operation. UserError if the file cannot be written."""
    row = (audit.target, audit.implementation, audit.operation, audit.optimisation, json.dumps(audit.as_dict()))
    refuse_foreign(path)
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        with sqlite3.connect(path) as database:
            database.executescript(_TABLE)
            database.execute("INSERT OR REPLACE INTO audit VALUES (?, ?, ?, ?, ?)", row)
        database.close()
    except (sqlite3.Error, OSError) as error:
        raise UserError(f"The audit of {audit.implementation} could not be stored in {path}: {error}.") from error


def read_audits(path: Path) -> list[Audit]:
    """Every stored audit, by target and implementation."""
    database = connect_to_read(path)
    try:
        if not has_table(database, "audit"):
            return []
        query = "SELECT record FROM audit ORDER BY target, implementation, optimisation, rowid"
        rows = database.execute(query).fetchall()
    except sqlite3.Error as error:
        raise UserError(f"The audits in {path} cannot be read: {error}.") from error
    finally:
        database.close()
    return [audit_from_dict(json.loads(record)) for (record,) in rows]
