"""Study `channel`: how much of a secure exchange over a link is cryptography, on a PC and a Raspberry Pi."""

from __future__ import annotations

from bancada.studies.claim import read_claims
from bancada.studies.study import Study

from . import figures
from .assumptions import ASSUMPTIONS, FINDINGS
from .observe import observe
from .sections import sections
from .tables import tables

STUDY = Study(
    claims=read_claims(FINDINGS, figures),
    prepare=figures.prepare,
    assumptions=ASSUMPTIONS,
    sections=sections,
    observe=observe,
    tables=tables,
)
