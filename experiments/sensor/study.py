"""Study `sensor`: AES and Speck in a sensor with a LoRa radio and its gateway, and several sensors."""

from __future__ import annotations

from bancada.studies.claim import read_claims
from bancada.studies.study import Study

from . import block_figures, figures, memory_figures
from .assumptions import ASSUMPTIONS, FINDINGS
from .observe import observe
from .sections import sections

STUDY = Study(
    claims=read_claims(FINDINGS, block_figures, memory_figures, figures),
    sections=sections,
    observe=observe,
    assumptions=ASSUMPTIONS,
)
