"""A byte of an AVR that is an integer."""

from __future__ import annotations

from dataclasses import dataclass

from bancada.formulas.polynomial import Polynomial, Range


@dataclass(frozen=True)
class Number:
    """A byte or the carry. `mask`: the byte is 255 times this bit. `flags`: the byte is SREG, and this is in it."""

    value: Polynomial
    range: Range
    mask: Polynomial | None = None
    flags: tuple[object, ...] = ()


@dataclass(frozen=True)
class Sign:
    """The flag N after an instruction that left this byte: its highest bit, which nobody computed yet."""

    byte: Number
