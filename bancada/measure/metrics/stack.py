"""The deepest stack of one call."""

from __future__ import annotations

from bancada.measure.metric import Facts, Figure, Metric
from bancada.model.result import FigureValue


def _derive(facts: Facts) -> dict[str, FigureValue]:
    watched = [region.stack_bytes for region in facts.regions if region.stack_bytes is not None]
    return {"stack_bytes": max(watched, default=None)}


METRIC = Metric(
    name="stack",
    title="stack",
    unit="B",
    definition=(
        "from the caller's stack pointer to the deepest one reached during the call, return address included where "
        "the processor pushes it, "
        "watched at every instruction ([on ARM](engine-qemu.md): known from the accesses through SP and what each "
        "instruction does to it)"
    ),
    figures=(
        Figure(
            "stack_bytes",
            "stack",
            "B",
            "Deepest stack pointer reached during the call, from the caller's.",
            kind="integer",
        ),
    ),
    derive=_derive,
    timed=False,
    better="Smaller",
    worse="Larger",
    shown_in=frozenset(),
    order=70,
)
