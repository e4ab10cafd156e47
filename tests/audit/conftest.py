"""The laboratory with the leaky implementations of tests/audit/laboratory beside its own."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from bancada import catalogue

LABORATORY = Path(__file__).parent / "laboratory"


@pytest.fixture(autouse=True)
def leaky(monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """The folder of the leaky candidate."""
    monkeypatch.setenv("BANCADA_PATH", str(LABORATORY))
    catalogue.forget()
    yield LABORATORY / "candidates" / "leaky"
    catalogue.forget()
