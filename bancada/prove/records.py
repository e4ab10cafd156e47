"""Buffers of a proof, what is known of its calls, and what it demands."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from bancada.formulas.polynomial import Polynomial, Range
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
    coefficients: tuple[Polynomial | int, ...] = ()
    """Of `coefficients`, what each word was."""


@dataclass(frozen=True)
class NumberArgument:
    """A byte or a word that a call gets as an argument, in a proof about numbers: both bytes of its registers."""

    bytes_: tuple[Byte, Byte]
    number: Polynomial | int


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
    least_cycles: int | None = None
    """Of a function whose branches depend on public numbers: it takes so many at least, and `cycles` at most."""


@dataclass(frozen=True)
class Entry:
    """What a call began with; `on_stack` are arguments that are no registers, by address."""

    function: str
    start: int
    registers: tuple[Byte, ...]
    flags: tuple[int, ...]
    on_stack: Mapping[int, Byte] = field(default_factory=dict)


@dataclass(frozen=True)
class Shows:
    """An operation of an implementation that a proof is of; `part` names the part of it, '' if it is the whole."""

    implementation: str
    operation: str
    part: str


@dataclass
class Equality:
    """`place` is the buffer that was compared, None for what a call returned; `after_calls` is how many there were, 0
    if what was compared is nothing that the engine shows."""

    what: str
    found: list[int]
    expected: list[int]
    place: Buffer | None
    after_calls: int


@dataclass
class Congruence:
    """What a buffer holds as one number, the least significant byte first, is `expected` modulo `modulus`, or exactly
    if that is 0; and it is below 2^`bits`. `with_returned`: the byte that the call returns is the one above it.
    `bounds`: it is a word with a sign, which is within these."""

    place: Buffer
    found: list[Byte]
    expected: Polynomial | int
    modulus: int
    bits: int
    after_calls: int
    with_returned: bool = False
    bounds: Range | None = None

    def holds(self, number: int, expected: int) -> bool:
        if self.bounds is not None:
            number -= (number >> self.bits - 1) << self.bits
            return self.bounds.low <= number <= self.bounds.high and (number - expected) % self.modulus == 0
        difference = number - expected
        return number >> self.bits == 0 and (difference % self.modulus == 0 if self.modulus else difference == 0)
