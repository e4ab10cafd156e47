"""The pipeline of the Cortex-A15 against rules and measured chains."""

from __future__ import annotations

import pytest

from bancada.costing.cortex_a import new_pipeline
from bancada.costing.cortex_a_operations import Operations
from bancada.costing.profile import Block
from tests.costing.pipelines import Assemble, issue_cycles, table_of


def test_a15_issues_around_what_waits(assemble: Assemble) -> None:
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
def test_a15_takes_chains_in_the_cycles_that_sources_of_the_table_give(
    assemble: Assemble, loop: str, cycles: int
) -> None:
    instructions = loop.count(";") + 1
    issued = issue_cycles("cortex-a15", assemble("; ".join([loop] * 40)))
    assert issued[38 * instructions + instructions - 1] - issued[18 * instructions + instructions - 1] == 20 * cycles


def test_a15_retires_no_more_than_three_a_cycle(assemble: Assemble) -> None:
    table = table_of("cortex-a15")
    pipeline = new_pipeline(table)
    code = assemble("add r0, r1, #1; ldr r2, [r3]; b 1f; 1:\n" * 50)
    for operation in Operations(table).of(Block(0, code, "arm")):
        pipeline.step(operation)
    assert 50 <= pipeline.now <= 56
