"""Stored proofs: the table `proof` in the file of results. A certificate is of one proof in one program, with one state
of the proof's file, the specifications and the prover. When a byte of these changes, it counts no more."""

from __future__ import annotations

import hashlib
import json
from dataclasses import asdict, fields
from pathlib import Path
from typing import Any

from bancada.costing.cortex_m_table import CortexMTable
from bancada.prove.digest import prover_digest
from bancada.prove.mutants import Mutant
from bancada.prove.prove import Proved
from bancada.prove.records import Called, Shows
from bancada.prove.second_solver import SecondWord
from bancada.store.side_table import record_of, rows_of, written

_TABLE = """
CREATE TABLE IF NOT EXISTS proof (
    key            TEXT PRIMARY KEY,
    target         TEXT NOT NULL,
    implementation TEXT NOT NULL,
    name           TEXT NOT NULL,
    record         TEXT NOT NULL
);
"""

_MUTANTS = """
CREATE TABLE IF NOT EXISTS mutant (
    key     TEXT NOT NULL,
    name    TEXT NOT NULL,
    kind    TEXT NOT NULL,
    address INTEGER NOT NULL,
    opcode  INTEGER NOT NULL,
    outcome TEXT NOT NULL,
    PRIMARY KEY (key, kind, address, opcode)
);
"""


def key_of(
    elf_sha256: str,
    proofs_sha256: str,
    name: str,
    placements: int,
    table: CortexMTable | None = None,
    prover: str | None = None,
) -> str:
    """The certificate's key: a hash of the program, the file of proofs, the proof's name, the table that gives the
    cycles of a Cortex-M (None on other machines), and the code that proves (`prover_digest`, if it is known)."""
    costs = "" if table is None else table.model_dump_json()
    parts = (elf_sha256, proofs_sha256, name, str(placements), costs, prover or prover_digest())
    return hashlib.sha256("\n".join(parts).encode()).hexdigest()


def store_certificate(path: Path, key: str, target: str, implementation: str, proved: Proved) -> None:
    """Stores one verdict at once, so that a stopped run goes on where it was. UserError if it cannot be written."""
    row = (key, target, implementation, proved.name, json.dumps(asdict(proved)))
    with written(path, _TABLE, f"The proof {proved.name}") as database:
        database.execute("INSERT OR REPLACE INTO proof VALUES (?, ?, ?, ?, ?)", row)


def read_certificates(path: Path) -> dict[str, Proved]:
    """Every stored verdict by its key; none if there is no file yet. UserError if it cannot be read.

    One that another version stored with other fields counts no more, as its key does not.
    """
    rows = rows_of(path, "proof", "SELECT key, record FROM proof", "The proofs")
    names = {each.name for each in fields(Proved)}

    def read(record: dict[str, Any]) -> Proved | None:
        return _proved(record) if record.keys() == names else None

    found = {key: record_of(record, path, "The proofs", read) for key, record in rows}
    return {key: proved for key, proved in found.items() if proved is not None}


def _proved(record: dict[str, Any]) -> Proved:
    calls = tuple(
        Called(**{**call, "left_in_registers": tuple(call["left_in_registers"])}) for call in record.pop("calls")
    )
    second = record.pop("second")
    replay = tuple(record.pop("replay"))
    shows = tuple(Shows(**each) for each in record.pop("shows"))
    return Proved(calls=calls, second=SecondWord(**second) if second else None, replay=replay, shows=shows, **record)


def store_outcome(path: Path, key: str, name: str, mutant: Mutant, outcome: str) -> None:
    """Stores what came of one mutant; `key` is its proof's. UserError if it cannot be written."""
    with written(path, _MUTANTS, f"A mutant of {name}") as database:
        row = (key, name, mutant.kind, mutant.address, mutant.opcode, outcome)
        database.execute("INSERT OR REPLACE INTO mutant VALUES (?, ?, ?, ?, ?, ?)", row)


def read_outcomes(path: Path, key: str) -> dict[Mutant, str]:
    """What came of the mutants of one proof. UserError if it cannot be read."""
    query = "SELECT kind, address, opcode, outcome FROM mutant WHERE key = ?"
    rows = rows_of(path, "mutant", query, "The mutants", (key,))
    return {Mutant(kind, address, opcode): outcome for kind, address, opcode, outcome in rows}
