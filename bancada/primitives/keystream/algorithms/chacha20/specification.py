"""ChaCha20 for proofs, as RFC 8439 describes it, section by section."""

from __future__ import annotations

from collections.abc import Sequence

from bancada.formulas.word import Word, bytes_of, little_endian

_COLUMNS_AND_DIAGONALS = (
    (0, 4, 8, 12),
    (1, 5, 9, 13),
    (2, 6, 10, 14),
    (3, 7, 11, 15),
    (0, 5, 10, 15),
    (1, 6, 11, 12),
    (2, 7, 8, 13),
    (3, 4, 9, 14),
)


def quarter_round(a: Word, b: Word, c: Word, d: Word) -> tuple[Word, Word, Word, Word]:
    """Section 2.1."""
    a = a + b
    d = (d ^ a).rotated_left(16)
    c = c + d
    b = (b ^ c).rotated_left(12)
    a = a + b
    d = (d ^ a).rotated_left(8)
    c = c + d
    b = (b ^ c).rotated_left(7)
    return a, b, c, d


def words_of(state: Sequence[Word]) -> list[Word]:
    """The 16 words of a state of 64 bytes, each little-endian."""
    return [little_endian(state[at : at + 4]) for at in range(0, 64, 4)]


def inner_rounds(state: Sequence[Word]) -> list[Word]:
    """Ten times `inner_block`, section 2.3.1, on 16 words."""
    words = list(state)
    for _ in range(10):
        for places in _COLUMNS_AND_DIAGONALS:
            made = quarter_round(*(words[place] for place in places))
            for place, value in zip(places, made, strict=True):
                words[place] = value
    return words


def block(state: Sequence[Word]) -> list[Word]:
    """The key stream of a state, 64 bytes: section 2.3."""
    first = words_of(state)
    return [byte for one, other in zip(first, inner_rounds(first), strict=True) for byte in bytes_of(one + other)]
