"""Tatu's kernels for AArch64 and for Armv7-A with NEON compute their specification for every input; a change is
noticed, and shown in QEMU."""

from __future__ import annotations

import re
from dataclasses import replace
from pathlib import Path

import pytest

from bancada.prove.mutants import (
    BROKEN,
    BROKEN_UNSEEN,
    EQUAL,
    SHOWN,
    SPECIFICATION,
    outcomes,
    outcomes_of_specification,
)
from bancada.prove.needs import needs_of
from bancada.prove.program import Program, read_program
from bancada.prove.proof import Proof
from bancada.prove.proof_files import read_proofs
from bancada.prove.prove import NOT_POSSIBLE, PROVED, REFUTED, Demand, prove, prove_one
from bancada.prove.replay import replay
from tests.prove.changed_proofs import PROOFS
from tests.prove.conftest import TATU, link_for_linux

KNOWN = read_proofs(PROOFS)
# What takes least; `make prove-linux` proves all. With the deepest stack of each.
HERE = {
    ("aarch64", "sha256_compress"): 112,
    ("aarch64", "chacha20_five_blocks"): 144,
    ("armv7-a", "sha256_compress"): 120,
    ("armv7-a", "speck128_eight_blocks_encrypt"): 8,
}
FOLDERS = {"aarch64": "aarch64", "armv7-a": "neon"}
Programs = dict[str, Program]


@pytest.fixture(scope="module")
def programs(tmp_path_factory: pytest.TempPathFactory) -> Programs:
    made = {}
    for machine, folder in FOLDERS.items():
        functions = sorted({each for on, name in HERE if on == machine for each in needs_of(KNOWN[name]).functions})
        modules = ("chacha20", "sha2", "speck")
        sources = [path for module in modules for path in sorted((TATU / module / folder).glob("*.S"))]
        made[machine] = read_program(link_for_linux(tmp_path_factory.mktemp(machine), machine, sources, functions))
    return made


@pytest.mark.parametrize(("machine", "name"), HERE)
def test_it_computes_its_specification(programs: Programs, machine: str, name: str) -> None:
    proved = prove_one(programs[machine], name, KNOWN[name], PROOFS, Demand(1, 1))
    assert (proved.verdict, proved.by) == (PROVED, "normal form"), proved.reason
    [call] = proved.calls
    assert (call.cycles, call.stack_bytes) == (None, HERE[machine, name])


@pytest.mark.parametrize(
    ("machine", "name"), [("aarch64", "sha256_compress"), ("armv7-a", "speck128_eight_blocks_encrypt")]
)
def test_wherever_the_buffers_lie(programs: Programs, machine: str, name: str) -> None:
    """Also at odd addresses; and QEMU computes what the formulas say there."""
    for placement in (0, 3):
        proof = Proof(programs[machine], placement=placement)
        KNOWN[name](proof)
        ones = dict.fromkeys(proof.graph.inputs.values(), 1)
        replayed = replay(proof, ones, programs[machine].flash)
        assert (replayed.differences, replayed.not_run) == ((), "")


@pytest.mark.parametrize(
    ("machine", "name"), [("aarch64", "sha256_compress"), ("armv7-a", "speck128_eight_blocks_encrypt")]
)
def test_no_mutant_passes_for_the_original(programs: Programs, machine: str, name: str) -> None:
    program = programs[machine]
    found = [outcome for _, outcome in outcomes(program, name, KNOWN[name], PROOFS, 3, {})]
    assert set(found) <= {SHOWN, BROKEN, BROKEN_UNSEEN, EQUAL}
    assert found.count(SHOWN) > 1
    altered = [outcome for _, outcome in outcomes_of_specification(program, name, KNOWN[name], PROOFS, 2, {})]
    assert set(altered) <= {*SPECIFICATION[:2]}
    assert SPECIFICATION[0] in altered


def test_a_planted_fault_is_refuted_and_shown(programs: Programs) -> None:
    """SRI by 25 becomes SRI by 24: one bit of the opcode."""
    program, name = programs["aarch64"], "chacha20_five_blocks"
    code = 0x6F27_4664  # sri v4.4s, v19.4s, #25
    place = next(at for at in range(0, len(program.flash), 4) if _is_sri(program.flash[at : at + 4], code))
    opcode = int.from_bytes(program.flash[place : place + 4], "little") ^ 1 << 16
    flash = program.flash[:place] + opcode.to_bytes(4, "little") + program.flash[place + 4 :]
    refuted = prove_one(replace(program, flash=flash), name, KNOWN[name], PROOFS, Demand(1, 60))
    assert refuted.verdict == REFUTED
    assert refuted.replay[0].startswith("output[")
    assert refuted.replay[0].endswith(" in the specification")


def _is_sri(found: bytes, code: int) -> bool:
    """The same instruction with any registers."""
    return int.from_bytes(found, "little") & ~0x3FF == code & ~0x3FF


FAULTS = {
    "aarch64": {
        "register": ("mov x19, x1\n str x19, [x0]\n ret", "does not restore x19"),
        "platform register": ("mov x18, x1\n str x18, [x0]\n ret", "does not restore x18"),
        "vector": ("ldr d8, [x1]\n str d8, [x0]\n ret", "does not restore d8"),
        "writes": ("str x1, [x0, #8]\n ret", r"writes output\[8\]"),
        "reads": ("ldr x2, [x1, #256]\n ret", "holds nothing known"),
        "code": ("adr x2, faulty\n str x1, [x2]\n ret", "which is no RAM"),
        "stack": ("sub sp, sp, #16\n ret", "returns with another stack pointer"),
        "below": ("ldur x2, [sp, #-16]\n ret", "below the stack pointer"),
        "alignment": ("sub sp, sp, #8\n str x1, [sp]\n add sp, sp, #8\n ret", "no multiple of 16"),
        "branch": ("ldr x2, [x1]\n subs x2, x2, #1\n b.eq 1f\n nop\n 1: ret", "depends on a secret"),
        "address": ("ldr x2, [x1]\n add x2, x0, x2\n ldr x2, [x2]\n ret", "has an address that depends on an input"),
        "unknown": ("ldr x2, [x1]\n udiv x2, x2, x2\n ret", r"'udiv x2, x2, x2' at 0x[0-9a-f]{8} is not followed"),
        "endless": ("b .", "a loop without end"),
        "half": ("str w0, [x0]\n ret", r"output\[4\] was never written"),
    },
    "armv7-a": {
        "register": ("mov r4, r1\n str r4, [r0]\n bx lr", "does not restore r4"),
        "vector": ("vld1.8 {d8}, [r1]\n vst1.8 {d8}, [r0]\n bx lr", "does not restore d8"),
        "writes": ("vld1.8 {d0}, [r1]\n add r0, #1\n vst1.8 {d0}, [r0]\n bx lr", r"writes output\[8\]"),
        "reads": ("add r1, #256\n vld1.8 {d0}, [r1]\n bx lr", "holds nothing known"),
        "stack": ("sub sp, #8\n bx lr", "returns with another stack pointer"),
        "below": ("sub r2, sp, #8\n vld1.8 {d0}, [r1]\n vst1.8 {d0}, [r2]\n bx lr", "below the stack pointer"),
        "alignment": ("vld1.8 {d0-d1}, [r1:128]\n bx lr", "is not aligned to 16 bytes"),
        "branch": ("ldr r2, [r1]\n cmp r2, #0\n beq 1f\n nop\n 1: bx lr", "depends on a secret"),
        "address": ("ldr r2, [r1]\n vld1.8 {d0}, [r2]\n bx lr", "has an address that depends on an input"),
        "unknown": ("vadd.f32 d0, d1, d2\n bx lr", "0x[0-9a-f]{8}"),
        "in arm state": (
            ".balign 4\n bx pc\n nop\n .arm\n mul r2, r1, r1\n bx lr",
            r"'mul r2, r1, r1' at 0x[0-9a-f]{8}",
        ),
        "endless": ("b .", "a loop without end"),
        "half": ("ldr r2, [r1]\n str r2, [r0]\n bx lr", r"output\[4\] was never written"),
    },
}
USERS_PROOFS = """
from bancada.prove.proof import Proof


def faulty(proof: Proof) -> None:
    output = proof.output("output", 8, align=4)
    given = proof.secret("given", 8, align=4)
    proof.call("faulty", output, given)
    proof.equal(output, list(given.words))
"""
COPIES = {"aarch64": "ldr x2, [x1]\n str x2, [x0]\n ret", "armv7-a": "vld1.8 {d2}, [r1]\n vst1.8 {d2}, [r0]\n bx lr"}
HEADS = {"aarch64": "", "armv7-a": ".syntax unified\n.fpu neon\n.thumb\n.thumb_func\n"}


def faulty(folder: Path, machine: str, code: str) -> Path:
    source = folder / "faulty.S"
    source.write_text(f".text\n.global faulty\n.type faulty, %function\n{HEADS[machine]}faulty:\n {code}\n")
    return link_for_linux(folder, machine, [source], ["faulty"])


@pytest.mark.parametrize(("machine", "fault"), [(machine, fault) for machine in FAULTS for fault in FAULTS[machine]])
def test_a_broken_contract_is_one_sentence(
    tmp_path: Path, machine: str, fault: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    code, words = FAULTS[machine][fault]
    monkeypatch.setattr("bancada.prove.proof._INSTRUCTIONS", 10_000)
    proofs = tmp_path / "proofs.py"
    proofs.write_text(USERS_PROOFS)
    [proved] = prove(faulty(tmp_path, machine, code), proofs, ("faulty",), Demand(1, 1))
    assert proved.verdict == NOT_POSSIBLE
    assert len(proved.reason.splitlines()) == 1
    assert re.search(words, proved.reason), proved.reason


@pytest.mark.parametrize("machine", COPIES)
def test_a_strangers_function(tmp_path: Path, machine: str) -> None:
    proofs = tmp_path / "proofs.py"
    proofs.write_text(USERS_PROOFS)
    [proved] = prove(faulty(tmp_path, machine, COPIES[machine]), proofs, ("faulty",), Demand(4, 1))
    assert (proved.verdict, proved.calls[0].instructions) == (PROVED, 3), proved.reason
    assert proved.calls[0].left_in_registers in (("x2",), ("d2",))
