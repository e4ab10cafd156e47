"""The pipeline of the Cortex-A8 against examples and rules of its manual, instruction by instruction."""

from __future__ import annotations

import pytest

from bancada.costing.cortex_a import new_pipeline
from bancada.costing.cortex_a_operations import Operations
from bancada.costing.profile import Block
from tests.costing.pipelines import Assemble, issue_cycles, table_of

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
def test_a8_follows_the_manuals_stages(assemble: Assemble, text: str, cycles: list[int]) -> None:
    assert issue_cycles("cortex-a8", assemble(text)) == cycles


def test_a8_runs_ahead_of_neon_until_its_queue_of_16_is_full(assemble: Assemble) -> None:
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
def test_a8_loads_and_stores_vector_lists_in_the_manuals_cycles(
    assemble: Assemble, registers: int, cycles: int
) -> None:
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
def test_a8_permutes_in_the_cycles_that_were_measured(assemble: Assemble, text: str, cycles: int) -> None:
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
def test_a8_multiplies_long_in_the_manuals_cycles(assemble: Assemble, text: str, cycles: int) -> None:
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
def test_a8_reads_vector_operands_in_the_stages_that_gcc_has(assemble: Assemble, text: str, cycles: int) -> None:
    assert issue_cycles("cortex-a8", assemble(text)) == [0, cycles]


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
def test_a8_takes_the_cores_pipeline_for_each_access_of_neon(assemble: Assemble, pair: str, cycles: int) -> None:
    issued = issue_cycles("cortex-a8", assemble("; ".join([pair] * 40)))
    assert issued[61] - issued[41] == 10 * cycles


@pytest.mark.parametrize(
    ("text", "cycles"),
    [
        # DDI 0344, 16.6.4: an accumulation gets a product of the same size as soon as it can issue.
        ("vmull.u8 q0, d4, d5; vmlal.u8 q0, d6, d7", 1),
        ("vmull.u32 q0, d4, d5; vmlal.u32 q0, d6, d7", 2),
        ("vmul.i16 d0, d4, d5; vmla.i16 d0, d6, d7", 1),
        # Anything else waits for the product, from N6 to N2.
        ("vmull.u8 q0, d4, d5; vmlal.u8 q1, d0, d7", 5),
    ],
)
def test_a8_forwards_a_product_to_an_accumulation(assemble: Assemble, text: str, cycles: int) -> None:
    assert issue_cycles("cortex-a8", assemble(text)) == [0, cycles]


@pytest.mark.parametrize(
    ("text", "cycles"),
    [
        # GCC's model, cortex-a8-neon.md: neon_vld1_vld2_lane three cycles, all lanes two, VST1 of a lane two; a cycle
        # less where an alignment is promised (DDI 0344, 16.6.7).
        ("vld1.16 {d0[1]}, [r0]", 3),
        ("vld1.16 {d0[1]}, [r0:16]", 2),
        ("vld1.16 {d0[]}, [r0]", 2),
        ("vld1.16 {d0[]}, [r0:16]", 1),
        ("vst1.16 {d0[1]}, [r0]", 2),
        ("vst1.16 {d0[1]}, [r0:16]", 1),
    ],
)
def test_a8_takes_gccs_cycles_for_lanes(assemble: Assemble, text: str, cycles: int) -> None:
    issued = issue_cycles("cortex-a8", assemble("; ".join(text.replace("d0", f"d{n % 16}") for n in range(40))))
    assert issued[39] - issued[19] == 20 * cycles
