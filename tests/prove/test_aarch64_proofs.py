"""Tatu's kernels for AArch64 compute their specification for every input; a change is noticed, and shown in QEMU."""

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
from bancada.prove.program import Program, read_program
from bancada.prove.proof import Proof
from bancada.prove.proof_files import read_proofs
from bancada.prove.prove import NOT_POSSIBLE, PROVED, REFUTED, Demand, needs_of, prove, prove_one
from bancada.prove.replay import replay
from tests.prove.changed_proofs import PROOFS
from tests.prove.conftest import TATU, link_for_aarch64

KNOWN = read_proofs(PROOFS)
# The deepest stack of each, which is its frame.
HERE = {"sha256_compress": 112, "keccak_f1600": 128, "chacha20_five_blocks": 144}


@pytest.fixture(scope="module")
def program(tmp_path_factory: pytest.TempPathFactory) -> Program:
    functions = sorted({function for name in HERE for function in needs_of(KNOWN[name]).functions})
    sources = [path for module in ("chacha20", "sha2", "sha3") for path in (TATU / module / "aarch64").glob("*.S")]
    return read_program(link_for_aarch64(tmp_path_factory.mktemp("kernels"), sources, functions))


@pytest.mark.parametrize("name", HERE)
def test_it_computes_its_specification(program: Program, name: str) -> None:
    proved = prove_one(program, name, KNOWN[name], PROOFS, Demand(1, 1))
    assert (proved.verdict, proved.by) == (PROVED, "normal form"), proved.reason
    [call] = proved.calls
    assert (call.cycles, call.stack_bytes) == (None, HERE[name])


def test_wherever_the_buffers_lie(program: Program) -> None:
    """Also at odd addresses; and QEMU computes what the formulas say there."""
    for placement in (0, 3):
        proof = Proof(program, placement=placement)
        KNOWN["sha256_compress"](proof)
        ones = dict.fromkeys(proof.graph.inputs.values(), 1)
        replayed = replay(proof, ones, program.flash)
        assert (replayed.differences, replayed.not_run) == ((), "")


def test_no_mutant_passes_for_the_original(program: Program) -> None:
    name = "sha256_compress"
    found = [outcome for _, outcome in outcomes(program, name, KNOWN[name], PROOFS, 4, {})]
    assert set(found) <= {SHOWN, BROKEN, BROKEN_UNSEEN, EQUAL}
    assert found.count(SHOWN) > 1
    altered = [outcome for _, outcome in outcomes_of_specification(program, name, KNOWN[name], PROOFS, 2, {})]
    assert set(altered) <= {*SPECIFICATION[:2]}
    assert SPECIFICATION[0] in altered


def test_a_planted_fault_is_refuted_and_shown(program: Program) -> None:
    """SRI by 25 becomes SRI by 24: one bit of the opcode."""
    name = "chacha20_five_blocks"
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
}
USERS_PROOFS = """
from bancada.prove.proof import Proof


def faulty(proof: Proof) -> None:
    output = proof.output("output", 8, align=4)
    given = proof.secret("given", 8, align=4)
    proof.call("faulty", output, given)
    proof.equal(output, list(given.words))
"""
COPIES = "ldr x2, [x1]\n str x2, [x0]\n ret"


def faulty(folder: Path, code: str) -> Path:
    source = folder / "faulty.S"
    source.write_text(f".text\n.global faulty\n.type faulty, %function\nfaulty:\n {code}\n")
    return link_for_aarch64(folder, [source], ["faulty"])


@pytest.mark.parametrize("fault", FAULTS)
def test_a_broken_contract_is_one_sentence(tmp_path: Path, fault: str, monkeypatch: pytest.MonkeyPatch) -> None:
    code, words = FAULTS[fault]
    monkeypatch.setattr("bancada.prove.proof._INSTRUCTIONS", 10_000)
    proofs = tmp_path / "proofs.py"
    proofs.write_text(USERS_PROOFS)
    [proved] = prove(faulty(tmp_path, code), proofs, ("faulty",), Demand(1, 1))
    assert proved.verdict == NOT_POSSIBLE
    assert len(proved.reason.splitlines()) == 1
    assert re.search(words, proved.reason), proved.reason


def test_a_strangers_function(tmp_path: Path) -> None:
    proofs = tmp_path / "proofs.py"
    proofs.write_text(USERS_PROOFS)
    [proved] = prove(faulty(tmp_path, COPIES), proofs, ("faulty",), Demand(4, 1))
    assert (proved.verdict, proved.calls[0].instructions) == (PROVED, 3), proved.reason
    assert proved.calls[0].left_in_registers == ("x2",)
