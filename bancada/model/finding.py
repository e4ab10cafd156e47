"""What a study concluded and published, beside ours, and what an experiment observes besides its cases."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import Any

from bancada.model.source import Source
from bancada.model.status import Fidelity


@dataclass(frozen=True)
class PublishedFigure:
    """One figure of a study beside ours (experiments/*/published.csv joined with results)."""

    experiment: str
    label: str
    metric: str
    unit: str
    published: float
    ours: float | None
    ratio: float | None
    fidelity: Fidelity | None
    ours_case: str | None
    note: str
    band_percent: float | None = None
    source: Source | None = None
    # Which of ours stands there, for people.
    ours_name: str = ""

    @property
    def standing(self) -> str:
        """Whether the comparison is decided: "decided" where the published figure is outside the band of ours, "within
        the band" where it is inside, "no band" where ours is modelled without one, "" where there is none of ours.

        A band is the error of ours as a part of what silicon takes (bancada.validate). So ours may be that part of the
        published figure too low, as well as that part of itself too high.
        """
        if self.ours is None:
            return ""
        if self.fidelity is Fidelity.EXACT or self.fidelity is Fidelity.MEASURED:
            return "decided"
        if self.band_percent is None:
            return "no band"
        is_within = abs(self.published - self.ours) <= max(self.ours, self.published) * self.band_percent / 100
        return "within the band" if is_within else "decided"


class Verdict(StrEnum):
    """What became of a study's finding when it was measured again."""

    HOLDS = "holds"
    HOLDS_IN_PART = "holds in part"
    DOES_NOT_HOLD = "does not hold"
    ANSWERED = "answered"
    UNDECIDED = "undecided"
    NOT_COMPARABLE = "not comparable"
    NOT_MEASURED = "not measured"


@dataclass(frozen=True)
class Finding:
    """One conclusion of a study beside what we find: `why` is one sentence on agreement or difference.

    `judged_for` says which programs were compared where a claim is judged more than once. `within` are the published
    figures and how far from each of them ours may be for the claim to hold.

    `draws_alike`: in how many of a hundred draws, which move modelled figures and assumptions, the verdict is the one
    of the figures as they are; None where nothing moves. `unmoved` is that verdict where too few draws keep it for a
    verdict, and `drawn` how many draws gave which, most first. `varied` are the assumptions that the draws move, with
    their ranges; `made_by` are those that change the verdict alone.
    """

    claim: str
    published: str
    ours: str
    verdict: Verdict
    why: str
    draws_alike: int | None = None
    judged_for: str = ""
    within: str = ""
    unmoved: Verdict | None = None
    drawn: tuple[tuple[Verdict, int], ...] = ()
    varied: tuple[str, ...] = ()
    made_by: tuple[str, ...] = ()


@dataclass(frozen=True)
class Observation:
    """Something that an experiment measures and that is not a case: a run of the link, an exchange over a network, a
    throughput.

    `kind` names what it is ('link-simulation'), `name` tells it from others of its kind; `parameters` and `figures` are
    plain JSON values with units in their names.
    """

    kind: str
    name: str
    fidelity: Fidelity
    parameters: dict[str, Any]
    figures: dict[str, Any]
    date: str
