"""Fixtures of the tests that compile all of Tatu."""

from __future__ import annotations

from pathlib import Path

import pytest


@pytest.fixture(scope="session")
def scratch(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of all programs of the session; each is made once."""
    return tmp_path_factory.mktemp("portability")
