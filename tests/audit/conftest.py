"""The laboratory with the leaky implementations of tests/audit/laboratory beside its own."""

from __future__ import annotations

from pathlib import Path

import pytest

LABORATORY = Path(__file__).parent / "laboratory"


@pytest.fixture(autouse=True)
def leaky(monkeypatch: pytest.MonkeyPatch) -> Path:
    """The folder of the leaky candidate."""
    monkeypatch.setenv("BANCADA_PATH", str(LABORATORY))
    return LABORATORY / "candidates" / "leaky"
