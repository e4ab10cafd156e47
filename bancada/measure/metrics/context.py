"""What the caller of an operation must keep."""

from __future__ import annotations

from bancada.measure.metric import Figure, Metric

METRIC = Metric(
    name="context",
    title="context",
    unit="B",
    definition="`sizeof` of what the caller must keep between calls: the expanded key",
    figures=(
        Figure(
            "ram_context_bytes",
            "context",
            "B",
            "sizeof the key context that the caller keeps.",
            kind="integer",
            counted=True,
        ),
    ),
    derive=lambda facts: {"ram_context_bytes": facts.context_bytes},
    timed=False,
    better="Smaller",
    worse="Larger",
    shown_in=frozenset(),
    order=60,
)
