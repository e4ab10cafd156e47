"""The compression function of SHA-512 for proofs, as FIPS 180-4 describes it, section by section.

Sums of several words are added in the order in which Tatu adds them, as in SHA-256's specification.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import isqrt

from bancada.formulas.word import Word, big_endian, word


def _primes(count: int) -> list[int]:
    found: list[int] = []
    candidate = 2
    while len(found) < count:
        if all(candidate % prime for prime in found):
            found.append(candidate)
        candidate += 1
    return found


def _cube_root_bits(prime: int) -> int:
    """The first 64 bits of the fractional part of the cube root, section 4.2.3."""
    low, high = 0, prime << 65
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (middle, high) if middle**3 <= prime << 192 else (low, middle)
    return low & (1 << 64) - 1


K = [_cube_root_bits(prime) for prime in _primes(80)]
INITIAL = [isqrt(prime << 128) & (1 << 64) - 1 for prime in _primes(8)]  # section 5.3.5


def _ch(x: Word, y: Word, z: Word) -> Word:
    """Equation (4.8), with one AND: where x holds y, elsewhere z."""
    return z ^ (x & (y ^ z))


def _maj(x: Word, y: Word, z: Word) -> Word:
    """Equation (4.9), with one AND: x, but where both others differ from it."""
    return x ^ ((x ^ y) & ~(y ^ z))


def _sum(x: Word, first: int, second: int, third: int) -> Word:
    """Equations (4.10) and (4.11)."""
    return x.rotated_right(first) ^ x.rotated_right(second) ^ x.rotated_right(third)


def _sigma(x: Word, first: int, second: int, shift: int) -> Word:
    """Equations (4.12) and (4.13)."""
    return x.rotated_right(first) ^ x.rotated_right(second) ^ x >> shift


def schedule(block: Sequence[Word]) -> list[Word]:
    """Section 6.4.2, step 1: W0 to W79 of the 128 bytes of a block."""
    w = [big_endian(block[at : at + 8]) for at in range(0, 128, 8)]
    for t in range(16, 80):
        w.append(_sigma(w[t - 15], 1, 8, 7) + w[t - 16] + w[t - 7] + _sigma(w[t - 2], 19, 61, 6))
    return w


def compress(state: Sequence[Word], block: Sequence[Word]) -> list[Word]:
    """Section 6.4.2: the eight words of the hash value after this block."""
    a, b, c, d, e, f, g, h = state
    for t, each in enumerate(schedule(block)):
        first = _sum(e, 14, 18, 41) + h + word(each.graph, K[t], 64) + each + _ch(e, f, g)
        h, g, f, e, d, c, b, a = g, f, e, first + d, c, b, a, _sum(a, 28, 34, 39) + first + _maj(a, b, c)
    return [old + new for old, new in zip(state, (a, b, c, d, e, f, g, h), strict=True)]
