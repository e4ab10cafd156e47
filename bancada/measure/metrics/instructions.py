"""Instructions of one call."""

from __future__ import annotations

from statistics import median

from bancada.measure.metric import Facts, Figure, Metric
from bancada.model.result import FigureValue


def _derive(facts: Facts) -> dict[str, FigureValue]:
    counted = [region.instructions for region in facts.regions if region.instructions is not None]
    return {"instructions_median": round(median(counted)) if counted else None}


METRIC = Metric(
    name="instructions",
    title="instructions",
    unit="instructions",
    definition="those of one call, median (engine qemu; on AVR those of the region)",
    figures=(
        Figure(
            "instructions_median",
            "instructions",
            "instructions",
            "Instructions executed in one call, median over the samples, where the engine counts them.",
            kind="integer",
            compared=False,
        ),
    ),
    derive=_derive,
    best="Fewest instructions",
    better="Fewer instructions",
    worse="More instructions",
    shown_in=frozenset(),
    order=20,
)
