"""What figures and sections of the study `sensor` take from its observations."""

from __future__ import annotations

import math
from collections.abc import Sequence
from statistics import stdev
from typing import Any

from bancada.model.finding import Observation
from bancada.studies.observed import figures_of

CLOCK_MHZ = 16.0
SCHEDULE_WORDS = {"free": "once a period, clocks free", "jitter": "jittered", "slots": "time slots"}


def runs_of(observations: Sequence[Observation], schedule: str) -> list[dict[str, Any]]:
    """What was delivered with that schedule, by the number of sensors; what nothing was sent with is left out."""
    found = (one for name, one in figures_of(observations, "delivery").items() if name.startswith(f"{schedule} "))
    return sorted((one for one in found if one["delivered_part"] is not None), key=lambda one: one["sensors"])


def half_width(parts: Sequence[float]) -> float | None:
    """Half of the interval that has the mean with 95 % certainty, by the normal distribution; None of a single run."""
    return 1.96 * stdev(parts) / math.sqrt(len(parts)) if len(parts) > 1 else None
