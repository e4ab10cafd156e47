"""Forgeries for conformance checks."""

from __future__ import annotations


def flipped(data: bytes, bit: int) -> bytes:
    """The same bytes with one bit changed; bit 0 is the lowest of the first byte."""
    changed = bytearray(data)
    changed[bit // 8] ^= 1 << bit % 8
    return bytes(changed)
