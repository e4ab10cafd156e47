"""The most common value estimate: SP 800-90B, section 6.3.1."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from bancada.entropy.estimate import Estimate, entropy_of, upper_bound


def most_common(samples: Sequence[int]) -> Estimate:
    """From the share of the most common value."""
    [(_, count)] = Counter(samples).most_common(1)
    return Estimate("most common value", "6.3.1", entropy_of(upper_bound(count / len(samples), len(samples))))
