"""The t-tuple estimate and the longest repeated substring (LRS) estimate: SP 800-90B, sections 6.3.5 and 6.3.6."""

from __future__ import annotations

from collections.abc import Sequence

from bancada.entropy.estimate import Estimate, entropy_of, upper_bound
from bancada.entropy.repeats import repeats


def tuples(samples: Sequence[int], cutoff: int = 35) -> list[Estimate]:
    """From tuples that appear at least `cutoff` times: the most common one of each length. From longer ones: how many
    are equal, up to the longest that repeats. An estimate whose tuples are not there is left out."""
    count = len(samples)
    common: list[float] = []
    equal: list[float] = []
    for length, (most, pairs) in enumerate(repeats(samples), start=1):
        places = count - length + 1
        if most >= cutoff:
            common.append((most / places) ** (1 / length))
        else:
            equal.append((pairs / (places * (places - 1) / 2)) ** (1 / length))
    estimates = []
    for name, section, probabilities in (("t-tuple", "6.3.5", common), ("LRS", "6.3.6", equal)):
        if probabilities:
            estimates.append(Estimate(name, section, entropy_of(upper_bound(max(probabilities), count))))
    return estimates
