"""Encodings of instructions of 32 bits as Arm's manuals draw them, and what executes each.

An encoding is written as the manual's diagram, from bit 31 to bit 0: `q 0 1 01110 size:2 1 m:5 10000 1 n:5 d:5`. A
name is a field of one bit, `name:5` one of five. Only what is in a table is followed, and the tests take every entry
of it.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Generic, TypeVar

Cpu = TypeVar("Cpu")
_WIDTH = 32


@dataclass(frozen=True)
class Encoding(Generic[Cpu]):
    """`mask` has the bits that are fixed, `value` what they are; `fields` the others: name, lowest bit, width."""

    name: str
    mask: int
    value: int
    fields: tuple[tuple[str, int, int], ...]
    execute: Callable[..., None]


@dataclass(frozen=True)
class Decoded(Generic[Cpu]):
    """One instruction: an encoding, and the values of its fields."""

    encoding: Encoding[Cpu]
    fields: dict[str, int]

    def execute(self, cpu: Cpu) -> None:
        self.encoding.execute(cpu, **self.fields)


@dataclass
class Table(Generic[Cpu]):
    """All encodings that are followed, in the order in which they were written down."""

    encodings: list[Encoding[Cpu]] = field(default_factory=list)

    def instruction(self, *diagrams: str) -> Callable[[Callable[..., None]], Callable[..., None]]:
        """Marks the function that executes these encodings. It gets the processor and the fields by name."""

        def marked(execute: Callable[..., None]) -> Callable[..., None]:
            for diagram in diagrams:
                self.encodings.append(_read(execute.__name__.strip("_"), diagram, execute))
            return execute

        return marked

    def decode(self, opcode: int) -> Decoded[Cpu] | None:
        """The instruction; None if it is none that is followed."""
        for each in self.encodings:
            if opcode & each.mask == each.value:
                return Decoded(each, {name: opcode >> low & (1 << width) - 1 for name, low, width in each.fields})
        return None


def _read(name: str, diagram: str, execute: Callable[..., None]) -> Encoding[Cpu]:
    mask = value = 0
    fields: list[tuple[str, int, int]] = []
    left = _WIDTH
    for part in diagram.split():
        found = re.fullmatch(r"([a-z]\w*)(?::(\d+))?", part)
        if found:
            width = int(found[2] or 1)
            left -= width
            fields.append((found[1], left, width))
        else:
            left -= len(part)
            value |= int(part, 2) << left
            mask |= (1 << len(part)) - 1 << left
    if left:
        raise ValueError(f"'{diagram}' has {_WIDTH - left} bits")
    return Encoding(name, mask, value, tuple(fields), execute)
