"""What an engine counts of one call."""

from __future__ import annotations

from dataclasses import dataclass, field


@dataclass(frozen=True)
class Region:
    """What the engine counted between two markers, for one call of an operation.

    `region_cycles` is all between the markers; None where the engine left out by itself what is not the call. Stack and
    instructions are None where nothing counts them, as on a board. `events` are those that a power model may ask for
    (bancada.costing.events), where the engine counts them.
    """

    cycles: int
    region_cycles: int | None
    stack_bytes: int | None
    instructions: int | None
    events: dict[str, int] = field(default_factory=dict)
