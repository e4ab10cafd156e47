"""A proof's calls with numbers in place of formulas."""

from __future__ import annotations

import random
from collections.abc import Sequence

from bancada.formulas.polynomial import Polynomial, Range
from bancada.prove.alteration import Alteration
from bancada.prove.avr import Byte
from bancada.prove.black_box import Cipher
from bancada.prove.program import Program
from bancada.prove.proof import Proof
from bancada.prove.records import Buffer, Congruence


class Trial(Proof):
    """The same calls with one random value of every input: a difference is found in a moment, if most inputs show it.

    `inputs` has the values by name.
    """

    def __init__(
        self, program: Program, seed: int, most_instructions: int = 0, alteration: Alteration | None = None
    ) -> None:
        self._draw = random.Random(seed)
        self._extremes = seed % 2 == 1
        self.inputs: dict[str, int] = {}
        self.has_products = False
        super().__init__(program, most_instructions=most_instructions, alteration=alteration)

    def _input(self, name: str) -> int:
        return self.inputs.setdefault(name, self._draw.getrandbits(1))

    def black_box(self, context: Buffer, functions: Sequence[str], model: Cipher) -> Cipher:
        return model

    def product(self, function: str, size: int, is_square: bool = False, scratch: int = 0) -> None:
        """With numbers the function is followed, but it is no part of the proof."""
        self.has_products = True

    def _number(self, name: str, mask: int) -> int:
        """Now and then the greatest or the least, which makes carries go far."""
        chosen = self._draw.choice((None, None, None, 0, 255)) if self._extremes else None
        byte = self._draw.getrandbits(8) if chosen is None else chosen
        for bit in range(8):
            self.inputs[f"{name}.{bit}"] = (byte & mask) >> bit & 1
        return byte & mask

    def _word(self, name: str, bounds: Range, size: int) -> tuple[tuple[Byte, ...], Polynomial | int]:
        """Now and then the greatest or the least."""
        chosen = self._draw.choice((None, None, bounds.low, bounds.high)) if self._extremes else None
        number = self._draw.randint(bounds.low, bounds.high) if chosen is None else chosen
        for bit in range(8 * size):
            self.inputs[f"{name}.{bit}"] = number >> bit & 1
        return tuple((number % (1 << 8 * size)).to_bytes(size, "little")), number

    @property
    def differs(self) -> str:
        """What is not as the specification says; '' if nothing."""
        different = next((each.what for each in self.equalities if each.found != each.expected), "")
        return different or next((each.place.name for each in self.congruences if not _holds(each)), "")


def _holds(congruence: Congruence) -> bool:
    """Of a congruence of known numbers."""
    number = int.from_bytes(bytes(byte for byte in congruence.found if isinstance(byte, int)), "little")
    expected = congruence.expected
    assert isinstance(expected, int)
    return congruence.holds(number, expected)
