"""What a study has beyond its cases: its own observations, claims that are compared with our figures, and sections of
the report."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from bancada.answers.report.input import ExtraSection
from bancada.catalogue.experiment import Experiment
from bancada.model.finding import Observation
from bancada.model.result import Result
from bancada.plan.laboratory import Laboratory
from bancada.store.store import Store
from bancada.studies.claim import Claim


@dataclass(frozen=True)
class Evidence:
    """The evidence of a study: the stored results and observations of its experiment."""

    laboratory: Laboratory
    experiment: Experiment
    results: Sequence[Result]
    observations: Sequence[Observation]


def _as_it_is(evidence: Evidence) -> Evidence:
    return evidence


def _no_sections(evidence: Evidence) -> tuple[ExtraSection, ...]:
    return ()


def _observe_nothing(laboratory: Laboratory, experiment: Experiment, store: Store, say: Callable[[str], None]) -> None:
    """A study with cases only."""


@dataclass(frozen=True)
class Study:
    """The object STUDY of experiments/<name>/study.py.

    `claims` are what was published, as data (bancada.studies.claim). `prepare` turns the evidence into what the
    functions that the claims name take; it runs once for all claims. `sections` gives parts of the report. None of them
    measures.
    `observe` measures and stores what is not a case. It says one line for each thing that it did.
    """

    claims: tuple[Claim, ...] = ()
    prepare: Callable[[Evidence], Any] = _as_it_is
    sections: Callable[[Evidence], tuple[ExtraSection, ...]] = _no_sections
    observe: Callable[[Laboratory, Experiment, Store, Callable[[str], None]], None] = _observe_nothing
