"""The state of an Armv7-A processor with NEON that is followed (Arm Architecture Reference Manual, DDI 0406, sections
A2.3 and A2.6): that of thumb_cpu.py, with the vector registers, in Arm or in Thumb state."""

from __future__ import annotations

from dataclasses import dataclass, field

from bancada.prove.avr import bits_of
from bancada.prove.errors import CannotProve, SecretTime
from bancada.prove.lanes import Bits, joined
from bancada.prove.thumb_cpu import Cpu, Word, word_of

DOUBLE_BITS = 64


@dataclass
class ArmCpu(Cpu):
    """`vectors` are d0 to d31; q0 is d0 and d1."""

    vectors: list[Bits] = field(default_factory=list)
    is_arm: bool = False

    @property
    def pc_ahead(self) -> int:
        """How far in front of an instruction the PC is that it reads (section A2.3)."""
        return 8 if self.is_arm else 4

    def jump(self, target: Word, keeps_state: bool = False) -> None:
        """The lowest bit of an address says that it is Thumb (BXWritePC)."""
        if not isinstance(target, int):
            raise SecretTime(f"the instruction at {self.where()} goes where a secret says")
        if not keeps_state:
            self.is_arm = not target & 1
        if self.is_arm and target & 3:
            raise CannotProve(f"the instruction at {self.where()} goes to 0x{target:08x}, which is not aligned")
        self.next_pc = target & ~1

    def read_vector(self, number: int, doubles: int) -> Bits:
        """So many D registers from this one on."""
        return joined(self.vectors[number : number + doubles])

    def write_vector(self, number: int, bits: Bits) -> None:
        for at in range(len(bits) // DOUBLE_BITS):
            self.vectors[number + at] = bits[DOUBLE_BITS * at : DOUBLE_BITS * (at + 1)]

    def load_bits(self, address: int, size: int) -> Bits:
        self.load(address, 1)
        return joined([bits_of(self.load_byte(address + at)) for at in range(size)])

    def store_bits(self, address: int, bits: Bits) -> None:
        for at in range(0, len(bits), 8):
            self.store(address + at // 8, word_of((*bits[at : at + 8], *(0,) * 24)), 1)
