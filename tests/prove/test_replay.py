"""A counterexample is run in the engine: it differs there from the specification, as the verdict says."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from bancada.prove.program import Program, read_program
from bancada.prove.proof import Proof
from bancada.prove.prove import PROVED, REFUTED, Demand, prove_one
from bancada.prove.replay import replay
from tests.engines.simavr.engine_bench import build

# Copies four bytes, and counts its calls in RAM that start-up has filled. `rare` is the fault that one input in 2^32
# meets.
COPIES = """
.data
count: .byte 7
.text
.global main
main: ret
.global copies
.type copies, @function
copies:
 lds r18, count
 subi r18, 7
 movw r30, r22
 movw r26, r24
 .irp at, 18, 19, 20, 21
 {load}
 .endr
 {rare}
 ret
.size copies, . - copies
.global again
.type again, @function
again: lds r24, count
 ret
"""
LOADS = "ld r0, Z+\n add r0, r18\n st X+, r0\n mov r\\at, r0"
RARE = """
 subi r18, 0x12
 sbci r19, 0x34
 sbci r20, 0x56
 sbci r21, 0x78
 or r18, r19
 or r18, r20
 or r18, r21
 ldi r19, 1
 cpse r18, r1
 clr r19
 ld r0, -X
 eor r0, r19
 st X, r0
"""


def copies(proof: Proof) -> None:
    output = proof.output("output", 4)
    given = proof.secret("given", 4)
    proof.call("copies", output, given)
    proof.equal(output, list(given.words))


def program_of(folder: Path, rare: str) -> Program:
    source = folder / "copies.S"
    loads = LOADS.replace("r\\at", "r22") if not rare else LOADS
    source.write_text(COPIES.format(load=loads.replace("add r0, r18", "add r0, r1"), rare=rare))
    return read_program(build(folder, [source]))


@pytest.mark.parametrize("placement", range(4))
def test_what_is_proved_does_not_differ_in_the_engine(tmp_path: Path, placement: int) -> None:
    program = program_of(tmp_path, "")
    proof = Proof(program, placement=placement)
    copies(proof)
    ones = dict.fromkeys(proof.graph.inputs.values(), 1)
    assert replay(proof, ones, program.flash) == replay(proof, {}, program.flash)
    assert replay(proof, ones, program.flash).differences == ()
    assert replay(proof, ones, program.flash).not_run == ""


def test_a_planted_bit_is_shown_in_the_engine(tmp_path: Path) -> None:
    """ST X+, r0 is ST X+, r16 with one bit changed."""
    program = program_of(tmp_path, "")
    st, wrong = 0x920D.to_bytes(2, "little"), 0x930D.to_bytes(2, "little")
    at = program.flash.index(st)
    mutant = replace(program, flash=program.flash[:at] + wrong + program.flash[at + 2 :])
    refuted = prove_one(mutant, "copies", copies, tmp_path / "copies.S", Demand(2, 60))
    assert refuted.verdict == REFUTED
    assert refuted.replay[0].startswith("output[0] is 0x")
    assert refuted.replay[0].endswith(" in the specification")


def test_a_fault_that_one_input_in_four_thousand_million_meets(tmp_path: Path) -> None:
    """No random input finds it: the solver does, and the engine shows the byte."""
    program = program_of(tmp_path, RARE.replace("subi r18", "mov r16, r16\n subi r18"))
    refuted = prove_one(program, "copies", copies, tmp_path / "copies.S", Demand(1, 60))
    assert (refuted.verdict, refuted.by) == (REFUTED, "berkeley-abc"), refuted.reason
    assert refuted.replay == ("output[3] is 0x79 in the engine and 0x78 in the specification",)
    given = [sum((refuted.counterexample or {})[f"given[{at}].{bit}"] << bit for bit in range(8)) for at in range(4)]
    assert given == [0x12, 0x34, 0x56, 0x78]
    assert prove_one(program_of(tmp_path, ""), "copies", copies, tmp_path / "copies.S", Demand()).verdict == PROVED


def test_registers_that_are_not_restored_are_shown(tmp_path: Path) -> None:
    """The proof is of the whole program; what is run has another instruction."""
    program = program_of(tmp_path, "")
    proof = Proof(program)
    copies(proof)
    # MOVW r26, r24 is MOVW r28, r24.
    flash = program.flash.replace(0x01DC.to_bytes(2, "little"), 0x01EC.to_bytes(2, "little"))
    assert flash != program.flash
    shown = replay(proof, {}, flash).differences
    assert "copies does not restore r28" in shown


def test_a_function_that_does_not_return_is_shown(tmp_path: Path) -> None:
    program = program_of(tmp_path, "")
    proof = Proof(program)
    copies(proof)
    at = program.functions["copies"]
    endless = program.flash[:at] + 0xCFFF.to_bytes(2, "little") + program.flash[at + 2 :]
    [shown] = replay(proof, {}, endless).differences
    assert shown == "copies does not return: it stands still"


def test_a_full_flash_is_one_sentence(tmp_path: Path) -> None:
    program = program_of(tmp_path, "")
    proof = Proof(program)
    copies(proof)
    full = program.flash + bytes(32768 - len(program.flash))
    assert replay(proof, {}, full).not_run == "the program leaves too little of 32768 bytes of flash for the inputs"
