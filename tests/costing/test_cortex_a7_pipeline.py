"""The pipeline of the Cortex-A7 against what was measured, instruction by instruction."""

from __future__ import annotations

import pytest

from tests.costing.pipelines import Assemble, issue_cycles


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
def test_a7_chains_take_what_was_measured(assemble: Assemble, text: str, cycles: int) -> None:
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
def test_a7_pairs_what_it_can(assemble: Assemble, text: str, cycles: list[int]) -> None:
    assert issue_cycles("cortex-a7", assemble(text)) == cycles
