"""All that a candidate has, as an experiment: what `check` and `audit` plan from."""

from __future__ import annotations

from pathlib import Path

from bancada.catalogue.candidate import Candidate
from bancada.catalogue.experiment import Experiment
from bancada.plan.laboratory import Laboratory
from bancada.primitives.rows import operations_of, primitive_of


def everything_of(laboratory: Laboratory, candidate: Candidate, target: str, optimisation: str) -> Experiment:
    """Every algorithm, operation and key size of the candidate, on one target, at one level, with one short message."""
    rows = candidate.implementation
    operations = (
        name for row in rows for name in operations_of(row, primitive_of(candidate, row, laboratory.primitives))
    )
    return Experiment(
        folder=Path(),
        name="everything",
        title="Everything",
        question="What is there?",
        study="",
        citation="",
        targets=(target,),
        candidates=(candidate.name,),
        algorithms=tuple(dict.fromkeys(row.algorithm for row in rows)),
        operations=tuple(dict.fromkeys(operations)),
        key_bits=tuple(dict.fromkeys(bits for row in rows for bits in row.key_bits)),
        optimisations=(optimisation,),
        sizes_bytes=(16,),
        samples=16,
    )
