"""A second solver agrees with what holds, refutes what does not, and refutes a wrong hint of ours."""

from __future__ import annotations

import subprocess
from dataclasses import replace
from pathlib import Path

import pytest

from bancada.formulas.equal_nodes import equal_nodes
from bancada.formulas.graph import Graph
from bancada.formulas.steps import Steps, steps
from bancada.formulas.word import Word
from bancada.model.errors import UserError
from bancada.prove.program import Program, read_program
from bancada.prove.proof import Proof
from bancada.prove.prove import PROVED, REFUTED, Demand, prove_one
from bancada.prove.second_solver import AGREES, DISAGREES, SecondWord, ask_of_a_counterexample, ask_of_a_proof
from tests.engines.simavr.engine_bench import build

SOLVER = "cadical"
# Two bytes of a key are added to two of a message, with the carry of the lower one lost.
ADDS = """
.global main
main: ret
.global adds
.type adds, @function
adds:
 movw r30, r22
 movw r26, r20
 ld r18, Z+
 ld r19, Z
 ld r20, X+
 ld r21, X
 movw r30, r24
 mov r22, r18
 and r22, r20
 eor r18, r20
 add r22, r22
 add r18, r22
 st Z+, r18
 sub r21, r1
 eor r19, r21
 st Z, r19
 ret
.size adds, . - adds
"""


def adds(proof: Proof) -> None:
    output = proof.output("output", 2)
    one, other = proof.secret("one", 2), proof.secret("other", 2)
    proof.call("adds", output, one, other)
    (low, high), (second_low, second_high) = one.words, other.words
    proof.equal(output, [(low | second_low) + (low & second_low), ~(~high ^ second_high)])


@pytest.fixture
def program(tmp_path: Path) -> Program:
    source = tmp_path / "adds.S"
    source.write_text(ADDS)
    return read_program(build(tmp_path, [source]))


def fault(program: Program) -> Program:
    """EOR r19, r21 is OR r19, r21: one bit of the opcode."""
    flash = program.flash.replace((0x2735).to_bytes(2, "little"), (0x2B35).to_bytes(2, "little"))
    assert flash != program.flash
    return replace(program, flash=flash)


def word_on(program: Program, export: Path | None = None) -> SecondWord:
    proof = Proof(program)
    adds(proof)
    return ask_of_a_proof(proof, SOLVER, 60, export)


def test_it_agrees_with_a_proof(program: Program, tmp_path: Path) -> None:
    """The sum is computed in another way than the specification does."""
    proved = prove_one(program, "adds", adds, tmp_path / "adds.S", Demand(2, 60, SOLVER, tmp_path / "clauses"))
    assert proved.verdict == PROVED, proved.reason
    assert proved.second is not None
    assert (proved.second.solver, proved.second.word) == (SOLVER, AGREES)
    assert len(proved.second.version) > 16
    assert (tmp_path / "clauses" / "adds.cnf").read_text().startswith("p cnf ")


def test_it_refutes_a_planted_fault(program: Program, tmp_path: Path) -> None:
    """Whatever the prover said: the second solver is asked of the steps of a proof that there is not."""
    assert word_on(program).word == AGREES
    assert word_on(fault(program)).word == DISAGREES
    refuted = prove_one(fault(program), "adds", adds, tmp_path / "adds.S", Demand(1, 60, SOLVER))
    assert refuted.verdict == REFUTED
    assert refuted.second is not None
    assert refuted.second.word == AGREES


def test_a_counterexample_that_is_none_is_refuted(program: Program) -> None:
    proof = Proof(program)
    adds(proof)
    assert ask_of_a_counterexample(proof, {}, SOLVER, 60, None).word == DISAGREES


def test_a_wrong_hint_is_refuted(program: Program, monkeypatch: pytest.MonkeyPatch) -> None:
    """A prover that takes the outputs of a faulty program for those of the specification does not get past it."""
    proof = Proof(fault(program))
    adds(proof)
    [equality] = proof.equalities

    def lie(graph: Graph, literals: list[int]) -> tuple[list[int], dict[int, int]]:
        cone, same = equal_nodes(graph, literals)
        for one, other in zip(equality.found, equality.expected, strict=True):
            same[other >> 1] = same[one >> 1] ^ (one ^ other) & 1
        return cone, same

    monkeypatch.setattr("bancada.formulas.steps.equal_nodes", lie)
    assert ask_of_a_proof(proof, SOLVER, 60, None).word == DISAGREES


@pytest.mark.parametrize("sign", [0, 1])
def test_a_long_sum_in_another_order(sign: int, tmp_path: Path) -> None:
    """Forty terms from both ends: many small steps. With a complement they are not equal, and one step says so."""
    graph = Graph()
    words = [Word(graph, (graph.input(str(at)),)) for at in range(40)]
    one, other = words[0], words[-1]
    for at in range(1, 40):
        one, other = one ^ words[at], other ^ words[39 - at]
    found, expected = one.bits[0], other.bits[0] ^ sign
    made = steps(graph, [found], [expected])
    again = steps(graph, [found], [expected])
    assert (made.steps, made.distinct) == (again.steps, again.distinct)
    assert sorted(answers(made, tmp_path)) == [10] * sign + [20] * (len(made.parts) - sign)


@pytest.mark.parametrize("wrong", [None, 0, 12, 25])
def test_many_steps_are_asked_in_parts(wrong: int | None, tmp_path: Path) -> None:
    """Sums of other lengths are other steps. A wrong one is found in whichever part it is."""
    graph = Graph()
    found, expected = [], []
    for length in range(20, 46):
        words = [Word(graph, (graph.input(f"{length} {at}"),)) for at in range(length)]
        one, other = words[0], words[-1]
        for at in range(1, length):
            one, other = one ^ words[at], other ^ words[length - 1 - at]
        found.append(one.bits[0])
        expected.append(other.bits[0] ^ (length - 20 == wrong))
    made = steps(graph, found, expected)
    assert len(made.parts) > 1
    assert answers(made, tmp_path).count(10) == (0 if wrong is None else 1)


def answers(made: Steps, folder: Path) -> list[int]:
    found = []
    for number, part in enumerate(made.parts):
        part.write(folder / f"{number}.cnf")
        found.append(solved(folder / f"{number}.cnf"))
    assert set(found) <= {10, 20}
    return found


def solved(path: Path) -> int:
    return subprocess.run([SOLVER, "-q", str(path)], capture_output=True, check=False).returncode


def test_a_solver_that_is_not_there_is_one_sentence(program: Program) -> None:
    proof = Proof(program)
    adds(proof)
    with pytest.raises(UserError, match="There is no solver 'no-such-solver' on this machine: apt-get install cadical"):
        ask_of_a_proof(proof, "no-such-solver", 60, None)
