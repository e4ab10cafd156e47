"""What `aarch64.py` says of each instruction is what Unicorn's AArch64 does.

Every encoding of its table is taken with random fields, and executed once with every bit of its operands unknown. The
formulas are evaluated for random operands, among them extreme ones, with which Unicorn executes the same instruction.
All registers, flags and the memory around are compared.
"""

from __future__ import annotations

import os
import random
from itertools import combinations

import pytest
from unicorn import UC_ARCH_ARM64, UC_MODE_ARM, Uc, UcError
from unicorn import arm64_const as constants

from bancada.formulas.graph import Graph
from bancada.formulas.word import constant_bits
from bancada.prove.aarch64 import TABLE, decode, step
from bancada.prove.aarch64_cpu import SP, VECTOR_BITS, WORD_BITS, Cpu
from bancada.prove.avr import bits_of
from bancada.prove.encoding import Encoding
from bancada.prove.errors import CannotProve

CODE, RAM, STACK = 0x0800_0000, 0x0050_0000, 0x0050_4000
# Addresses are in these pieces of RAM.
BYTES = 0x400
PIECES = (RAM + 0x600, STACK - 0x200)
X = [getattr(constants, f"UC_ARM64_REG_X{at}") for at in range(31)] + [constants.UC_ARM64_REG_SP]
Q = [getattr(constants, f"UC_ARM64_REG_Q{at}") for at in range(32)]
FLAGS, PC = constants.UC_ARM64_REG_NZCV, constants.UC_ARM64_REG_PC
EVERY = [*X, *Q, FLAGS, PC]
ENCODINGS = {f"{each.name}-{at}": each for at, each in enumerate(TABLE.encodings)}
# Instructions of each encoding, and operands of each. BANCADA_SEMANTICS=20 takes so many times as many instructions.
INSTRUCTIONS, OPERANDS = 5 * int(os.environ.get("BANCADA_SEMANTICS", "1")), 48


def number(draw: random.Random, width: int) -> int:
    extreme = (0, 1, 2, (1 << width - 1) - 1, 1 << width - 1, (1 << width) - 1, 0x80, 0xFF, 0x7FFF_FFFF)
    return draw.choice(extreme) if draw.random() < 0.25 else draw.getrandbits(width)


def lanes(draw: random.Random) -> int:
    return sum(number(draw, 32) << 32 * at for at in range(4))


def machine() -> Uc:
    found = Uc(UC_ARCH_ARM64, UC_MODE_ARM)
    found.ctl_set_cpu_model(constants.UC_CPU_ARM64_A53)
    found.mem_map(CODE, 0x1000)
    found.mem_map(RAM, 0x10000)
    return found


class Both:
    """One instruction after the other, there and here."""

    def __init__(self, seed: str) -> None:
        self.draw = random.Random(seed)
        self.there = machine()
        self.first = [number(self.draw, 64) for _ in range(31)] + [STACK] + [lanes(self.draw) for _ in range(32)]
        self.bits = [constant_bits(each, WORD_BITS if at < 32 else VECTOR_BITS) for at, each in enumerate(self.first)]
        self.memory = self.draw.randbytes(BYTES)
        self.followed = 0

    def differ(self, encoding: Encoding[Cpu]) -> str:
        """'' if they agree on a random instruction, or if it is refused here."""
        draw = self.draw
        fields = {name: draw.getrandbits(width) for name, _, width in encoding.fields}
        if "imm12" in fields and encoding.name.startswith("load_") and draw.getrandbits(2):
            fields["imm12"] &= 15  # else most places are out of RAM
        opcode = encoding.value | sum(fields[name] << low for name, low, _ in encoding.fields)
        reads_memory = encoding.name.startswith(("load_", "structures"))
        registers = sorted({value for name, value in fields.items() if name in ("n", "m", "d", "t", "t2")} - {SP})
        first = list(self.first)
        known = {SP}
        if reads_memory:
            known.add(fields["n"])
            if fields["n"] != SP:
                first[fields["n"]] = RAM + 0x7F0 + draw.choice((0, 8, 16, 1, 7))
        if encoding.name == "return_to":
            known.add(fields["n"])
            if fields["n"] != SP:
                first[fields["n"]] = CODE + 4 * draw.getrandbits(8)
        vectors = {32 + value for name, value in fields.items() if name in ("n", "m", "d", "t", "t2")}
        if encoding.name in ("structures", "load_store_pair_of_vectors"):
            vectors |= {32 + (fields["t"] + at) % 32 for at in range(4)}
        unknown = [at for at in registers if at not in known] + sorted(vectors)
        graph = Graph()
        bits = [
            tuple(graph.input(f"{at}.{bit}") for bit in range(len(self.bits[at])))
            if at in unknown
            else constant_bits(first[at], WORD_BITS)
            if at < 32
            else self.bits[at]
            for at in range(64)
        ]
        known_flags = draw.getrandbits(4) if encoding.name == "branch_if" else None
        flags = [graph.input(f"flag {at}") if known_flags is None else known_flags >> 3 - at & 1 for at in range(4)]
        before, flags_before = list(bits), list(flags)
        code = opcode.to_bytes(4, "little")
        cpu = Cpu(graph, code, CODE, bits[:32], bits[32:], flags, CODE, RAM, STACK - 0x1000, RAM + 0x8000)
        if reads_memory:
            for piece in PIECES:
                cpu.memory |= zip(range(piece, piece + BYTES), self.memory, strict=True)
        try:
            step(cpu)
        except CannotProve:
            return ""
        self.followed += 1
        left = [*cpu.registers, *cpu.vectors]
        changed = [at for at in range(64) if left[at] is not before[at]]
        wanted = [bit for at in changed for bit in left[at]] + cpu.flags
        wanted += [bit for at in sorted(cpu.written) for bit in bits_of(cpu.memory[at])]
        runs = [dict.fromkeys(unknown, 0) for _ in range(OPERANDS)]
        flag_runs = [draw.getrandbits(4) if known_flags is None else known_flags for _ in runs]
        for run in runs:
            for at in run:
                run[at] = number(draw, WORD_BITS) if at < 32 else lanes(draw)
        values = {}
        for at in unknown:
            for bit, literal in enumerate(before[at]):
                values[literal >> 1] = sum((run[at] >> bit & 1) << place for place, run in enumerate(runs))
        for at, literal in enumerate(flags_before):
            if known_flags is None:
                values[literal >> 1] = sum((flag >> 3 - at & 1) << place for place, flag in enumerate(flag_runs))
        words = graph.evaluate(graph.cone(wanted), values, OPERANDS)
        every = (1 << OPERANDS) - 1
        columns = [words[each >> 1] ^ (every if each & 1 else 0) for each in wanted]
        there = self.there
        there.mem_write(CODE, opcode.to_bytes(4, "little"))
        there.ctl_remove_cache(CODE, CODE + 4)
        there.reg_write_batch(list(zip(EVERY, [*first, 0, 0], strict=True)))
        rewritten = sorted({*unknown, *changed, *known})
        for place, run in enumerate(runs):
            start = first.copy()
            for at, value in run.items():
                start[at] = value
            if reads_memory:
                for piece in PIECES:
                    there.mem_write(piece, self.memory)
            there.reg_write_batch(
                [(EVERY[at], start[at]) for at in rewritten] + [(FLAGS, flag_runs[place] << 28), (PC, CODE)]
            )
            try:
                there.emu_start(CODE, cpu.pc if cpu.pc != CODE else CODE + 4, count=1)
            except UcError as error:
                if there.reg_read(PC) != cpu.pc:
                    return f"{opcode:08x}: the emulator says {error}"
            found = list(there.reg_read_batch(EVERY))
            at_bit = 0
            for at in changed:
                width = len(left[at])
                start[at] = sum((columns[at_bit + bit] >> place & 1) << bit for bit in range(width))
                at_bit += width
            nzcv = sum((columns[at_bit + at] >> place & 1) << 31 - at for at in range(4))
            at_bit += 4
            if found != [*start, nzcv, cpu.pc]:
                pairs = zip(EVERY, found, [*start, nzcv, cpu.pc], strict=True)
                return f"{opcode:08x}: {[(a, hex(b), hex(c)) for a, b, c in pairs if b != c]}"
            if reads_memory:
                content = {piece + at: byte for piece in PIECES for at, byte in enumerate(self.memory)}
                for at in sorted(cpu.written):
                    content[at] = sum((columns[at_bit + bit] >> place & 1) << bit for bit in range(8))
                    at_bit += 8
                for piece in PIECES:
                    if bytes(content[piece + at] for at in range(BYTES)) != there.mem_read(piece, BYTES):
                        return f"{opcode:08x}: memory"
        return ""


@pytest.mark.parametrize("name", ENCODINGS)
def test_every_encoding_does_what_the_emulator_does(name: str) -> None:
    both = Both(name)
    found = [text for _ in range(INSTRUCTIONS) if (text := both.differ(ENCODINGS[name]))]
    assert found == []
    assert both.followed


def test_no_two_encodings_are_the_same_instruction() -> None:
    """Shifts without a place for the highest bit of a lane are another class (DDI 0487, C4.1), which comes first."""
    for one, other in combinations(TABLE.encodings, 2):
        both = one.mask & other.mask
        if one.name == "immediate_vector" and dict((name, width) for name, _, width in other.fields).get("immh") == 4:
            continue
        assert one.value & both != other.value & both, (one.name, other.name)


def test_what_is_not_in_the_table_is_refused_by_name() -> None:
    assert decode(0x9AC1_0800) is None
    bits = [constant_bits(0, WORD_BITS)] * 31 + [constant_bits(STACK, WORD_BITS)]
    vectors = [constant_bits(0, VECTOR_BITS)] * 32
    code = (0x9AC1_0800).to_bytes(4, "little")
    cpu = Cpu(Graph(), code, CODE, bits, vectors, [0] * 4, CODE, RAM, STACK - 0x1000, RAM + 0x8000)
    with pytest.raises(CannotProve, match="'udiv x0, x0, x1' at 0x08000000 is not followed"):
        step(cpu)
