"""Tatu's C, compiled by avr-gcc and by arm-none-eabi-gcc, computes its specification for every input: `make
prove-in-c`."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.prove.conftest import CORES, Link
from tests.prove.portable import IN_C, IN_C_ON_ARM, hold, hold_on_arm

pytestmark = pytest.mark.long


@pytest.mark.parametrize("level", ["-Os", "-O2"])
@pytest.mark.parametrize("name", IN_C)
def test_c_is_proved_as_gcc_compiles_it(link: Link, name: str, level: str) -> None:
    hold(link, name, level)


@pytest.mark.parametrize("core", CORES)
@pytest.mark.parametrize("level", ["-Os", "-O2"])
@pytest.mark.parametrize("name", IN_C_ON_ARM)
def test_c_is_proved_as_gcc_compiles_it_for_a_cortex_m(tmp_path: Path, core: str, name: str, level: str) -> None:
    hold_on_arm(tmp_path, core, name, level)
