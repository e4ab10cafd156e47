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
    source: Source | None = None


class Verdict(StrEnum):
    """What became of a study's finding when it was measured again."""

    HOLDS = "holds"
    HOLDS_IN_PART = "holds in part"
    DOES_NOT_HOLD = "does not hold"
    ANSWERED = "answered"
    NOT_MEASURED = "not measured"


@dataclass(frozen=True)
class Finding:
    """One conclusion of a study beside what we find: `why` is one sentence on agreement or difference.

    `draws_alike`: in how many of a hundred draws of the modelled figures within their bands the verdict is the same;
    None where no result of the study is modelled.
    """

    claim: str
    published: str
    ours: str
    verdict: Verdict
    why: str
    draws_alike: int | None = None


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
