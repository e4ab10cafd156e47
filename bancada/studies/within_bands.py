"""How certain a finding is: whether its verdict stays when modelled figures and assumptions move."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import replace

from bancada.model.finding import Finding, Verdict
from bancada.model.result import Result
from bancada.model.status import Status
from bancada.studies.assumption import drawn
from bancada.studies.study import Evidence, Study

DRAWS = 100

# A verdict that fewer draws keep is none.
LEAST_ALIKE = 80

# The part of a band that each program has to itself. A core's band is the largest error of its validation set; the
# mean error of that set is 0.12 (A15) to 0.33 (A53 in Arm state) of it, and 0.22 on average of the five cores
# (docs/reference/cores-cortex-a.md, "What was found": 7.9 of 27.8, 5.3 of 32.8, 4.0 of 33.3, 2.5 of 11.1 and 11.1 of
# 33.3 %).
# A large error comes from one wrong latency in one loop. Both directions of one cipher, compiled the same way, are made
# of the same instructions and share it.
OWN_PART = 0.2

# What one error of a core's table changes together: the same code with any message size, key or clock.
_Code = tuple[str, ...]

# Verdicts that no draw can make surer.
_NOT_DRAWN = (Verdict.NOT_MEASURED, Verdict.NOT_COMPARABLE)


def _kind(result: Result) -> _Code:
    """Like programs: an algorithm of one library, compiled in one way, on one core. Directions and variants are not
    told apart."""
    return (result.core, result.candidate, result.algorithm, result.compiler, result.optimisation)


def _code(result: Result) -> _Code:
    return (*_kind(result), result.variant, result.operation)


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


class _Bands:
    """The modelled results, and how a draw moves them."""

    def __init__(self, results: Sequence[Result]) -> None:
        self._results = results
        self._codes = [
            _code(result) if result.status is Status.OK and result.fidelity_band_percent else None for result in results
        ]
        bands: dict[_Code, float] = {}
        for result, code in zip(results, self._codes, strict=True):
            if code is not None:
                bands[code] = max(bands.get(code, 0.0), result.fidelity_band_percent or 0.0)
        self._bands = bands
        self._kinds = {code: code[:-2] for code in bands}

    @property
    def move(self) -> bool:
        """Whether there is anything to move."""
        return bool(self._bands)

    def moved(self, numbers: random.Random) -> list[Result]:
        """The results of one draw."""
        shared = {kind: numbers.uniform(-1, 1) for kind in sorted(set(self._kinds.values()))}
        factors = {}
        for code in sorted(self._bands):
            error = (1 - OWN_PART) * shared[self._kinds[code]] + OWN_PART * numbers.uniform(-1, 1)
            factors[code] = 1 + error * self._bands[code] / 100
        return [
            result if code is None else _scaled(result, factors[code])
            for result, code in zip(self._results, self._codes, strict=True)
        ]


def findings_of(study: Study, evidence: Evidence) -> tuple[Finding, ...]:
    """Judges each claim of the study by the evidence, with the assumptions as they are."""
    prepared = study.prepare(study.as_assumed(evidence)) if study.claims else None
    return tuple(claim.judged(prepared) for claim in study.claims)


def _made_by(study: Study, evidence: Evidence, found: Sequence[Finding]) -> Mapping[int, tuple[str, ...]]:
    """By the place of a finding: the assumptions that change its verdict alone, at an end of their range."""
    changed: dict[int, tuple[str, ...]] = {}
    asked = [one for one in study.assumptions if any(one in claim.rests_on for claim in study.claims)]
    for assumption in asked:
        for value in assumption.ends:
            judged = findings_of(study, replace(evidence, assumed={assumption.name: value}))
            for place, (claim, then, now) in enumerate(zip(study.claims, judged, found, strict=True)):
                if assumption in claim.rests_on and then.verdict is not now.verdict:
                    changed[place] = (*changed.get(place, ()), f"{assumption.at(value)} gives {then.verdict}")
    return changed


def findings_within_bands(study: Study, evidence: Evidence) -> tuple[Finding, ...]:
    """The study's findings, each with how many of `DRAWS` draws gave the same verdict; *undecided* where fewer than
    `LEAST_ALIKE` did.

    A draw moves every modelled time, number of cycles and energy within its band. Like programs on one core share one
    error, evenly distributed in four fifths of the band, and each has the rest to itself (`OWN_PART`). It moves every
    assumption of the study in its range too. The seeds are fixed, so that the same evidence always gives the same
    findings. A finding that rests on nothing modelled and on no assumption is not drawn. Of a verdict that an
    assumption changes alone, no full number of draws is told.
    """
    found = findings_of(study, evidence)
    bands = _Bands(evidence.results)
    moves = [bool(claim.rests_on) or bands.move for claim in study.claims]
    if not any(moves):
        return found
    said: list[Counter[Verdict]] = [Counter() for _ in found]
    for draw in range(DRAWS):
        judged = findings_of(
            study,
            replace(
                evidence,
                results=bands.moved(random.Random(draw)),
                assumed=drawn(study.assumptions, draw, DRAWS),
            ),
        )
        for place, finding in enumerate(judged):
            said[place][finding.verdict] += 1
    made_by = _made_by(study, evidence, found)
    return tuple(
        _decided(finding, draws, tuple(one.said for one in claim.rests_on), made_by.get(place, ()))
        if moving and finding.verdict not in _NOT_DRAWN
        else finding
        for place, (claim, finding, draws, moving) in enumerate(zip(study.claims, found, said, moves, strict=True))
    )


def _decided(finding: Finding, draws: Counter[Verdict], varied: tuple[str, ...], made_by: tuple[str, ...]) -> Finding:
    alike = draws[finding.verdict]
    moved = replace(finding, draws_alike=None if made_by and alike == DRAWS else alike, varied=varied, made_by=made_by)
    if alike >= LEAST_ALIKE:
        return moved
    return replace(moved, verdict=Verdict.UNDECIDED, unmoved=finding.verdict, drawn=tuple(draws.most_common()))
