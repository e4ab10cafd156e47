"""Fixtures that the laboratory's tests and the experiments' share."""

from __future__ import annotations

import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest

# Runs the command line: what the fixture `bancada` gives.
Bancada = Callable[..., subprocess.CompletedProcess[str]]


@pytest.fixture
def added_root(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder of the user's own beside the laboratory's, as BANCADA_PATH names it."""
    root = tmp_path / "added"
    root.mkdir()
    monkeypatch.setenv("BANCADA_PATH", str(root))
    return root
