"""The code that proves, as a hash: what other code has found counts no more."""

from __future__ import annotations

from functools import cache

from bancada.measure.own_code import code_digest

# What makes a verdict: the specifications are in `primitives`.
_PROVING_ROOMS = ("costing", "formulas", "primitives", "prove")


@cache
def prover_digest() -> str:
    """Of every file of the rooms that prove."""
    return code_digest(_PROVING_ROOMS)
