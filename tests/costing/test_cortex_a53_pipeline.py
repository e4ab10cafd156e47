"""The pipeline of the Cortex-A53 against published latencies and throughputs, instruction by instruction."""

from __future__ import annotations

import pytest

from tests.costing.pipelines import Assemble, issue_cycles


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
def test_a53_has_the_bypasses_that_arm_published(assemble: Assemble, text: str, cycles: list[int]) -> None:
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
def test_a53_chains_take_what_was_measured_on_silicon(assemble: Assemble, text: str, latency: float) -> None:
    cycles = issue_cycles(
        "cortex-a53", assemble((text.replace("{{", "{").replace("}}", "}") + "\n") * 30, "aarch64"), "aarch64"
    )
    assert (cycles[-1] - cycles[0]) / 29 == pytest.approx(latency, rel=0.04)


@pytest.mark.parametrize(("text", "a_cycle"), [(text, a_cycle) for _, _, text, a_cycle in MEASURED_ON_A53 if text])
def test_a53_issues_as_many_a_cycle_as_were_measured_on_silicon(assemble: Assemble, text: str, a_cycle: float) -> None:
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
def test_a53_takes_gmps_loops_in_the_cycles_that_their_headers_give(assemble: Assemble, loop: str, cycles: int) -> None:
    instructions = loop.count(";") + 1
    issued = issue_cycles("cortex-a53", assemble("; ".join([loop] * 20), "aarch64"), "aarch64")
    assert issued[19 * instructions] - issued[9 * instructions] == 10 * cycles
