"""The fixture of the tests of pipelines."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.costing.pipelines import Assemble, assembler


@pytest.fixture
def assemble(tmp_path: Path) -> Assemble:
    return assembler(tmp_path)
