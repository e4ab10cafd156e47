"""Speck-128. Vectors: its designers'. Second implementation: bancada.primitives.references.speck."""

from __future__ import annotations

from bancada.primitives.block_cipher.speck import speck

_KEY = "1f1e1d1c1b1a1918 1716151413121110 0f0e0d0c0b0a0908 0706050403020100"

ALGORITHM = speck(
    name="speck128",
    title="Speck-128",
    word_bits=64,
    key_bits=(128, 192, 256),
    printed={
        128: (_KEY[34:], "6c61766975716520 7469206564616d20", "a65d985179783265 7860fedf5c570d18"),
        192: (_KEY[17:], "7261482066656968 43206f7420746e65", "1be4cf3a13135566 f9bc185de03c1886"),
        256: (_KEY, "65736f6874206e49 202e72656e6f6f70", "4109010405c0f53e 4eeeb48d9c188f43"),
    },
)
