"""The Cortex-M tables against what the Technical Reference Manuals say of each instruction and of neighbours."""

from __future__ import annotations

import subprocess
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import pytest
from elftools.elf.elffile import ELFFile

from bancada.costing.cortex_m_table import CortexMTable
from bancada.costing.cost import cost
from bancada.costing.decode import UnknownInstruction
from bancada.costing.profile import ENTRY, Block, Edge, Profile
from bancada.measure.laboratory import open_laboratory
from tests.costing.cortex_m_snippets import SNIPPETS, Snippet

CORES = tuple(SNIPPETS)


def table(core: str) -> CortexMTable:
    found = open_laboratory().cores[core].table
    assert isinstance(found, CortexMTable)
    return found


# Assembled together, because a process for each run takes longer than all that it assembles.
RUNS = tuple(sorted({assembly for core in CORES for snippet in SNIPPETS[core] for _, assembly in snippet.runs}))


def assembled(assembly: str) -> bytes:
    return _together(RUNS if assembly in RUNS else (assembly,))[assembly]


@cache
def _together(runs: tuple[str, ...]) -> dict[str, bytes]:
    """What the GNU assembler makes of the runs, each in a section of its own. The encodings are those of v6-M where
    v6-M has the instruction."""
    lines = [".syntax unified", ".thumb", ".cpu cortex-m4", ".fpu fpv5-d16"]
    for number, assembly in enumerate(runs):
        lines += [f'.section .run{number}, "ax"', *assembly.split(";")]
    with TemporaryDirectory() as folder:
        made = Path(folder, "made.o")
        subprocess.run(
            ["arm-none-eabi-as", "--no-warn", "-", "-o", str(made)],
            input="\n".join(lines) + "\n",
            text=True,
            check=True,
        )
        with made.open("rb") as file:
            sections = {section.name: section for section in ELFFile(file).iter_sections()}
            return {assembly: sections[f".run{number}"].data() for number, assembly in enumerate(runs)}


def path_of(snippet: Snippet) -> Profile:
    blocks = tuple(Block(address, assembled(assembly), "thumb") for address, assembly in snippet.runs)
    edges = tuple(Edge(number - 1 if number else ENTRY, number, 1) for number in range(len(blocks)))
    return Profile(blocks, edges, stack_bytes=0)


ALL = [pytest.param(core, snippet, id=f"{core}: {snippet.why}") for core in CORES for snippet in SNIPPETS[core]]


@pytest.mark.parametrize(("core", "snippet"), ALL)
def test_cycles_are_those_of_the_manual(core: str, snippet: Snippet) -> None:
    assert cost(path_of(snippet), table(core)).cycles == snippet.cycles


def _numbers(core: str) -> list[tuple[str, str]]:
    data = table(core).model_dump()
    return [(section, key) for section in ("instruction", "refill", "interaction") for key in data[section]]


def _with_one_more(core: str, section: str, key: str) -> CortexMTable:
    data: dict[str, Any] = table(core).model_dump()
    data[section][key] = {"cycles": data[section][key]["cycles"] + 1, "source": "changed by a test"}
    return CortexMTable.model_validate(data)


@pytest.mark.parametrize(("core", "section", "key"), [(core, *number) for core in CORES for number in _numbers(core)])
def test_no_number_can_change_unnoticed(core: str, section: str, key: str) -> None:
    changed = _with_one_more(core, section, key)
    assert any(cost(path_of(snippet), changed).cycles != snippet.cycles for snippet in SNIPPETS[core])


@pytest.mark.parametrize("core", CORES)
def test_every_number_names_its_source(core: str) -> None:
    data = table(core).model_dump()
    for section, key in _numbers(core):
        assert "TRM (DDI" in data[section][key]["source"], f"{core}: {section} '{key}'"


@pytest.mark.parametrize(
    ("core", "assembly", "mnemonic"),
    [
        ("cortex-m0", "nop; movw r0, #1234", "movw"),
        ("cortex-m0plus", "nop; udiv r0, r1, r2", "udiv"),
        ("cortex-m0", "nop; cbz r0, .+8", "cbz"),
        ("cortex-m0", "nop; ldrd r0, r1, [r2]", "ldrd"),
        ("cortex-m3", "nop; uadd8 r0, r1, r2", "uadd8"),
        ("cortex-m3", "nop; umaal r0, r1, r2, r3", "umaal"),
        ("cortex-m3", "nop; vadd.f32 s0, s1, s2", "vadd"),
        ("cortex-m4", "nop; vadd.f64 d0, d1, d2", "vadd"),
        ("cortex-m4", "nop; svc #0", "svc"),
    ],
)
def test_an_instruction_that_the_core_does_not_have_is_named_with_its_address(
    core: str, assembly: str, mnemonic: str
) -> None:
    with pytest.raises(UnknownInstruction) as caught:
        cost(path_of(Snippet("", ((0x1000, assembly),), 0)), table(core))
    assert caught.value.mnemonic == mnemonic
    assert caught.value.address == 0x1002
    assert "0x1002" in str(caught.value)


def test_what_is_no_branch_and_yet_goes_elsewhere_costs_no_refill() -> None:
    """An interrupt between two instructions is not the program's own time."""
    interrupted = Snippet("", ((0x1000, "nop"), (0x2000, "nop")), 2)
    assert cost(path_of(interrupted), table("cortex-m4")).cycles == 2


def test_the_long_multiplication_of_gcc_takes_what_is_published_for_the_cortex_m0plus() -> None:
    """61 cycles, called: T. Pornin, 2025, of __aeabi_lmul, in the announcement of armv6m-longmul (Mastodon,
    infosec.exchange).

    Its one branch skips four instructions, so that it takes 58 or 61 without the call; the figure is of the shorter
    way.
    """
    command = ["arm-none-eabi-gcc", "-mcpu=cortex-m0plus", "-mthumb", "-print-libgcc-file-name"]
    library = subprocess.run(command, capture_output=True, text=True, check=True).stdout.strip()
    command = ["arm-none-eabi-objdump", "-d", "--disassemble=__aeabi_lmul", library]
    dump = subprocess.run(command, capture_output=True, text=True, check=True).stdout
    code = b"".join(
        bytes.fromhex("".join(half[2:] + half[:2] for half in line.split("\t")[1].split()))
        for line in dump.splitlines()
        if line.startswith(" ") and line.count("\t") >= 2
    )
    [branch] = [at for at in range(0, len(code), 2) if code[at + 1] >> 4 == 0xD]
    skipped_to = branch + 4 + 2 * code[branch]
    calling = Block(0x0FFC, assembled("bl ."), "thumb")
    blocks = (
        calling,
        Block(0x2000, code[: branch + 2], "thumb"),
        Block(0x2000 + skipped_to, code[skipped_to:], "thumb"),
    )
    called = Profile(blocks, (Edge(ENTRY, 0, 1), Edge(0, 1, 1), Edge(1, 2, 1)), stack_bytes=0)
    # the refill after POP {..., pc}, which belongs to the caller's next instruction: 3+N is 1 + N + 2 (DDI 0484C)
    returning = 2
    assert cost(called, table("cortex-m0plus")).cycles + returning == 61
