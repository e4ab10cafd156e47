"""Tatu's C, compiled by avr-gcc, computes its specification for every input: `make prove-in-c`."""

from __future__ import annotations

import pytest

from tests.prove.conftest import Link
from tests.prove.portable import IN_C, hold

pytestmark = pytest.mark.long


@pytest.mark.parametrize("level", ["-Os", "-O2"])
@pytest.mark.parametrize("name", IN_C)
def test_c_is_proved_as_gcc_compiles_it(link: Link, name: str, level: str) -> None:
    hold(link, name, level)
