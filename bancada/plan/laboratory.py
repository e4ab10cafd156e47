"""Everything that there is to measure with and to measure, found once and handed down."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace

from bancada.catalogue.candidate import Candidate
from bancada.catalogue.catalogue import named
from bancada.catalogue.core import Core
from bancada.catalogue.entries import Entries, entries
from bancada.catalogue.experiment import Experiment
from bancada.catalogue.target import Target
from bancada.model.errors import UserError
from bancada.primitives.primitive import Primitive


@dataclass(frozen=True)
class Laboratory:
    """Targets, cores, candidates, experiments and primitives by name. The methods raise UserError with the nearest
    name."""

    targets: Mapping[str, Target]
    cores: Mapping[str, Core]
    candidates: Mapping[str, Candidate]
    experiments: Mapping[str, Experiment]
    primitives: Mapping[str, Primitive]

    def target(self, name: str) -> Target:
        """The target of that name."""
        return named("target", self.targets, name)

    def core(self, name: str) -> Core:
        """The core of that name."""
        return named("core", self.cores, name)

    def candidate(self, name: str) -> Candidate:
        """The candidate of that name."""
        return named("candidate", self.candidates, name)

    def experiment(self, name: str) -> Experiment:
        """The experiment of that name."""
        return named("experiment", self.experiments, name)

    @property
    def not_advised(self) -> frozenset[str]:
        """Candidates that are there only to be compared with."""
        return frozenset(name for name, candidate in self.candidates.items() if not candidate.usable)

    def readable(self) -> tuple[Laboratory, list[UserError]]:
        """This laboratory without the files that cannot be read, and what is wrong with each of them: for what only
        shows results, which one mistake does not hide."""
        kinds = {name: entries(getattr(self, name)) for name in ("targets", "candidates", "experiments")}
        errors = [error for found in kinds.values() for error in found.broken.values()]
        without = {name: Entries(found.readable) for name, found in kinds.items()}
        return replace(self, **without), errors

    def with_target(self, target: Target) -> Laboratory:
        """This laboratory with another target of the same name: a board in the place of its simulator."""
        return replace(
            self, targets=entries(self.targets).changed(lambda one: target if one.name == target.name else one)
        )

    def with_watts(self, watts: float | None) -> Laboratory:
        """This laboratory with the user's watts for every target whose power was never published; None changes
        nothing."""
        if watts is None:
            return self
        return replace(self, targets=entries(self.targets).changed(lambda one: one.with_watts(watts)))
