"""The prediction of a core's table beside the figure measured on silicon: one record for each published figure."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Validation:
    """One published figure and ours for the same program, in the unit of the source.

    `set` is "fit" where the table was tuned on the figure, "validation" where it was only judged by it. `table_sha256`
    is that of the core's file, so that an outcome of another table is known as such.
    """

    core: str
    set: str
    program: str
    device: str
    unit: str
    published: float
    predicted: float
    error_percent: float
    band_percent: float
    source: str
    note: str
    instructions: int
    engine_version: str
    table_sha256: str
    # What the program is (Program.kind), and the published cycles of one call.
    kind: str = ""
    call_cycles: float = 0.0
    # The memory of the device (cores/memories/), where it has wait states.
    memory: str = ""


@dataclass(frozen=True)
class SetSummary:
    """The errors of one set of one core, without their signs."""

    core: str
    set: str
    figures: int
    mean_percent: float
    largest_percent: float


def summarise(outcomes: list[Validation]) -> list[SetSummary]:
    """One summary for each core and set, in the order of their first outcomes."""
    groups: dict[tuple[str, str], list[float]] = {}
    for outcome in outcomes:
        groups.setdefault((outcome.core, outcome.set), []).append(abs(outcome.error_percent))
    return [
        SetSummary(core, name, len(errors), sum(errors) / len(errors), max(errors))
        for (core, name), errors in groups.items()
    ]
