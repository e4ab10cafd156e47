"""Speck for proofs, as "The Simon and Speck Families of Lightweight Block Ciphers" (ePrint 2013/404) describes it.

Speck128 has words of 64 bits and Speck64 words of 32; the same functions serve both. The order of bytes is that of the
designers' "Simon and Speck Implementation Guide" (2018), section 2: words and bytes begin with the least significant.
"""

from __future__ import annotations

from collections.abc import Sequence

from bancada.formulas.word import Word, bytes_of, little_endian

# Section 4: alpha and beta, and the rounds by key words (table 4).
ALPHA, BETA = 8, 3
ROUNDS_128 = {2: 32, 3: 33, 4: 34}
ROUNDS_64 = {3: 26, 4: 27}


def words_of(text: Sequence[Word], word_bytes: int) -> list[Word]:
    return [little_endian(text[at : at + word_bytes]) for at in range(0, len(text), word_bytes)]


def _round(x: Word, y: Word, key: Word | int) -> tuple[Word, Word]:
    """Section 4.1, the round function."""
    x = (x.rotated_right(ALPHA) + y) ^ key
    return x, y.rotated_left(BETA) ^ x


def key_schedule(key: Sequence[Word], rounds: int) -> list[Word]:
    """Section 4.2: l and k, of which k are the round keys."""
    k, *l = key
    made = [k]
    for number in range(rounds - 1):
        later, k = _round(l[number], k, number)
        l.append(later)
        made.append(k)
    return made


def last_of_schedule(key: Sequence[Word], rounds: int) -> list[Word]:
    """The state of the key schedule at the last round: k[R-1], then l[R-1] to l[R+m-3] of section 4.2."""
    k, *l = key
    for number in range(rounds - 1):
        later, k = _round(l[number], k, number)
        l.append(later)
    return [k, *l[rounds - 1 :]]


def key_schedule_from_last(last: Sequence[Word], rounds: int) -> list[Word]:
    """The round keys k[0] to k[R-1] from `last_of_schedule`: each step of section 4.2 is undone, the last one first."""
    k, *l = last
    made = [k]
    for number in reversed(range(rounds - 1)):
        *l, later = l
        before = (k ^ later).rotated_right(BETA)
        l.insert(0, ((later ^ number) - before).rotated_left(ALPHA))
        k = before
        made.append(k)
    return made[::-1]


def encrypt(block: Sequence[Word], round_keys: Sequence[Word]) -> list[Word]:
    """The block's bytes; the first half is y, the second x."""
    y, x = words_of(block, len(block) // 2)
    for key in round_keys:
        x, y = _round(x, y, key)
    return bytes_of(y) + bytes_of(x)


def decrypt(block: Sequence[Word], round_keys: Sequence[Word]) -> list[Word]:
    """The inverse of `encrypt`."""
    y, x = words_of(block, len(block) // 2)
    for key in reversed(round_keys):
        y = (y ^ x).rotated_right(BETA)
        x = ((x ^ key) - y).rotated_left(ALPHA)
    return bytes_of(y) + bytes_of(x)
