"""A product that is not followed: what a function with an interface of its own leaves, for proofs about the arithmetic
of many bytes. Another proof shows that the function computes it."""

from __future__ import annotations

from dataclasses import dataclass

from bancada.formulas.integers import Integers
from bancada.formulas.polynomial import Polynomial, Range
from bancada.prove.avr import Cpu
from bancada.prove.avr_number import Number
from bancada.prove.avr_numbers import NOT_FOLLOWED
from bancada.prove.errors import CannotProve

_X, _Y, _Z = 26, 28, 30
_BYTE = Range(0, 255)


@dataclass
class ProductBox:
    """Z[0..2 size - 1] = X[0..size - 1] Y[0..size - 1], or X's square. X, and Y if it is a factor, are moved on by
    `size`, Z by twice as much; every other register and flag is lost. The product may end where X does, which has a
    proof too; else it may not lie over a factor."""

    ring: Integers
    size: int
    is_square: bool

    def execute(self, cpu: Cpu) -> None:
        """A call of it, with the return."""
        x, y, z = (self._pointer(cpu, register) for register in (_X, _Y, _Z))
        for factor in (x,) if self.is_square else (x, y):
            is_over_it = factor - 2 * self.size < z < factor + self.size
            if is_over_it and (self.is_square or (factor, z) != (x, x - self.size)):
                raise CannotProve(f"the product at {cpu.where()} is written where a factor is")
        one = self._number(cpu, x)
        product = one * (one if self.is_square else self._number(cpu, y))
        whole = self.ring.named(product, Range(0, (1 << 16 * self.size) - 1))
        floors = [whole]
        for at in range(1, 2 * self.size):
            floors.append(self.ring.floor(whole, 8 * at, Range(0, (1 << 16 * self.size - 8 * at) - 1)))
        for at, floor in enumerate(floors):
            above = floors[at + 1] if at + 1 < len(floors) else 0
            byte: object = Number(floor - 256 * above, _BYTE)
            cpu.store(z + at, byte)  # type: ignore[arg-type]
        registers: list[object] = cpu.registers  # type: ignore[assignment]
        for at in range(32):
            registers[at] = Number(self.ring.input(f"r{at} after a product", 0, 255), _BYTE)
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

    def _number(self, cpu: Cpu, address: int) -> Polynomial:
        total = self.ring.constant(0)
        for at in range(self.size):
            byte: object = cpu.load(address + at)
            value = byte.value if isinstance(byte, Number) and not byte.flags else byte
            if not isinstance(value, int | Polynomial):
                raise CannotProve(f"a factor of the product at {cpu.where()} has a byte that is no number")
            total = total + (1 << 8 * at) * value
        bounds = Range(0, (1 << 8 * self.size) - 1)
        return self.ring.named(total, bounds) if len(total.terms) > 1 else total

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
