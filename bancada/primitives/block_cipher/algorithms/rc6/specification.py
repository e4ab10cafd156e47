"""RC6-32/20/b for proofs, as "The RC6 Block Cipher" (version 1.1, 1998) describes it, section by section.

A product of secret words, and a rotation by a secret amount, are made here as Tatu makes them. That they are x(2x + 1)
modulo 2^32 and the rotation is held below for every word, before anything is proved by them.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Protocol, Self, TypeVar

from bancada.formulas.graph import Graph
from bancada.formulas.integers import Integers
from bancada.formulas.residue import Residue
from bancada.formulas.word import Word, bytes_of, little_endian, word

ROUNDS = 20
KEYS = 2 * ROUNDS + 4
P32, Q32 = 0xB7E15163, 0x9E3779B9  # section 2.3


class _Number(Protocol):
    """A word of bits, or one as a polynomial."""

    def times(self, other: Self) -> Self: ...
    def followed_by(self, other: Self) -> Self: ...
    def part(self, first: int, width: int) -> Self: ...
    def __add__(self, other: Self) -> Self: ...
    def __lshift__(self, places: int) -> Self: ...


Number = TypeVar("Number", bound=_Number)


def _quadratic(x: Sequence[Number], whole: Number) -> Number:
    """x(2x + 1) modulo 2^32 (section 3) of the bytes of x: 2 (squares + 2 crosses) + x."""
    last = x[0].times(x[3]).part(0, 8) + x[1].times(x[2]).part(0, 8)
    first = x[0].times(x[1])
    crosses = first.part(0, 8).followed_by(first.part(8, 8).followed_by(last) + x[0].times(x[2]))
    squares = x[0].times(x[0]).followed_by(x[1].times(x[1]))
    total = squares.part(0, 8).followed_by(squares.part(8, 24) + (crosses << 1))
    return (total << 1) + whole


def _hold_quadratic() -> None:
    """As polynomials in four bytes."""
    ring = Integers()
    x = [Residue(ring, ring.input(f"x{at}", 0, 255), 8, True) for at in range(4)]
    whole = x[0].followed_by(x[1]).followed_by(x[2]).followed_by(x[3])
    if not _quadratic(x, whole).is_congruent(whole.value * (2 * whole.value + 1)):
        raise AssertionError("_quadratic is not x(2x + 1) modulo 2^32")


_hold_quadratic()


def quadratic(x: Word) -> Word:
    return _quadratic(bytes_of(x), x)


def rotated_left_by(x: Word, amount: Word) -> Word:
    """x <<< amount, of which the lowest five bits count (section 2.1). A byte times 2^n, for n < 8, falls apart into
    the two parts that a rotation by n makes of it."""
    graph = x.graph
    factor = word(graph, 4, 8).chosen(amount.bits[1], word(graph, 1, 8))
    factor = (factor << 1).chosen(amount.bits[0], factor)
    factor = factor.rotated_left(4).chosen(amount.bits[2], factor)
    products = [byte.times(factor) for byte in bytes_of(x)]
    x = little_endian([products[at].part(0, 8) ^ products[at - 1].part(8, 8) for at in range(4)])
    x = x.rotated_left(8).chosen(amount.bits[3], x)
    return x.rotated_left(16).chosen(amount.bits[4], x)


def _hold_rotation() -> None:
    """For each amount, of a word of 32 unknown bits."""
    graph = Graph()
    x = Word(graph, tuple(graph.input(f"x.{bit}") for bit in range(32)))
    for amount in range(32):
        if rotated_left_by(x, word(graph, amount, 5)).bits != x.rotated_left(amount).bits:
            raise AssertionError(f"rotated_left_by is not the rotation by {amount}")


_hold_rotation()


def negative_amount(x: Word) -> Word:
    """-n modulo 32 for the highest five bits n of a byte: those of 7 less the byte."""
    return (word(x.graph, 7, 8) - x).part(3, 5)


def negative_amount_in_two_steps(x: Word) -> Word:
    """The same in another order of its carries."""
    return ((word(x.graph, 0, 8) - x) - 0xF9).part(3, 5)


def _hold_negative_amounts() -> None:
    graph = Graph()
    for byte in range(256):
        for negative in (negative_amount, negative_amount_in_two_steps):
            if negative(word(graph, byte, 8)).value() != -(byte >> 3) % 32:
                raise AssertionError("the negative amount of a rotation is wrong")


_hold_negative_amounts()


def words_of(text: Sequence[Word]) -> list[Word]:
    return [little_endian(text[at : at + 4]) for at in range(0, len(text), 4)]


def key_schedule(key: Sequence[Word]) -> list[Word]:
    """Section 2.3: S[0] to S[43] of the key's bytes. Sums are made in the order in which Tatu makes them."""
    graph = key[0].graph
    left = words_of(key)
    keys = [word(graph, P32 + at * Q32 & 0xFFFFFFFF, 32) for at in range(KEYS)]
    a = b = word(graph, 0, 32)
    for step in range(3 * KEYS):
        i, j = step % KEYS, step % len(left)
        a = keys[i] = (a + b + keys[i]).rotated_left(3)
        total = b + a
        b = left[j] = rotated_left_by(total + left[j], total)
    return keys


def encrypt(block: Sequence[Word], keys: Sequence[Word]) -> list[Word]:
    """Section 2.1."""
    a, b, c, d = words_of(block)
    b, d = b + keys[0], d + keys[1]
    for number in range(1, ROUNDS + 1):
        t, u = (quadratic(each).rotated_left(5) for each in (b, d))
        a = rotated_left_by(a ^ t, u) + keys[2 * number]
        c = rotated_left_by(c ^ u, t) + keys[2 * number + 1]
        a, b, c, d = b, c, d, a
    return [byte for each in (a + keys[-2], b, c + keys[-1], d) for byte in bytes_of(each)]


def decrypt(
    block: Sequence[Word], keys: Sequence[Word], negative_of_t: Callable[[Word], Word] = negative_amount
) -> list[Word]:
    """Section 2.2. A rotation to the right is one to the left by the negative amount, made in one of two orders."""
    a, b, c, d = words_of(block)
    c, a = c - keys[-1], a - keys[-2]
    for number in range(ROUNDS, 0, -1):
        a, b, c, d = d, a, b, c
        of_b, of_d = quadratic(b), quadratic(d)
        t, u = of_b.rotated_left(5), of_d.rotated_left(5)
        c = rotated_left_by(c - keys[2 * number + 1], negative_of_t(of_b.part(24, 8))) ^ u
        a = rotated_left_by(a - keys[2 * number], negative_amount_in_two_steps(of_d.part(24, 8))) ^ t
    return [byte for each in (a, b - keys[0], c, d - keys[1]) for byte in bytes_of(each)]
