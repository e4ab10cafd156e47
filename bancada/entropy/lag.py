"""The lag prediction estimate: SP 800-90B, section 6.3.8."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from bancada.entropy.estimate import Estimate
from bancada.entropy.prediction import Predictions


def lag(samples: Sequence[int], alphabet: int, lags: int = 128) -> Estimate:
    """Predicts the sample that stood 1 to 128 before."""
    values = np.asarray(samples, dtype=np.int64)
    padded = np.concatenate((np.full(lags, -1, dtype=np.int64), values))
    scores = np.zeros(lags, dtype=np.int64)
    winner, best = 0, 0
    predictions = Predictions()
    for position in range(1, len(samples)):
        # From the longest lag to lag 1.
        right = np.flatnonzero(padded[position : position + lags] == values[position])
        predictions.add(samples[position - 1 - winner] == samples[position] if winner < position else False)
        if right.size:
            right = lags - 1 - right
            scores[right] += 1
            reached = scores[right]
            most = int(reached.max())
            # Of equals, the one that was looked at last: that with the longest lag.
            if most >= best:
                winner, best = int(right[reached == most].max()), most
    return Estimate("lag prediction", "6.3.8", predictions.min_entropy(len(samples) - 1, alphabet))
