"""Study `libraries`: eleven libraries of AES for the Arduino UNO. Which of them are correct, and what do they cost?"""

from __future__ import annotations

from pathlib import Path

from bancada.studies.claim import read_claims
from bancada.studies.study import Study

from . import figures
from .observe import observe
from .sections import sections

STUDY = Study(
    claims=read_claims(Path(__file__).with_name("findings.toml"), figures), sections=sections, observe=observe
)
