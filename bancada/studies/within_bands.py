"""How sure a finding is: whether its verdict stays when every modelled figure moves within its band."""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import replace

from bancada.records import Finding, Observation, Result, Status, Verdict
from bancada.studies.study import Study

DRAWS = 100

# What one error of a core's table moves together: the same code, whatever its message's size, key or clock.
_Code = tuple[str, ...]


def _code(result: Result) -> _Code:
    return (result.core, result.candidate, result.algorithm, result.variant, result.operation, result.compiler, result.optimisation)


def _scaled(result: Result, factor: float) -> Result:
    scaled = object.__new__(Result)  # dataclasses.replace takes eight times as long, for some 200,000 of them in a report
    scaled.__dict__.update(
        result.__dict__,
        cycles_median=None if result.cycles_median is None else round(result.cycles_median * factor),
        time_us=None if result.time_us is None else result.time_us * factor,
        energy_uj=None if result.energy_uj is None else result.energy_uj * factor,
    )
    return scaled


def findings_within_bands(study: Study, results: Sequence[Result], observations: Sequence[Observation]) -> tuple[Finding, ...]:
    """The study's findings; where modelled figures decide them, each with how many of `DRAWS` draws gave the same verdict.

    A draw multiplies the time, cycles and energy of each code on each core by one number of its own, evenly distributed in the band of
    its results. Errors of one core are rather alike than independent, so this is the harder test. Repeatable: the seeds are fixed.
    """
    found = study.findings(results, observations)
    bands = {_code(result): result.fidelity_band_percent for result in results if result.status is Status.OK and result.fidelity_band_percent}
    if not found or not bands:
        return found
    same = [0] * len(found)
    codes = [_code(result) if result.fidelity_band_percent else None for result in results]
    for draw in range(DRAWS):
        numbers = random.Random(draw)
        factors = {code: 1 + numbers.uniform(-1, 1) * (bands[code] or 0) / 100 for code in sorted(bands)}
        moved = [_scaled(result, factors[code]) if code in factors else result for result, code in zip(results, codes, strict=True)]
        for place, finding in enumerate(study.findings(moved, observations)):
            same[place] += finding.verdict is found[place].verdict
    return tuple(
        finding if finding.verdict is Verdict.NOT_MEASURED else replace(finding, draws_alike=alike) for finding, alike in zip(found, same, strict=True)
    )
