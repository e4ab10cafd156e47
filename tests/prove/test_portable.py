"""Tatu's C, compiled by gcc, computes its specification for every input; `make prove-in-c` proves more."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.prove.conftest import Link
from tests.prove.portable import hold, hold_on_arm

pytestmark = pytest.mark.long


@pytest.mark.parametrize(("name", "level"), [("speck64_128_encrypt", "-Os"), ("ascon_p12", "-O2")])
def test_c_is_proved_as_gcc_compiles_it(link: Link, name: str, level: str) -> None:
    hold(link, name, level)


@pytest.mark.parametrize(("core", "name"), [("cortex-m0plus", "speck64_128_encrypt"), ("cortex-m4", "ascon_p12")])
def test_c_is_proved_as_gcc_compiles_it_for_a_cortex_m(tmp_path: Path, core: str, name: str) -> None:
    hold_on_arm(tmp_path, core, name, "-O2")
