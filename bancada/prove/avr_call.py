"""One call of an AVR's function, as avr-gcc has it or with pointers in X, Y and Z, and what its contract asks."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Protocol

from bancada.formulas.graph import Graph
from bancada.formulas.integers import Integers
from bancada.formulas.polynomial import Range
from bancada.formulas.word import Word
from bancada.prove.avr import Byte, Cpu, bits_of, byte_of, step
from bancada.prove.avr_number import Number
from bancada.prove.avr_numbers import NOT_FOLLOWED, NumberSteps
from bancada.prove.black_box import BlackBox
from bancada.prove.errors import CannotProve, ContractBroken
from bancada.prove.product_box import ProductBox
from bancada.prove.program import Program
from bancada.prove.records import Buffer, Called, Entry, NumberArgument
from bancada.prove.size import hold_size

TOP_OF_RAM = 0x8FF  # ATmega328P: RAM ends here
# The return address of the call: no program is as large, so nothing else jumps there.
_AWAY = 0xFFFF
# avr-gcc's calling convention: r2 to r17, r28 and r29 are the caller's.
CALL_SAVED = (*range(2, 18), 28, 29)
_POINTERS = {"X": 26, "Y": 28, "Z": 30}
_FLAGS = "CZNVSHTI"


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
    more_flash: bytes
    integers: Integers | None
    steps: NumberSteps | None
    products: dict[int, tuple[int, bool, int]]
    way: int
    has_public_branches: bool

    def unknown_bit(self, name: str) -> int: ...

    def secrecy(self) -> Callable[[Byte], bool]: ...

    def may_write(self) -> set[int]: ...

    def name_of(self, address: int) -> str: ...


def call(
    proof: Caller, function: str, arguments: Sequence[Buffer | int | Word | NumberArgument], instructions: int
) -> Byte:
    """Calls the function with these arguments in r25 and below, and returns r24. Raises what Proof.call does."""
    registers, flags = _before(proof, function)
    registers[1] = 0
    _pass(registers, arguments)
    return _follow(proof, function, registers, flags, CALL_SAVED, instructions).registers[24]


def call_with_pointers(
    proof: Caller, function: str, pointers: Mapping[str, tuple[Buffer, int | None]], instructions: int
) -> tuple[Byte, ...]:
    """Calls the function with X, Y and Z at these buffers, and so many bytes further after it. Gives the registers.
    Raises what Proof.call_with_pointers does."""
    registers, flags = _before(proof, function)
    for name, (buffer, _) in pointers.items():
        at = _POINTERS[name]
        registers[at : at + 2] = buffer.address & 0xFF, buffer.address >> 8
    cpu = _follow(proof, function, registers, flags, (), instructions)
    for name, (buffer, moved) in pointers.items():
        if moved is None:
            continue
        at = _POINTERS[name]
        low, high = cpu.registers[at : at + 2]
        if not isinstance(low, int) or not isinstance(high, int) or low + 256 * high != buffer.address + moved:
            raise ContractBroken(f"{function} leaves {name} elsewhere than {moved} bytes behind '{buffer.name}'")
    return tuple(cpu.registers)


def _follow(
    proof: Caller, function: str, registers: list[Byte], flags: list[int], keeps: Sequence[int], most: int
) -> Cpu:
    """The machine after the function, which has kept these registers."""
    start = proof.program.function(function)
    proof.entries.append(Entry(function, start, tuple(registers), tuple(flags)))
    flash = proof.program.flash + proof.more_flash
    cpu = Cpu(proof.graph, flash, list(registers), list(flags), start // 2, TOP_OF_RAM, proof.memory)
    cpu.lowest_sp = cpu.sp
    cpu.push(_AWAY & 0xFF)
    cpu.push(_AWAY >> 8)
    cpu.cycles = 4  # CALL itself
    execute = proof.steps.step if proof.steps is not None else step
    try:
        while cpu.pc != _AWAY:
            if proof.integers is not None:
                proof.way = hash((proof.way, cpu.pc))
                if cpu.pc in proof.boxes:
                    raise CannotProve("a cipher that is not followed, in a proof about numbers")
            if cpu.pc in proof.boxes:
                box, adds = proof.boxes[cpu.pc]
                box.execute(cpu, adds)
                continue
            if cpu.pc in proof.products and proof.integers is not None:
                ProductBox(proof.integers, *proof.products[cpu.pc]).execute(cpu)
                continue
            execute(cpu)
            if cpu.instructions > most:
                raise CannotProve(f"{function} has not returned after {most:,} instructions: a loop without end?")
            hold_size(proof.graph, cpu.instructions, proof.last_second)
    except CannotProve as error:
        place = proof.program.function_at(2 * cpu.pc)
        raise type(error)(f"{function}: {error} (in {place})") from None
    proof.executed |= cpu.decoded.keys()
    _check(proof, function, cpu, registers, flags, keeps)
    is_secret = proof.secrecy()
    proof.calls.append(
        Called(
            function,
            cpu.cycles,
            cpu.instructions,
            TOP_OF_RAM - cpu.lowest_sp,
            tuple(f"r{at}" for at, byte in enumerate(cpu.registers) if at not in (24, 25) and is_secret(byte)),
            sum(is_secret(cpu.memory.get(at, 0)) for at in range(cpu.lowest_sp + 1, TOP_OF_RAM + 1)),
            cpu.cycles - cpu.spared if proof.has_public_branches else None,
        )
    )
    return cpu


def _before(proof: Caller, function: str) -> tuple[list[Byte], list[int]]:
    """Registers and flags before a call: each bit another input, or each byte another number."""
    if proof.integers is None:
        return (
            [byte_of([proof.unknown_bit(f"r{at} before {function}.{bit}") for bit in range(8)]) for at in range(32)],
            [proof.unknown_bit(f"{flag} before {function}") for flag in _FLAGS],
        )
    integers = proof.integers
    bytes_: list[object] = [
        Number(integers.input(f"r{at} before {function}", 0, 255), Range(0, 255)) for at in range(32)
    ]
    flags: list[object] = [NOT_FOLLOWED] * 8
    return bytes_, flags  # type: ignore[return-value]


def _pass(registers: list[Byte], arguments: Sequence[Buffer | int | Word | NumberArgument]) -> None:
    at = 26
    for argument in arguments:
        bytes_ = _bytes_of_argument(argument)
        at -= len(bytes_)
        if at < 8:
            raise CannotProve("more arguments than registers hold; pass fewer")
        registers[at : at + len(bytes_)] = bytes_


def _check(
    proof: Caller, function: str, cpu: Cpu, registers: list[Byte], flags: list[int], keeps: Sequence[int]
) -> None:
    if cpu.sp != TOP_OF_RAM:
        raise ContractBroken(f"{function} returns with the stack pointer {cpu.sp - TOP_OF_RAM:+d} bytes off")
    for number in keeps:
        if not _is_same(cpu.registers[number], registers[number]):
            raise ContractBroken(f"{function} does not restore r{number}, which belongs to its caller")
    if keeps and cpu.registers[1] != 0:
        raise ContractBroken(f"{function} does not leave 0 in r1")
    if cpu.flags[7] != flags[7]:
        raise ContractBroken(f"{function} does not restore the I flag")
    may_write = proof.may_write()
    for address in sorted(cpu.written):
        if cpu.lowest_sp < address <= TOP_OF_RAM or address in may_write:
            continue
        raise ContractBroken(f"{function} writes {proof.name_of(address)}, which its contract does not allow")


def _bytes_of_argument(argument: Buffer | int | Word | NumberArgument) -> list[Byte]:
    if isinstance(argument, NumberArgument):
        return list(argument.bytes_)
    if isinstance(argument, Word):
        bits = argument.bits + (0,) * (-len(argument.bits) % 16)
        return [byte_of(bits[at : at + 8]) for at in range(0, len(bits), 8)]
    value = argument.address if isinstance(argument, Buffer) else argument
    return [value & 0xFF, value >> 8]


def _is_same(one: object, other: object) -> bool:
    if isinstance(one, Number) and isinstance(other, Number):
        return one.value.terms == other.value.terms
    if isinstance(one, Number) or isinstance(other, Number):
        return False
    return bits_of(one) == bits_of(other)  # type: ignore[arg-type]
