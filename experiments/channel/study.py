"""Study `channel`: how much of a secure exchange over a link is cryptography, on a PC and a Raspberry Pi."""

from __future__ import annotations

from pathlib import Path

from bancada.studies.claim import read_claims
from bancada.studies.study import Study

from . import figures
from .observe import observe
from .sections import sections
from .times import Times

STUDY = Study(
    claims=read_claims(Path(__file__).with_name("findings.toml"), figures),
    prepare=lambda evidence: Times(evidence.results, evidence.observations),
    sections=sections,
    observe=observe,
)
