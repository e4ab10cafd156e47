"""One estimate, and the bound of a probability that several estimators share."""

from __future__ import annotations

from dataclasses import dataclass
from math import log2, sqrt

# The 99.5th percentile of the normal distribution: SP 800-90B, sections 6.3.1 to 6.3.10.
Z_99_5 = 2.576


@dataclass(frozen=True)
class Estimate:
    """Min-entropy in bits a sample, by one estimator."""

    name: str
    section: str
    bits: float


def upper_bound(probability: float, trials: int) -> float:
    """Of a probability that was measured in so many trials: section 6.3.1, step 2."""
    return min(1.0, probability + Z_99_5 * sqrt(probability * (1 - probability) / (trials - 1)))


def entropy_of(probability: float) -> float:
    """Min-entropy in bits of a value with this probability."""
    return -log2(probability) if probability < 1 else 0.0
