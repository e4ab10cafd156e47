"""Pairs for `pytest.mark.parametrize`, most of which `make test-slow` has alone."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import product
from typing import Any

import pytest


def pairs(firsts: Iterable[Any], seconds: Iterable[Any]) -> list[Any]:
    """Every pair. Those with neither the first of one kind nor of the other have the mark `slow`: what each half shows,
    another pair shows."""
    ones, others = list(firsts), list(seconds)
    return [
        pytest.param(one, other, marks=[] if one == ones[0] or other == others[0] else [pytest.mark.slow])
        for one, other in product(ones, others)
    ]
