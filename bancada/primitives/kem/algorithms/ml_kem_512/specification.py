"""The number-theoretic transform of ML-KEM and products in its domain, written from FIPS 203, for numbers and for
polynomials of unknown coefficients: for all that can be added, and multiplied by numbers and by each other."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol, Self, TypeVar

Q = 3329
DEGREE = 256
ZETA = 17


class Coefficient(Protocol):
    """A number, or a polynomial."""

    def __add__(self, other: Self) -> Self: ...

    def __sub__(self, other: Self) -> Self: ...

    def __mul__(self, other: Self | int) -> Self: ...


Any = TypeVar("Any", bound=Coefficient)


def _reversed_bits(number: int) -> int:
    """BitRev7 (section 2.3)."""
    return int(f"{number:07b}"[::-1], 2)


def ntt(polynomial: Sequence[Any]) -> list[Any]:
    """Algorithm 9, but for the reduction modulo q."""
    found = list(polynomial)
    number = 1
    length = 128
    while length >= 2:
        for start in range(0, DEGREE, 2 * length):
            zeta = pow(ZETA, _reversed_bits(number), Q)
            number += 1
            for at in range(start, start + length):
                product = found[at + length] * zeta
                found[at + length] = found[at] - product
                found[at] = found[at] + product
        length //= 2
    return found


def inverse_ntt(polynomial: Sequence[Any]) -> list[Any]:
    """Algorithm 10, but for the reduction modulo q."""
    found = list(polynomial)
    number = 127
    length = 2
    while length <= 128:
        for start in range(0, DEGREE, 2 * length):
            zeta = pow(ZETA, _reversed_bits(number), Q)
            number -= 1
            for at in range(start, start + length):
                lower = found[at]
                found[at] = lower + found[at + length]
                found[at + length] = (found[at + length] - lower) * zeta
        length *= 2
    return [each * 3303 for each in found]


def multiply_pair(one: Sequence[Any], other: Sequence[Any], number: int) -> list[Any]:
    """Of algorithm 11, pair `number` of coefficients: BaseCaseMultiply (algorithm 12), but for the reduction."""
    gamma = pow(ZETA, 2 * _reversed_bits(number) + 1, Q)
    return [one[0] * other[0] + one[1] * other[1] * gamma, one[0] * other[1] + one[1] * other[0]]
