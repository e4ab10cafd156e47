"""Costing the edges of a profile comes close to walking the whole trace, block after block, through the same pipeline.

A profile does not say what came before a block's predecessor; the usual path is walked instead
(bancada/costing/cortex_a.py). The largest difference that was measured here is stated below, and asserted.
"""

from __future__ import annotations

from collections import Counter
from functools import cache
from pathlib import Path
from typing import Any

import pytest
import unicorn
from elftools.elf.elffile import ELFFile
from unicorn import arm64_const, arm_const

from bancada.build.symbols import symbols
from bancada.costing.cortex_a import new_pipeline
from bancada.costing.cortex_a_branches import penalties
from bancada.costing.cortex_a_operations import Operations
from bancada.costing.cortex_a_table import InOrderTable, OutOfOrderTable
from bancada.costing.cost import cost
from bancada.costing.profile import ENTRY, Block, Edge, InstructionSet, Profile
from bancada.measure.laboratory import open_laboratory
from tests.costing.pipelines import Assemble, table_of
from tests.plain_sources import plain_sources
from tests.tatu.compiled import compiled

HERE = Path(__file__).resolve().parent
LOADED, STACK, RETURN = 0x10000, 0x0090_0000, 0x00A0_0000
BUILDS: dict[str, tuple[str, tuple[str, ...], InstructionSet]] = {
    "arm": ("arm-linux-gnueabihf-gcc", ("-marm", "-mcpu=cortex-a7", "-mfpu=neon-vfpv4", "-O2"), "arm"),
    "arm-a8": ("arm-linux-gnueabihf-gcc", ("-marm", "-mcpu=cortex-a8", "-mfpu=neon", "-O2"), "arm"),
    "thumb-unoptimised": ("arm-linux-gnueabihf-gcc", ("-mthumb", "-mcpu=cortex-a8", "-O0"), "thumb"),
    "aarch64": ("aarch64-linux-gnu-gcc", ("-mcpu=cortex-a53", "-O2"), "aarch64"),
}
CASES = [
    # In order and out of order, each instruction set.
    ("cortex-a7", "arm-a8"),
    ("cortex-a7", "thumb-unoptimised"),
    ("cortex-a15", "arm-a8"),
    ("cortex-a53", "aarch64"),
    *(
        pytest.param(core, build, marks=pytest.mark.slow)
        for core, build in (
            ("cortex-a8", "arm-a8"),
            ("cortex-a8", "thumb-unoptimised"),
            ("cortex-a15", "thumb-unoptimised"),
            ("cortex-a53-arm", "arm"),
        )
    ),
]
# Per cent of the whole walk. The largest that was seen: 0.53 in order (most are below 0.1), 2.5 out of order, whose
# window of 128 instructions holds the end of a loop together with what comes after it, which the usual path of neither
# shows.
LARGEST_DIFFERENCE_PERCENT = {"cortex-a15": 4.0}
ELSE_PERCENT = 0.8


@pytest.fixture(scope="module")
def programs(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    folder = tmp_path_factory.mktemp("walk")
    sources = plain_sources(("aes", "speck", "sha2", "sha3", "common"))
    made = {}
    for name, (compiler, flags, _) in BUILDS.items():
        made[name] = folder / f"{name}.elf"
        bare = ("-ffreestanding", "-fno-stack-protector", "-fno-tree-loop-distribute-patterns")
        link = (
            "-nostdlib",
            "-static",
            "-no-pie",
            f"-Wl,-Ttext={LOADED:#x},-e,shapes",
            "-Wl,--build-id=none,--defsym=raise=0",
        )
        driver = HERE / "programs" / "microcontroller.c"
        compiled(made[name], compiler, (*flags, *bare), driver, sources, linking=link, libraries=("-lgcc",))
    return made


@cache
def trace(elf: Path, function: str, instruction_set: InstructionSet) -> tuple[Block, ...]:
    """The blocks of one call in the order in which Unicorn executed them."""
    is_64 = instruction_set == "aarch64"
    machine = unicorn.Uc(unicorn.UC_ARCH_ARM64 if is_64 else unicorn.UC_ARCH_ARM, unicorn.UC_MODE_ARM)
    machine.mem_map(0, 0x0100_0000)
    with elf.open("rb") as file:
        for segment in ELFFile(file).iter_segments("PT_LOAD"):
            machine.mem_write(segment["p_vaddr"], segment.data())
    executed: list[Block] = []
    known = symbols(elf)

    def block(emulator: Any, address: int, size: int, _: Any) -> None:
        # The compiler's own functions may be in another state than the program.
        executed.append(
            Block(address, bytes(emulator.mem_read(address, size)), known.instruction_set(address) or instruction_set)
        )

    machine.hook_add(unicorn.UC_HOOK_BLOCK, block, begin=LOADED, end=RETURN - 1)
    start = known.address(function)
    if is_64:
        machine.reg_write(arm64_const.UC_ARM64_REG_CPACR_EL1, 3 << 20)
        machine.reg_write(arm64_const.UC_ARM64_REG_SP, STACK)
        machine.reg_write(arm64_const.UC_ARM64_REG_LR, RETURN)
    else:
        machine.reg_write(arm_const.UC_ARM_REG_C1_C0_2, 0xF << 20)
        machine.reg_write(arm_const.UC_ARM_REG_FPEXC, 1 << 30)
        machine.reg_write(arm_const.UC_ARM_REG_SP, STACK)
        machine.reg_write(arm_const.UC_ARM_REG_LR, RETURN | (instruction_set == "thumb"))
    machine.emu_start(start | (instruction_set == "thumb"), RETURN)
    return tuple(executed)


def profile_of(executed: tuple[Block, ...]) -> Profile:
    """What the engine would have counted of this trace."""
    blocks = tuple(dict.fromkeys(executed))
    position = {block: number for number, block in enumerate(blocks)}
    order = [ENTRY, *(position[block] for block in executed)]
    counted = Counter(zip(order, order[1:], strict=False))
    return Profile(blocks, tuple(Edge(before, after, times) for (before, after), times in counted.items()), 0)


def walked(table: InOrderTable | OutOfOrderTable, executed: tuple[Block, ...], profile: Profile) -> float:
    """The cycles of the whole trace, walked once from its first instruction to its last."""
    lost = dict(
        zip(((edge.before, edge.after) for edge in profile.edges), penalties(profile, table.branches), strict=True)
    )
    position = {block: number for number, block in enumerate(profile.blocks)}
    operations = Operations(table)
    pipeline = new_pipeline(table)
    before = ENTRY
    for block in executed:
        number = position[block]
        pipeline.stall(lost[before, number])
        for operation in operations.of(block):
            pipeline.step(operation)
        before = number
    return pipeline.now


@pytest.mark.parametrize("function", ["ciphers", "shapes"])
@pytest.mark.parametrize(("core", "build"), CASES)
def test_edges_cost_what_the_whole_walk_costs(programs: dict[str, Path], core: str, build: str, function: str) -> None:
    table = open_laboratory().cores[core].table
    assert isinstance(table, InOrderTable | OutOfOrderTable)
    executed = trace(programs[build], function, BUILDS[build][2])
    profile = profile_of(executed)
    found, whole = cost(profile, table).cycles, walked(table, executed, profile)
    print(
        f"{core} {build} {function}: {len(executed)} blocks, {found:.0f} by edges, {whole:.0f} walked,"
        f" {100 * (found / whole - 1):+.2f} %"
    )
    assert len(executed) > 200
    assert abs(found / whole - 1) * 100 <= LARGEST_DIFFERENCE_PERCENT.get(core, ELSE_PERCENT)


def test_an_unconditional_branch_to_the_next_instruction_is_taken(assemble: Assemble) -> None:
    """B to the next instruction, and a NOP: what lies behind is not what decides."""
    branch, nothing = (Block(LOADED + 4 * n, assemble(text), "arm") for n, text in enumerate(("b .+4", "nop")))
    profile = profile_of((branch, nothing))
    branches = table_of("cortex-a7").branches.model_copy(update={"taken_cycles": 3.0})

    assert penalties(profile, branches) == (0.0, 3.0)
