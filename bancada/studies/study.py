"""What a study has beyond its cases: observations of its own, its findings held against ours, and parts of the report."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from bancada.catalogue import Experiment
from bancada.records import Finding, Observation, Result
from bancada.report.input import ExtraSection
from bancada.store import Store


def _observe_nothing(experiment: Experiment, store: Store, say: Callable[[str], None]) -> None:
    """A study of cases alone."""


def _no_parts(results: Sequence[Result], observations: Sequence[Observation]) -> tuple[ExtraSection, ...]:
    return ()


@dataclass(frozen=True)
class Study:
    """`observe` measures what is no case and stores it, saying one line for each; `findings` and `parts` only look."""

    findings: Callable[[Sequence[Result], Sequence[Observation]], tuple[Finding, ...]]
    parts: Callable[[Sequence[Result], Sequence[Observation]], tuple[ExtraSection, ...]] = _no_parts
    observe: Callable[[Experiment, Store, Callable[[str], None]], None] = _observe_nothing
