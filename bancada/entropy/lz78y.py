"""The LZ78Y prediction estimate: SP 800-90B, section 6.3.10."""

from __future__ import annotations

from collections.abc import Sequence

from bancada.entropy.estimate import Estimate
from bancada.entropy.prediction import Predictions

_MOST_ENTRIES = 65_536


def lz78y(samples: Sequence[int], alphabet: int, longest: int = 16) -> Estimate:
    """Predicts by a dictionary of up to 65,536 strings of 1 to 16 samples, and of what followed them most often."""
    width = max(alphabet - 1, 1).bit_length()
    masks = [(1 << width * length) - 1 for length in range(longest + 1)]
    counts: dict[tuple[int, int], dict[int, int]] = {}
    best: dict[tuple[int, int], tuple[int, int]] = {}
    predictions = Predictions()
    past = 0
    for sample in samples[:longest]:
        past = past << width | sample
    for position in range(longest + 1, len(samples)):
        before, past = past, (past << width | samples[position - 1]) & masks[longest]
        follower = samples[position - 1]
        for length in range(longest, 0, -1):
            key = (length, before & masks[length])
            followers = counts.get(key)
            if followers is None:
                if len(counts) >= _MOST_ENTRIES:
                    continue
                followers = counts[key] = {}
            followers[follower] = followers.get(follower, 0) + 1
            best[key] = max(best.get(key, (0, 0)), (followers[follower], follower))
        most, prediction = 0, -1
        for length in range(longest, 0, -1):
            count, value = best.get((length, past & masks[length]), (0, -1))
            if count > most:
                most, prediction = count, value
        predictions.add(prediction == samples[position])
    return Estimate("LZ78Y prediction", "6.3.10", predictions.min_entropy(len(samples) - longest - 1, alphabet))
