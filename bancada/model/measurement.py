"""What measuring a function of any program gives (`bancada measure`)."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Call:
    """One call of the function, from the call instruction to the one behind it (docs/reference/metrics.md,
    "cycles")."""

    cycles: float
    instructions: int
    stack_bytes: int


@dataclass(frozen=True)
class HotBlock:
    """Instructions that run one after the other: where they are, how often they ran in all calls, what they cost."""

    address: int
    function: str
    times: int
    cycles: float
    text: tuple[str, ...]


@dataclass(frozen=True)
class CallNode:
    """A function as it was reached by those above it: `parent` is the place of the one that called it, None for the
    function that was measured. `cycles` are its own, without what it calls."""

    parent: int | None
    function: str
    cycles: int
    calls: int


@dataclass(frozen=True)
class Measurement:
    """All calls measured, and the most expensive blocks, the costliest first. `blocks_cycles` is what all blocks cost
    together. `tree` says who called whom, each node after its parent; it is empty where the engine does not say."""

    calls: tuple[Call, ...]
    hottest: tuple[HotBlock, ...]
    blocks_cycles: float
    engine_version: str
    tree: tuple[CallNode, ...] = ()
