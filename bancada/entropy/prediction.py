"""What the four predictors share: from right predictions to min-entropy. SP 800-90B, sections 6.3.7 to 6.3.10."""

from __future__ import annotations

from math import exp, log, log1p

from bancada.entropy.estimate import entropy_of, upper_bound

_HALVINGS = 60
_LOW_CONFIDENCE = 0.99


class Predictions:
    """Counts right predictions and their longest run."""

    def __init__(self) -> None:
        self.right = 0
        self.longest_run = 0
        self._run = 0

    def add(self, is_right: bool) -> None:
        """One more prediction."""
        self._run = self._run + 1 if is_right else 0
        self.right += is_right
        self.longest_run = max(self.longest_run, self._run)

    def min_entropy(self, count: int, alphabet: int) -> float:
        """Bits a sample, from `count` predictions of samples with so many values: section 6.3.7, steps 4 to 6."""
        everywhere = upper_bound(self.right / count, count) if self.right else 1 - (1 - _LOW_CONFIDENCE) ** (1 / count)
        return entropy_of(max(everywhere, _local(self.longest_run + 1, count), 1 / alphabet))


def _local(run: int, count: int) -> float:
    """The probability of a right prediction with which there is no run of this length among `count` with 99 %."""
    low, high = 0.0, 1.0
    for _ in range(_HALVINGS):
        middle = (low + high) / 2
        if _log_no_run(middle, run, count) > log(_LOW_CONFIDENCE):
            low = middle
        else:
            high = middle
    return (low + high) / 2


def _log_no_run(p: float, run: int, count: int) -> float:
    """The logarithm of (1 - p x) / ((run + 1 - run x) q) / x^(count + 1), x the tenth 1 + q p^run x^(run + 1)."""
    q = 1 - p
    more = 0.0  # x - 1
    for _ in range(10):
        if (run + 1) * log1p(more) > 100:
            return -float("inf")
        more = q * p**run * exp((run + 1) * log1p(more))
    above, below = 1 - p * (1 + more), (1 - run * more) * q
    if above <= 0 or below <= 0:
        return -float("inf")
    return log(above) - log(below) - (count + 1) * log1p(more)


class Scoreboard:
    """Which of several predictors was right most often so far; of equals the one that was right last."""

    def __init__(self, predictors: int) -> None:
        self._scores = [0] * predictors
        self.winner = 0

    def add(self, predictor: int) -> None:
        """It was right."""
        self._scores[predictor] += 1
        if self._scores[predictor] >= self._scores[self.winner]:
            self.winner = predictor
