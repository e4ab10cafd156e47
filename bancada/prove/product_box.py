"""A product that is not followed: what a function with an interface of its own leaves, for proofs about the arithmetic
of many bytes. Another proof shows that the function computes it."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise

from bancada.formulas.integers import Integers
from bancada.formulas.polynomial import Polynomial, Range
from bancada.prove.avr import Cpu
from bancada.prove.avr_number import Number
from bancada.prove.avr_numbers import NOT_FOLLOWED
from bancada.prove.errors import CannotProve

_X, _Y, _Z = 26, 28, 30
_BYTE = Range(0, 255)


def named_product(ring: Integers, one: Polynomial, other: Polynomial, size: int) -> Polynomial:
    """A name for the product of two numbers of so many bytes, each of which has a name if it is long."""
    most = (1 << 8 * size) - 1
    one, other = (ring.named(each, Range(0, most)) if len(each.terms) > 1 else each for each in (one, other))
    return ring.named(one * other, Range(0, most**2))


@dataclass
class ProductBox:
    """Z[0..2 size - 1] = X[0..size - 1] Y[0..size - 1], or X's square. X, and Y if it is a factor, are moved on by
    `size`, Z by twice as much; every other register and flag is lost. The product may end where X does, which has a
    proof too; else it may not lie over a factor.

    With `scratch`, the upper quarter of the product lacks what is in r18. Y is then where Z was, and r1 is 0."""

    ring: Integers
    size: int
    is_square: bool
    scratch: int = 0
    """So many bytes behind the product are lost."""

    def execute(self, cpu: Cpu) -> None:
        """A call of it, with the return."""
        x, y, z = (self._pointer(cpu, register) for register in (_X, _Y, _Z))
        may_be_over_x = not self.is_square and not self.scratch
        for factor in (x,) if self.is_square else (x, y):
            is_over_it = factor - 2 * self.size - self.scratch < z < factor + self.size
            if is_over_it and not (may_be_over_x and (factor, z) == (x, x - self.size)):
                raise CannotProve(f"the product at {cpu.where()} is written where a factor is")
        one = self._sum(cpu, x, self.size)
        other = one if self.is_square else self._sum(cpu, y, self.size)
        registers: list[object] = cpu.registers  # type: ignore[assignment]
        for at in range(32):
            registers[at] = Number(self.ring.input(f"r{at} after a product", 0, 255), _BYTE)
        whole = named_product(self.ring, one, other, self.size)
        if self.scratch:
            self._leave_parts(cpu, x, y, z, whole)
        else:
            self._leave(cpu, z, whole, (1 << 16 * self.size) - 1, 2 * self.size)
            self._point(registers, _X, x + self.size)
            if not self.is_square:
                self._point(registers, _Y, y + self.size)
            self._point(registers, _Z, z + 2 * self.size)
        flags: list[object] = cpu.flags  # type: ignore[assignment]
        flags[:7] = [NOT_FOLLOWED] * 7
        high, low = cpu.pop(), cpu.pop()
        if not isinstance(high, int) or not isinstance(low, int):
            raise CannotProve(f"the product at {cpu.where()} returns to an address that depends on an input")
        cpu.pc = high << 8 | low

    def _leave(
        self, cpu: Cpu, address: int, number: Polynomial, most: int, size: int, first_part: int = 1 << 16
    ) -> None:
        """The lowest `size` bytes of the number, which is from 0 to `most`. Where carries have signs, each has a name;
        those from `first_part` on are parts of a number."""
        floors = [number]
        for at in range(1, size + 1):
            floors.append(self.ring.floor(number, 8 * at, Range(0, most >> 8 * at)))
        for at, (floor, above) in enumerate(pairwise(floors)):
            value = floor - 256 * above
            if self.ring.unites_signs:
                value = self.ring.named(value, _BYTE, is_part=address + at >= first_part)
            byte: object = Number(value, _BYTE)
            cpu.store(address + at, byte)  # type: ignore[arg-type]

    def _leave_parts(self, cpu: Cpu, x: int, y: int, z: int, whole: Polynomial) -> None:
        """The upper quarter is that of the product of the upper halves alone. What it lacks is in r18: with a quarter
        of q bits and e for the whole less 2^2q times the product of the upper halves, it is from floor(e / 2^3q) to
        one more."""
        half, quarter = self.size // 2, 4 * self.size
        upper = self._sum(cpu, x + half, half) * self._sum(cpu, (x if self.is_square else y) + half, half)
        excess = self.ring.range_of(self.ring.without_names(whole - upper * (1 << 2 * quarter)))
        bounds = Range(excess.low >> 3 * quarter, (excess.high >> 3 * quarter) + 1)
        if bounds.low < 0 or bounds.high > 255:
            raise CannotProve(f"what the product at {cpu.where()} lacks is no byte, as far as bounds tell")
        missing = self.ring.input("r18 after a product", bounds.low, bounds.high)
        self._leave(cpu, z, whole, (1 << 4 * quarter) - 1, 3 * half, z + self.size)
        most = (1 << quarter) - 1
        above = self.ring.floor(whole, 3 * quarter, Range(0, most))
        self._leave(cpu, z + 3 * half, above - missing, most, half, z)
        for at in range(2 * self.size, 2 * self.size + self.scratch):
            byte: object = Number(self.ring.input("a byte behind a product", 0, 255), _BYTE)
            cpu.store(z + at, byte)  # type: ignore[arg-type]
        registers: list[object] = cpu.registers  # type: ignore[assignment]
        registers[1], registers[18] = 0, Number(missing, bounds)
        self._point(registers, _Y, z)

    def _sum(self, cpu: Cpu, address: int, size: int) -> Polynomial:
        """The number that so many bytes are."""
        total = self.ring.constant(0)
        for at in range(size):
            byte: object = cpu.load(address + at)
            value = byte.value if isinstance(byte, Number) and not byte.flags else byte
            if not isinstance(value, int | Polynomial):
                raise CannotProve(f"a factor of the product at {cpu.where()} has a byte that is no number")
            total = total + (1 << 8 * at) * value
        return total

    def _pointer(self, cpu: Cpu, register: int) -> int:
        low, high = cpu.pointer(register)
        if not isinstance(low, int) or not isinstance(high, int):
            if register == _Y and self.is_square:
                return 0
            raise CannotProve(f"the product at {cpu.where()} is called with an address that depends on an input")
        return high << 8 | low

    @staticmethod
    def _point(registers: list[object], register: int, address: int) -> None:
        registers[register : register + 2] = address & 0xFF, address >> 8
