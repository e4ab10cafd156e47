"""How often tuples repeat, for every length at once: from the suffix array of the samples."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import numpy.typing as npt


def repeats(samples: Sequence[int]) -> list[tuple[int, int]]:
    """For the lengths 1, 2, … of tuples that appear more than once: how often the most common one appears, and how many
    pairs of equal tuples there are."""
    common = _common_prefixes(samples)
    at_length: list[list[int]] = [[] for _ in range(max(common, default=0) + 1)]
    for place, length in enumerate(common):
        at_length[length].append(place)
    # Neighbours in the suffix array with a common prefix of at least this length belong together. From the longest to
    # the shortest, groups only join.
    parent, size = list(range(len(samples))), [1] * len(samples)

    def group_of(place: int) -> int:
        while parent[place] != place:
            parent[place] = parent[parent[place]]
            place = parent[place]
        return place

    most, pairs = 1, 0
    found = []
    for length in range(len(at_length) - 1, 0, -1):
        for place in at_length[length]:
            one, other = group_of(place), group_of(place + 1)
            pairs += size[one] * size[other]
            parent[other] = one
            size[one] += size[other]
            most = max(most, size[one])
        found.append((most, pairs))
    return found[::-1]


def _suffix_array(samples: Sequence[int]) -> tuple[npt.NDArray[np.int64], npt.NDArray[np.int64]]:
    """The suffixes in order, and the rank of each: prefixes of double length each time."""
    _, rank = np.unique(np.asarray(samples, dtype=np.int64), return_inverse=True)
    rank = rank.astype(np.int64)
    count, width = len(rank), 1
    while True:
        second = np.zeros(count, dtype=np.int64)
        second[: count - width] = rank[width:] + 1
        keys = rank * (count + 1) + second
        order = np.argsort(keys, kind="stable")
        ordered = keys[order]
        rank = np.empty(count, dtype=np.int64)
        rank[order] = np.concatenate(([0], np.cumsum(ordered[1:] != ordered[:-1])))
        width *= 2
        if width >= count or rank[order[-1]] == count - 1:
            return order, rank


def _common_prefixes(samples: Sequence[int]) -> list[int]:
    """Of each suffix and the next one in order (Kasai and others, CPM 2001)."""
    suffixes, ranks = _suffix_array(samples)
    order, rank = suffixes.tolist(), ranks.tolist()
    count, length = len(order), 0
    common = [0] * (count - 1)
    for start in range(count):
        place = rank[start]
        if place == count - 1:
            length = 0
            continue
        other = order[place + 1]
        limit = count - max(start, other)
        while length < limit and samples[start + length] == samples[other + length]:
            length += 1
        common[place] = length
        length = max(length - 1, 0)
    return common
