"""The figures of the observations of one kind."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from bancada.model.finding import Observation

CLOCK_MHZ = 16.0
SCHEDULE_WORDS = {"free": "once a period, clocks free", "jitter": "jittered", "slots": "time slots"}


def figures_of(observations: Sequence[Observation], kind: str) -> dict[str, dict[str, Any]]:
    """By the observation's name."""
    return {observation.name: observation.figures for observation in observations if observation.kind == kind}
