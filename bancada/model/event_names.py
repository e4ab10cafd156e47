"""The names of the events that engines count for power models (bancada.costing.events says what each is)."""

from __future__ import annotations

from collections.abc import Iterable

DATA_ACCESSES = "data-accesses"
ACCESSES, MISSES, STORE_MISSES = "-accesses", "-misses", "-store-misses"

# Those of every profile; each level of a target's memory has its own besides, by their endings.
OF_INSTRUCTIONS = ("instructions", DATA_ACCESSES, "data-operations", "fetches")


def event_names(levels: Iterable[str]) -> frozenset[str]:
    """Every event that is counted on a target whose memory has these levels, and `cycles`."""
    of_levels = (level + ending for level in levels for ending in (ACCESSES, MISSES, STORE_MISSES))
    return frozenset(("cycles", *OF_INSTRUCTIONS, *of_levels))
