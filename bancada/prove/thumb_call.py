"""One call of a function of a Cortex-M or an Armv7-A, as the Procedure Call Standard for the Arm Architecture (AAPCS32)
has it, and what its contract asks."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Protocol

from bancada.formulas.graph import Graph
from bancada.formulas.word import Word
from bancada.prove.arm import step as arm_step
from bancada.prove.arm_cpu import DOUBLE_BITS, ArmCpu
from bancada.prove.avr import Byte, byte_of
from bancada.prove.black_box import BlackBox
from bancada.prove.errors import CannotProve, ContractBroken
from bancada.prove.program import Program
from bancada.prove.records import Buffer, Called, Entry
from bancada.prove.size import hold_size
from bancada.prove.thumb import step
from bancada.prove.thumb_cpu import LR, SP, Cpu, word_bits, word_of
from bancada.prove.thumb_cycles import cycles_of

# AAPCS32, section 6.1.1: r4 to r11 are the caller's.
CALL_SAVED = tuple(range(4, 12))
# Section 6.1.2.1: d8 to d15 too, where there are vector registers.
CALL_SAVED_VECTORS = tuple(range(8, 16))
# r0 to r3, r12 and LR are lost; r0 has the result.
_LOST = (0, 1, 2, 3, 12, 14)
_FLAGS = "NZCV"
# The return address of the call: no program has it.
_AWAY = 0xF000_0000
STACK_BYTES, RAM_BYTES = 0x2000, 0x8000
_PAGE, _VECTORS = 0x1000, 32


class Caller(Protocol):
    """What a call needs of the proof that it is of, and leaves there."""

    program: Program
    graph: Graph
    memory: dict[int, Byte]
    last_second: float
    entries: list[Entry]
    calls: list[Called]
    executed: set[int]
    boxes: dict[int, tuple[BlackBox, bool]]
    has_tables_in_ram: bool

    def unknown_bit(self, name: str) -> int: ...

    def secrecy(self) -> Callable[[Byte], bool]: ...

    def may_write(self) -> set[int]: ...

    def name_of(self, address: int) -> str: ...


def end_of_ram(end_of_data: int) -> int:
    """Where the stack of a proof begins, above the program's variables and room for buffers."""
    return (end_of_data + _PAGE - 1 & -_PAGE) + RAM_BYTES


def call(proof: Caller, function: str, arguments: Sequence[Buffer | int | Word], instructions: int) -> Byte:
    """Calls the function and returns the lowest byte of r0.

    A buffer is passed as its address, an integer or a word of up to 32 bits in one register. Raises what Proof.call
    does.
    """
    program = proof.program
    start = program.function(function)
    top = end_of_ram(program.end_of_data)
    registers = [
        word_of([proof.unknown_bit(f"r{at} before {function}.{bit}") for bit in range(32)]) for at in range(15)
    ]
    flags = [proof.unknown_bit(f"{flag} before {function}") for flag in _FLAGS]
    passed = [_passed(each) for each in arguments]
    on_stack = passed[4:]
    # AAPCS32, section 6.2.1.2: the stack pointer is a multiple of 8 at a call.
    sp = top - (4 * len(on_stack) + 7 & ~7)
    registers[: min(4, len(passed))] = passed[:4]
    registers[SP], registers[LR] = sp, _AWAY | 1
    memory = proof.memory
    placed = {
        sp + 4 * at + byte: byte_of(word_bits(word)[8 * byte : 8 * byte + 8])
        for at, word in enumerate(on_stack)
        for byte in range(4)
    }
    memory.update(placed)
    has_vectors = program.machine == "armv7-a"
    vectors = [
        tuple(proof.unknown_bit(f"d{at} before {function}.{bit}") for bit in range(DOUBLE_BITS))
        for at in range(_VECTORS if has_vectors else 0)
    ]
    proof.entries.append(Entry(function, start, (*registers, *vectors), tuple(flags), placed))
    cpu = ArmCpu(
        proof.graph,
        program.flash,
        program.flash_start,
        list(registers),
        list(flags),
        start,
        min(program.end_of_data, *program.initial_data, top) & -_PAGE,
        top - STACK_BYTES,
        top,
        program.has_thumb2,
        program.has_dsp,
        memory,
        lowest_sp=sp,
        tables=frozenset(program.initial_data) if proof.has_tables_in_ram else frozenset(),
        vectors=list(vectors),
        is_arm=start in program.in_arm_state,
    )
    step_one: Callable[[ArmCpu], None] = arm_step if has_vectors else step
    try:
        while cpu.pc != _AWAY:
            if cpu.pc in proof.boxes:
                proof.boxes[cpu.pc][0].execute_thumb(cpu)
                continue
            step_one(cpu)
            if cpu.instructions > instructions:
                raise CannotProve(
                    f"{function} has not returned after {instructions:,} instructions: a loop without end?"
                )
            hold_size(proof.graph, cpu.instructions, proof.last_second)
    except CannotProve as error:
        raise type(error)(f"{function}: {error} (in {program.function_at(cpu.pc)})") from None
    proof.executed |= set(cpu.trace)
    _check(proof, function, cpu, registers, sp, sp + 4 * len(on_stack))
    for number in CALL_SAVED_VECTORS if has_vectors else ():
        if cpu.vectors[number] != vectors[number]:
            raise ContractBroken(f"{function} does not restore d{number}, which belongs to its caller")
    is_secret = proof.secrecy()
    cycles = None
    if program.table is not None:
        sizes = [cpu.instruction(at).size for at in cpu.trace]
        cycles = round(cycles_of(program, program.table, cpu.trace, sizes))
    proof.calls.append(
        Called(
            function,
            cycles,
            cpu.instructions,
            sp - cpu.lowest_sp,
            (
                *(f"r{at}" for at in _LOST if is_secret(cpu.registers[at])),
                *(
                    f"d{at}"
                    for at, vector in enumerate(cpu.vectors)
                    if at not in CALL_SAVED_VECTORS and is_secret(vector)
                ),
            ),
            sum(is_secret(memory.get(at, 0)) for at in range(cpu.lowest_sp, sp)),
        )
    )
    for at in range(top - STACK_BYTES, top):
        memory.pop(at, None)
    return byte_of(word_bits(cpu.registers[0])[:8])


def _passed(argument: Buffer | int | Word) -> tuple[int, ...] | int:
    if isinstance(argument, Word):
        if len(argument.bits) > 32:
            raise CannotProve("an argument of more than 32 bits; pass its halves")
        return word_of(argument.bits + (0,) * (32 - len(argument.bits)))
    return argument if isinstance(argument, int) else argument.address


def _check(
    proof: Caller, function: str, cpu: Cpu, registers: Sequence[tuple[int, ...] | int], sp: int, end: int
) -> None:
    if cpu.registers[SP] != sp:
        raise ContractBroken(f"{function} returns with another stack pointer")
    for number in CALL_SAVED:
        if word_bits(cpu.registers[number]) != word_bits(registers[number]):
            raise ContractBroken(f"{function} does not restore r{number}, which belongs to its caller")
    allowed = proof.may_write()
    for address in sorted(cpu.written):
        if cpu.lowest_sp <= address < end or address in allowed:
            continue
        raise ContractBroken(f"{function} writes {proof.name_of(address)}, which its contract does not allow")
