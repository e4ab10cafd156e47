"""Ascon-p and the parts of Ascon-AEAD128 for proofs, as NIST SP 800-232 describes them, section by section."""

from __future__ import annotations

from collections.abc import Sequence

from bancada.formulas.word import Word, bytes_of, little_endian, word

# Section 3.2: constants of the sixteen rounds; p[rounds] takes the last ones.
CONSTANTS = (0x3C, 0x2D, 0x1E, 0x0F, 0xF0, 0xE1, 0xD2, 0xC3, 0xB4, 0xA5, 0x96, 0x87, 0x78, 0x69, 0x5A, 0x4B)
# Section 3.4: the rotations of each word.
ROTATIONS = ((19, 28), (61, 39), (1, 6), (10, 17), (7, 41))


def _substitute(s: list[Word]) -> list[Word]:
    """Section 3.3, equation for the five-bit S-box in bit-sliced form (figure 3)."""
    x0, x1, x2, x3, x4 = s
    x0, x4, x2 = x0 ^ x4, x4 ^ x3, x2 ^ x1
    y0 = x0 ^ (~x1 & x2)
    y1 = x1 ^ (~x2 & x3)
    y2 = x2 ^ (~x3 & x4)
    y3 = x3 ^ (~x4 & x0)
    y4 = x4 ^ (~x0 & x1)
    return [y0 ^ y4, y1 ^ y0, ~y2, y3 ^ y2, y4]


def permutation(state: Sequence[Word], rounds: int) -> list[Word]:
    """Ascon-p[rounds] on 40 bytes: five words, each little-endian (section 3.1)."""
    s = [little_endian(state[at : at + 8]) for at in range(0, 40, 8)]
    for constant in CONSTANTS[16 - rounds :]:
        s[2] = s[2] ^ constant
        s = _substitute(s)
        s = [
            each ^ each.rotated_right(first) ^ each.rotated_right(second)
            for each, (first, second) in zip(s, ROTATIONS, strict=True)
        ]
    return [byte for each in s for byte in bytes_of(each)]


# Section 4.1.1, table 4: the initial value of Ascon-AEAD128.
_IV_AEAD128 = 0x00001000808C0001


def absorbed(state: Sequence[Word], block: Sequence[Word]) -> list[Word]:
    """The state with a block added to its first bytes (algorithms 3 and 5)."""
    return [*(one ^ other for one, other in zip(state, block, strict=False)), *state[len(block) :]]


def aead128_start(key: Sequence[Word], nonce: Sequence[Word]) -> list[Word]:
    """Algorithm 3, step 1: the state before associated data."""
    graph = key[0].graph
    initial = [word(graph, _IV_AEAD128 >> 8 * at & 0xFF, 8) for at in range(8)]
    state = permutation([*initial, *key, *nonce], 12)
    return [*state[:24], *absorbed(state[24:], key)]


def aead128_tag(state: Sequence[Word], key: Sequence[Word]) -> list[Word]:
    """Algorithm 3, step 4: the tag, from the state to which the last block and its padding were added."""
    finished = permutation([*state[:16], *absorbed(state[16:], key)], 12)
    return absorbed(finished[24:], key)
