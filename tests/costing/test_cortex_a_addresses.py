"""What the walk knows of addresses, against an emulated processor; and loads that wait for stores."""

from __future__ import annotations

import random

import pytest
import unicorn
from unicorn import arm64_const, arm_const

from bancada.costing.cortex_a_addresses import NUMBER, Registers, access_of, moves_of
from bancada.costing.cortex_a_numbers import known_numbers
from bancada.costing.cortex_a_operations import Operations
from bancada.costing.cost import cost
from bancada.costing.decode import decode
from bancada.costing.profile import ENTRY, Block, Edge, InstructionSet, Profile
from tests.costing.pipelines import Assemble, issue_cycles, table_of

CODE, DATA, DATA_BYTES = 0x10000, 0x400000, 0x10000

ARM = """\
ldr r0, [r1]; ldr r0, [r1, #12]; ldr r0, [r1], #8; ldr r0, [r1], #-8; ldr r0, [r1, #8]!; ldr r0, [r1, #-8]!
ldr r0, [r1], r2; ldrb r0, [r1, #3]; ldrh r0, [r1, #2]; ldrsb r0, [r1], #1; ldrsh r0, [r1, #-2]!; ldrd r2, r3, [r1, #8]
str r0, [r1, #4]!; strb r0, [r1], #1; strh r0, [r1, #6]; strd r2, r3, [r1], #8
push {r0, r2, lr}; pop {r0, r2}; push {r0}; pop {r0}; ldm r1, {r2, r3, r4}; ldmia r1!, {r2, r3}; ldmib r1!, {r2, r3}
ldmda r1!, {r2, r3}; ldmdb r1!, {r2, r3}; stm r1!, {r2, r3, r4, r5}; stmib r1, {r2, r3}; stmdb r1!, {r2, r3}
vldr d0, [r1, #8]; vldr s0, [r1, #-4]; vstr d1, [r1, #16]; vpush {d8-d11}; vpop {d8-d11}; vldmia r1!, {d0-d4}
vldmdb r1!, {d0-d1}; vstmia r1, {d0-d3}; vstmia r1!, {s0-s2}
vld1.8 {d0}, [r1]; vld1.8 {q0}, [r1:128]!; vld1.64 {d0-d3}, [r1]!; vld1.32 {d0[1]}, [r1:32], r2; vld1.8 {d0[]}, [r1]!
vld2.16 {d0, d1}, [r1]!; vld2.8 {d0[1], d1[1]}, [r1]!; vld3.8 {d0, d1, d2}, [r1]!; vld4.16 {d0-d3}, [r1], r2
vst1.8 {q0, q1}, [r1:128]!; vst1.16 {d0[2]}, [r1]!; vst2.8 {d0, d1}, [r1]; vst4.32 {d0[0], d1[0], d2[0], d3[0]}, [r1]!
add r3, r1, #4; sub r3, r1, #4; add sp, sp, #16; sub sp, sp, #16; add r3, sp, #8; mov r3, r1; add r3, r1, r2
sub r3, r1, r2; add r3, r1, r2, lsl #2; mov r3, #5; movw r3, #4660; movt r2, #1; lsl r3, r2, #3; mov r3, r2, lsl #1
and r3, r1, #15; eor r3, r1, r2; mvn r3, #0; rsb r3, r1, #0; mul r3, r1, r2; adds r3, r1, #1; subs r1, r1, #1
lsls r3, r2, #1; uxtb r3, r1; ror r3, r2, #8; adc r3, r1, #1; lsr r3, r1, #2"""

AARCH64 = """\
ldr x0, [x1]; ldr w0, [x1, #12]; ldr x0, [x1], #8; ldr x0, [x1, #-16]!; ldrb w0, [x1, #3]; ldrsw x0, [x1]
ldrsh x0, [x1]; nop
ldur x0, [x1, #-8]; sturh w0, [x1, #-2]; ldp x2, x3, [x1, #16]; ldp w2, w3, [x1]; stp x29, x30, [sp, #-32]!
ldp x29, x30, [sp], #32; ldpsw x2, x3, [x1]; str wzr, [x1, #4]; str q0, [x1, #16]; ldp q0, q1, [x1], #32
ld1 {v0.16b}, [x1]; ld1 {v0.16b-v3.16b}, [x1], #64; ld1 {v0.8b}, [x1], #8; ld1 {v0.s}[1], [x1], #4; ld1r {v0.4s}, [x1]
st1 {v0.2d, v1.2d}, [x1], x2; ld2 {v0.8h, v1.8h}, [x1], #32; st4 {v0.b, v1.b, v2.b, v3.b}[3], [x1], #4; ldr d0, [x1, #8]
add x3, x1, #4; sub x3, x1, #4; add x3, x1, x2; sub x3, x1, x2, lsl #1; mov x3, x1; mov x3, #5; lsl x3, x2, #3
mov x29, sp; add x3, sp, #16; sub sp, sp, #16; movk x2, #1, lsl #16; add w3, w1, #4; mov w3, w2; eor x3, x1, x2
add x3, x1, w2, uxtw; adds x3, x1, #1; orr x3, x1, #1; ldr x0, [x1, x2]; ubfx x3, x1, #3, #8"""


class _Emulated:
    def __init__(self, instruction_set: InstructionSet, seed: int) -> None:
        self.is_64 = instruction_set == "aarch64"
        self.emulator = unicorn.Uc(unicorn.UC_ARCH_ARM64 if self.is_64 else unicorn.UC_ARCH_ARM, unicorn.UC_MODE_ARM)
        self.emulator.mem_map(CODE, 0x1000)
        self.emulator.mem_map(DATA, DATA_BYTES)
        if self.is_64:
            self.emulator.reg_write(arm64_const.UC_ARM64_REG_CPACR_EL1, 3 << 20)
            names = [f"x{number}" for number in range(31)] + ["sp"]
            self.numbers = {name: getattr(arm64_const, f"UC_ARM64_REG_{name.upper()}") for name in names}
        else:
            self.emulator.reg_write(arm_const.UC_ARM_REG_C1_C0_2, 0xF << 20)
            self.emulator.reg_write(arm_const.UC_ARM_REG_FPEXC, 1 << 30)
            names = [f"r{number}" for number in range(13)] + ["sp", "lr"]
            self.numbers = {name: getattr(arm_const, f"UC_ARM_REG_{name.upper()}") for name in names}
        chance = random.Random(seed)
        # One register is small, so that it can be added to an address.
        self.before = {name: DATA + 0x4000 + 64 * chance.randrange(256) for name in names}
        self.before["x2" if self.is_64 else "r2"] = 64 * chance.randrange(64)
        for name, number in self.numbers.items():
            self.emulator.reg_write(number, self.before[name])
        self.touched: set[int] = set()
        kinds = unicorn.UC_HOOK_MEM_READ | unicorn.UC_HOOK_MEM_WRITE
        self.emulator.hook_add(
            kinds, lambda _uc, _kind, at, size, _value, _data: self.touched.update(range(at, at + size))
        )

    def run(self, code: bytes) -> dict[str, int]:
        self.emulator.mem_write(CODE, code)
        self.emulator.emu_start(CODE, 0, count=1)
        return {name: self.emulator.reg_read(number) for name, number in self.numbers.items()}


def _one_by_one(text: str) -> list[str]:
    return [one.strip() for line in text.splitlines() for one in line.split(";")]


@pytest.mark.parametrize(("instruction_set", "text"), [("arm", ARM), ("aarch64", AARCH64)])
def test_addresses_and_registers_are_those_of_an_emulated_processor(
    assemble: Assemble, instruction_set: InstructionSet, text: str
) -> None:
    bits = 64 if instruction_set == "aarch64" else 32
    known = 0
    for number, (one, code) in enumerate((one, assemble(one, instruction_set)) for one in _one_by_one(text)):
        emulated = _Emulated(instruction_set, number)
        after = emulated.run(code)
        [instruction] = decode(Block(CODE, code, instruction_set))
        access = access_of(instruction, instruction_set)
        if access is not None:
            first = emulated.before[access.base] + access.offset
            assert emulated.touched == set(range(first, first + access.size)), one
        else:
            assert not emulated.touched or instruction.memory is not None and instruction.memory.index, one
        registers = Registers(emulated.before)
        registers.move(moves_of(instruction, instruction_set))
        for name, value in after.items():
            symbol, constant = registers.of(name)
            if symbol == NUMBER:
                known += name in instruction.writes
                assert constant % 2**bits == value, one
            else:
                assert name in instruction.writes, one
    assert known > 20


def test_a_symbol_goes_along_with_additions_and_a_new_one_comes_with_everything_else(assemble: Assemble) -> None:
    registers = Registers()
    code = assemble("mov r4, r0; add r4, r4, #8; push {r1, r2}; eor r1, r0, #1; ldreq r2, [r0], #4")
    for instruction in decode(Block(0, code, "arm")):
        registers.move(moves_of(instruction, "arm"))
    assert registers.of("r4")[0] != registers.of("r1")[0]
    # The conditional load may have changed r0: it is another symbol than r4's now.
    assert registers.of("r4")[0] != registers.of("r0")[0]
    assert registers.of("sp")[1] == -8


def test_numbers_are_known_in_a_loop_that_does_not_change_them(assemble: Assemble) -> None:
    first = Block(0, assemble("mov r1, #8; mov r2, #5"), "arm")
    loop = Block(8, assemble("add r0, r0, r1; subs r2, r2, #1; bne 8"), "arm")
    profile = Profile((first, loop), (Edge(ENTRY, 0, 1), Edge(0, 1, 1), Edge(1, 1, 4)), 0)
    operations = [Operations(table_of("cortex-a8")).of(block) for block in profile.blocks]
    assert known_numbers(profile, operations) == [{}, {"r1": 8}]


@pytest.mark.parametrize(
    ("second", "cycles"),
    [
        # M. Rullgard, "ARM-NEON memory hazards" (hardwarebug.org, 2008): a pair of VST1 and LDR takes 22 cycles if both
        # are within the same 16 bytes, and 3 if they are not.
        ("ldr r1, [r0, #4]", 22),
        ("ldr r1, [r0, #16]", 3),
        ("ldr r1, [r2]", 3),
    ],
)
def test_a8_pairs_of_stores_and_loads_take_what_was_measured(assemble: Assemble, second: str, cycles: int) -> None:
    issued = issue_cycles("cortex-a8", assemble(f"vst1.8 {{d0}}, [r0]; {second}; " * 20))
    assert issued[-1] - issued[-3] == pytest.approx(cycles, abs=0.5)


def test_a8_a_wait_is_weighted_where_the_alignment_is_not_known(assemble: Assemble) -> None:
    """A load of 4 bytes, 8 bytes behind a store of 4, is in the same 16 bytes at half of the alignments."""

    def wait(distance: int) -> float:
        return issue_cycles("cortex-a8", assemble(f"vst1.32 {{d0[0]}}, [r0]; vld1.32 {{d1[0]}}, [r{distance}]"))[-1]

    assert wait(1) < 5
    same = issue_cycles("cortex-a8", assemble("vst1.32 {d0[0]}, [r0]; vld1.32 {d1[0]}, [r0]"))[-1]
    half = issue_cycles("cortex-a8", assemble("add r1, r0, #8; vst1.32 {d0[0]}, [r0]; vld1.32 {d1[0]}, [r1]"))
    assert (half[2] - half[1] - wait(1)) / (same - wait(1)) == pytest.approx(0.5, abs=0.1)


def test_a8_a_stride_that_the_caller_sets_is_known_in_the_loop(assemble: Assemble) -> None:
    """The loop of dav1d's narrow blends: each turn reads beside what the turn before stored."""

    def cycles(stride: int) -> float:
        first = Block(0, assemble(f"mov r1, #{stride}"), "arm")
        loop = Block(4, assemble("vld1.32 {d0[]}, [r0]; vst1.32 {d0[0]}, [r0], r1; subs r4, r4, #1; bne 4"), "arm")
        profile = Profile((first, loop), (Edge(ENTRY, 0, 1), Edge(0, 1, 1), Edge(1, 1, 99)), 0)
        return cost(profile, table_of("cortex-a8")).cycles / 100

    assert cycles(4) > cycles(8) + 4 > cycles(64) + 8
