"""The state of a Cortex-M core that is followed: registers, flags and memory, of bits (Armv7-M Architecture Reference
Manual, DDI 0403, section B1.4). What instructions do to it: thumb.py.

A word is an integer if it is known, else 32 literals of the graph, the least significant first. Flags are computed when
something reads them.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

from bancada.formulas.graph import FALSE, TRUE, Graph
from bancada.formulas.word import constant_bits
from bancada.prove.avr import Byte, bits_of, byte_of
from bancada.prove.errors import CannotProve, ContractBroken, SecretTime
from bancada.prove.thumb_decode import CONDITIONS, Instruction, decode

Word = int | tuple[int, ...]
Flag = int | Callable[[], int]
N, Z, C, V = range(4)
SP, LR, PC = 13, 14, 15
WORD_BITS = 32
_MASK = 0xFFFFFFFF
_INDEX_BITS = 8  # of a table that is read at an unknown index


def word_bits(word: Word) -> tuple[int, ...]:
    return constant_bits(word, WORD_BITS) if isinstance(word, int) else word


def word_of(bits: Sequence[int]) -> Word:
    """A number again, if every bit is known."""
    if all(bit <= TRUE for bit in bits):
        return sum(bit << at for at, bit in enumerate(bits))
    return tuple(bits)


@dataclass
class Cpu:
    """State of the machine, and what happened to it."""

    graph: Graph
    flash: bytes
    flash_start: int
    registers: list[Word]
    """r0 to r14; what is at the place of PC has no meaning."""
    flags: list[Flag]
    pc: int
    ram_start: int
    stack_floor: int
    """From here to `ram_end` memory is the stack: what is below the stack pointer there, an interrupt may overwrite."""
    ram_end: int
    has_thumb2: bool
    has_dsp: bool
    """Whether the core is of Armv7E-M: then long products take the same time for all operands."""
    memory: dict[int, Byte] = field(default_factory=dict)
    instructions: int = 0
    lowest_sp: int = _MASK
    written: set[int] = field(default_factory=set)
    trace: list[int] = field(default_factory=list)
    """The addresses of the instructions, in the order in which they were executed."""
    conditions: list[str] = field(default_factory=list)
    """The conditions of what is left of an IT block."""
    tables: frozenset[int] = frozenset()
    """The addresses from which a load may read what an input selects."""
    next_pc: int = 0

    @property
    def pc_ahead(self) -> int:
        """How far in front of an instruction the PC is that it reads."""
        return 4

    def where(self) -> str:
        return f"0x{self.pc:08x}"

    def instruction(self, address: int) -> Instruction:
        at = address - self.flash_start
        if at < 0 or at + 2 > len(self.flash):
            raise CannotProve(f"execution leaves the program at 0x{address:08x}")
        found = decode(self.flash[at : at + 4], address)
        if found is None:
            code = self.flash[at : at + 2].hex()
            raise CannotProve(f"no instruction that is followed here begins with {code}, which is at 0x{address:08x}")
        return found

    # Flags.

    def flag(self, at: int) -> int:
        found = self.flags[at]
        if not isinstance(found, int):
            found = self.flags[at] = found()
        return found

    def holds(self, condition: str) -> int:
        """The literal of a condition, DDI 0403, section A7.3."""
        graph, flag = self.graph, self.flag
        at = CONDITIONS.index(condition)
        match at >> 1:
            case 0:
                found = flag(Z)
            case 1:
                found = flag(C)
            case 2:
                found = flag(N)
            case 3:
                found = flag(V)
            case 4:
                found = graph.conjunction(flag(C), flag(Z) ^ 1)
            case 5:
                found = graph.difference(flag(N), flag(V)) ^ 1
            case _:
                found = graph.conjunction(flag(Z) ^ 1, graph.difference(flag(N), flag(V)) ^ 1)
        return found ^ at & 1

    # Memory.

    def load_byte(self, address: int) -> Byte:
        at = address - self.flash_start
        if 0 <= at < len(self.flash):
            return self.flash[at]
        if address not in self.memory:
            raise CannotProve(
                f"the instruction at {self.where()} reads address 0x{address:08x}, which holds nothing known"
            )
        return self.memory[address]

    def load(self, address: int, size: int) -> Word:
        self._hold_above_sp(address)
        found = [self.load_byte(address + at) for at in range(size)]
        if all(isinstance(each, int) for each in found):
            return int.from_bytes(bytes(found), "little")  # type: ignore[arg-type]
        bits = [bit for each in found for bit in bits_of(each)]
        return tuple(bits) + (FALSE,) * (WORD_BITS - len(bits))

    def load_selected(self, address: tuple[int, ...], size: int) -> Word:
        """What lies at an address that depends on inputs: everything that it can name is read."""
        made = self.graph.tables(address, _INDEX_BITS)
        if made is None:
            raise CannotProve(
                f"the instruction at {self.where()} has an address of more than {_INDEX_BITS} unknown bits"
            )
        nodes, tables = made
        rows = []
        for value in range(1 << len(nodes)):
            place = sum((table >> value & 1) << at for at, table in enumerate(tables))
            if not self.tables.issuperset(range(place, place + size)):
                raise SecretTime(
                    f"the instruction at {self.where()} may read address 0x{place:08x}, which is in no table in RAM"
                )
            rows.append(word_bits(self.load(self.aligned(place, size), size)))
        index = [2 * node for node in nodes]
        return word_of([self.graph.lookup([row[at] for row in rows], index) for at in range(WORD_BITS)])

    def store(self, address: int, word: Word, size: int) -> None:
        self._hold_above_sp(address)
        bits = word_bits(word)
        for at in range(size):
            place = address + at
            if not self.ram_start <= place < self.ram_end:
                raise CannotProve(f"the instruction at {self.where()} writes address 0x{place:08x}, which is no RAM")
            self.written.add(place)
            self.memory[place] = byte_of(bits[8 * at : 8 * at + 8])

    def _hold_above_sp(self, address: int) -> None:
        sp = self.registers[SP]
        assert isinstance(sp, int)
        if self.stack_floor <= address < sp:
            raise ContractBroken(
                f"the instruction at {self.where()} uses memory below the stack pointer, which an interrupt overwrites"
            )

    def aligned(self, address: Word, size: int, always: bool = False) -> int:
        """A known address, aligned as the core needs it; `always`: Armv7-M needs it here too (DDI 0403, A3.2.1)."""
        if not isinstance(address, int):
            raise SecretTime(
                f"the instruction at {self.where()} has an address that depends on an input: caches and flash show it"
            )
        if address % size and (always or not self.has_thumb2):
            raise CannotProve(
                f"the instruction at {self.where()} faults: 0x{address:08x} is not aligned to {size} bytes"
            )
        return address

    def set_sp(self, value: Word) -> None:
        if not isinstance(value, int):
            raise SecretTime(f"the instruction at {self.where()} makes the stack pointer depend on a secret")
        if value & 3:
            raise CannotProve(f"the instruction at {self.where()} makes the stack pointer no multiple of 4")
        self.registers[SP] = value
        self.lowest_sp = min(self.lowest_sp, value)

    def jump(self, target: Word, keeps_state: bool = False) -> None:
        """Goes on at `target`, whose lowest bit says that it is Thumb; `keeps_state`: it does not."""
        if not isinstance(target, int):
            raise SecretTime(f"the instruction at {self.where()} goes where a secret says")
        if not target & 1 and not keeps_state:
            raise CannotProve(
                f"the instruction at {self.where()} faults: it goes to 0x{target:08x}, which is not Thumb"
            )
        self.next_pc = target & ~1


# Arithmetic of words.
