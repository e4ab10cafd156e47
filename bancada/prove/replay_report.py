"""What a call left in an engine."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from bancada.prove.avr import Byte
from bancada.prove.records import Buffer

Number = Callable[[Byte | Sequence[int]], int]
"""The value of formulas under the inputs that are replayed."""


@dataclass(frozen=True)
class Report:
    """RAM from address `low` on, the lowest byte of the result, and what is wrong with registers, one sentence each."""

    low: int
    memory: bytes
    returned: int
    differences: tuple[str, ...]

    def at(self, buffer: Buffer) -> bytes:
        start = buffer.address - self.low
        return self.memory[start : start + buffer.size]
