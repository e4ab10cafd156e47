"""The compression estimate, of bits: SP 800-90B, section 6.3.4, with blocks of six bits."""

from __future__ import annotations

from collections.abc import Sequence
from math import sqrt

import numpy as np

from bancada.entropy.estimate import Z_99_5, Estimate, entropy_of

_BLOCK_BITS = 6
_CORRECTION = 0.5907  # of the standard deviation, step 5
_HALVINGS = 60


def compression(bits: Sequence[int], dictionary_blocks: int = 1000) -> Estimate:
    """From how far back each block of bits appeared last. The first blocks only fill the dictionary."""
    count = len(bits) // _BLOCK_BITS
    weights = 1 << np.arange(_BLOCK_BITS - 1, -1, -1)
    blocks = np.asarray(bits[: count * _BLOCK_BITS], dtype=np.int64).reshape(count, _BLOCK_BITS) @ weights
    last = [0] * (1 << _BLOCK_BITS)
    distances = []
    for number, block in enumerate(blocks.tolist(), start=1):
        if number > dictionary_blocks:
            distances.append(number - last[block])
        last[block] = number
    logarithms = np.log2(np.asarray(distances, dtype=np.float64))
    tests = len(distances)
    average = float(logarithms.mean())
    deviation = _CORRECTION * sqrt(float((logarithms**2).sum()) / (tests - 1) - average**2)
    bound = average - Z_99_5 * deviation / sqrt(tests)
    probability = _solved(bound, dictionary_blocks, count)
    return Estimate("compression", "6.3.4", entropy_of(probability) / _BLOCK_BITS if probability else 1.0)


def _solved(bound: float, dictionary_blocks: int, count: int) -> float:
    """The probability of the most common block for which the mean is the bound, step 7; 0 if there is none."""
    values = 1 << _BLOCK_BITS
    logarithms = np.log2(np.arange(1, count + 1, dtype=np.float64))

    def part(z: float) -> float:
        """G(z)."""
        if z >= 1:
            return 0.0
        exponents = np.arange(count, dtype=np.float64) * np.log1p(-z)
        geometric = np.exp(exponents)  # (1 - z)^(u - 1)
        earlier = np.cumsum(logarithms * geometric) * z * z
        tests = np.arange(dictionary_blocks, count)  # t - 1
        before = np.where(tests > 0, earlier[tests - 1], 0.0)
        return float((before + logarithms[tests] * geometric[tests] * z).sum()) / (count - dictionary_blocks)

    def expected(probability: float) -> float:
        return part(probability) + (values - 1) * part((1 - probability) / (values - 1))

    low, high = 1 / values, 1.0
    if bound > expected(low):
        return 0.0
    for _ in range(_HALVINGS):
        middle = (low + high) / 2
        if expected(middle) > bound:
            low = middle
        else:
            high = middle
    return (low + high) / 2
