"""Several values of one figure, said as the least and the most."""

from __future__ import annotations


class Spread(tuple[float, ...]):
    """Values that a sentence shows as "least to most", or as one number where both look alike.

    `{ratios:.3f}` says how each is written; without a format it is `.2f`.
    """

    def __format__(self, spec: str) -> str:
        low, high = format(min(self), spec or ".2f"), format(max(self), spec or ".2f")
        return low if low == high else f"{low} to {high}"
