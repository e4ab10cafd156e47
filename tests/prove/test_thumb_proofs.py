"""Tatu's kernels for Cortex-M compute their specification for every input, in the cycles that the core's table gives
what QEMU executes; a change is noticed, and shown in QEMU."""

from __future__ import annotations

import re
from dataclasses import replace
from pathlib import Path

import pytest

from bancada.catalogue.target import Target
from bancada.costing.cortex_m_table import CortexMTable
from bancada.engines.qemu.function import measure_function
from bancada.engines.qemu.settings import qemu_settings
from bancada.measure.laboratory import open_laboratory
from bancada.prove.mutants import BROKEN, BROKEN_UNSEEN, EQUAL, SHOWN, outcomes
from bancada.prove.needs import needs_of
from bancada.prove.program import Program, read_program
from bancada.prove.proof import Proof
from bancada.prove.proof_files import read_proofs
from bancada.prove.prove import NOT_POSSIBLE, PROVED, REFUTED, Demand, prove, prove_one
from bancada.prove.replay import replay
from tests.prove.changed_proofs import PROOFS
from tests.prove.conftest import CORES, link_for_a_cortex_m, tatu_sources

pytestmark = pytest.mark.long

TARGETS = {"cortex-m0plus": "samd21", "cortex-m4": "stm32f4"}
KNOWN = read_proofs(PROOFS)
MODULES = ("aes", "ascon", "chacha20", "poly1305", "speck")
# What takes least; `make prove-arm` proves all. With each the call of the same function in QEMU.
HERE = {
    "speck128_128_encrypt": "tatu_speck128_128_encrypt(context, output, input)",
    "speck64_128_decrypt": "tatu_speck64_128_decrypt(context, output, input)",
    "ascon_p12": "tatu_internal_ascon_permute(context, 0xf0)",
    "ascon_encrypt_blocks": "tatu_internal_ascon_encrypt_blocks(context, output, input, input + 32)",
    "chacha20_next_block": "tatu_internal_chacha20_next_block(output, context)",
    "aes128_two_blocks_encrypt": "tatu_internal_aes_fixsliced_encrypt(context, 10, output, input, 2)",
}
CALLS = """
#include <stdint.h>
void tatu_speck128_128_encrypt(), tatu_speck64_128_decrypt(), tatu_internal_ascon_permute();
void tatu_internal_ascon_encrypt_blocks(), tatu_internal_chacha20_next_block(), tatu_internal_aes_fixsliced_encrypt();
static uint8_t context[512] __attribute__((aligned(8))), output[64] __attribute__((aligned(8)));
static uint8_t input[64] __attribute__((aligned(8)));
int main(void)
{
    CALLS
    return 0;
}
"""


def target_of(core: str) -> Target:
    return open_laboratory().target(TARGETS[core])


@pytest.fixture(scope="module")
def programs(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Program]:
    """A program for each core, with the cost of its instructions."""
    functions = sorted({function for name in HERE for function in needs_of(KNOWN[name]).functions})
    main = CALLS.replace("CALLS", ";\n    ".join(HERE.values()) + ";")
    made = {}
    for core in CORES:
        path = link_for_a_cortex_m(tmp_path_factory.mktemp(core), core, tatu_sources(*MODULES), functions, main)
        table = target_of(core).core.table
        assert isinstance(table, CortexMTable)
        made[core] = read_program(path, table)
    return made


@pytest.mark.parametrize("core", CORES)
@pytest.mark.parametrize("name", HERE)
def test_it_computes_its_specification_in_the_tables_cycles(programs: dict[str, Program], core: str, name: str) -> None:
    program = programs[core]
    proved = prove_one(program, name, KNOWN[name], PROOFS, Demand(1, 1))
    assert (proved.verdict, proved.by) == (PROVED, "normal form"), proved.reason
    target = target_of(core)
    emulator = qemu_settings(target)
    assert target.core.table is not None
    [measured] = measure_function(
        program.path,
        proved.calls[-1].function,
        1,
        1,
        0,
        emulator=emulator.program,
        cpu=emulator.cpu,
        machine=emulator.machine,
        table=target.core.table,
        memory=None,
        arguments=(),
        limit_s=60,
        compiler="arm-none-eabi-gcc",
    ).calls
    last = proved.calls[-1]
    assert (last.cycles, last.stack_bytes) == (measured.cycles, measured.stack_bytes)


@pytest.mark.parametrize("core", CORES)
def test_wherever_the_buffers_lie(programs: dict[str, Program], core: str) -> None:
    """Also at odd addresses; and QEMU computes what the formulas say there."""
    name, program = "speck64_128_decrypt", programs[core]
    for placement in range(4):
        proof = Proof(program, placement=placement)
        KNOWN[name](proof)
        assert replay(proof, dict.fromkeys(proof.graph.inputs.values(), 1), program.flash).differences == ()
    proved = prove_one(program, name, KNOWN[name], PROOFS, Demand(4, 1))
    assert proved.verdict == PROVED, proved.reason


@pytest.mark.parametrize("core", CORES)
def test_no_mutant_passes_for_the_original(programs: dict[str, Program], core: str) -> None:
    name = "speck64_128_decrypt"
    found = [outcome for _, outcome in outcomes(programs[core], name, KNOWN[name], PROOFS, 12, {})]
    assert set(found) <= {SHOWN, BROKEN, BROKEN_UNSEEN, EQUAL}
    assert found.count(SHOWN) > 3


def test_a_planted_fault_is_refuted_and_shown(programs: dict[str, Program]) -> None:
    """MVN r5, r5 is MVN r5, r4: one bit of the opcode."""
    program = programs["cortex-m4"]
    name = "ascon_p12"
    start = program.functions["tatu_internal_ascon_rounds"] - program.flash_start
    place = program.flash.index(bytes.fromhex("6fea0505"), start)
    flash = program.flash[:place] + bytes.fromhex("6fea0405") + program.flash[place + 4 :]
    refuted = prove_one(replace(program, flash=flash), name, KNOWN[name], PROOFS, Demand(1, 60))
    assert refuted.verdict == REFUTED
    assert refuted.replay[0].startswith("state[")
    assert refuted.replay[0].endswith(" in the specification")


FAULTS = {
    "register": ("movs r4, #1\n str r4, [r0]\n bx lr", "does not restore r4"),
    "writes": ("str r1, [r0, #8]\n bx lr", r"writes output\[8\]"),
    "reads": ("ldr r2, =0x20004000\n ldr r2, [r2]\n bx lr\n .ltorg", "holds nothing known"),
    "peripheral": ("ldr r2, =0x40004000\n str r1, [r2]\n bx lr\n .ltorg", "which is no RAM"),
    "stack": ("sub sp, #8\n bx lr", "returns with another stack pointer"),
    "below": ("mov r2, sp\n subs r2, #8\n str r1, [r2]\n bx lr", "below the stack pointer"),
    "branch": ("ldr r2, [r1]\n cmp r2, #0\n beq 1f\n nop\n 1: bx lr", "depends on a secret"),
    "address": ("ldr r2, [r1]\n ldr r2, [r0, r2]\n bx lr", "has an address that depends on an input"),
    "aligned": ("adds r1, #1\n ldr r2, [r1]\n bx lr", "is not aligned to 4 bytes"),
    "endless": ("b .", "a loop without end"),
    "half": ("str r0, [r0]\n bx lr", r"output\[4\] was never written"),
}
USERS_PROOFS = """
from bancada.prove.proof import Proof


def faulty(proof: Proof) -> None:
    output = proof.output("output", 8, align=4)
    given = proof.secret("given", 8, align=4)
    proof.call("faulty", output, given)
    proof.equal(output, list(given.words))
"""
COPIES = "ldm r1!, {r2, r3}\n stm r0!, {r2, r3}\n bx lr"


def faulty(folder: Path, core: str, code: str) -> Path:
    source = folder / "faulty.S"
    source.write_text(
        f".syntax unified\n.thumb\n.text\n.global faulty\n.type faulty, %function\n.thumb_func\nfaulty:\n {code}\n"
    )
    return link_for_a_cortex_m(folder, core, [source], ["faulty"])


@pytest.mark.parametrize("fault", FAULTS)
def test_a_broken_contract_is_one_sentence(tmp_path: Path, fault: str, monkeypatch: pytest.MonkeyPatch) -> None:
    code, words = FAULTS[fault]
    monkeypatch.setattr("bancada.prove.proof._INSTRUCTIONS", 10_000)
    proofs = tmp_path / "proofs.py"
    proofs.write_text(USERS_PROOFS)
    [proved] = prove(faulty(tmp_path, "cortex-m0plus", code), proofs, ("faulty",), Demand(1, 1))
    assert proved.verdict == NOT_POSSIBLE
    assert len(proved.reason.splitlines()) == 1
    assert re.search(words, proved.reason), proved.reason


def test_a_strangers_function(tmp_path: Path) -> None:
    """Proved without a target: then there are no cycles."""
    proofs = tmp_path / "proofs.py"
    proofs.write_text(USERS_PROOFS)
    [proved] = prove(faulty(tmp_path, "cortex-m4", COPIES), proofs, ("faulty",), Demand(4, 1))
    assert (proved.verdict, proved.calls[0].cycles, proved.calls[0].instructions) == (PROVED, None, 3), proved.reason
    assert proved.calls[0].left_in_registers == ("r2", "r3")


TABLE_PROOF = """
from bancada.prove.proof import Proof

CUBES = bytes(byte * byte * byte % 256 for byte in range(256))


def faulty(proof: Proof) -> None:
    output = proof.output("output", 4, align=4)
    given = proof.secret("given", 4, align=4)
    ALLOWED
    proof.call("faulty", output, given)
    proof.equal(output, [given.words[1].lookup(CUBES), *given.words[1:]])
"""
LOOKS_UP = """
    ldr r2, [r1]
    str r2, [r0]
    lsrs r2, r2, #8
    uxtb r2, r2
    ldr r3, =cubes
    ldrb r2, [r3, r2]
    strb r2, [r0]
    bx lr
    .ltorg
    .data
    .zero 3
cubes:
    .irp high, 0x00, 0x10, 0x20, 0x30, 0x40, 0x50, 0x60, 0x70, 0x80, 0x90, 0xa0, 0xb0, 0xc0, 0xd0, 0xe0, 0xf0
    .irp low, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15
    .byte ((\\high + \\low) * (\\high + \\low) * (\\high + \\low)) & 0xff
    .endr
    .endr
"""


@pytest.mark.parametrize(
    ("allowed", "last", "words"),
    [
        ("proof.reads_tables_in_ram()", ", 0xf0", ""),
        ("pass", ", 0xf0", "has an address that depends on an input"),
        ("proof.reads_tables_in_ram()", "", "which is in no table in RAM"),
    ],
)
def test_a_table_in_ram_is_read_at_a_secret_address_if_the_proof_says_so(
    tmp_path: Path, allowed: str, last: str, words: str
) -> None:
    proofs = tmp_path / "proofs.py"
    proofs.write_text(TABLE_PROOF.replace("ALLOWED", allowed))
    program = faulty(tmp_path, "cortex-m0plus", LOOKS_UP.replace(", 0xf0", last))
    [proved] = prove(program, proofs, ("faulty",), Demand(2, 1))
    assert (proved.verdict == PROVED) == (not words), proved.reason
    assert words in proved.reason


@pytest.mark.parametrize("core", CORES)
@pytest.mark.parametrize(
    "name", ["aes128_ram_set_key", "aes128_ram_encrypt", pytest.param("aes128_ram_decrypt", marks=pytest.mark.slow)]
)
def test_aes_from_tables_in_ram(tmp_path: Path, name: str, core: str) -> None:
    path = link_for_a_cortex_m(
        tmp_path,
        core,
        tatu_sources("aes"),
        list(needs_of(KNOWN[name]).functions),
        more=("-DTATU_AES_TABLES_IN_RAM",),
    )
    proved = prove_one(read_program(path), name, KNOWN[name], PROOFS, Demand(1, 1))
    assert (proved.verdict, proved.by) == (PROVED, "normal form"), proved.reason
