"""What a program's start-up costs."""

from __future__ import annotations

from bancada.measure.metric import Facts, Figure, Metric
from bancada.model.result import FigureValue


def _derive(facts: Facts) -> dict[str, FigureValue]:
    cycles = facts.main_cycles
    return {"initialisation_us": cycles / facts.target.clock_hz * 1e6 if cycles else None}


METRIC = Metric(
    name="initialisation",
    title="initialisation",
    unit="µs",
    definition=(
        "from reset to the first instruction of `main` in a program with the implementation: what its tables cost at "
        "start-up. None under "
        "Linux, where a loader comes before"
    ),
    figures=(
        Figure(
            "initialisation_us", "initialisation", "µs", "Microseconds from reset to the first instruction of main."
        ),
    ),
    derive=_derive,
    best="Fastest start",
    better="Faster",
    worse="Slower",
    shown_in=frozenset(),
    order=100,
)
