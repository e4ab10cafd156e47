"""A specification with one operation altered: a proof of it has to be refuted."""

from __future__ import annotations

from dataclasses import dataclass, field

from bancada.formulas.graph import Bits
from bancada.formulas.polynomial import Polynomial

KINDS = ("one bit", "left out", "rotated")


@dataclass(frozen=True)
class Alteration:
    """Operation number `at` on words of a proof's specification, in the order in which they are made. One bit of its
    result is the other one, or the result is the first operand, or is rotated by one. What a buffer has to hold counts
    as an operation, as does a number that it has to hold: that is one more, or 0, or twice as large."""

    at: int
    kind: str


@dataclass
class Watcher:
    """Counts the operations, and alters one of them. `matters` has the kinds of each that change its result."""

    alteration: Alteration | None = None
    matters: list[tuple[str, ...]] = field(default_factory=list)

    def __call__(self, first: Bits, made: Bits) -> Bits:
        altered = {
            KINDS[0]: (*made[:-1], made[-1] ^ 1),
            KINDS[1]: first,
            KINDS[2]: (*made[-1:], *made[:-1]),
        }
        self.matters.append(tuple(kind for kind, bits in altered.items() if bits != made))
        if self.alteration is None or len(self.matters) - 1 != self.alteration.at:
            return made
        return altered[self.alteration.kind]

    def number(self, expected: Polynomial | int) -> Polynomial | int:
        self.matters.append(KINDS)
        if self.alteration is None or len(self.matters) - 1 != self.alteration.at:
            return expected
        return {KINDS[0]: expected + 1, KINDS[1]: 0, KINDS[2]: expected * 2}[self.alteration.kind]
