"""Static RAM that an operation takes."""

from __future__ import annotations

from bancada.measure.images import ram_static_bytes
from bancada.measure.metric import Figure, Metric

METRIC = Metric(
    name="static_ram",
    title="static RAM",
    unit="B",
    definition=(
        "`.data` and `.bss` of that program, minus the same baseline. On AVR a constant table that the library does "
        "not place in flash is "
        "copied to RAM at start-up and counts in both"
    ),
    figures=(
        Figure(
            "ram_static_bytes",
            "static RAM",
            "B",
            ".data + .bss, minus those of the empty image.",
            kind="integer",
            counted=True,
        ),
    ),
    derive=lambda facts: {"ram_static_bytes": ram_static_bytes(facts.build, facts.operation)},
    timed=False,
    better="Smaller",
    worse="Larger",
    shown_in=frozenset(),
    order=50,
)
