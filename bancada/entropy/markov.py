"""The Markov estimate, of bits: SP 800-90B, section 6.3.3."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from itertools import pairwise
from math import inf, log2

from bancada.entropy.estimate import Estimate

_SEQUENCE = 128


def markov(bits: Sequence[int]) -> Estimate:
    """From the most likely of six sequences of 128 bits, if each bit depends on the one before alone."""
    ones = sum(bits)
    first = {0: (len(bits) - ones) / len(bits), 1: ones / len(bits)}
    pairs = Counter(pairwise(bits))
    after = {0: pairs[0, 0] + pairs[0, 1], 1: pairs[1, 0] + pairs[1, 1]}

    def log_of(probability: float) -> float:
        return log2(probability) if probability > 0 else -inf

    def step(a: int, b: int) -> float:
        return log_of(pairs[a, b] / after[a]) if after[a] else -inf

    def times(count: int, logarithm: float) -> float:
        return count * logarithm if count else 0.0

    def likelihood(start: int, steps: dict[tuple[int, int], int]) -> float:
        return log_of(first[start]) + sum(times(count, step(*pair)) for pair, count in steps.items())

    most_likely = max(
        likelihood(0, {(0, 0): _SEQUENCE - 1}),
        likelihood(0, {(0, 1): _SEQUENCE // 2, (1, 0): _SEQUENCE // 2 - 1}),
        likelihood(0, {(0, 1): 1, (1, 1): _SEQUENCE - 2}),
        likelihood(1, {(1, 0): 1, (0, 0): _SEQUENCE - 2}),
        likelihood(1, {(1, 0): _SEQUENCE // 2, (0, 1): _SEQUENCE // 2 - 1}),
        likelihood(1, {(1, 1): _SEQUENCE - 1}),
    )
    return Estimate("Markov", "6.3.3", min(-most_likely / _SEQUENCE, 1.0) + 0.0)
