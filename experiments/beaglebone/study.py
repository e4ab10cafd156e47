"""Study `beaglebone`: AES against RC6 on a Cortex-A8. Which conclusions survive a good implementation?"""

from __future__ import annotations

from pathlib import Path

from bancada.studies.claim import read_claims
from bancada.studies.study import Study

from . import figures
from .observe import observe
from .sections import sections

STUDY = Study(
    claims=read_claims(Path(__file__).with_name("findings.toml"), figures),
    prepare=figures.prepare,
    sections=sections,
    observe=observe,
)
