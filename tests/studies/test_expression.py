"""Expressions of findings.toml: what they compute, and what they refuse."""

from __future__ import annotations

import pytest

from bancada.studies.expression import expression

pytestmark = pytest.mark.quick

_FIGURES = {"low": 1.5, "high": 4.0, "ratios": (0.5, 2.0), "zero": 0}


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("low < high", True),
        ("low < high < 3", False),
        ("1 < low < high", True),
        ("high < 3 or low < 2", True),
        ("high < 3 or low < 1", False),
        ("low < 2 and not high < 3", True),
        ("(high - low) / high <= 0.625", True),
        ("max(ratios) == 2 and min(low, high) == low", True),
        ("abs(ratios[0] - 1) * 2 + len(ratios)", 3.0),
        ("-low", -1.5),
        ("zero != 0 and low / zero > 1", False),
        ("True", True),
    ],
)
def test_what_an_expression_computes(text: str, value: object) -> None:
    assert expression(text).value(_FIGURES) == value


@pytest.mark.parametrize(
    "text",
    ["__import__('os')", "low.real", "(lambda: 1)()", "[x for x in ratios]", "low ** 9", "'text'", "", "min(*ratios)"],
)
def test_what_an_expression_refuses(text: str) -> None:
    with pytest.raises(ValueError, match="expression"):
        expression(text)
