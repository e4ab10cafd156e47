"""One call of an AArch64 function, as the Procedure Call Standard for the Arm 64-bit Architecture (AAPCS64) has it, and
what its contract asks."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Protocol

from bancada.formulas.graph import Graph
from bancada.formulas.word import Word, constant_bits
from bancada.prove.aarch64 import step
from bancada.prove.aarch64_cpu import LR, SP, VECTOR_BITS, WORD_BITS, Cpu, number_of
from bancada.prove.avr import Byte, byte_of
from bancada.prove.errors import CannotProve, ContractBroken
from bancada.prove.lanes import Bits
from bancada.prove.program import Program
from bancada.prove.records import Buffer, Called, Entry
from bancada.prove.size import hold_size
from bancada.prove.thumb_call import STACK_BYTES, end_of_ram

# AAPCS64, section 6.1.1: x19 to x29 are the caller's; x18 belongs to the platform, so nobody may change it.
CALL_SAVED = tuple(range(18, 30))
# Section 6.1.2: the lower 64 bits of v8 to v15.
CALL_SAVED_VECTORS, SAVED_BITS = tuple(range(8, 16)), 64
ARGUMENTS = 8
# x0 to x17 and x30 are lost.
_LOST = (*range(18), LR)
_FLAGS = "NZCV"
# The return address of the call: no program has it.
_AWAY = 0xF000_0000


class Caller(Protocol):
    """What a call needs of the proof that it is of, and leaves there."""

    program: Program
    graph: Graph
    memory: dict[int, Byte]
    last_second: float
    entries: list[Entry]
    calls: list[Called]
    executed: set[int]

    def unknown_bit(self, name: str) -> int: ...

    def secrecy(self) -> Callable[[Byte], bool]: ...

    def may_write(self) -> set[int]: ...

    def name_of(self, address: int) -> str: ...


def call(proof: Caller, function: str, arguments: Sequence[Buffer | int | Word], instructions: int) -> Byte:
    """Calls the function and returns the lowest byte of x0.

    A buffer is passed as its address, an integer or a word of up to 64 bits in one register. What is above a word in
    its register is unknown, as section 6.8.2 has it. Raises what Proof.call does.
    """
    program = proof.program
    start = program.function(function)
    top = end_of_ram(program.end_of_data)
    registers = [_unknown(proof, f"x{at} before {function}", WORD_BITS) for at in range(31)]
    vectors = [_unknown(proof, f"v{at} before {function}", VECTOR_BITS) for at in range(32)]
    flags = [proof.unknown_bit(f"{flag} before {function}") for flag in _FLAGS]
    if len(arguments) > ARGUMENTS:
        raise CannotProve(f"{function} gets more than {ARGUMENTS} arguments")
    for at, argument in enumerate(arguments):
        registers[at] = _passed(argument, registers[at])
    registers[LR] = constant_bits(_AWAY, WORD_BITS)
    registers.append(constant_bits(top, WORD_BITS))
    proof.entries.append(Entry(function, start, (*registers, *vectors), tuple(flags)))
    cpu = Cpu(
        proof.graph,
        program.flash,
        program.flash_start,
        list(registers),
        list(vectors),
        list(flags),
        start,
        program.end_of_data,
        top - STACK_BYTES,
        top,
        proof.memory,
    )
    try:
        while cpu.pc != _AWAY:
            step(cpu)
            if cpu.instructions > instructions:
                raise CannotProve(
                    f"{function} has not returned after {instructions:,} instructions: a loop without end?"
                )
            hold_size(proof.graph, cpu.instructions, proof.last_second)
    except CannotProve as error:
        raise type(error)(f"{function}: {error} (in {program.function_at(cpu.pc)})") from None
    proof.executed |= set(cpu.trace)
    _check(proof, function, cpu, registers, vectors)
    is_secret = proof.secrecy()
    lost = [f"x{at}" for at in _LOST if is_secret(cpu.registers[at])]
    lost += [f"v{at}" for at in range(32) if is_secret(_lost_part(cpu, at))]
    below = sum(is_secret(proof.memory.get(at, 0)) for at in range(cpu.lowest_sp, top))
    proof.calls.append(Called(function, None, cpu.instructions, top - cpu.lowest_sp, tuple(lost), below))
    for at in range(top - STACK_BYTES, top):
        proof.memory.pop(at, None)
    return byte_of(cpu.registers[0][:8])


def _unknown(proof: Caller, name: str, width: int) -> Bits:
    return tuple(proof.unknown_bit(f"{name}.{bit}") for bit in range(width))


def _passed(argument: Buffer | int | Word, before: Bits) -> Bits:
    if isinstance(argument, Word):
        if len(argument.bits) > WORD_BITS:
            raise CannotProve(f"an argument of more than {WORD_BITS} bits; pass its halves")
        return argument.bits + before[len(argument.bits) :]
    return constant_bits(argument if isinstance(argument, int) else argument.address, WORD_BITS)


def _lost_part(cpu: Cpu, number: int) -> Bits:
    return cpu.vectors[number][SAVED_BITS if number in CALL_SAVED_VECTORS else 0 :]


def _check(proof: Caller, function: str, cpu: Cpu, registers: Sequence[Bits], vectors: Sequence[Bits]) -> None:
    if number_of(cpu.registers[SP]) != number_of(registers[SP]):
        raise ContractBroken(f"{function} returns with another stack pointer")
    for number in CALL_SAVED:
        if cpu.registers[number] != registers[number]:
            raise ContractBroken(f"{function} does not restore x{number}, which belongs to its caller")
    for number in CALL_SAVED_VECTORS:
        if cpu.vectors[number][:SAVED_BITS] != vectors[number][:SAVED_BITS]:
            raise ContractBroken(f"{function} does not restore d{number}, which belongs to its caller")
    allowed = proof.may_write()
    for address in sorted(cpu.written):
        if not (cpu.lowest_sp <= address < cpu.ram_end or address in allowed):
            raise ContractBroken(f"{function} writes {proof.name_of(address)}, which its contract does not allow")
