"""What the pipeline models of all Cortex-A cores have in common."""

from __future__ import annotations

import pytest

from bancada.costing.cortex_a_classes import classes_to_look_up
from bancada.costing.cost import cost
from bancada.costing.decode import UnknownInstruction
from bancada.costing.profile import ENTRY, Block, Edge, InstructionSet, Profile
from tests.costing.pipelines import Assemble, issue_cycles, table_of


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


def test_an_instruction_that_the_table_does_not_know_is_named(assemble: Assemble) -> None:
    """The Cortex-A8 has no division instruction."""
    block = Block(0x8000, assemble("add r0, r1, r2; udiv r0, r1, r2"), "arm")
    with pytest.raises(UnknownInstruction) as raised:
        cost(Profile((block,), (Edge(ENTRY, 0, 1),), 0), table_of("cortex-a8"))
    assert (raised.value.mnemonic, raised.value.address) == ("udiv", 0x8004)
    assert "udiv r0, r1, r2" in str(raised.value)


def test_the_rarer_way_of_a_branch_is_mispredicted_and_a_short_loop_is_not(assemble: Assemble) -> None:
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
def test_chains_take_what_was_measured(
    assemble: Assemble, core: str, text: str, cycles_each: int, measured_ns: float
) -> None:
    instruction_set: InstructionSet = "aarch64" if core == "cortex-a53" else "arm"
    cycles = issue_cycles(core, assemble((text + "\n") * 20, instruction_set), instruction_set)
    assert cycles[-1] == cycles_each * 19
    assert cycles_each == pytest.approx(measured_ns, rel=0.1)
