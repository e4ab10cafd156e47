"""The host's tests of Tatu lie in tests/tatu; the emulated machines answer the same ones."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).resolve().parent.with_name("tatu")))


@pytest.fixture(scope="session")
def scratch(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Where the programs of all tests of the session are made, each once."""
    return tmp_path_factory.mktemp("portability")
