"""The collision estimate, of bits: SP 800-90B, section 6.3.2."""

from __future__ import annotations

from collections.abc import Sequence
from math import sqrt
from statistics import mean, stdev

from bancada.entropy.estimate import Z_99_5, Estimate, entropy_of


def collision(bits: Sequence[int]) -> Estimate:
    """From the mean number of bits until one repeats, which is 2 or 3.

    The equation of step 7 is, for bits, X' = 2 + 2 p (1 - p): F(q) is there q + 2 q^2 + 2 q^3.
    """
    times = []
    index = 0
    while index + 1 < len(bits):
        time = 2 if bits[index] == bits[index + 1] else 3
        if index + time > len(bits):
            break
        times.append(time)
        index += time
    bound = mean(times) - Z_99_5 * stdev(times) / sqrt(len(times))
    product = min(max((bound - 2) / 2, 0), 0.25)  # no solution above 2.5: p is a half
    return Estimate("collision", "6.3.2", entropy_of(0.5 + sqrt(0.25 - product)))
