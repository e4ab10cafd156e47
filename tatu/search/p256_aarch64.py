"""The order of the instructions in P-256's products for AArch64 (src/p256/aarch64/p256_points_aarch64.S).

    python3 p256_aarch64.py multiply

prints one of the four products: multiply, multiply_less, square, square_less. Each is written as a straight-line
program; the instructions are taken in an order that a Cortex-A53 can issue two a cycle, with registers for the values.
Many orders are tried, and the shortest one is printed.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from dataclasses import dataclass, field

LIMBS = 9
LIMB_BITS = 29
# What p adds and subtracts for a quotient q besides q itself: q times 2^96, 2^192, 2^224 and 2^256, as limbs and bits.
MULTIPLES = ((3, 9, "add"), (6, 18, "add"), (7, 21, "sub"), (8, 24, "add"))
# x0 to x3 are addresses, x4 is half a limb, x18 is the platform's, x29 the state, x30 the return address.
REGISTERS = [*range(5, 18), *range(19, 29)]
# As cores/cortex-a53.toml has it: cycles until an ALU can use a result. A factor and a shifted operand are read a cycle
# earlier, what is stored a cycle later, and a sum of products goes to the next product after one cycle.
LATENCY = {"product": 2, "alu": 1, "load": 2, "signed load": 3}
EARLY, PLAIN, ADDEND, STORED = 1, 0, None, -1


@dataclass(frozen=True)
class Operation:
    """One instruction: its text, the value that it makes, and those that it needs, with how it reads them."""

    kind: str
    text: str
    result: int | None
    needs: tuple[tuple[int, int | None], ...]
    index: int

    @property
    def unit(self) -> str:
        return "memory" if "load" in self.kind or self.kind == "store" else self.kind


@dataclass
class Program:
    """Operations in an order that is right. Values are numbered."""

    operations: list[Operation] = field(default_factory=list)
    values: int = 0

    def add(self, kind: str, text: str, *needs: tuple[int, int | None]) -> int:
        result = None if kind == "store" else self.values
        self.values += kind != "store"
        self.operations.append(Operation(kind, text, result, needs, len(self.operations)))
        return -1 if result is None else result

    def load(self, base: str, limb: int) -> int:
        return self.add("load", f"ldr {{r:w}}, [{base}{f', #{4 * limb}' if limb else ''}]")

    def load_signed(self, base: str, limb: int) -> int:
        return self.add("signed load", f"ldrsw {{r:x}}, [{base}{f', #{4 * limb}' if limb else ''}]")

    def shifted(self, name: str, a: int, b: int, shift: str) -> int:
        return self.add("alu", f"{name} {{r:x}}, {{0:x}}, {{1:x}}, {shift}", (a, PLAIN), (b, EARLY))

    def product(self, addend: int | str | None, a: int, b: int, less: bool) -> int:
        factors = ((a, EARLY), (b, EARLY))
        if addend is None:
            return self.add("product", f"{'smnegl' if less else 'smull'} {{r:x}}, {{0:w}}, {{1:w}}", *factors)
        name = "smsubl" if less else "smaddl"
        if isinstance(addend, str):
            return self.add("product", f"{name} {{r:x}}, {{0:w}}, {{1:w}}, {addend}", *factors)
        return self.add("product", f"{name} {{r:x}}, {{0:w}}, {{1:w}}, {{2:x}}", *factors, (addend, ADDEND))


def _start_of(program: Program, column: int, less: bool) -> int | str | None:
    """Columns from 9 on are rounded, and begin with what the product is subtracted from."""
    if column < LIMBS:
        return None
    if not less:
        return "x4"
    return program.add("alu", "add {r:x}, {0:x}, x4", (program.load_signed("x3", column - LIMBS), PLAIN))


def _reduce(program: Program, columns: dict[int, int], at: int) -> None:
    """Column `at` is complete. Its lowest 29 bits are the quotient, because p is -1 modulo 2^29."""
    quotient = program.add("alu", "and {r:x}, {0:x}, #0x1fffffff", (columns[at], PLAIN))
    columns[at + 1] = program.shifted("add", columns[at + 1], columns[at], f"asr #{LIMB_BITS}")
    for limbs, bits, name in MULTIPLES:
        columns[at + limbs] = program.shifted(name, columns[at + limbs], quotient, f"lsl #{bits}")


def _finish(program: Program, columns: dict[int, int], less: bool) -> None:
    """Carries the upper columns, which have half a limb too much, and stores them."""
    highest = program.load_signed("x3", LIMBS - 1) if less else None
    limbs = []
    for at in range(LIMBS, 2 * LIMBS - 1):
        low = program.add("alu", "and {r:w}, {0:w}, #0x1fffffff", (columns[at], PLAIN))
        limbs.append(program.add("alu", "sub {r:w}, {0:w}, w4", (low, PLAIN)))
        if at < 2 * LIMBS - 2:
            columns[at + 1] = program.shifted("add", columns[at + 1], columns[at], f"asr #{LIMB_BITS}")
    if highest is None:
        limbs.append(program.add("alu", f"asr {{r:x}}, {{0:x}}, #{LIMB_BITS}", (columns[2 * LIMBS - 2], EARLY)))
    else:
        limbs.append(program.shifted("add", highest, columns[2 * LIMBS - 2], f"asr #{LIMB_BITS}"))
    for i in range(0, LIMBS - 1, 2):
        address = f"[x0, #{4 * i}]" if i else "[x0]"
        program.add("store", f"stp {{0:w}}, {{1:w}}, {address}", (limbs[i], STORED), (limbs[i + 1], STORED))
    program.add("store", f"str {{0:w}}, [x0, #{4 * (LIMBS - 1)}]", (limbs[LIMBS - 1], STORED))


def multiplication(less: bool) -> Program:
    program = Program()
    columns: dict[int, int] = {}
    b: dict[int, int] = {}
    for i in range(LIMBS):
        a = program.load("x1", i)
        for j in range(LIMBS):
            if j not in b:
                b[j] = program.load("x2", j)
            start = columns[i + j] if i + j in columns else _start_of(program, i + j, less)
            columns[i + j] = program.product(start, a, b[j], less)
        _reduce(program, columns, i)
    _finish(program, columns, less)
    return program


def squaring(less: bool) -> Program:
    """Each product of two limbs once, twice as much."""
    program = Program()
    columns: dict[int, int] = {}
    a: dict[int, int] = {}
    reduced = 0
    for i in range(LIMBS):
        factor = a[i] if i in a else program.load("x1", i)
        a[i] = factor
        for j in range(i, LIMBS):
            if j not in a:
                a[j] = program.load("x1", j)
            if j == i + 1:
                factor = program.add("alu", "lsl {r:w}, {0:w}, #1", (a[i], EARLY))
            start = columns[i + j] if i + j in columns else _start_of(program, i + j, less)
            columns[i + j] = program.product(start, factor, a[j], less)
        while reduced < LIMBS and (reduced <= 2 * i + 1 and reduced + 8 in columns or i == LIMBS - 1):
            _reduce(program, columns, reduced)
            reduced += 1
    _finish(program, columns, less)
    return program


def _delay(made_by: Operation, read: int | None) -> int:
    if read is None:
        return 1 if made_by.kind == "product" else LATENCY[made_by.kind]
    return LATENCY[made_by.kind] + read


@dataclass
class Schedule:
    """Takes operations of a program, two a cycle, out of a window of so many, those with a long way behind them first
    by so much weight."""

    program: Program
    window: int
    weight: float

    def __post_init__(self) -> None:
        self.maker = {each.result: each for each in self.program.operations if each.result is not None}
        self.readers = {value: 0 for value in self.maker}
        self.way = [0] * len(self.program.operations)
        for each in reversed(self.program.operations):
            for value, read in each.needs:
                self.readers[value] += 1
                maker = self.maker[value]
                self.way[maker.index] = max(self.way[maker.index], _delay(maker, read) + self.way[each.index])
        self.made_at: dict[int, int] = {}
        self.free = list(reversed(REGISTERS))
        self.register: dict[int, int] = {}
        self.lines: list[str] = []

    def _can_start(self, each: Operation, cycle: int, is_first: bool) -> bool:
        for value, read in each.needs:
            if value not in self.made_at or self.made_at[value] + _delay(self.maker[value], read) > cycle:
                return False
        if each.result is None or is_first and self.free:
            return True
        if "load" in each.kind:
            return len(self.free) > 2
        return bool(self.free) or any(self.readers[value] == 1 for value, _ in each.needs)

    def _take(self, each: Operation, cycle: int) -> None:
        operands = [self.register[value] for value, _ in each.needs]
        for value, _ in each.needs:
            self.readers[value] -= 1
            if self.readers[value] == 0:
                self.free.append(self.register[value])
        result = 0
        if each.result is not None:
            result = self.register[each.result] = self.free.pop()
            self.made_at[each.result] = cycle
        self.lines.append(each.text.format(*map(_Register, operands), r=_Register(result)))

    def cycles(self) -> int | None:
        """How many; None if there are not enough registers."""
        left = list(self.program.operations)
        cycle = 0
        while left and cycle < 8 * len(self.program.operations):
            units: list[str] = []
            while len(units) < 2:
                ready = [
                    each
                    for each in left[: self.window]
                    if (each.unit == "alu" or each.unit not in units) and self._can_start(each, cycle, each is left[0])
                ]
                if not ready:
                    break
                best = max(
                    ready,
                    key=lambda each: self.weight * self.way[each.index] - each.index + 6 * (each.kind == "product"),
                )
                self._take(best, cycle)
                left.remove(best)
                units.append(best.unit)
            cycle += 1
        return None if left else cycle


class _Register(int):
    def __format__(self, form: str) -> str:
        return f"{form}{int(self)}"


PRODUCTS = {
    "multiply": multiplication(False),
    "multiply_less": multiplication(True),
    "square": squaring(False),
    "square_less": squaring(True),
}


def _tries(program: Program) -> Iterator[tuple[int, list[str]]]:
    for window in (12, 16, 20, 24, 28, 32, 40, 48, 64):
        for weight in (0.0, 0.3, 0.6, 1.0, 1.5, 2.0, 3.0, 5.0):
            schedule = Schedule(program, window, weight)
            cycles = schedule.cycles()
            if cycles is not None:
                yield cycles, schedule.lines


def instructions(name: str) -> list[str]:
    """Of a product, in the best order that was found; the first one of those that take the same time."""
    return min(_tries(PRODUCTS[name]), key=lambda each: each[0])[1]


if __name__ == "__main__":
    print("\n".join(f"    {line}" for line in instructions(sys.argv[1])))
