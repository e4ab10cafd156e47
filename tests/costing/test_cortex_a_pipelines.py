"""The pipeline models against examples and rules of the manuals, instruction by instruction."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest

from bancada.costing.cortex_a import new_pipeline
from bancada.costing.cortex_a_classes import classes_to_look_up
from bancada.costing.cortex_a_operations import Operations
from bancada.costing.cortex_a_table import InOrderTable, OutOfOrderTable
from bancada.costing.cost import cost
from bancada.costing.decode import UnknownInstruction
from bancada.costing.profile import ENTRY, Block, Edge, InstructionSet, Profile
from bancada.measure.laboratory import open_laboratory

TOOLS = {"arm": ("arm-linux-gnueabihf-", "-march=armv7ve"), "aarch64": ("aarch64-linux-gnu-", "-march=armv8-a")}


def table_of(core: str) -> InOrderTable | OutOfOrderTable:
    table = open_laboratory().cores[core].table
    assert isinstance(table, InOrderTable | OutOfOrderTable)
    return table


def issue_cycles(core: str, code: bytes, instruction_set: InstructionSet = "arm") -> list[int]:
    """The cycle at which each instruction of a straight line issues, the first at 0."""
    table = table_of(core)
    pipeline = new_pipeline(table)
    cycles = [pipeline.step(operation) for operation in Operations(table).of(Block(0x1000, code, instruction_set))]
    return [cycle - cycles[0] for cycle in cycles]


@pytest.fixture
def assemble(tmp_path: Path):  # type: ignore[no-untyped-def]
    def made(text: str, instruction_set: str = "arm") -> bytes:
        prefix, architecture = TOOLS[instruction_set]
        source, binary = tmp_path / "code.s", tmp_path / "code.bin"
        start = ".syntax unified\n.arm\n.fpu neon-vfpv4\n" if instruction_set == "arm" else ""
        source.write_text(start + text.replace(";", "\n") + "\n")
        subprocess.run([f"{prefix}as", architecture, str(source), "-o", str(tmp_path / "code.o")], check=True)
        subprocess.run(
            [f"{prefix}objcopy", "-O", "binary", "-j", ".text", str(tmp_path / "code.o"), str(binary)], check=True
        )
        return binary.read_bytes()

    return made


# Cortex-A8 Technical Reference Manual (DDI 0344), 16.8, Example 16-6: cycle and opcode of each instruction, as printed.
SCHEDULING_EXAMPLE = [
    (1, 0xE12FFF1E),
    (1, 0xE3500000),
    (2, 0xE3A03003),
    (2, 0xE3A00000),
    (3, 0x05813000),
    (3, 0xE3520004),
    (4, 0x979FF102),
    (5, 0xE3A00001),
    (6, 0xEA000000),
    (6, 0xE5810000),
    (7, 0xE49DF004),
    (8, 0xE284200C),
    (9, 0xE5960004),
    (9, 0xE3A0100A),
    (12, 0xE5900000),
    (13, 0xE5840000),
]


def test_a8_issues_the_manuals_scheduling_example_as_the_manual_says() -> None:
    code = b"".join(opcode.to_bytes(4, "little") for _, opcode in SCHEDULING_EXAMPLE)
    assert [cycle + 1 for cycle in issue_cycles("cortex-a8", code)] == [cycle for cycle, _ in SCHEDULING_EXAMPLE]


@pytest.mark.parametrize(
    ("text", "cycles"),
    [
        # DDI 0344, 16.2.1: an ALU's result comes at the end of E2, where an operand is needed at its start: next cycle.
        ("add r0, r1, r2; add r3, r4, r0", [0, 1]),
        # ... but a shifted operand is needed in E1.
        ("add r0, r1, r2; add r3, r4, r0, lsl #2", [0, 2]),
        # 16.2.4: a load's result comes at the end of E3; an address is needed in E1.
        ("ldr r0, [r1]; add r2, r3, r0", [0, 2]),
        ("ldr r0, [r1]; ldr r2, [r0]", [0, 3]),
        # 16.4: one load or store a cycle, and not two results in one register at once.
        ("ldr r0, [r1]; ldr r2, [r3]", [0, 1]),
        ("add r0, r1, r2; mov r0, r3", [0, 1]),
        # 16.2.3: MUL issues for two cycles and delivers at the end of E5 of its last; MOV's result is there for the
        # instruction beside it.
        ("mul r0, r1, r2; add r3, r4, r0", [0, 5]),
        ("umull r0, r1, r2, r3; add r4, r5, r1", [0, 6]),
        ("mov r0, r1; add r2, r3, r0", [0, 0]),
        # A store needs its data in E3: it issues together with what makes them.
        ("add r0, r1, r2; str r0, [r3]", [0, 0]),
        # Multiplications are issued to pipeline 0 alone.
        ("add r0, r1, r2; mul r3, r4, r5", [0, 1]),
        # 16.3, table of restrictions: an LDM of four registers waits for pipeline 0 and transfers one, two and one of
        # them.
        ("add r0, r1, r2; ldm r3, {r4-r7}; add r8, r9, r7", [0, 1, 5]),
    ],
)
def test_a8_follows_the_manuals_stages(assemble, text: str, cycles: list[int]) -> None:  # type: ignore[no-untyped-def]
    assert issue_cycles("cortex-a8", assemble(text)) == cycles


def test_a8_runs_ahead_of_neon_until_its_queue_of_16_is_full(assemble) -> None:  # type: ignore[no-untyped-def]
    """DDI 0344, 16.5. Each multiplication takes the vector unit four cycles, so that the 17th waits in the core for the
    first to leave."""
    table = table_of("cortex-a8")
    pipeline = new_pipeline(table)
    operations = Operations(table).of(Block(0, assemble("vmul.i32 q0, q1, q2\n" * 40), "arm"))
    entered = []
    for operation in operations:
        pipeline.step(operation)
        entered.append(pipeline.now)
    assert entered[15] <= 8
    assert entered[39] - entered[38] == 4
    assert entered[39] - entered[29] == 40


@pytest.mark.parametrize(("registers", "cycles"), [(1, 2), (2, 2), (3, 3), (4, 3), (5, 4), (6, 4), (15, 9), (16, 9)])
def test_a8_loads_and_stores_vector_lists_in_the_manuals_cycles(assemble, registers: int, cycles: int) -> None:  # type: ignore[no-untyped-def]
    """DDI 0344, 16.6.7: n/2 + n mod 2 + 1, with these examples. The cycle is that of the vector unit."""
    listed = ", ".join(f"d{number}" for number in range(registers))
    for mnemonic in ("vldm", "vstm"):
        issued = issue_cycles("cortex-a8", assemble(f"{mnemonic} r0, {{{listed}}}\n" * 3))
        assert issued[2] - issued[1] == cycles


@pytest.mark.parametrize(
    ("text", "cycles"),
    [
        # "Pandora Cortex-A8 NEON Timings" (pyra-handheld.com, 2015): cycles of the load, store and permutation
        # pipeline.
        ("vrev32.8 q0, q1", 1),
        ("vdup.8 q0, d2[1]", 1),
        ("vmovn.i16 d0, q1", 1),
        ("vext.8 d0, d1, d2, #3", 1),
        ("vext.8 q0, q1, q2, #3", 2),
        ("vtrn.8 d0, d1; vtrn.8 d2, d3", 2),
        ("vtbl.8 d0, {d1, d2}, d3", 2),
        ("vzip.8 q0, q1; vzip.8 q2, q3", 6),
        # That of the arithmetic takes an addition beside them.
        ("vmovn.i16 d0, q1; vadd.i16 d8, d9, d10", 1),
    ],
)
def test_a8_permutes_in_the_cycles_that_were_measured(assemble, text: str, cycles: int) -> None:  # type: ignore[no-untyped-def]
    instructions = text.count(";") + 1
    issued = issue_cycles("cortex-a8", assemble("; ".join([text] * 40)))
    assert issued[30 * instructions] - issued[20 * instructions] == 10 * cycles


@pytest.mark.parametrize(
    ("text", "cycles"),
    [
        # DDI 0344, 16.6.4: long multiplications take one cycle for 8 and 16 bits, two for 32.
        ("vmull.u8 q0, d4, d5", 1),
        ("vmull.s16 q0, d4, d5", 1),
        ("vmull.u32 q0, d4, d5", 2),
        ("vmlal.u8 q0, d4, d5; vmlal.u8 q1, d4, d5", 2),
        ("vmlal.s16 q0, d4, d5; vmlal.s16 q1, d4, d5", 2),
        ("vmlal.u32 q0, d4, d5; vmlal.u32 q1, d4, d5", 4),
    ],
)
def test_a8_multiplies_long_in_the_manuals_cycles(assemble, text: str, cycles: int) -> None:  # type: ignore[no-untyped-def]
    issued = issue_cycles("cortex-a8", assemble("; ".join([text] * 40)))
    each = len(text.split(";"))
    assert issued[-1] - issued[-1 - each] == cycles


@pytest.mark.parametrize(
    ("text", "cycles"),
    [
        # GCC, cortex-a8-neon.md: stages in which operands are read and results come. VADD reads both in N2 and has its
        # result in N3.
        ("vadd.i16 d0, d1, d2; vadd.i16 d3, d4, d0", 2),
        # VSUB reads the last in N1, VADDL both, VADDW the last.
        ("vadd.i16 d0, d1, d2; vsub.i16 d3, d0, d4", 2),
        ("vadd.i16 d0, d1, d2; vsub.i16 d3, d4, d0", 3),
        ("vadd.i16 q0, q1, q2; vsub.i16 q3, q4, q0", 3),
        ("vadd.i16 d0, d1, d2; vaddl.s16 q2, d0, d8", 3),
        ("vadd.i16 q0, q1, q2; vaddw.s8 q3, q0, d9", 2),
        ("vadd.i16 d0, d1, d2; vaddw.s8 q3, q4, d0", 3),
        # Comparisons, differences and saturation have theirs in N4, of 128 bits too.
        ("vceq.i16 q0, q1, q2; vand q3, q0, q4", 3),
        ("vadd.i16 d0, d1, d2; vabd.u8 d3, d4, d0", 3),
        ("vabd.u8 d0, d1, d2; vand d3, d0, d4", 3),
        ("vtst.8 q0, q1, q2; vmvn q3, q0", 3),
        ("vqadd.s16 q0, q1, q2; vand q3, q0, q4", 3),
    ],
)
def test_a8_reads_vector_operands_in_the_stages_that_gcc_has(assemble, text: str, cycles: int) -> None:  # type: ignore[no-untyped-def]
    assert issue_cycles("cortex-a8", assemble(text)) == [0, cycles]


def test_a_class_that_a_table_does_not_have_is_looked_up_nearest_first() -> None:
    assert list(classes_to_look_up("v-difference-q")) == [
        "v-difference-q",
        "v-difference",
        "v-saturate-q",
        "v-saturate",
        "v-add-q",
        "v-add",
    ]
    assert list(classes_to_look_up("load-narrow")) == ["load-narrow", "load"]


@pytest.mark.parametrize(
    ("pair", "cycles"),
    [
        # M. Rullgard, "ARM-NEON memory hazards" (hardwarebug.org, 2008): cycles of a pair on an A8 whose addresses are
        # in different lines.
        ("vst1.64 {d0}, [r0]; ldr r2, [r1]", 3),
        ("vld1.64 {d0}, [r0]; str r2, [r1]", 3),
        # DDI 0344, 4.2.1: 128 bits an access, and one more where no alignment is promised.
        ("vld1.64 {d0-d3}, [r0:128]; ldr r2, [r1]", 3),
        ("vld1.64 {d0-d3}, [r0]; ldr r2, [r1]", 4),
    ],
)
def test_a8_takes_the_cores_pipeline_for_each_access_of_neon(assemble, pair: str, cycles: int) -> None:  # type: ignore[no-untyped-def]
    issued = issue_cycles("cortex-a8", assemble("; ".join([pair] * 40)))
    assert issued[61] - issued[41] == 10 * cycles


@pytest.mark.parametrize(
    ("text", "cycles"),
    [
        # M. Rullgard, "Cortex-A7 instruction cycle timings" (hardwarebug.org, 2014): from one to the next that needs
        # its result.
        ("add r0, r0, r1", 1),
        ("add r0, r0, r1, lsl #3", 1),
        ("lsl r0, r0, #3", 2),
        ("lsl r0, r0, r1", 2),
        ("rev r0, r0", 2),
        ("rbit r0, r0", 2),
        ("sbfx r0, r0, #1, #30", 2),
        ("qadd r0, r0, r1", 2),
        ("mul r0, r0, r1", 3),
        ("smull r0, r2, r0, r1", 3),
    ],
)
def test_a7_chains_take_what_was_measured(assemble, text: str, cycles: int) -> None:  # type: ignore[no-untyped-def]
    issued = issue_cycles("cortex-a7", assemble((text + "\n") * 20))
    assert issued[-1] == 19 * cycles


@pytest.mark.parametrize(
    ("text", "cycles"),
    [
        # GCC's model by Arm: an instruction with a number is the younger of a pair, one with two registers is not.
        ("add r0, r1, r2; add r3, r4, #1", [0, 0]),
        ("add r0, r1, r2; add r3, r4, r5", [0, 1]),
        ("add r3, r4, #1; add r0, r1, r2", [0, 1]),
        ("ldr r0, [r1]; add r2, r0, #1", [0, 2]),
        ("ldr r0, [r1]; ldr r2, [r0]", [0, 3]),
        ("mul r0, r1, r2; add r3, r4, #1", [0, 1]),
    ],
)
def test_a7_pairs_what_it_can(assemble, text: str, cycles: list[int]) -> None:  # type: ignore[no-untyped-def]
    assert issue_cycles("cortex-a7", assemble(text)) == cycles


@pytest.mark.parametrize(
    ("text", "cycles"),
    [
        # GCC's model by Arm, bypasses: 1 between ALUs, 2 from an ALU to a shifted operand or to a shift.
        ("lsl x0, x1, #3; add x2, x3, x0", [0, 1]),
        ("add x0, x1, x2; add x3, x4, x0", [0, 1]),
        ("add x0, x1, x2; add x3, x4, x0, lsl #2", [0, 2]),
        ("add x0, x1, x2; lsl x3, x0, #2", [0, 2]),
        ("ldr x0, [x1]; add x2, x3, x0", [0, 2]),
        ("ldr x0, [x1]; ldr x2, [x0]", [0, 3]),
        ("add x0, x1, x2; str x0, [x3]", [0, 0]),
        ("mul w0, w1, w2; madd w3, w4, w5, w0", [0, 1]),
        # What writes a half of a register does not wait for the other one.
        ("rshrn v0.2s, v1.2d, #2; rshrn2 v0.4s, v2.2d, #2; add v3.4s, v4.4s, v0.4s", [0, 1, 5]),
        # 128-bit vector operations take both halves of the unit.
        ("add v0.4s, v1.4s, v2.4s; add v3.4s, v4.4s, v5.4s", [0, 1]),
        ("add v0.2s, v1.2s, v2.2s; add v3.2s, v4.2s, v5.2s", [0, 0]),
    ],
)
def test_a53_has_the_bypasses_that_arm_published(assemble, text: str, cycles: list[int]) -> None:  # type: ignore[no-untyped-def]
    assert issue_cycles("cortex-a53", assemble(text, "aarch64"), "aarch64") == cycles


# insn_bench_aarch64, results/raspberry-pi-3_cortex-a53.md: latency, and instructions a cycle (None where the source has
# no figure).
MEASURED_ON_A53 = [
    ("ldr x0, [x0]", 3.02, "ldr x{n}, [x28]", 0.99),
    ("ldrb w0, [x0, x28]", 4.02, "ldrb w{n}, [x28, x27]", 1.00),
    ("ldrsw x0, [x0, x28]", 4.02, "ldrsw x{n}, [x28, x27]", 0.99),
    ("ldp x0, x1, [x0]", 3.01, "ldp x{n}, x26, [x28]", 0.50),
    ("ldp x1, x0, [x0]", 4.02, None, None),
    (None, None, "str x{n}, [x28]", 1.00),
    (None, None, "stp x{n}, x26, [x28]", 1.00),
    ("mov x0, x0", 1.00, "mov x{n}, x28", 1.99),
    ("add x0, x0, x28", 1.00, "add x{n}, x{n}, x28", 1.99),
    ("add x0, x28, x0, lsl #17", 2.01, "add x{n}, x{n}, x28, lsl #17", 1.99),
    ("adcs x0, x0, x28", 1.00, "adcs x{n}, x{n}, x28", 0.99),
    ("umull x0, w0, w28", 3.01, "umull x{n}, w28, w27", 1.00),
    ("umaddl x0, w0, w0, x0", 3.01, "umaddl x{n}, w28, w27, x{n}", 1.00),
    ("mul x0, x0, x28", 4.02, "mul x{n}, x{n}, x28", 0.50),
    ("umulh x0, x0, x28", 6.03, "umulh x{n}, x{n}, x28", 0.25),
    ("uxtb w0, w0", 2.01, "uxtb w{n}, w28", 1.99),
    ("lsl x0, x0, #17", 2.01, "lsl x{n}, x28, #17", 1.99),
    ("ror x0, x0, #17", 2.01, "ror x{n}, x28, #17", 1.99),
    ("lsl x0, x0, x28", 1.00, "lsl x{n}, x{n}, x28", 1.00),
    ("extr x0, x0, x28, #17", 2.01, "extr x{n}, x{n}, x28, #17", 1.99),
    ("bfi x0, x0, #17, #2", 2.01, "bfi x{n}, x28, #17, #2", 1.99),
    ("rev x0, x0", 2.01, "rev x{n}, x28", 1.99),
    ("csinc x0, x0, x28, eq", 1.00, "csinc x{n}, x{n}, x28, eq", 1.99),
    (None, None, "ldr q{n}, [x28]", 0.50),
    (None, None, "ldp q{n}, q26, [x28]", 0.25),
    (None, None, "ld1 {{v{n}.16b}}, [x28]", 0.50),
    (None, None, "ld1 {{v0.16b-v1.16b}}, [x28]", 0.25),
    (None, None, "ld1 {{v0.16b-v2.16b}}, [x28]", 0.17),
    (None, None, "ld1 {{v0.16b-v3.16b}}, [x28]", 0.12),
    (None, None, "ld2 {{v0.4s-v1.4s}}, [x28]", 0.25),
    (None, None, "ld3 {{v0.16b-v2.16b}}, [x28]", 0.14),
    (None, None, "ld4 {{v0.16b-v3.16b}}, [x28]", 0.11),
    (None, None, "ld1 {{v{n}.b}}[15], [x28]", 0.99),
    (None, None, "ld1r {{v{n}.16b}}, [x28]", 0.99),
    (None, None, "st1 {{v{n}.b}}[15], [x28]", 0.99),
    (None, None, "str q{n}, [x28]", 1.00),
    (None, None, "stp q{n}, q26, [x28]", 0.50),
    (None, None, "st1 {{v{n}.16b}}, [x28]", 1.00),
    (None, None, "st3 {{v0.16b-v2.16b}}, [x28]", 0.25),
    (None, None, "st4 {{v0.16b-v3.16b}}, [x28]", 0.20),
    ("eor v0.16b, v0.16b, v28.16b", 1.01, "eor v{n}.16b, v{n}.16b, v28.16b", 0.99),
    ("bsl v0.16b, v0.16b, v28.16b", 2.01, "bsl v{n}.16b, v{n}.16b, v28.16b", 0.99),
    ("add v0.4s, v0.4s, v28.4s", 2.01, "add v{n}.4s, v{n}.4s, v28.4s", 0.99),
    ("smax v0.4s, v0.4s, v28.4s", 2.01, "smax v{n}.4s, v{n}.4s, v28.4s", 0.99),
    ("cmhi v0.4s, v0.4s, v28.4s", 2.01, "cmhi v{n}.4s, v{n}.4s, v28.4s", 0.99),
    ("uqadd v0.16b, v0.16b, v28.16b", 3.01, "uqadd v{n}.16b, v{n}.16b, v28.16b", 0.99),
    ("sabd v0.4s, v0.4s, v28.4s", 3.01, "sabd v{n}.4s, v{n}.4s, v28.4s", 0.99),
    ("urshr v0.4s, v0.4s, #2", 3.01, "urshr v{n}.4s, v28.4s, #2", 0.99),
    ("sqxtn v0.4h, v0.4s", 4.02, "sqxtn v{n}.4h, v28.4s", 1.99),
    ("uaddw v0.8h, v0.8h, v28.8b", 3.01, "uaddw v{n}.8h, v{n}.8h, v28.8b", 0.99),
    ("addp v0.4s, v0.4s, v28.4s", 3.01, "addp v{n}.4s, v{n}.4s, v28.4s", 0.99),
    ("shl v0.4s, v0.4s, #2", 2.01, "shl v{n}.4s, v28.4s, #2", 0.99),
    ("sri v0.4s, v0.4s, #2", 2.01, "sri v{n}.4s, v28.4s, #2", 0.99),
    ("usra v0.4s, v0.4s, #2", 3.01, "usra v{n}.4s, v28.4s, #2", 0.99),
    ("shrn v0.2s, v0.2d, #2", 2.01, "shrn v{n}.2s, v28.2d, #2", 1.99),
    ("ext v0.16b, v0.16b, v0.16b, #1", 2.01, "ext v{n}.16b, v{n}.16b, v28.16b, #1", 0.99),
    ("tbl v0.16b, {{v0.16b}}, v28.16b", 2.01, "tbl v{n}.16b, {{v28.16b}}, v27.16b", 0.99),
    ("tbl v0.16b, {{v28.16b-v29.16b}}, v0.16b", 3.01, "tbl v{n}.16b, {{v28.16b-v29.16b}}, v27.16b", 0.50),
    ("tbl v0.16b, {{v28.16b-v31.16b}}, v0.16b", 5.02, "tbl v{n}.16b, {{v28.16b-v31.16b}}, v27.16b", 0.25),
    ("mul v0.4s, v0.4s, v28.4s", 4.02, "mul v{n}.4s, v{n}.4s, v28.4s", 0.99),
    ("umlal v0.2d, v27.2s, v28.2s", 1.03, "umlal v{n}.2d, v27.2s, v28.2s", 0.99),
    ("saba v0.4s, v27.4s, v28.4s", 2.02, "saba v{n}.4s, v27.4s, v28.4s", 0.50),
    ("pmull v0.8h, v0.8b, v28.8b", 3.01, "pmull v{n}.8h, v27.8b, v28.8b", 0.99),
    ("fmla v0.4s, v0.4s, v28.4s", 8.04, "fmla v{n}.4s, v27.4s, v28.4s", 0.99),
    ("fmla v0.4s, v27.4s, v28.4s", 4.02, None, None),
    ("fmadd d0, d0, d27, d28", 8.04, "fmadd d{n}, d27, d28, d{n}", 1.99),
    ("fmadd d0, d27, d28, d0", 4.02, None, None),
    ("fsqrt d0, d0", 22.10, "fsqrt d{n}, d28", 0.05),
]


@pytest.mark.parametrize(("text", "latency"), [(chain, latency) for chain, latency, _, _ in MEASURED_ON_A53 if chain])
def test_a53_chains_take_what_was_measured_on_silicon(assemble, text: str, latency: float) -> None:  # type: ignore[no-untyped-def]
    cycles = issue_cycles(
        "cortex-a53", assemble((text.replace("{{", "{").replace("}}", "}") + "\n") * 30, "aarch64"), "aarch64"
    )
    assert (cycles[-1] - cycles[0]) / 29 == pytest.approx(latency, rel=0.04)


@pytest.mark.parametrize(("text", "a_cycle"), [(text, a_cycle) for _, _, text, a_cycle in MEASURED_ON_A53 if text])
def test_a53_issues_as_many_a_cycle_as_were_measured_on_silicon(assemble, text: str, a_cycle: float) -> None:  # type: ignore[no-untyped-def]
    code = "\n".join(text.format(n=number % 24) for number in range(241))
    cycles = issue_cycles("cortex-a53", assemble(code + "\n", "aarch64"), "aarch64")
    assert 240 / (cycles[-1] - cycles[0]) == pytest.approx(a_cycle, rel=0.05)


@pytest.mark.parametrize(
    ("loop", "cycles"),
    [
        # The loops of GMP 6.2.1's mpn/arm64/, shortened to one of their repetitions, and their headers' cycles a limb:
        # a load of two registers issues alone in the first of its two cycles (add_n 2.75, and_n 2.75); a multiplication
        # of 64 bits lets nothing pass (mul_1 7.5); a store of 128 bits takes a slot of the next cycle too (copyi 2, com
        # 2.25).
        ("ldp x4, x5, [x1]; ldp x8, x9, [x2]; adcs x12, x6, x10; adcs x13, x7, x11; stp x12, x13, [x0]", 5),
        ("ldp x4, x5, [x1]; ldp x8, x9, [x2]; and x12, x6, x10; and x13, x7, x11; stp x12, x13, [x0]", 5),
        (
            "mul x8, x4, x3; ldp x6, x7, [x1]; adcs x13, x9, x10; umulh x10, x4, x3; mul x9, x5, x3; stp x12, x13, [x0]; "
            "adcs x12, x8, x11; umulh x11, x5, x3",
            15,
        ),
        (
            "ld1 {v22.2d}, [x1], #16; st1 {v26.2d}, [x0], #16; ld1 {v26.2d}, [x1], #16; st1 {v22.2d}, [x0], #16; sub x2, x2, #4; tbz x2, #63, .",
            8,
        ),
        (
            "ld1 {v22.2d}, [x1], #16; mvn v26.16b, v26.16b; st1 {v26.2d}, [x0], #16; ld1 {v26.2d}, [x1], #16; mvn v22.16b, v22.16b; "
            "st1 {v22.2d}, [x0], #16; subs x2, x2, #4; b.ge .",
            9,
        ),
    ],
)
def test_a53_takes_gmps_loops_in_the_cycles_that_their_headers_give(assemble, loop: str, cycles: int) -> None:  # type: ignore[no-untyped-def]
    instructions = loop.count(";") + 1
    issued = issue_cycles("cortex-a53", assemble("; ".join([loop] * 20), "aarch64"), "aarch64")
    assert issued[19 * instructions] - issued[9 * instructions] == 10 * cycles


def test_a15_issues_around_what_waits(assemble) -> None:  # type: ignore[no-untyped-def]
    """A load takes four cycles; what does not need it issues meanwhile, what needs it does not."""
    cycles = issue_cycles("cortex-a15", assemble("ldr r0, [r1]; add r2, r0, #1; add r3, r4, #1; add r5, r3, #1"))
    assert cycles == [0, 4, 0, 1]


@pytest.mark.parametrize(
    ("loop", "cycles"),
    [
        # GCC, cortex-a15.md: an ALU's result is there for an ALU or a load in the next cycle, for everything else in
        # the one after it.
        ("add r0, r0, r1", 1),
        ("add r0, r0, r1; mul r0, r0, r2", 5),
        ("mul r0, r0, r1", 3),
        # GMP 6.2.1's loops of the fit set, shortened to what their cycles a limb hang on: bdiv_q_1 (9), mod_1_1 (6),
        # mul_1 (4), mul_2 (5).
        ("sbcs r7, r11, r7; mul r9, r10, r7; umull r12, r7, r3, r9", 9),
        ("adds r12, r6, r7; adcs r10, r4, r5; umull r7, r5, r10, r8; mov r4, r12", 6),
        ("mov r6, #0; umaal r6, r12, r4, r3", 4),
        (
            (
                "umaal r5, r8, r9, r6; mov r4, #0; umaal r4, r12, r9, r7; umaal r4, r8, r3, r6; mov r5, #0; umaal r5,"
                " r12, r3, r7"
            ),
            10,
        ),
        # UAN 0015, 3.5: an accumulator is forwarded to the next multiplication of the same kind. A high word that is
        # added as a low one is not.
        ("umlal r4, r5, r0, r1", 2),
        ("mov r5, #0; umlal r4, r5, r0, r1; mov r4, #0; umlal r5, r4, r0, r1", 8),
        # UAN 0015, 3.8 and 3.9: the base is updated by an integer unit (two cycles of it for each shifted operand and
        # one for each base are six of the two), and does not wait for the data that is stored, or the load behind it
        # would wait for the multiplication.
        ("ldr r4, [r0], #4; add r5, r6, r7, lsl #3; ldr r8, [r1], #4; add r9, r6, r7, lsl #3", 3),
        ("mul r4, r5, r6; str r4, [r0], #4; ldr r5, [r0]; mul r4, r5, r6; str r4, [r0], #4; ldr r5, [r0]", 3),
        # GCC, cortex-a15-neon.md: bits of 128-bit operands are counted and selected in both pipelines, added and
        # combined in one.
        ("vcnt.8 q0, q1; vadd.i32 d4, d5, d6; vbsl q4, q5, q6; vadd.i32 d14, d5, d6", 3),
        ("veor q0, q1, q2; vadd.i32 d6, d7, d8", 1),
        # Fitted (bit-sliced AES), for the whole of GCC's class cortex_a15_neon_arith_basic: two of the three slots of a
        # cycle for 128 bits.
        ("vadd.i32 q0, q1, q2; veor q3, q4, q5; vpaddl.u32 q6, q7", 3),
    ],
)
def test_a15_takes_chains_in_the_cycles_that_sources_of_the_table_give(assemble, loop: str, cycles: int) -> None:  # type: ignore[no-untyped-def]
    instructions = loop.count(";") + 1
    issued = issue_cycles("cortex-a15", assemble("; ".join([loop] * 40)))
    assert issued[38 * instructions + instructions - 1] - issued[18 * instructions + instructions - 1] == 20 * cycles


def test_a15_retires_no_more_than_three_a_cycle(assemble) -> None:  # type: ignore[no-untyped-def]
    table = table_of("cortex-a15")
    pipeline = new_pipeline(table)
    code = assemble("add r0, r1, #1; ldr r2, [r3]; b 1f; 1:\n" * 50)
    for operation in Operations(table).of(Block(0, code, "arm")):
        pipeline.step(operation)
    assert 50 <= pipeline.now <= 56


def test_an_instruction_that_the_table_does_not_know_is_named(assemble) -> None:  # type: ignore[no-untyped-def]
    """The Cortex-A8 has no division instruction."""
    block = Block(0x8000, assemble("add r0, r1, r2; udiv r0, r1, r2"), "arm")
    with pytest.raises(UnknownInstruction) as raised:
        cost(Profile((block,), (Edge(ENTRY, 0, 1),), 0), table_of("cortex-a8"))
    assert (raised.value.mnemonic, raised.value.address) == ("udiv", 0x8004)
    assert "udiv r0, r1, r2" in str(raised.value)


def test_the_rarer_way_of_a_branch_is_mispredicted_and_a_short_loop_is_not(assemble) -> None:  # type: ignore[no-untyped-def]
    code = assemble("1: subs r0, r0, #1; bne 1b; mov r1, r2")
    loop, after = Block(0, code[:8], "arm"), Block(8, code[8:], "arm")

    def cycles(turns: int) -> float:
        edges = (Edge(ENTRY, 0, 100), Edge(0, 0, 100 * (turns - 1)), Edge(0, 1, 100))
        return cost(Profile((loop, after), edges, 0), table_of("cortex-a7")).cycles / 100

    branches = table_of("cortex-a7").branches
    # A loop of two turns: its branch goes back as often as it does not.
    assert cycles(2) < cycles(1) + branches.mispredict_cycles
    predicted, mispredicted = cycles(branches.history + 1), cycles(branches.history + 2)
    assert mispredicted - predicted == pytest.approx(branches.mispredict_cycles + 1, abs=1)


@pytest.mark.parametrize(
    ("core", "text", "cycles_each", "measured_ns"),
    [
        # lmbench at 1 GHz by TI (Processor SDK Linux, Performance Guides for AM335X and AM64x): lat_mem_rd within level
        # 1, lat_ops.
        ("cortex-a8", "ldr r0, [r0]", 3, 3.00),
        ("cortex-a8", "mul r0, r0, r1", 6, 6.06),
        ("cortex-a8", "add r0, r0, r1", 1, 1.00),
        ("cortex-a53", "ldr x0, [x0]", 3, 3.02),
        ("cortex-a53", "add x0, x0, x1", 1, 1.01),
        ("cortex-a53", "fadd d0, d0, d1", 4, 4.02),
        ("cortex-a53", "fmul s0, s0, s1", 4, 4.02),
    ],
)
def test_chains_take_what_was_measured(assemble, core: str, text: str, cycles_each: int, measured_ns: float) -> None:  # type: ignore[no-untyped-def]
    instruction_set: InstructionSet = "aarch64" if core == "cortex-a53" else "arm"
    cycles = issue_cycles(core, assemble((text + "\n") * 20, instruction_set), instruction_set)
    assert cycles[-1] == cycles_each * 19
    assert cycles_each == pytest.approx(measured_ns, rel=0.1)
