"""The channel's programs, built with sanitizers: a mistake in memory is a failed test."""

from __future__ import annotations

from pathlib import Path

import pytest

from bancada.measure.laboratory import open_laboratory
from experiments.channel.built_programs import Programs, build_programs
from experiments.channel.tests.channel_support import Site


@pytest.fixture(scope="session")
def programs() -> Programs:
    return build_programs(open_laboratory(), "-fsanitize=address,undefined -fno-sanitize-recover=all -g")


@pytest.fixture
def site(programs: Programs, tmp_path: Path) -> Site:
    return Site(programs, tmp_path)
