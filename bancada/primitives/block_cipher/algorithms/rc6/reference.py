"""RC6-32/20/b in plain Python, from R.

Rivest, M. Robshaw, R. Sidney, Y. Yin, "The RC6 Block Cipher", v1.1, 1998, sections 2 and 3.
"""

from __future__ import annotations

_MASK = 0xFFFFFFFF
_ROUNDS = 20
_P32, _Q32 = 0xB7E15163, 0x9E3779B9


def _rotate_left(word: int, count: int) -> int:
    count &= 31
    return ((word << count) | (word >> (32 - count))) & _MASK if count else word


def _words(data: bytes) -> list[int]:
    return [int.from_bytes(data[i : i + 4], "little") for i in range(0, len(data), 4)]


def _bytes(words: list[int]) -> bytes:
    return b"".join(word.to_bytes(4, "little") for word in words)


class RC6:
    """RC6-32/20 under a key of 16, 24 or 32 bytes."""

    def __init__(self, key: bytes) -> None:
        left = _words(key)
        size = 2 * _ROUNDS + 4
        keys = [(_P32 + index * _Q32) & _MASK for index in range(size)]
        a = b = i = j = 0
        for _ in range(3 * max(size, len(left))):
            a = keys[i] = _rotate_left((keys[i] + a + b) & _MASK, 3)
            b = left[j] = _rotate_left((left[j] + a + b) & _MASK, a + b)
            i, j = (i + 1) % size, (j + 1) % len(left)
        self._keys = keys

    def encrypt(self, block: bytes) -> bytes:
        """One block (section 3, figure 1)."""
        keys = self._keys
        a, b, c, d = _words(block)
        b, d = (b + keys[0]) & _MASK, (d + keys[1]) & _MASK
        for index in range(1, _ROUNDS + 1):
            t = _rotate_left(b * (2 * b + 1) & _MASK, 5)
            u = _rotate_left(d * (2 * d + 1) & _MASK, 5)
            a = (_rotate_left(a ^ t, u) + keys[2 * index]) & _MASK
            c = (_rotate_left(c ^ u, t) + keys[2 * index + 1]) & _MASK
            a, b, c, d = b, c, d, a
        return _bytes([(a + keys[-2]) & _MASK, b, (c + keys[-1]) & _MASK, d])

    def decrypt(self, block: bytes) -> bytes:
        """One block (section 3, figure 2)."""
        keys = self._keys
        a, b, c, d = _words(block)
        c, a = (c - keys[-1]) & _MASK, (a - keys[-2]) & _MASK
        for index in range(_ROUNDS, 0, -1):
            a, b, c, d = d, a, b, c
            u = _rotate_left(d * (2 * d + 1) & _MASK, 5)
            t = _rotate_left(b * (2 * b + 1) & _MASK, 5)
            c = _rotate_left((c - keys[2 * index + 1]) & _MASK, 32 - (t & 31)) ^ u
            a = _rotate_left((a - keys[2 * index]) & _MASK, 32 - (u & 31)) ^ t
        return _bytes([a, (b - keys[0]) & _MASK, c, (d - keys[1]) & _MASK])
