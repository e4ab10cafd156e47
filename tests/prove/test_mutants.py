"""Mutants of a kernel: every one is refuted or breaks the contract, in the engine too, or is proved equal."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from pathlib import Path

import pytest

from bancada.prove import mutants as of_mutants
from bancada.prove.alteration import KINDS as ALTERATIONS
from bancada.prove.mutants import (
    BROKEN,
    BROKEN_UNSEEN,
    EQUAL,
    KINDS,
    SHOWN,
    SPECIFICATION,
    UNDECIDED,
    UNSEEN,
    Mutant,
    judge,
    mutants_of,
    outcomes,
    outcomes_of_specification,
)
from bancada.prove.program import Program, read_program
from bancada.prove.proof import Proof
from bancada.prove.proof_files import read_proofs
from bancada.prove.prove import NOT_POSSIBLE, Demand, Proved, prove_one
from bancada.prove.trial import Trial
from tests.engines.simavr.engine_bench import build
from tests.prove.changed_proofs import PROOFS, changed_proofs
from tests.prove.conftest import Link, tatu_sources

NAME = "speck64_128_tiny_encrypt"
FEW = 20


@pytest.fixture(scope="module")
def program(link: Link) -> Program:
    return read_program(link("mutants", tatu_sources("speck"), [f"tatu_{NAME}"]))


def test_no_mutant_passes_for_the_original(program: Program) -> None:
    """A few of Speck64/128 tiny, of all kinds; `make prove-mutants` has some of each kernel."""
    found = list(outcomes(program, NAME, read_proofs(PROOFS)[NAME], PROOFS, FEW, {}))
    assert len(found) == FEW
    assert {mutant.kind for mutant, _ in found} == set(KINDS)
    counted = Counter(outcome for _, outcome in found)
    assert counted[UNSEEN] == counted[UNDECIDED] == 0
    assert counted[SHOWN] >= FEW // 3
    assert counted[SHOWN] + counted[BROKEN] + counted[BROKEN_UNSEEN] + counted[EQUAL] == FEW
    known = dict(found)
    again = list(outcomes(program, NAME, read_proofs(PROOFS)[NAME], PROOFS, FEW, known))
    assert again == found


def test_what_is_known_is_not_judged_again(program: Program, monkeypatch: pytest.MonkeyPatch) -> None:
    function = read_proofs(PROOFS)[NAME]
    original = Trial(program, 0)
    function(original)
    known = dict.fromkeys(mutants_of(program, original, FEW, NAME), SHOWN)
    monkeypatch.setattr(of_mutants, "judge", lambda *_: pytest.fail("judged again"))
    assert dict(outcomes(program, NAME, function, PROOFS, FEW, known)) == known


# What the function gets wrong, each by one instruction of `keeps`.
KEEPS = """
.global main
main: ret
.global keeps
.type keeps, @function
keeps:
 push r28
 movw r30, r22
 ld r28, Z
 movw r30, r24
 mov r18, r28
 st Z, r18
 pop r28
 clr r18
 ret
.size keeps, . - keeps
"""


def keeps(proof: Proof) -> None:
    output = proof.output("output", 1)
    given = proof.secret("given", 1)
    proof.call("keeps", output, given)
    proof.equal(output, list(given.words))


def test_each_outcome_is_told_from_the_others(tmp_path: Path) -> None:
    source = tmp_path / "keeps.S"
    source.write_text(KEEPS)
    program = read_program(build(tmp_path, [source]))
    original = Trial(program, 0)
    keeps(original)
    start = program.functions["keeps"]

    def outcome(instruction: int, opcode: int) -> str:
        mutant = Mutant("opcode", start + 2 * instruction, opcode)
        return judge(program, "keeps", keeps, source, mutant, original)

    assert outcome(4, 0x0000) == SHOWN  # the byte is not moved
    assert outcome(6, 0x912F) == BROKEN  # pop r18: r28 is not restored
    assert outcome(7, 0x0000) == EQUAL  # the register is not wiped
    assert outcome(7, 0xCFFF) == BROKEN  # it does not end


def test_a_specification_with_another_constant_is_refuted(program: Program, tmp_path: Path) -> None:
    """Mutants of the proof: one rotation, one round, one word."""
    for before, after in (
        ("(4, 4, 27))", "(4, 4, 26))"),
        ("partial(speck.key_schedule, rounds=rounds)", "partial(speck.key_schedule, rounds=rounds + 1)"),
        ("speck.decrypt if is_inverse else speck.encrypt", "speck.encrypt if is_inverse else speck.decrypt"),
    ):
        wrong = changed_proofs(tmp_path, "speck.py", (before, after))
        proved: Proved = prove_one(program, NAME, read_proofs(wrong)[NAME], wrong, Demand(1, 1))
        assert proved.verdict == "refuted", (after, proved)
        assert proved.is_replayed


def test_specifications_with_one_operation_altered_are_refuted(program: Program) -> None:
    """One of each kind at least; the engine differs from each."""
    function = read_proofs(PROOFS)[NAME]
    found = list(outcomes_of_specification(program, NAME, function, PROOFS, 6, {}))
    assert {mutant.kind for mutant, _ in found} == {f"specification: {kind}" for kind in ALTERATIONS}
    assert {outcome for _, outcome in found} == {SPECIFICATION[0]}
    known = dict(found)
    assert list(outcomes_of_specification(program, NAME, function, PROOFS, 6, known)) == found


def test_an_instruction_that_never_ends_costs_no_time(program: Program) -> None:
    """A mutant of the loop's counter: it is stopped after so many instructions."""
    at = program.functions[f"tatu_{NAME}"]
    endless = replace(program, flash=program.flash[:at] + 0xCFFF.to_bytes(2, "little") + program.flash[at + 2 :])
    proved = prove_one(endless, NAME, read_proofs(PROOFS)[NAME], PROOFS, Demand(1, 1, most_instructions=1000))
    assert proved.verdict == NOT_POSSIBLE
    assert "has not returned after 1,000 instructions" in proved.reason
