"""Speck in plain Python, written from the designers' paper, to check implementations against on random input.

R. Beaulieu et al., "The Simon and Speck Families of Lightweight Block Ciphers", 2013, section 4; byte order of their
"Simon and Speck Implementation Guide", 2019, section 3 (words little endian, second word first).
"""

from __future__ import annotations

# Word size in bits -> {key bits: rounds} (paper, table 4.1).
_ROUNDS = {64: {128: 32, 192: 33, 256: 34}, 32: {96: 26, 128: 27}}
_ALPHA = 8
_BETA = 3


class Speck:
    """Speck with blocks of two `word_bits` words, under one key."""

    def __init__(self, word_bits: int, key: bytes) -> None:
        self._bits = word_bits
        self._mask = (1 << word_bits) - 1
        word_bytes = word_bits // 8
        words = [int.from_bytes(key[i : i + word_bytes], "little") for i in range(0, len(key), word_bytes)]
        left, round_key = words[1:], words[0]
        self._round_keys = [round_key]
        for index in range(_ROUNDS[word_bits][8 * len(key)] - 1):
            mixed = ((round_key + self._rotate_right(left[index], _ALPHA)) & self._mask) ^ index
            left.append(mixed)
            round_key = self._rotate_left(round_key, _BETA) ^ mixed
            self._round_keys.append(round_key)

    def _rotate_left(self, word: int, count: int) -> int:
        return ((word << count) | (word >> (self._bits - count))) & self._mask

    def _rotate_right(self, word: int, count: int) -> int:
        return self._rotate_left(word, self._bits - count)

    def _split(self, block: bytes) -> tuple[int, int]:
        half = len(block) // 2
        return int.from_bytes(block[half:], "little"), int.from_bytes(block[:half], "little")

    def _join(self, x: int, y: int) -> bytes:
        size = self._bits // 8
        return y.to_bytes(size, "little") + x.to_bytes(size, "little")

    def encrypt(self, block: bytes) -> bytes:
        """One block."""
        x, y = self._split(block)
        for round_key in self._round_keys:
            x = ((self._rotate_right(x, _ALPHA) + y) & self._mask) ^ round_key
            y = self._rotate_left(y, _BETA) ^ x
        return self._join(x, y)

    def decrypt(self, block: bytes) -> bytes:
        """One block."""
        x, y = self._split(block)
        for round_key in reversed(self._round_keys):
            y = self._rotate_right(y ^ x, _BETA)
            x = self._rotate_left(((x ^ round_key) - y) & self._mask, _ALPHA)
        return self._join(x, y)
