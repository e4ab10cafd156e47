"""Branches that depend on numbers, in proofs whose numbers are public.

A branch over a few instructions that change registers only is followed both ways, which then join: a register holds
what the one or the other way leaves, by the bit that decides. If that bit is the sign of the word that was computed
before, each way has the word within the bounds that this sign leaves, and what is joined has the bounds of both. So a
number that q is added to if it is below zero is from 0 on. Any other branch is taken case by case (`Proof.by_cases`).
"""

from __future__ import annotations

from dataclasses import dataclass

from bancada.formulas.integers import Integers
from bancada.formulas.polynomial import Polynomial, Range
from bancada.prove.avr import _PLAIN, C, Cpu, N, step
from bancada.prove.avr_decode import Instruction
from bancada.prove.avr_number import Number, Sign
from bancada.prove.avr_numbers import NOT_FOLLOWED, NumberSteps
from bancada.prove.avr_words import Words
from bancada.prove.errors import CannotProve

_BIT = Range(0, 1)
_LONGEST = 8  # instructions of one way
_FOLLOWED = range(6)  # the flags C, Z, N, V, S and H


@dataclass(frozen=True)
class _Word:
    """The registers with a word whose sign decides; `name` is an atom that stands for it."""

    registers: tuple[int, ...]
    name: Polynomial
    bounds: Range


class PublicBranches:
    """Of one ring."""

    def __init__(self, ring: Integers) -> None:
        self._ring = ring

    def follow(self, steps: NumberSteps, cpu: Cpu, instruction: Instruction) -> None:
        """A branch on a flag that depends on a number. CannotProve: neither do its ways join, nor is there a case."""
        is_short = self._skips_a_few(cpu, instruction)
        word, bit = self._decided_by(steps, cpu, instruction.destination)
        if is_short:
            self._both_ways(steps, cpu, instruction, word, bit)
            return
        value = steps.choose()
        if value is None:
            raise CannotProve(f"the ways of the branch at {cpu.where()} do not join, and it is not taken case by case")
        steps.take_case(cpu, bit, value)
        cpu.flags[instruction.destination] = value
        step(cpu)

    def _skips_a_few(self, cpu: Cpu, instruction: Instruction) -> bool:
        """Whether it skips instructions that change registers and flags only, of one word and one cycle each."""
        skipped = [cpu.instruction(cpu.pc + 1 + at) for at in range(min(max(instruction.value, 0), _LONGEST + 1))]
        return 0 < len(skipped) <= _LONGEST and all(each.name in _PLAIN for each in skipped)

    def _decided_by(self, steps: NumberSteps, cpu: Cpu, flag: int) -> tuple[_Word | None, Polynomial]:
        """The bit that the flag is, and the word whose sign it is, if that can be told."""
        ring, words = self._ring, steps.words
        flags: list[object] = cpu.flags  # type: ignore[assignment]
        registers: list[object] = cpu.registers  # type: ignore[assignment]
        value = flags[flag]
        if isinstance(value, Sign) and flag == N:
            bit = ring.floor(value.byte.value, 7, _BIT)
        elif isinstance(value, Number) and flag == C:
            bit = value.value
        else:
            raise CannotProve(f"the branch at {cpu.where()} depends on a flag that is not followed")
        chain = tuple(steps.chain)
        if words is None or len(chain) != words.size or len(set(chain)) != words.size:
            return None, bit
        found = words.number_of(*(registers[at] for at in chain))
        if found is None or not self._is_signed(found[1], words):
            return None, bit
        number, bounds = found
        if flag == N:
            top = registers[chain[-1]]
            if not isinstance(top, Number) or top.value.terms != value.byte.value.terms:  # type: ignore[union-attr]
                return None, bit
            # The highest bit of a word with a sign: it is below zero.
            bit = -ring.floor(number, 8 * words.size - 1, Range(bounds.low >> 8 * words.size - 1, 0))
        elif (bit + ring.floor(number, 8 * words.size, Range(bounds.low >> 8 * words.size, 0))).terms:
            return None, bit  # not what was borrowed
        name = ring.named(number, bounds)
        return _Word(chain, name, bounds), bit

    @staticmethod
    def _is_signed(bounds: Range, words: Words) -> bool:
        """Whether the word may be below zero and may be not."""
        return words.signed.low <= bounds.low < 0 <= bounds.high <= words.signed.high

    def _both_ways(
        self, steps: NumberSteps, cpu: Cpu, instruction: Instruction, word: _Word | None, bit: Polynomial
    ) -> None:
        registers: list[object] = cpu.registers  # type: ignore[assignment]
        flags: list[object] = cpu.flags  # type: ignore[assignment]
        flag, where = instruction.destination, cpu.where()
        # The flag has this value where the instructions are executed.
        executed_if = 0 if instruction.name == "BRBS" else 1
        executed = bit if executed_if else 1 - bit
        before, cycles, carries, choose = list(registers), cpu.cycles, steps.carries, steps.choose
        cpu.pc += 1
        end = cpu.pc + instruction.value
        with self._ring.one_case() as first:
            steps.carries, steps.choose = {}, lambda: None
            kept = None
            if word is not None and steps.words is not None:
                kept = self._ring.named_apart(word.name, self._half(word.bounds, executed_if))
                registers_of_word = steps.words.bytes_of(kept, self._half(word.bounds, executed_if))
                for at, byte in zip(word.registers, registers_of_word, strict=True):
                    registers[at] = byte
            flags[flag] = executed_if
            kept_flags = flags[6:]
            while cpu.pc != end:
                steps.step(cpu)
            made = list(registers)
            changed = None
            if word is not None and steps.words is not None:
                changed = steps.words.number_of(*(made[at] for at in word.registers))
                if changed is None:
                    raise CannotProve(f"the word that the branch at {where} decides about may be any, as bounds tell")
            steps.carries, steps.choose = carries, choose
        # Both take a cycle for the branch. If it is taken, it takes one more, else so much as the instructions.
        taken, executed_cycles = 1, cpu.cycles - cycles
        cpu.cycles = cycles + 1 + max(taken, executed_cycles)
        cpu.spared += abs(taken - executed_cycles)
        cpu.instructions += 1
        if flags[6:] != kept_flags:
            raise CannotProve(f"the branch at {where} decides about T or I")
        for at in _FOLLOWED:
            flags[at] = NOT_FOLLOWED
        of_word = word.registers if word is not None else ()
        for at in range(32):
            if at not in of_word and made[at] is not before[at]:
                registers[at] = self._joined_byte(before[at], made[at], executed, first, kept, word, where)
        if word is not None and changed is not None and steps.words is not None:
            difference = self._settled(changed[0], first, kept, word, where) - word.name
            other = self._half(word.bounds, 1 - executed_if)
            bounds = Range(min(other.low, changed[1].low), max(other.high, changed[1].high))
            joined = self._ring.named(word.name + executed * difference, bounds)
            for at, byte in zip(word.registers, steps.words.bytes_of(joined, bounds), strict=True):
                registers[at] = byte

    @staticmethod
    def _half(bounds: Range, is_negative: int) -> Range:
        """The bounds of a word with this sign."""
        return bounds.within(Range(bounds.low, -1) if is_negative else Range(0, bounds.high))

    def _settled(
        self, value: Polynomial, first: int, kept: Polynomial | None, word: _Word | None, where: str
    ) -> Polynomial:
        """What one way left, without what holds on this way only: atoms that were made there."""
        if kept is not None and word is not None:
            [atom] = kept.atoms()
            value = self._ring.replaced(value, atom, word.name)
        if any(atom >= first for atom in value.atoms()):
            raise CannotProve(f"what the way after the branch at {where} leaves has carries of its own")
        return value

    def _joined_byte(
        self,
        before: object,
        after: object,
        executed: Polynomial,
        first: int,
        kept: Polynomial | None,
        word: _Word | None,
        where: str,
    ) -> object:
        values, bounds = [], []
        for each in (before, after):
            if isinstance(each, int):
                values.append(self._ring.constant(each))
                bounds.append(Range(each, each))
            elif isinstance(each, Number) and not each.flags:
                values.append(self._settled(each.value, first, kept, word, where))
                bounds.append(each.range)
            else:
                raise CannotProve(f"the branch at {where} decides about a byte that is no number")
        one, other = values
        if one.terms == other.terms:
            return before
        both = Range(min(each.low for each in bounds), max(each.high for each in bounds))
        return Number(self._ring.named(one + executed * (other - one), both), both)
