"""The permutation Ascon-p for proofs, as NIST SP 800-232 describes it, section by section."""

from __future__ import annotations

from collections.abc import Sequence

from bancada.formulas.word import Word, bytes_of, little_endian

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
