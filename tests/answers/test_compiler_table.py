"""One compiler is one column, and what no compiler saw is in none."""

from __future__ import annotations

from dataclasses import replace

import pytest

from bancada.answers.compiler_table import what_compilers_move
from bancada.model.result import Result
from bancada.model.status import Status
from tests.example_results import result, withheld

pytestmark = pytest.mark.quick


def _by(made: Result, compiler: str) -> Result:
    """The result with its case named as that compiler's."""
    return replace(made, case=f"uno/tatu/aes128/encrypt/16/{compiler}-Os")


def test_what_is_not_offered_is_no_second_compiler() -> None:
    """Before it is compiled nobody knows the version: 'avr-gcc' stood beside 'avr-gcc 5.4.0'."""
    built = _by(result(compiler="avr-gcc (GCC) 5.4.0"), "avr-gcc")
    unbuilt = _by(withheld(Status.NOT_OFFERED, "offers no such key", compiler="avr-gcc", flags=""), "avr-gcc")
    assert what_compilers_move([built, unbuilt]) == []


def test_two_compilers_are_two_columns() -> None:
    one = _by(result(2000, compiler="avr-gcc (GCC) 5.4.0"), "avr-gcc")
    other = _by(result(1500, compiler="avr-gcc (GCC) 14.2.0"), "avr-gcc-14.2.0")
    [moved] = what_compilers_move([one, other])
    assert moved.cycles == {"avr-gcc 5.4.0": 2000, "avr-gcc 14.2.0": 1500}
