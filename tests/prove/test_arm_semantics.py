"""What `arm.py` says of each instruction is what Unicorn's Cortex-A15 does.

Every encoding of NEON's table is taken with random fields, in Arm and in Thumb state, and executed once with every bit
of the vectors unknown; the formulas are evaluated for random vectors, with which Unicorn executes the same. The
instructions of Arm state on general registers are held with numbers, with random opcodes.
"""

from __future__ import annotations

import os
import random
from itertools import combinations

import pytest
from unicorn import UC_ARCH_ARM, UC_MODE_ARM, Uc, UcError
from unicorn import arm_const as constants

from bancada.formulas.graph import Graph
from bancada.formulas.word import constant_bits
from bancada.prove.arm import NEON, decode_arm, in_arm_state, step
from bancada.prove.arm_cpu import DOUBLE_BITS, ArmCpu
from bancada.prove.avr import bits_of
from bancada.prove.encoding import Encoding
from bancada.prove.errors import CannotProve
from bancada.prove.thumb_cpu import SP, Word

CODE, RAM, STACK = 0x0800_0000, 0x2000_0000, 0x2000_4000
BYTES = 0x800
PIECES = (RAM + 0x800, STACK - 0x400)
R = [*range(constants.UC_ARM_REG_R0, constants.UC_ARM_REG_R0 + 13), constants.UC_ARM_REG_SP, constants.UC_ARM_REG_LR]
D = [constants.UC_ARM_REG_D0 + at for at in range(32)]
FLAGS, PC = constants.UC_ARM_REG_CPSR, constants.UC_ARM_REG_PC
_VFP_ON, _COPROCESSORS, _THUMB = 0x4000_0000, 0xF << 20, 1 << 5
ENCODINGS = {f"{each.name}-{at}": each for at, each in enumerate(NEON.encodings)}
# Instructions of each encoding, and operands of each. BANCADA_SEMANTICS=20 takes so many times as many instructions.
TIMES = int(os.environ.get("BANCADA_SEMANTICS", "1"))
INSTRUCTIONS, OPERANDS = 4 * TIMES, 32


def number(draw: random.Random, width: int) -> int:
    extreme = (0, 1, 2, (1 << width - 1) - 1, 1 << width - 1, (1 << width) - 1, 0x80, 0xFF)
    return draw.choice(extreme) if draw.random() < 0.25 else draw.getrandbits(width)


def double(draw: random.Random) -> int:
    return number(draw, 32) | number(draw, 32) << 32


def machine() -> Uc:
    found = Uc(UC_ARCH_ARM, UC_MODE_ARM)
    found.ctl_set_cpu_model(constants.UC_CPU_ARM_CORTEX_A15)
    found.mem_map(CODE, 0x1000)
    found.mem_map(RAM, 0x10000)
    access = constants.UC_ARM_REG_C1_C0_2
    found.reg_write(access, found.reg_read(access) | _COPROCESSORS)
    found.reg_write(constants.UC_ARM_REG_FPEXC, _VFP_ON)
    return found


def in_thumb_state(opcode: int) -> int:
    """The inverse of `in_arm_state`: the two half-words as one number."""
    high = {0xF2: 0xEF, 0xF3: 0xFF, 0xF4: 0xF9}.get(opcode >> 24, opcode >> 24)
    return high << 24 | opcode & 0x00FF_FFFF


class Both:
    """One instruction after the other, there and here."""

    def __init__(self, seed: str) -> None:
        self.draw = random.Random(seed)
        self.there = machine()
        self.memory = self.draw.randbytes(BYTES)
        self.followed = 0

    def general(self) -> list[int]:
        """Numbers, and addresses in the middle of RAM."""
        kinds = (
            lambda: number(self.draw, 32),
            lambda: PIECES[0] + BYTES // 2 + self.draw.choice((0, 0, 16, 4, 8, 1)),
        )
        return [self.draw.choice(kinds)() for _ in range(13)] + [STACK, number(self.draw, 32)]

    def cpu(self, graph: Graph, code: bytes, registers: list[int], flags: int, is_arm: bool) -> ArmCpu:
        words: list[Word] = [*registers]
        made = ArmCpu(
            graph, code + bytes(4), CODE, words, [flags >> 3 - at & 1 for at in range(4)], CODE,
            RAM, STACK - 0x1000, RAM + 0x8000, True, True, is_arm=is_arm,
        )  # fmt: skip
        for piece in PIECES:
            made.memory |= zip(range(piece, piece + BYTES), self.memory, strict=True)
        return made

    def run(self, code: bytes, given: list[int], flags: int, is_arm: bool) -> list[int]:
        """Registers, vectors, flags and the program counter after one instruction."""
        there = self.there
        for piece in PIECES:
            there.mem_write(piece, self.memory)
        state = 0x10 | flags << 28 | (0 if is_arm else _THUMB)
        there.reg_write_batch([(FLAGS, state), *zip([*R, *D], given, strict=True)])
        there.emu_start(CODE if is_arm else CODE | 1, CODE + 0x800, count=1)
        found = list(there.reg_read_batch([*R, *D, FLAGS, PC]))
        return [*found[:-2], found[-2] >> 28, found[-1] & ~1]

    def load(self, code: bytes) -> None:
        self.there.mem_write(CODE, code + bytes(8))
        self.there.ctl_remove_cache(CODE, CODE + 16)

    def differ_of_neon(self, encoding: Encoding[ArmCpu]) -> str:
        """'' if they agree on a random instruction, or if it is refused here."""
        draw = self.draw
        fields = {name: draw.getrandbits(width) for name, _, width in encoding.fields}
        for name in ("vd", "vn", "vm") if draw.getrandbits(1) else ():
            if name in fields:
                fields[name] &= ~1  # of Q registers, each second is none
        if encoding.name in ("structures", "load_and_repeat", "load_lane") and draw.getrandbits(1):
            fields["rm"] = draw.choice((13, 15))
        if encoding.name == "structures":
            fields["kind"] = draw.choice((0b0111, 0b1010, 0b0110, 0b0010, 0b0000))
        if encoding.name == "load_store_many" and draw.getrandbits(2):
            fields |= {
                "up": fields["down"] ^ 1,
                "back": fields["down"] | fields["back"],
                "imm8": 2 * draw.randrange(17),
            }
        opcode = encoding.value | sum(fields[name] << low for name, low, _ in encoding.fields)
        is_arm = bool(draw.getrandbits(1))
        coded = opcode if is_arm else in_thumb_state(opcode)
        code = coded.to_bytes(4, "little") if is_arm else halves(coded)
        registers, flags = self.general(), draw.getrandbits(4)
        if fields.get("rn", SP) < SP:
            registers[fields["rn"]] = PIECES[0] + BYTES // 2 + draw.choice((0, 0, 16, 4, 8, 1))
        graph = Graph()
        cpu = self.cpu(graph, code, registers, flags, is_arm)
        before = [tuple(graph.input(f"d{at}.{bit}") for bit in range(DOUBLE_BITS)) for at in range(32)]
        cpu.vectors = list(before)
        try:
            step(cpu)
        except CannotProve:
            return ""
        self.followed += 1
        changed = [at for at in range(32) if cpu.vectors[at] is not before[at]]
        wanted = [bit for at in changed for bit in cpu.vectors[at]]
        wanted += [bit for at in sorted(cpu.written) for bit in bits_of(cpu.memory[at])]
        runs = [[double(draw) for _ in range(32)] for _ in range(OPERANDS)]
        values = {
            literal >> 1: sum((run[at] >> bit & 1) << place for place, run in enumerate(runs))
            for at, word in enumerate(before)
            for bit, literal in enumerate(word)
        }
        words = graph.evaluate(graph.cone(wanted), values, OPERANDS)
        every = (1 << OPERANDS) - 1
        columns = [words[each >> 1] ^ (every if each & 1 else 0) for each in wanted]
        self.load(code)
        for place, run in enumerate(runs):
            try:
                found = self.run(code, [*registers, *run], flags, is_arm)
            except UcError as error:
                return f"{coded:08x}: the emulator says {error}"
            expected = list(run)
            at_bit = 0
            for at in changed:
                expected[at] = sum((columns[at_bit + bit] >> place & 1) << bit for bit in range(DOUBLE_BITS))
                at_bit += DOUBLE_BITS
            ours = [*cpu.registers[:15], *expected, flags, cpu.pc]
            if found != ours:
                pairs = zip([*R, *D, FLAGS, PC], found, ours, strict=True)
                return f"{coded:08x}: {[each for each in pairs if each[1] != each[2]]}"
            content = {piece + at: byte for piece in PIECES for at, byte in enumerate(self.memory)}
            for at in sorted(cpu.written):
                content[at] = sum((columns[at_bit + bit] >> place & 1) << bit for bit in range(8))
                at_bit += 8
            if cpu.written and (text := self.memory_differs(content)):
                return f"{coded:08x}: {text}"
        return ""

    def memory_differs(self, content: dict[int, int]) -> str:
        for piece in PIECES:
            if bytes(content[piece + at] for at in range(BYTES)) != self.there.mem_read(piece, BYTES):
                return "memory"
        return ""

    def differ_with_numbers(self, opcode: int) -> str:
        """'' if they agree on an instruction of Arm state, or if it is refused here."""
        code = opcode.to_bytes(4, "little")
        registers, flags = self.general(), self.draw.getrandbits(4)
        cpu = self.cpu(Graph(), code, registers, flags, True)
        cpu.vectors = [constant_bits(0, DOUBLE_BITS)] * 32
        try:
            step(cpu)
        except CannotProve:
            return ""
        self.followed += 1
        self.load(code)
        there_pc = cpu.pc
        try:
            found = self.run(code, [*registers, *[0] * 32], flags, True)
        except UcError as error:
            if self.there.reg_read(PC) & ~1 != there_pc:
                return f"{opcode:08x}: the emulator says {error}"
            found = [*self.there.reg_read_batch([*R, *D]), self.there.reg_read(FLAGS) >> 28, there_pc]
        ours = [*cpu.registers[:15], *[0] * 32, sum(cpu.flag(at) << 3 - at for at in range(4)), cpu.pc]
        if found != ours:
            pairs = zip([*R, *D, FLAGS, PC], found, ours, strict=True)
            return f"{opcode:08x}: {[each for each in pairs if each[1] != each[2]]}"
        content = {piece + at: cpu.memory[piece + at] for piece in PIECES for at in range(BYTES)}
        numbers = {at: byte for at, byte in content.items() if isinstance(byte, int)}
        return f"{opcode:08x}: {text}" if cpu.written and (text := self.memory_differs(numbers)) else ""


def halves(coded: int) -> bytes:
    """Two half-words of Thumb state."""
    return (coded >> 16).to_bytes(2, "little") + (coded & 0xFFFF).to_bytes(2, "little")


@pytest.mark.parametrize("name", ENCODINGS)
def test_every_encoding_of_neon_does_what_the_emulator_does(name: str) -> None:
    both = Both(name)
    # Some encodings refuse most of their fields: until enough were followed, within a bound.
    found = []
    for _ in range(50 * INSTRUCTIONS):
        if both.followed >= INSTRUCTIONS:
            break
        if text := both.differ_of_neon(ENCODINGS[name]):
            found.append(text)
    assert found == []
    assert both.followed


# Of an opcode of Arm state that is always executed: the bits that are fixed, and how many of all are followed at least.
ARM_STATE = {
    "of registers": (0xE000_0000, 0x0E00_0010, 50),
    "with a constant": (0xE200_0000, 0x0E00_0000, 50),
    "load and store": (0xE500_0000, 0x0F20_0000, 30),
    "several": (0xE800_0000, 0x0E40_2000, 10),
}


@pytest.mark.parametrize("name", ARM_STATE)
def test_instructions_of_arm_state(name: str) -> None:
    value, mask, least = ARM_STATE[name]
    both = Both(name)
    found = []
    for _ in range(500 * TIMES):
        opcode = value | both.draw.getrandbits(28) & ~mask
        if name == "several" and both.draw.getrandbits(1):
            opcode &= ~(1 << 15)
        elif name in ("of registers", "with a constant") and both.draw.getrandbits(1):
            opcode &= ~0x000F_0000  # what MOV and MVN have to have
        if text := both.differ_with_numbers(opcode):
            found.append(f"{text} {decode_arm(opcode.to_bytes(4, 'little'), CODE)}")
    assert found == []
    assert both.followed > least * TIMES


def test_branches_of_arm_state() -> None:
    both = Both("branches")
    opcodes = [condition << 28 | 0xA00_0000 | both.draw.getrandbits(24) for condition in range(15) for _ in range(10)]
    opcodes += [0xE12F_FF10 | register for register in range(15)] + [0xE320_F000]
    assert [text for opcode in opcodes if (text := both.differ_with_numbers(opcode))] == []
    assert both.followed > 50


def test_no_two_encodings_are_the_same_instruction() -> None:
    """But for those that refuse what the other one is: shifts without a place for the highest bit of a lane are
    constants (DDI 0406, A7.4.6), and long products and sums of lanes of 64 bits are other instructions (A7.4.2);
    and VLDM that goes nowhere, or down without a new base, is VMOV or VLDR (A7.6)."""
    for one, other in combinations(NEON.encodings, 2):
        both = one.mask & other.mask
        if one.name.startswith("immediate_") and "imm6" in [name for name, _, _ in other.fields]:
            continue
        if other.name in ("add_wide", "multiply_long") and one.value >> 20 & 3 == 3:
            continue
        if other.name == "load_store_many" and one.name in ("move_two", "load_store_register"):
            continue
        assert one.value & both != other.value & both, (one.name, other.name)


def test_thumb_state_has_the_same_encodings() -> None:
    for each in NEON.encodings:
        coded = in_thumb_state(each.value)
        assert in_arm_state(coded >> 16, coded & 0xFFFF) == each.value
    assert SP == 13
