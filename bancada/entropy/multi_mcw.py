"""The multi most common in window prediction estimate: SP 800-90B, section 6.3.7."""

from __future__ import annotations

from collections.abc import Sequence

from bancada.entropy.estimate import Estimate
from bancada.entropy.prediction import Predictions, Scoreboard


class _Window:
    """The most common value of the last samples; of equals the one that was seen last."""

    def __init__(self, samples: Sequence[int], length: int, alphabet: int) -> None:
        self._samples, self._length = samples, length
        self._counts, self._last = [0] * alphabet, [-1] * alphabet
        self.most_common = -1  # none before the window is full

    def move_over(self, position: int) -> None:
        """Takes the sample at this position in."""
        value = self._samples[position]
        self._counts[value] += 1
        self._last[value] = position
        if position < self._length - 1:
            return
        left = self._samples[position - self._length] if position >= self._length else -1
        if left >= 0:
            self._counts[left] -= 1
        if self.most_common < 0 or left == self.most_common != value:
            self.most_common = max(range(len(self._counts)), key=lambda one: (self._counts[one], self._last[one]))
        elif self._counts[value] >= self._counts[self.most_common]:
            self.most_common = value


def multi_mcw(
    samples: Sequence[int], alphabet: int, windows: tuple[int, int, int, int] = (63, 255, 1023, 4095)
) -> Estimate:
    """Predicts the most common of the last 63, 255, 1023 or 4095 samples. Samples are below `alphabet`."""
    followed = [_Window(samples, length, alphabet) for length in windows]
    board, predictions = Scoreboard(len(windows)), Predictions()
    for position, sample in enumerate(samples):
        if position >= windows[0]:
            predictions.add(followed[board.winner].most_common == sample)
            for number, window in enumerate(followed):
                if window.most_common == sample:
                    board.add(number)
        for window in followed:
            window.move_over(position)
    count = len(samples) - windows[0]
    return Estimate("multi-MCW prediction", "6.3.7", predictions.min_entropy(count, alphabet))
