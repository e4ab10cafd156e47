"""Puts what is proved beside the results that it is about."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace
from pathlib import Path

from bancada.costing.cortex_m_table import CortexMTable
from bancada.model.result import Result
from bancada.plan.laboratory import Laboratory
from bancada.prove.candidate import table_of
from bancada.prove.certificate import key_of, read_certificates
from bancada.prove.digest import prover_digest
from bancada.prove.proof_files import digest_of_proofs, proofs_beside
from bancada.prove.prove import PROVED, Proved
from bancada.prove.second_solver import AGREES, DISAGREES


def with_proofs(laboratory: Laboratory, results: Sequence[Result], store: Path) -> list[Result]:
    """The results, each with the proofs of its operation in its very firmware: 'proved: ...', or 'in part: ...' where
    they are of a part of what the operation executes.

    A certificate counts as long as the firmware, the candidate's proofs, the specifications and the prover are
    what they were.
    """
    found = (proofs_beside(candidate.folder) for candidate in laboratory.candidates.values())
    digests = {digest_of_proofs(path) for path in found if path is not None}
    tables, prover = [None, *_tables(laboratory)], prover_digest()
    certificates = (
        proved
        for key, proved in read_certificates(store).items()
        if proved.proofs_sha256 in digests
        and any(
            key == key_of(proved.elf_sha256, proved.proofs_sha256, proved.name, proved.placements, table, prover)
            for table in tables
        )
    )
    return marked(results, certificates)


def _tables(laboratory: Laboratory) -> list[CortexMTable]:
    """The tables by which the targets' instructions are costed, each once."""
    tables = {target.core.name: table_of(target) for target in laboratory.targets.values()}
    return [table for table in tables.values() if table is not None]


def marked(results: Sequence[Result], certificates: Iterable[Proved]) -> list[Result]:
    """The results, each with what these certificates say of it."""
    known: dict[tuple[str, str, str], list[tuple[str, Proved]]] = {}
    for proved in certificates:
        for shown in proved.shows if _holds(proved) else ():
            known.setdefault((proved.elf_sha256, shown.implementation, shown.operation), []).append(
                (shown.part, proved)
            )
    return [
        replace(result, proved=_text(known.get((result.elf_sha256 or "", result.implementation, result.operation), ())))
        for result in results
    ]


def _holds(proved: Proved) -> bool:
    """A proof that a second solver contradicts marks nothing: one of the two is wrong."""
    return proved.verdict == PROVED and not (proved.second and proved.second.word == DISAGREES)


def _text(found: Sequence[tuple[str, Proved]]) -> str | None:
    if not found:
        return None
    checked = {f"{one.second.solver} agrees" for _, one in found if one.second and one.second.word == AGREES}
    by = f" ({', '.join(sorted(checked))})" if checked and all(one.second for _, one in found) else ""
    whole = sorted(one.name for part, one in found if not part)
    parts = sorted({f"{part}: {one.name}" for part, one in found if part})
    return f"proved: {', '.join(whole)}{by}" if whole else f"in part: {'; '.join(parts)}{by}"
