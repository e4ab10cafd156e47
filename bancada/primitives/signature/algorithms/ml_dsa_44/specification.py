"""The number-theoretic transform of ML-DSA, written from FIPS 204, for numbers and for polynomials of unknown
coefficients: for all that can be added, and multiplied by numbers."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol, Self, TypeVar

Q = 8380417
DEGREE = 256
ZETA = 1753


class Coefficient(Protocol):
    """A number, or a polynomial."""

    def __add__(self, other: Self) -> Self: ...

    def __sub__(self, other: Self) -> Self: ...

    def __mul__(self, other: int) -> Self: ...


Any = TypeVar("Any", bound=Coefficient)


def _zeta(number: int) -> int:
    """zetas[number] (appendix B): zeta to BitRev8 of it."""
    return pow(ZETA, int(f"{number:08b}"[::-1], 2), Q)


def ntt(polynomial: Sequence[Any]) -> list[Any]:
    """Algorithm 41, but for the reduction modulo q."""
    found = list(polynomial)
    first, length = 1, DEGREE // 2
    while length:
        _layer(found, first, length)
        first, length = 2 * first, length // 2
    return found


def ntt_half(half: Sequence[Any], which: int) -> list[Any]:
    """What algorithm 41 does after its first layer to the lower (`which` = 0) or the upper half."""
    found = list(half)
    blocks, length = 1, DEGREE // 4
    while length:
        _layer(found, 2 * blocks + which * blocks, length)
        blocks, length = 2 * blocks, length // 2
    return found


def _layer(found: list[Any], number: int, length: int) -> None:
    """One value of len in algorithm 41, of which the first m is `number`."""
    for start in range(0, len(found), 2 * length):
        zeta = _zeta(number)
        number += 1
        for at in range(start, start + length):
            product = found[at + length] * zeta
            found[at + length] = found[at] - product
            found[at] = found[at] + product


def inverse_ntt(polynomial: Sequence[Any]) -> list[Any]:
    """Algorithm 42, but for the reduction modulo q."""
    found = list(polynomial)
    number = DEGREE
    length = 1
    while length < DEGREE:
        for start in range(0, DEGREE, 2 * length):
            number -= 1
            zeta = -_zeta(number)
            for at in range(start, start + length):
                lower = found[at]
                found[at] = lower + found[at + length]
                found[at + length] = (lower - found[at + length]) * zeta
        length *= 2
    return [each * pow(DEGREE, -1, Q) for each in found]
