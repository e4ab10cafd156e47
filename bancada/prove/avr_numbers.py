"""AVR instructions on bytes that are integers (`formulas/integers.py`), for arithmetic of many bytes.

A byte is known, or a polynomial from 0 to 255. The carry is known, or a polynomial from 0 to 1. Other flags are not
followed: an instruction that reads one is an error, but for a branch on N in a proof that allows branches. What has
only known operands is executed as in `avr.py`.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Protocol

from bancada.formulas.graph import TRUE
from bancada.formulas.integers import Integers
from bancada.formulas.polynomial import Polynomial, Range
from bancada.prove.avr import _CYCLES, C, Cpu, N, step
from bancada.prove.avr_decode import Instruction
from bancada.prove.avr_number import Number, Sign
from bancada.prove.avr_words import Words
from bancada.prove.errors import CannotProve, SecretTime

_BYTE, _BIT = Range(0, 255), Range(0, 1)


class Branches(Protocol):
    """Follows a branch on a number that is public (avr_branches.py)."""

    def follow(self, steps: NumberSteps, cpu: Cpu, instruction: Instruction) -> None: ...


class _NotFollowed:
    """A flag that nothing here computes."""


NOT_FOLLOWED = _NotFollowed()
_SREG = 0x3F
# What moves bytes and leaves the flags. Addresses and jumps have to be known, which `avr.py` looks after.
_MOVES = frozenset("MOV MOVW LDI LD LDD LDS ST STD STS PUSH POP RJMP JMP RCALL CALL RET NOP LPM BSET BCLR".split())
_MOVES |= {"LPM Z"}
_AT_A_POINTER = frozenset(("LD", "LDD", "ST", "STD", "LPM", "LPM Z"))
_SUMS = frozenset(
    "ADD ADC SUB SUBI SBC SBCI CP CPI CPC NEG INC DEC COM LSR ROR AND ANDI EOR OR ORI MUL MULSU SWAP".split()
)
_IMMEDIATE = frozenset("SUBI SBCI CPI ANDI ORI".split())
_WITH_CARRY = frozenset("ADC SBC SBCI CPC ROR".split())
_TWO_REGISTERS = frozenset("ADD ADC SUB SBC CP CPC AND EOR OR MUL MULSU".split())
_SIMPLE = 2  # a factor with more terms gets a name
# The first instruction of a sum of two words, and what follows on the registers above.
_OF_WORDS = {"ADD": "ADC", "SUB": "SBC", "SUBI": "SBCI"}


class NumberSteps:
    """Executes instructions on one machine whose bytes may be numbers."""

    def __init__(self, ring: Integers, choose: Callable[[], int | None] = lambda: None) -> None:
        """`choose` says which value the bit of the next mask has; None: the mask is what its bit makes of it."""
        self._ring = ring
        self.choose = choose
        self._signs = Words(ring, 1)
        self.names_what_is_stored = False
        self.words: Words | None = None
        """Of a proof about words with a sign: pairs of registers are rewritten as the numbers that they hold."""
        self.branches: Branches | None = None
        """Of a proof whose numbers are public: its branches are followed both ways."""
        self.chain: list[int] = []
        """The registers that the sum or difference of many bytes which was made last is in, the lowest byte first."""
        self._together: dict[int, tuple[Polynomial, ...]] = {}
        """Of a byte that AND or OR made, the bytes that it is made of: it is `_extreme` exactly if each of these is."""
        self._extreme: dict[int, int] = {}
        self.carries: dict[int, Polynomial] = {}
        """What additions carried, 0 or 1, by the newest atom in it: some are dropped, and have to be 0."""

    def step(self, cpu: Cpu) -> None:
        """One instruction. Raises what `avr.step` does."""
        instruction = cpu.instruction(cpu.pc)
        name = instruction.name
        if name in ("IN", "OUT") and instruction.value == _SREG:
            self._status(cpu, instruction)
        elif name in _MOVES or name in ("IN", "OUT"):
            if name in _AT_A_POINTER and not all(
                isinstance(each, int) for each in cpu.pointer(instruction.pointer or 30)
            ):
                raise CannotProve(f"{name} at {cpu.where()} has an address that depends on a number")
            if name in ("ST", "STD"):
                self._name_a_choice(cpu, instruction.destination)
            if (name, instruction.destination) == ("BSET", C):
                self.chain = []
            step(cpu)
        elif name in ("BRBS", "BRBC"):
            if isinstance(cpu.flags[instruction.destination], int):
                step(cpu)
            elif self.branches is None:
                raise SecretTime(f"the branch at {cpu.where()} depends on a secret, or on a flag that is not followed")
            else:
                self.branches.follow(self, cpu, instruction)
        elif all(isinstance(each, int) for each in self._operands(cpu, instruction)):
            step(cpu)
        elif name in _SUMS:
            if self.words is not None:
                self._settle_words(cpu, instruction, self.words)
            cpu.pc += instruction.words
            cpu.instructions += 1
            cpu.cycles += _CYCLES.get(name, 1)
            self._sum(cpu, instruction)
        else:
            raise CannotProve(f"{name} at {cpu.where()} is not followed with numbers")

    def _settle_words(self, cpu: Cpu, instruction: Instruction, words: Words) -> None:
        """Before a product of a word with a sign, and before a sum of two words or of one with a constant. Words of
        three bytes are settled where a branch asks for one."""
        if words.size != 2:
            return
        registers: list[object] = cpu.registers  # type: ignore[assignment]
        name, d, s = instruction.name, instruction.destination, instruction.source
        if name == "MULSU":
            if d % 2:
                words.settle(registers, d - 1, 1)
        elif name in _OF_WORDS and not d % 2 and not (name != "SUBI" and s % 2):
            following = cpu.instruction(cpu.pc + 1)
            if (following.name, following.destination) != (_OF_WORDS[name], d + 1):
                return
            if name == "SUBI":
                words.settle(registers, d, _SIMPLE)
            elif s and following.source == s + 1:  # r0 and r1 are a part of a product
                words.settle(registers, d, _SIMPLE)
                words.settle(registers, s, _SIMPLE)

    def _name_a_choice(self, cpu: Cpu, register: int) -> None:
        """What was chosen by a mask and is stored gets a name: what is computed of it does not know of the choice."""
        registers: list[object] = cpu.registers  # type: ignore[assignment]
        byte = registers[register]
        longest = 1 if self._ring.unites_signs else _SIMPLE
        is_long = isinstance(byte, Number) and self.names_what_is_stored and len(byte.value.terms) > longest
        if isinstance(byte, Number) and (is_long or self._ring.has_choices(byte.value)):
            registers[register] = Number(self._ring.named(byte.value, byte.range), byte.range, byte.mask, byte.flags)

    def _operands(self, cpu: Cpu, instruction: Instruction) -> list[object]:
        """What the instruction reads."""
        name = instruction.name
        registers: list[object] = list(cpu.registers)
        found = [registers[instruction.destination]]
        if name in _TWO_REGISTERS or name.startswith(("MUL", "FMUL", "CPSE")):
            found.append(registers[instruction.source])
        if name in ("ADIW", "SBIW"):
            found.append(registers[instruction.destination + 1])
        if name in _WITH_CARRY:
            found.append(cpu.flags[C])
        if name in ("CPC", "SBC", "SBCI"):
            found.append(cpu.flags[1])
        return found

    def _keep_sign(self, cpu: Cpu, instruction: Instruction) -> None:
        """Where carries have signs: one that is added to such a carry gets a name, and the negative of 0 or 1 is taken
        case by case."""
        registers: list[object] = cpu.registers  # type: ignore[assignment]
        flags: list[object] = cpu.flags  # type: ignore[assignment]
        name, d, carry = instruction.name, instruction.destination, flags[C]
        if name in ("ADC", "SBC") and registers[instruction.source] == 0 and isinstance(carry, Number):
            flags[C] = Number(self._ring.named(carry.value, carry.range), carry.range)
        elif name == "NEG" or (name in ("ADD", "ADC") and instruction.source == d):
            found, before = self._signs.number_of(registers[d]), registers[d]
            if found is None or not isinstance(before, Number):
                return
            number, bounds = found
            bounds = self._ring.deep_range(number).within(bounds)
            named = self._ring.named(number, bounds)
            [byte] = self._signs.bytes_of(named, bounds)
            for at, other in enumerate(registers):
                if isinstance(other, Number) and other.value.terms == before.value.terms:
                    registers[at] = byte
            value = self.choose() if name == "NEG" and bounds == _BIT else None
            if value is not None:
                self.take_case(cpu, named, value)

    def _status(self, cpu: Cpu, instruction: Instruction) -> None:
        registers: list[object] = cpu.registers  # type: ignore[assignment]
        d = instruction.destination
        saved = registers[d]
        if instruction.name == "IN":
            registers[d] = Number(self._ring.constant(0), _BYTE, flags=tuple(cpu.flags))
        elif isinstance(saved, Number) and saved.flags:
            cpu.flags[:] = saved.flags  # type: ignore[assignment]
        else:
            raise CannotProve(f"the instruction at {cpu.where()} writes a number to SREG")
        cpu.pc += 1
        cpu.instructions += 1
        cpu.cycles += 1

    def _number(self, value: object, where: str) -> Number:
        if isinstance(value, int):
            return Number(self._ring.constant(value), Range(value, value))
        if isinstance(value, Number) and not value.flags:
            return value
        raise CannotProve(f"the instruction at {where} computes with a flag that is not followed")

    def _byte(self, value: Polynomial, bounds: Range = _BYTE, mask: Polynomial | None = None) -> object:
        constant = value.constant()
        return Number(value, bounds, mask) if constant is None else constant

    def _sum(self, cpu: Cpu, instruction: Instruction) -> None:
        where = f"0x{2 * (cpu.pc - 1):04x}"
        name, d = instruction.name, instruction.destination
        registers: list[object] = cpu.registers  # type: ignore[assignment]
        flags: list[object] = cpu.flags  # type: ignore[assignment]
        borrow = flags[C]
        if name == "SBC" and instruction.source == d and isinstance(borrow, Number) and not self._ring.unites_signs:
            value = self.choose()
            if value is not None:
                self.take_case(cpu, borrow.value, value)
        if self._ring.unites_signs:
            self._keep_sign(cpu, instruction)
        first = self._number(registers[d], where)
        source: object = instruction.value if name in _IMMEDIATE else registers[instruction.source]
        carry: object = flags[C] if name in _WITH_CARRY else 0
        for at in range(1, 6):  # Z, N, V, S and H
            flags[at] = NOT_FOLLOWED
        self._chain(name, d)
        match name:
            case "ADD" | "ADC":
                registers[d], flags[C] = self._added(first, self._number(source, where), self._number(carry, where), 1)
            case "SUB" | "SUBI" | "SBC" | "SBCI" | "CP" | "CPI" | "CPC":
                other = self._number(source, where)
                left, flags[C] = self._added(first, other, self._number(carry, where), -1)
                if name[0] != "C":
                    registers[d] = left
                if isinstance(left, Number):
                    flags[N] = Sign(left)
            case "NEG":
                registers[d], flags[C] = self._added(self._number(0, where), first, self._number(0, where), -1)
            case "INC" | "DEC":
                one = self._number(1, where)
                registers[d], _ = self._added(first, one, self._number(0, where), 1 if name == "INC" else -1)
            case "COM":
                bounds = Range(255 - first.range.high, 255 - first.range.low)
                mask = None if first.mask is None else 1 - first.mask
                registers[d] = self._byte(255 - first.value, bounds, mask)
                flags[C] = TRUE
            case "LSR" | "ROR":
                half = self._floor(first, 1)
                top = self._number(carry, where)
                bounds = Range(
                    (first.range.low >> 1) + 128 * top.range.low, (first.range.high >> 1) + 128 * top.range.high
                )
                registers[d] = self._byte(half + 128 * top.value, bounds)
                flags[C] = self._byte(first.value - 2 * half, _BIT)
            case "SWAP":
                high = self._floor(first, 4)
                registers[d] = self._byte(16 * first.value - 255 * high)
            case "MUL":
                self._multiply(registers, flags, first, self._number(source, where))
            case "MULSU":
                self._multiply_signed(registers, flags, first, self._number(source, where))
            case _:
                registers[d] = self._logic(name, first, self._number(source, where), source)

    def take_case(self, cpu: Cpu, bit: Polynomial, value: int) -> None:
        """The bit that a mask is made of has this value from now on, wherever it is."""
        try:
            self._ring.assume(bit, value)
        except ValueError:
            raise CannotProve(f"the mask at {cpu.where()} is made of more than one carry") from None
        self._learn()
        registers: list[object] = cpu.registers  # type: ignore[assignment]
        flags: list[object] = cpu.flags  # type: ignore[assignment]
        memory: dict[int, object] = cpu.memory  # type: ignore[assignment]
        registers[:] = map(self._settled, registers)
        flags[:] = map(self._settled, flags)
        for address, byte in memory.items():
            memory[address] = self._settled(byte)
        self.carries = {atom: self._ring.with_assumed(each) for atom, each in self.carries.items()}

    def _settled(self, value: object) -> object:
        if not isinstance(value, Number):
            return value
        if value.flags:
            return replace(value, flags=tuple(map(self._settled, value.flags)))
        mask = None if value.mask is None else self._ring.with_assumed(value.mask)
        return self._byte(self._ring.with_assumed(value.value), value.range, mask)

    def _floor(self, number: Number, places: int) -> Polynomial:
        known = Range(number.range.low >> places, number.range.high >> places)
        return self._ring.floor(number.value, places, known)

    def _added(self, first: Number, second: Number, carry: Number, sign: int) -> tuple[object, object]:
        """The byte of first + sign (second + carry), and what it carries or borrows."""
        if sign < 0 and first.value.terms == second.value.terms:
            first = second = Number(self._ring.constant(0), Range(0, 0))  # SBC of a register and itself: a mask
        total = first.value + sign * (second.value + carry.value)
        one, other = first.range, Range(second.range.low + carry.range.low, second.range.high + carry.range.high)
        bounds = (
            Range(one.low + other.low, one.high + other.high)
            if sign > 0
            else Range(one.low - other.high, one.high - other.low)
        )
        over = self._ring.floor(total, 8, Range(bounds.low >> 8, bounds.high >> 8))
        left = total - 256 * over
        if bounds == Range(-1, 0):  # 0 or 255
            bit = -total
            if len(bit.terms) > 1:
                bit = self._ring.named(bit, _BIT)
            return self._byte(255 * bit, _BYTE, bit), self._byte(bit, _BIT)
        if over.terms:
            self.carries[max(over.atoms(), default=0)] = over * sign
        kept = bounds if bounds.low >= 0 and bounds.high <= 255 else _BYTE
        return self._byte(left, kept), self._byte(over * sign, _BIT)

    def _chain(self, name: str, register: int) -> None:
        """An instruction of a sum or difference begins one, or goes on with one."""
        if name in ("ADD", "SUB", "SUBI"):
            self.chain = [register]
        elif name in ("ADC", "SBC", "SBCI"):
            self.chain.append(register)

    def _factor(self, number: Number) -> Polynomial:
        """A factor with many terms gets a name; one with two as well, where words have three bytes: bounds of products
        of bytes are then those of bytes."""
        longest = _SIMPLE if self.words is None or self.words.size == 2 else 1
        return self._ring.named(number.value, number.range) if len(number.value.terms) > longest else number.value

    def _multiply(self, registers: list[object], flags: list[object], first: Number, second: Number) -> None:
        product = self._factor(first) * self._factor(second)
        low, high = first.range.low * second.range.low, first.range.high * second.range.high
        over = self._ring.floor(product, 8, Range(low >> 8, high >> 8))
        registers[1] = self._byte(over, Range(low >> 8, high >> 8))
        registers[0] = self._byte(product - 256 * over, Range(0, min(255, high)))
        flags[C] = NOT_FOLLOWED

    def _multiply_signed(self, registers: list[object], flags: list[object], first: Number, second: Number) -> None:
        """The first factor has a sign. The carry is the highest bit of the product."""
        is_negative = self._floor(first, 7)
        signed = first.value - 256 * is_negative
        bounds = self._ring.range_of(signed).within(Range(-128, 127))
        product = self._factor(Number(signed, bounds)) * self._factor(second)
        ends = [one * other for one in (bounds.low, bounds.high) for other in (second.range.low, second.range.high)]
        low, high = min(ends), max(ends)
        upper = self._ring.floor(product, 8, Range(low >> 8, high >> 8))
        sign = self._ring.floor(product, 15, Range(low >> 15, high >> 15))
        registers[0] = self._byte(product - 256 * upper)
        registers[1] = self._byte(upper - 256 * sign)
        flags[C] = self._byte(-sign, _BIT)

    def _logic(self, name: str, first: Number, second: Number, source: object) -> object:
        constant = source if isinstance(source, int) else None
        if constant is None and first.value.constant() is not None:
            constant, first, second = first.value.constant(), second, first
        if name.startswith("AND"):
            for mask, other in ((first.mask, second), (second.mask, first)):
                if mask is not None:
                    both = mask if other.mask is not None and other.mask.terms == mask.terms else None
                    value = 255 * mask if both is not None else mask * other.value
                    return self._byte(value, Range(0, other.range.high), both)
            if constant is not None:
                return self._masked(first, constant)
        if name == "EOR":
            if first.value.terms == second.value.terms:
                return 0
            for mask, other in ((first.mask, second), (second.mask, first)):
                if mask is not None:
                    made = None if other.mask is None else mask + other.mask - 2 * (mask * other.mask)
                    if made is not None:
                        return self._byte(255 * made, _BYTE, made)
                    return self._byte(other.value + mask * (255 - 2 * other.value))
        if constant == 0:
            return self._byte(first.value, first.range, first.mask)
        if constant is not None:  # x ^ c = x + c - 2 (x & c), and x | c = x + c - (x & c)
            common = self._number(self._masked(first, constant), "").value
            return self._byte(first.value + constant - (2 if name == "EOR" else 1) * common)
        # Any byte: what holds then holds all the more.
        any_byte = self._ring.input("", 0, 255)
        if name in ("AND", "OR"):
            [atom] = any_byte.atoms()
            self._together[atom] = self._joint(first, name) + self._joint(second, name)
            self._extreme[atom] = 255 if name == "AND" else 0
        return Number(any_byte, _BYTE)

    def _joint(self, number: Number, name: str) -> tuple[Polynomial, ...]:
        """The bytes that an operand of AND or OR is made of by this operation."""
        atoms = number.value.atoms()
        atom = next(iter(atoms)) if len(atoms) == 1 else -1
        if number.value.terms == {(atom,): 1} and self._extreme.get(atom) == (255 if name == "AND" else 0):
            return self._together[atom]
        return (number.value,)

    def _learn(self) -> None:
        """Whether all of some bytes are 255, or 0, follows for what AND, or OR, made of them: so do bounds of the
        number that these bytes make."""
        for atom, bytes_ in list(self._together.items()):
            extreme = self._extreme[atom]
            bounds = self._ring.range_of(Polynomial(self._ring, {(atom,): 1}))
            are_all = bounds == Range(extreme, extreme)
            if not are_all and bounds.low <= extreme <= bounds.high:
                continue
            del self._together[atom]
            number = self._ring.constant(0)
            for byte in bytes_:
                number = number * 256 + byte
            most = (1 << 8 * len(bytes_)) - 1
            if are_all:
                known = Range(most, most) if extreme else Range(0, 0)
            else:
                known = Range(0, most - 1) if extreme else Range(1, most)
            self._ring.assume_range(number, known)

    def _masked(self, number: Number, constant: int) -> object:
        """number AND constant: for each run of ones the bits of that run."""
        total = self._ring.constant(0)
        place = 0
        while constant >> place:
            if not constant >> place & 1:
                place += 1
                continue
            first = place
            while constant >> place & 1:
                place += 1
            total = total + ((self._floor(number, first) * (1 << first)) - (self._floor(number, place) * (1 << place)))
        return self._byte(total, Range(0, min(constant, number.range.high)))
