"""Buffers of a proof, and what is known of its calls."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from bancada.formulas.integers import Polynomial
from bancada.formulas.word import Word
from bancada.prove.avr import Byte


@dataclass(frozen=True)
class Buffer:
    """Bytes in RAM. `words` is what they held before the first call."""

    name: str
    address: int
    size: int
    words: tuple[Word, ...]
    is_written: bool
    number: Polynomial | int = 0
    """What the bytes were before the first call as one number, the least significant byte first, if they are
    `numbers`."""


@dataclass(frozen=True)
class Called:
    """What one call cost: from the call instruction to the instruction after it."""

    function: str
    cycles: int | None
    """None: the program is for a Cortex-M, and no target says what its instructions cost. There, without waits for
    flash."""
    instructions: int
    stack_bytes: int
    left_in_registers: tuple[str, ...]
    left_below_stack: int


@dataclass(frozen=True)
class Entry:
    """What a call began with; `on_stack` are arguments that are no registers, by address."""

    function: str
    start: int
    registers: tuple[Byte, ...]
    flags: tuple[int, ...]
    on_stack: Mapping[int, Byte] = field(default_factory=dict)
