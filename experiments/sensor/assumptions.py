"""What the figures of whole devices rest on and nobody measured: the tables [[assumption]] of findings.toml."""

from __future__ import annotations

from pathlib import Path

from bancada.studies.assumption import read_assumptions

FINDINGS = Path(__file__).with_name("findings.toml")
ASSUMPTIONS = read_assumptions(FINDINGS)
