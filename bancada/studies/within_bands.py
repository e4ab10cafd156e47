"""How certain a finding is: whether its verdict stays when every modelled figure moves within its band."""

from __future__ import annotations

import random
from dataclasses import replace

from bancada.model.finding import Finding, Verdict
from bancada.model.result import Result
from bancada.model.status import Status
from bancada.studies.study import Evidence, Study

DRAWS = 100

# Results that one error of a core's table changes together: the same code with any message size, key or clock.
_Code = tuple[str, ...]


def _code(result: Result) -> _Code:
    return (
        result.core,
        result.candidate,
        result.algorithm,
        result.variant,
        result.operation,
        result.compiler,
        result.optimisation,
    )


def _scaled(result: Result, factor: float) -> Result:
    # dataclasses.replace takes eight times as long, for some 200,000 of them in a report.
    scaled = object.__new__(Result)
    scaled.__dict__.update(
        result.__dict__,
        cycles_median=None if result.cycles_median is None else round(result.cycles_median * factor),
        time_us=None if result.time_us is None else result.time_us * factor,
        energy_uj=None if result.energy_uj is None else result.energy_uj * factor,
    )
    return scaled


def findings_of(study: Study, evidence: Evidence) -> tuple[Finding, ...]:
    """Judges each claim of the study by the evidence."""
    prepared = study.prepare(evidence) if study.claims else None
    return tuple(claim.judged(prepared) for claim in study.claims)


def findings_within_bands(study: Study, evidence: Evidence) -> tuple[Finding, ...]:
    """The study's findings; where modelled figures decide them, each with how many draws gave the same verdict.

    Each of the `DRAWS` draws multiplies the time, cycles and energy of each code on each core by one number of its own,
    evenly distributed in the band of its results. Errors of one core are more alike than independent, so this test is
    the harder one. The seeds are fixed, so that the same evidence always gives the same findings.
    """
    found = findings_of(study, evidence)
    bands = {
        _code(result): result.fidelity_band_percent
        for result in evidence.results
        if result.status is Status.OK and result.fidelity_band_percent
    }
    if not found or not bands:
        return found
    same = [0] * len(found)
    codes = [_code(result) if result.fidelity_band_percent else None for result in evidence.results]
    for draw in range(DRAWS):
        numbers = random.Random(draw)
        factors = {code: 1 + numbers.uniform(-1, 1) * (bands[code] or 0) / 100 for code in sorted(bands)}
        moved = [
            _scaled(result, factors[code]) if code in factors else result
            for result, code in zip(evidence.results, codes, strict=True)
        ]
        for place, finding in enumerate(findings_of(study, replace(evidence, results=moved))):
            same[place] += finding.verdict is found[place].verdict
    return tuple(
        finding if finding.verdict is Verdict.NOT_MEASURED else replace(finding, draws_alike=alike)
        for finding, alike in zip(found, same, strict=True)
    )
