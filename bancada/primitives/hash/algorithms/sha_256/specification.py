"""The compression function of SHA-256 for proofs, as FIPS 180-4 describes it, section by section.

Addition modulo 2^32 is associative and commutative, but a carry is not: sums of several words are added in the order
in which a program adds them, so that their carries are the same bits.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
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
    """The first 32 bits of the fractional part of the cube root, section 4.2.2."""
    low, high = 0, prime << 33
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (middle, high) if middle**3 <= prime << 96 else (low, middle)
    return low & 0xFFFFFFFF


K = [_cube_root_bits(prime) for prime in _primes(64)]
INITIAL = [isqrt(prime << 64) & 0xFFFFFFFF for prime in _primes(8)]  # section 5.3.3


def _ch(x: Word, y: Word, z: Word) -> Word:
    """Equation (4.2), with one AND: where x holds y, elsewhere z."""
    return z ^ (x & (y ^ z))


def _maj(x: Word, y: Word, z: Word) -> Word:
    """Equation (4.3), with one AND: x, but where both others differ from it."""
    return x ^ ((x ^ y) & ~(y ^ z))


def _sum(x: Word, first: int, second: int, third: int) -> Word:
    """Equations (4.4) and (4.5)."""
    return x.rotated_right(first) ^ x.rotated_right(second) ^ x.rotated_right(third)


def _sigma(x: Word, first: int, second: int, shift: int) -> Word:
    """Equations (4.6) and (4.7)."""
    return x.rotated_right(first) ^ x.rotated_right(second) ^ x >> shift


@dataclass(frozen=True)
class Order:
    """In which order the terms of a sum are added: those of W(t), which are W(t-16), W(t-7), sigma0(W(t-15)) and
    sigma1(W(t-2)); those of T1, which are h, Sigma1(e), Ch(e, f, g), K(t) and W(t); and those of the new a, which are
    Sigma0(a), T1 and Maj(a, b, c); `last_second` is that of the last 16 rounds.

    Ch(e, f, g) may be two terms, 2 and 5: e AND f, and NOT e AND g. No bit is set in both, so their sum is their XOR.
    Term 6 is K(t) + W(t), in the place of both.
    """

    schedule: tuple[int, ...] = (0, 1, 2, 3)
    first: tuple[int, ...] = (0, 1, 2, 3, 4)
    second: tuple[int, ...] = (0, 1, 2)
    last_second: tuple[int, ...] = ()


def _total(terms: Sequence[Word] | Mapping[int, Word], order: Sequence[int]) -> Word:
    total = terms[order[0]]
    for at in order[1:]:
        total = total + terms[at]
    return total


def schedule(block: Sequence[Word], order: Order) -> list[Word]:
    """Section 6.2.2, step 1: W0 to W63 of the 64 bytes of a block."""
    w = [big_endian(block[at : at + 4]) for at in range(0, 64, 4)]
    for t in range(16, 64):
        terms = (w[t - 16], w[t - 7], _sigma(w[t - 15], 7, 18, 3), _sigma(w[t - 2], 17, 19, 10))
        w.append(_total(terms, order.schedule))
    return w


def compress(state: Sequence[Word], block: Sequence[Word], order: Order = Order()) -> list[Word]:
    """Section 6.2.2: the eight words of the hash value after this block."""
    a, b, c, d, e, f, g, h = state
    for t, each in enumerate(schedule(block, order)):
        constant = word(each.graph, K[t], 32)
        terms = {0: h, 1: _sum(e, 6, 11, 25), 3: constant, 4: each}
        if 5 in order.first:
            terms |= {2: e & f, 5: ~e & g}
        else:
            terms[2] = _ch(e, f, g)
        if 6 in order.first:
            terms[6] = constant + each
        first = _total(terms, order.first)
        order_of_second = order.last_second if t >= 48 and order.last_second else order.second
        second = _total((_sum(a, 2, 13, 22), first, _maj(a, b, c)), order_of_second)
        h, g, f, e, d, c, b, a = g, f, e, d + first, c, b, a, second
    return [old + new for old, new in zip(state, (a, b, c, d, e, f, g, h), strict=True)]
