"""Costing the edges between QEMU's blocks gives to the cycle what walking through another emulator's single steps
gives."""

from __future__ import annotations

import random
from collections import Counter
from functools import cache
from pathlib import Path
from typing import Any

import pytest
import unicorn
from elftools.elf.elffile import ELFFile
from unicorn import arm_const

from bancada.build.symbols import symbols
from bancada.catalogue.paths import data_root
from bancada.costing.cortex_m import FOLLOWING, step_cycles
from bancada.costing.cortex_m_table import CortexMTable
from bancada.costing.cost import cost
from bancada.costing.decode import Instruction, decode
from bancada.costing.profile import ENTRY, Block, Edge, Profile
from bancada.engines.qemu.profiler import profile_program
from bancada.measure.laboratory import open_laboratory
from tests.plain_sources import plain_sources
from tests.tatu.compiled import compiled

HERE = Path(__file__).resolve().parent
STACK, RETURN = 0x200F_0000, 0x0020_0000
CORES = {
    "cortex-m0": arm_const.UC_CPU_ARM_CORTEX_M0,
    "cortex-m0plus": arm_const.UC_CPU_ARM_CORTEX_M0,
    "cortex-m3": arm_const.UC_CPU_ARM_CORTEX_M3,
    "cortex-m4": arm_const.UC_CPU_ARM_CORTEX_M4,
}
FUNCTIONS = ("ciphers", "shapes")


# The others have the same two architectures.
_MORE = ("cortex-m0", "cortex-m3")


@pytest.fixture(
    scope="module",
    params=[pytest.param(name, marks=pytest.mark.slow) if name in _MORE else name for name in CORES],
)
def core(request: pytest.FixtureRequest) -> str:
    name: str = request.param
    return name


@pytest.fixture(scope="module")
def program(core: str, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Both functions, called once each by the driver that the validation programs have too."""
    folder = tmp_path_factory.mktemp(core)
    made = folder / "program.elf"
    header = folder / "declarations.h"
    header.write_text("void ciphers(void);\nvoid shapes(void);\n")
    driver = data_root() / "cores" / "programs" / "driver_bare.c"
    sources = [HERE / "programs" / "microcontroller.c", *plain_sources(("aes", "speck", "sha2", "sha3", "common"))]
    bare = ("-ffreestanding", "-ffunction-sections", "-fno-tree-loop-distribute-patterns")
    flags = ("-mthumb", f"-mcpu={core}", "-O2", *bare)
    return compiled(
        made,
        "arm-none-eabi-gcc",
        flags,
        driver,
        sources,
        defines=(f'-DDECLARATIONS="{header}"', "-DPREPARE=(void)0", "-DRUN=ciphers(); shapes()"),
        linking=("-nostdlib", f"-Wl,-T,{driver.with_suffix('.ld')}", "-Wl,--gc-sections"),
        libraries=("-lgcc",),
    )


@cache
def steps(elf: Path, function: str, model: int) -> list[Instruction]:
    """Every instruction of one call, in order, from Unicorn."""
    machine = unicorn.Uc(unicorn.UC_ARCH_ARM, unicorn.UC_MODE_THUMB | unicorn.UC_MODE_MCLASS)
    machine.ctl_set_cpu_model(model)
    machine.mem_map(0, 0x0040_0000)
    machine.mem_map(0x2000_0000, 0x0010_0000)
    with elf.open("rb") as file:
        for segment in ELFFile(file).iter_segments("PT_LOAD"):
            machine.mem_write(segment["p_vaddr"], segment.data())
    known: dict[int, Instruction] = {}
    executed: list[Instruction] = []

    def instruction_at(address: int) -> Instruction:
        if address not in known:
            is_wide = machine.mem_read(address, 2)[1] >> 3 >= 0b11101
            [known[address]] = decode(Block(address, bytes(machine.mem_read(address, 4 if is_wide else 2)), "thumb"))
        return known[address]

    def step(_emulator: Any, address: int, _size: int, _: Any) -> None:
        # Unicorn does not show an instruction of an IT block whose condition fails. The core issues it nevertheless.
        while (
            executed
            and not executed[-1].changes_pc
            and (next_address := executed[-1].address + executed[-1].size) != address
        ):
            assert next_address < address < next_address + 16
            executed.append(instruction_at(next_address))
        executed.append(instruction_at(address))

    machine.hook_add(unicorn.UC_HOOK_CODE, step, begin=0, end=RETURN - 1)
    machine.reg_write(arm_const.UC_ARM_REG_SP, STACK)
    machine.reg_write(arm_const.UC_ARM_REG_LR, RETURN | 1)
    machine.emu_start(symbols(elf).address(function) | 1, RETURN)
    return executed


def walked(table: CortexMTable, executed: list[Instruction]) -> float:
    before: Instruction | None = None
    cycles = 0.0
    for index, instruction in enumerate(executed):
        cycles += step_cycles(table, before, instruction, _behind(executed, index))
        before = instruction
    return cycles


def _behind(executed: list[Instruction], index: int) -> tuple[Instruction, ...]:
    """What was executed behind one instruction in a straight line, as far as the model looks."""
    found: list[Instruction] = []
    last = executed[index]
    for instruction in executed[index + 1 : index + 1 + FOLLOWING]:
        if last.changes_pc or instruction.address != last.address + last.size:
            break
        found.append(instruction)
        last = instruction
    return tuple(found)


def table_of(core: str) -> CortexMTable:
    table = open_laboratory().cores[core].table
    assert isinstance(table, CortexMTable)
    return table


@pytest.mark.parametrize("function", FUNCTIONS)
def test_edges_of_qemu_cost_what_single_steps_of_unicorn_cost(core: str, program: Path, function: str) -> None:
    executed = steps(program, function, CORES[core])
    [profile] = profile_program(program, function=function, first_call=2, qemu="qemu-system-arm")
    found = cost(profile, table_of(core))
    assert found.instructions == len(executed)
    assert found.cycles == walked(table_of(core), executed)


@pytest.mark.parametrize("seed", range(3))
def test_where_blocks_are_cut_makes_no_difference(core: str, program: Path, seed: int) -> None:
    executed = steps(program, "shapes", CORES[core])
    profile = _cut_at_random(executed, program, random.Random(seed))
    assert cost(profile, table_of(core)).cycles == walked(table_of(core), executed)


def test_the_trace_has_what_makes_the_comparison_worth_while(core: str, program: Path) -> None:
    """Branches both ways, loads after loads, and what only the larger cores have."""
    executed = steps(program, "shapes", CORES[core]) + steps(program, "ciphers", CORES[core])
    mnemonics = Counter(instruction.mnemonic for instruction in executed)
    pairs = Counter((first.mnemonic, second.mnemonic) for first, second in zip(executed, executed[1:], strict=False))
    assert pairs["ldr", "ldr"] > 100
    followed = zip(executed, executed[1:], strict=False)
    conditional = [(first, second) for first, second in followed if first.condition != "al" and first.changes_pc]
    taken = sum(second.address != first.address + first.size for first, second in conditional)
    assert 100 < taken < len(conditional) - 100
    if core in ("cortex-m3", "cortex-m4"):
        assert mnemonics["umull"] > 50
        assert mnemonics["udiv"] > 50
        assert mnemonics["tbb"] > 50
        assert any(mnemonic.startswith("it") for mnemonic in mnemonics)


def _cut_at_random(executed: list[Instruction], elf: Path, chance: random.Random) -> Profile:
    """The trace as runs that end at every jump and wherever chance has it; runs from one address may have many
    lengths."""
    code = _code(elf)
    numbers: dict[Block, int] = {}
    edges: Counter[tuple[int, int]] = Counter()
    last = ENTRY
    begin = 0
    for index, instruction in enumerate(executed):
        goes_on = index + 1 < len(executed) and executed[index + 1].address == instruction.address + instruction.size
        if goes_on and not instruction.changes_pc and chance.random() > 0.15:
            continue
        run = executed[begin : index + 1]
        block = Block(run[0].address, code[run[0].address : run[-1].address + run[-1].size], "thumb")
        number = numbers.setdefault(block, len(numbers))
        edges[last, number] += 1
        last = number
        begin = index + 1
    return Profile(tuple(numbers), tuple(Edge(*pair, times) for pair, times in edges.items()), stack_bytes=0)


def _code(elf: Path) -> bytes:
    with elf.open("rb") as file:
        text = ELFFile(file).get_section_by_name(".text")
        assert text is not None
        return bytes(text["sh_addr"]) + bytes(text.data())
