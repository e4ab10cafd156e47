"""Study `biglittle`: hashes and signatures of a sender and a receiver on an ODROID-XU3's Cortex-A7 and Cortex-A15."""

from __future__ import annotations

from pathlib import Path

from bancada.studies.assumption import read_assumptions
from bancada.studies.claim import read_claims
from bancada.studies.study import Study

from . import figures
from .observe import observe
from .sections import sections

_FINDINGS = Path(__file__).with_name("findings.toml")

STUDY = Study(
    claims=read_claims(_FINDINGS, figures),
    prepare=figures.prepare,
    sections=sections,
    observe=observe,
    assumptions=read_assumptions(_FINDINGS),
)
