"""The multi Markov model with counting prediction estimate: SP 800-90B, section 6.3.9."""

from __future__ import annotations

from collections.abc import Sequence

from bancada.entropy.estimate import Estimate
from bancada.entropy.prediction import Predictions, Scoreboard

_MOST_ENTRIES = 100_000  # of one order


class _Model:
    """What followed the last `order` samples most often; of equals the greatest value."""

    def __init__(self) -> None:
        self._counts: dict[tuple[int, int], int] = {}
        self._best: dict[int, tuple[int, int]] = {}

    def add(self, context: int, value: int) -> None:
        """This value followed."""
        count = self._counts.get((context, value), 0)
        if count == 0 and len(self._counts) >= _MOST_ENTRIES:
            return
        self._counts[context, value] = count + 1
        self._best[context] = max(self._best.get(context, (0, 0)), (count + 1, value))

    def predicted(self, context: int) -> int:
        """The value, or -1."""
        return self._best.get(context, (0, -1))[1]


def multi_mmc(samples: Sequence[int], alphabet: int, orders: int = 16) -> Estimate:
    """Predicts what followed the last 1 to 16 samples most often."""
    width = max(alphabet - 1, 1).bit_length()
    masks = [(1 << width * order) - 1 for order in range(1, orders + 1)]
    models = [_Model() for _ in masks]
    board, predictions = Scoreboard(orders), Predictions()
    past = samples[0] if len(samples) else 0
    for position in range(2, len(samples)):
        before, past = past, past << width | samples[position - 1]
        if position > orders:
            past &= masks[-1]
        known = min(orders, position - 1)
        for number in range(known):
            models[number].add(before & masks[number], samples[position - 1])
        sample = samples[position]
        found = [models[number].predicted(past & masks[number]) for number in range(min(orders, position))]
        predictions.add(board.winner < len(found) and found[board.winner] == sample)
        for number, value in enumerate(found):
            if value == sample:
                board.add(number)
    return Estimate("multi-MMC prediction", "6.3.9", predictions.min_entropy(len(samples) - 2, alphabet))
