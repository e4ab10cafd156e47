"""Tatu's proofs with a fault that a test plants."""

from __future__ import annotations

import shutil
from pathlib import Path

PROOFS = Path(__file__).resolve().parents[2] / "candidates" / "tatu" / "proofs"


def changed_proofs(folder: Path, file: str, *replacements: tuple[str, str]) -> Path:
    """A copy of the proofs in `folder`, in which these texts of one file are others. What was there before is lost."""
    copy = folder / "proofs"
    shutil.rmtree(copy, ignore_errors=True)
    shutil.copytree(PROOFS, copy, ignore=shutil.ignore_patterns("__pycache__"))
    text = (copy / file).read_text()
    for before, after in replacements:
        assert before in text
        text = text.replace(before, after)
    (copy / file).write_text(text)
    return copy
