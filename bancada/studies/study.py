"""What a study has beyond its cases: its own observations, claims that are compared with our figures, and sections of
the report."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from bancada.answers.paper.table import Table
from bancada.answers.report.input import ExtraSection
from bancada.catalogue.experiment import Experiment
from bancada.model.finding import Observation
from bancada.model.result import Result
from bancada.plan.laboratory import Laboratory
from bancada.store.store import Store
from bancada.studies.assumption import Assumption, as_assumed
from bancada.studies.claim import Claim


@dataclass(frozen=True)
class Evidence:
    """The evidence of a study: the stored results and observations of its experiment."""

    laboratory: Laboratory
    experiment: Experiment
    results: Sequence[Result]
    observations: Sequence[Observation]
    # The values of the study's assumptions by name: as they are assumed, or as a draw moves them.
    assumed: Mapping[str, float] = field(default_factory=dict)


def _as_it_is(evidence: Evidence) -> Evidence:
    return evidence


def _no_sections(evidence: Evidence) -> tuple[ExtraSection, ...]:
    return ()


def _no_tables(evidence: Evidence) -> tuple[Table, ...]:
    return ()


def _observe_nothing(laboratory: Laboratory, experiment: Experiment, store: Store, say: Callable[[str], None]) -> None:
    """A study with cases only."""


@dataclass(frozen=True)
class Study:
    """The object STUDY of experiments/<name>/study.py.

    `claims` are what was published, as data (bancada.studies.claim), and `assumptions` what our figures rest on
    (bancada.studies.assumption). `prepare` turns the evidence into what the
    functions that the claims name take; it runs once for all claims. `sections` gives parts of the report. None of them
    measures.
    `tables` are for the export alone, too long for a page.
    `observe` measures and stores what is not a case. It says one line for each thing that it did.
    """

    claims: tuple[Claim, ...] = ()
    prepare: Callable[[Evidence], Any] = _as_it_is
    sections: Callable[[Evidence], tuple[ExtraSection, ...]] = _no_sections
    observe: Callable[[Laboratory, Experiment, Store, Callable[[str], None]], None] = _observe_nothing
    assumptions: tuple[Assumption, ...] = ()
    tables: Callable[[Evidence], tuple[Table, ...]] = _no_tables

    def as_assumed(self, evidence: Evidence) -> Evidence:
        """The evidence with the value of every assumption that it does not have one for."""
        return replace(evidence, assumed=as_assumed(self.assumptions, evidence.assumed))
