"""Tatu's C, compiled by avr-gcc, computes its specification for every input; `make prove-in-c` proves more."""

from __future__ import annotations

import pytest

from tests.prove.conftest import Link
from tests.prove.portable import hold

pytestmark = pytest.mark.long


@pytest.mark.parametrize(("name", "level"), [("speck64_128_encrypt", "-Os"), ("ascon_p12", "-O2")])
def test_c_is_proved_as_gcc_compiles_it(link: Link, name: str, level: str) -> None:
    hold(link, name, level)
