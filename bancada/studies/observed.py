"""The figures of the observations of one kind."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from bancada.model.finding import Observation


def figures_of(observations: Sequence[Observation], kind: str) -> dict[str, dict[str, Any]]:
    """By the observation's name."""
    return {observation.name: observation.figures for observation in observations if observation.kind == kind}
