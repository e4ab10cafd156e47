"""Speck-64. Vectors: its designers'. Second implementation: bancada.primitives.references.speck."""

from __future__ import annotations

from bancada.primitives.block_cipher.speck import speck

ALGORITHM = speck(
    name="speck64",
    title="Speck-64",
    word_bits=32,
    key_bits=(128, 96),
    printed={
        96: ("13121110 0b0a0908 03020100", "74614620 736e6165", "9f7952ec 4175946c"),
        128: ("1b1a1918 13121110 0b0a0908 03020100", "3b726574 7475432d", "8c6fa548 454e028b"),
    },
)
