"""Audits in the file of results: the table `audit` holds the latest audit of each operation of an implementation on a
target."""

from __future__ import annotations

import json
from pathlib import Path

from bancada.audit.findings import Audit, audit_from_dict
from bancada.store.side_table import record_of, rows_of, written

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
    with written(path, _TABLE, f"The audit of {audit.implementation}") as database:
        database.execute("INSERT OR REPLACE INTO audit VALUES (?, ?, ?, ?, ?)", row)


def read_audits(path: Path) -> list[Audit]:
    """Every stored audit, by target and implementation. UserError if one cannot be read."""
    query = "SELECT record FROM audit ORDER BY target, implementation, optimisation, rowid"
    rows = rows_of(path, "audit", query, "The audits")
    return [record_of(record, path, "The audits", audit_from_dict) for (record,) in rows]
