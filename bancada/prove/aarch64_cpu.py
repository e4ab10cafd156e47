"""The state of an AArch64 processor that is followed: registers, flags and memory, of bits (Arm Architecture Reference
Manual for A-profile, DDI 0487, section B1.2). What instructions do to it: aarch64.py.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from bancada.formulas.graph import FALSE, TRUE, Graph
from bancada.formulas.word import constant_bits
from bancada.prove.avr import Byte, bits_of, byte_of
from bancada.prove.errors import CannotProve, ContractBroken, SecretTime
from bancada.prove.lanes import Bits

N, Z, C, V = range(4)
SP, LR, ZERO = 31, 30, 31
WORD_BITS, VECTOR_BITS = 64, 128
SP_ALIGNMENT = 16


def number_of(bits: Sequence[int]) -> int | None:
    """None if a bit is not known."""
    if any(bit > TRUE for bit in bits):
        return None
    return sum(bit << at for at, bit in enumerate(bits))


@dataclass
class Cpu:
    """State of the machine, and what happened to it."""

    graph: Graph
    code: bytes
    code_start: int
    registers: list[Bits]
    """x0 to x30, then SP."""
    vectors: list[Bits]
    """v0 to v31."""
    flags: list[int]
    pc: int
    ram_start: int
    stack_floor: int
    """From here to `ram_end` memory is the stack: what is below the stack pointer there, a signal may overwrite."""
    ram_end: int
    memory: dict[int, Byte] = field(default_factory=dict)
    instructions: int = 0
    written: set[int] = field(default_factory=set)
    trace: list[int] = field(default_factory=list)
    """The addresses of the instructions, in the order in which they were executed."""
    next_pc: int = 0

    def __post_init__(self) -> None:
        self.lowest_sp = self.sp

    def where(self) -> str:
        return f"0x{self.pc:08x}"

    def opcode(self, address: int) -> int:
        at = address - self.code_start
        if at < 0 or at + 4 > len(self.code) or address % 4:
            raise CannotProve(f"execution leaves the program at 0x{address:08x}")
        return int.from_bytes(self.code[at : at + 4], "little")

    # Registers.

    @property
    def sp(self) -> int:
        found = number_of(self.registers[SP])
        assert found is not None
        return found

    def read(self, number: int, width: int = WORD_BITS) -> Bits:
        """A general register; number 31 is zero."""
        return (FALSE,) * width if number == ZERO else self.registers[number][:width]

    def read_or_sp(self, number: int, width: int = WORD_BITS) -> Bits:
        """A general register; number 31 is the stack pointer."""
        return self.registers[number][:width]

    def write(self, number: int, bits: Bits) -> None:
        """What is above 32 bits becomes zero; to register 31 nothing is written."""
        if number != ZERO:
            self.registers[number] = bits + (FALSE,) * (WORD_BITS - len(bits))

    def write_or_sp(self, number: int, bits: Bits) -> None:
        if number != SP:
            self.write(number, bits)
            return
        value = number_of(bits)
        if value is None:
            raise SecretTime(f"the instruction at {self.where()} makes the stack pointer depend on a secret")
        self.registers[SP] = constant_bits(value, WORD_BITS)
        self.lowest_sp = min(self.lowest_sp, value)

    def write_vector(self, number: int, bits: Bits) -> None:
        """What is above becomes zero."""
        self.vectors[number] = bits + (FALSE,) * (VECTOR_BITS - len(bits))

    # Memory.

    def address(self, bits: Bits, base: int) -> int:
        """An address, which no input may change. `base` is the number of the register that it comes from."""
        found = number_of(bits)
        if found is None:
            raise SecretTime(
                f"the instruction at {self.where()} has an address that depends on an input: caches show it"
            )
        if base == SP and self.sp % SP_ALIGNMENT:
            raise CannotProve(f"the instruction at {self.where()} faults: the stack pointer is no multiple of 16")
        return found

    def load_byte(self, address: int) -> Byte:
        at = address - self.code_start
        if 0 <= at < len(self.code):
            return self.code[at]
        if address not in self.memory:
            raise CannotProve(
                f"the instruction at {self.where()} reads address 0x{address:08x}, which holds nothing known"
            )
        return self.memory[address]

    def load(self, address: int, size: int) -> Bits:
        self._hold_above_sp(address)
        return tuple(bit for at in range(size) for bit in bits_of(self.load_byte(address + at)))

    def store(self, address: int, bits: Bits) -> None:
        self._hold_above_sp(address)
        for at in range(len(bits) // 8):
            place = address + at
            if not self.ram_start <= place < self.ram_end:
                raise CannotProve(f"the instruction at {self.where()} writes address 0x{place:08x}, which is no RAM")
            self.written.add(place)
            self.memory[place] = byte_of(bits[8 * at : 8 * at + 8])

    def _hold_above_sp(self, address: int) -> None:
        if self.stack_floor <= address < self.sp:
            raise ContractBroken(
                f"the instruction at {self.where()} uses memory below the stack pointer, which a signal overwrites"
            )
