"""A second solver's word on a verdict: any program that reads clauses (DIMACS) and answers as in the competitions."""

from __future__ import annotations

import hashlib
import shutil
import subprocess
import tempfile
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from bancada.formulas.cnf import Cnf, differing
from bancada.formulas.steps import steps
from bancada.model.errors import UserError
from bancada.prove.proof import Proof

AGREES, DISAGREES, NO_ANSWER = "agrees", "disagrees", "no-answer"
# The exit codes of the competitions.
_SOLUTION, _NO_SOLUTION = 10, 20
# Options that make a solver say less; other solvers get none.
_QUIET = {"cadical": ("-q",), "kissat": ("-q",), "minisat": ("-verb=0",), "cryptominisat5": ("--verb", "0")}
# Of a question that is not in steps.
_OUTPUTS = 16


@dataclass(frozen=True)
class SecondWord:
    """What a second solver says of a verdict, and what it was asked: the SHA-256 of the files of clauses, one
    behind the other."""

    solver: str
    version: str
    word: str
    steps: int
    seconds: float
    clauses_sha256: str


def need_solver(name: str) -> str:
    """What certificates call the solver: its version, if it says one, and the beginning of the program's SHA-256.
    UserError if it is not installed."""
    program = shutil.which(name)
    if program is None:
        raise UserError(f"There is no solver '{name}' on this machine: apt-get install cadical, and give cadical.")
    done = subprocess.run([program, "--version"], capture_output=True, text=True, errors="replace", check=False)
    lines = done.stdout.split("\n") if done.returncode == 0 else []
    said = next((line.removeprefix("c ").strip() for line in lines if line.strip()), "")
    digest = hashlib.sha256(Path(program).read_bytes()).hexdigest()[:16]
    return f"{said} ({digest})" if said else f"({digest})"


def ask_of_a_proof(
    proof: Proof, solver: str, limit_seconds: float, export: Path | None, in_steps: bool = True
) -> SecondWord:
    """Whether every output is what the specification says, in small steps (`bancada/formulas/steps.py`). Where the
    normal form was not enough, there are no such steps: then each few outputs are one question.

    `export` is a file that gets the clauses; several parts get a number each in their names. None of them has a
    solution exactly if every step holds. The limit is for all of them.
    """
    found = [literal for equality in proof.equalities for literal in equality.found]
    expected = [literal for equality in proof.equalities for literal in equality.expected]
    if not in_steps:
        parts = [
            differing(proof.graph, found[at : at + _OUTPUTS], expected[at : at + _OUTPUTS])[0]
            for at in range(0, len(found), _OUTPUTS)
        ]
        return _ask(parts, _NO_SOLUTION, len(parts), solver, limit_seconds, export)
    asked = steps(proof.graph, found, expected)
    return _ask(asked.parts, _NO_SOLUTION, asked.steps, solver, limit_seconds, export)


def ask_of_a_counterexample(
    proof: Proof, counterexample: Mapping[str, int], solver: str, limit_seconds: float, export: Path | None
) -> SecondWord:
    """Whether an output differs for these values of the inputs. `export` is a file that gets the clauses."""
    found = [literal for equality in proof.equalities for literal in equality.found]
    expected = [literal for equality in proof.equalities for literal in equality.expected]
    cnf, inputs = differing(proof.graph, found, expected)
    for node, variable in inputs.items():
        cnf.clause(variable if counterexample.get(proof.graph.inputs[node]) else -variable)
    return _ask([cnf], _SOLUTION, 1, solver, limit_seconds, export)


def _ask(
    parts: Sequence[Cnf], expected: int, steps_of_proof: int, solver: str, limit_seconds: float, export: Path | None
) -> SecondWord:
    """The word on all parts: it agrees if each has the expected answer, and no part is asked after another one."""
    version = need_solver(solver)
    command = [solver, *_QUIET.get(Path(solver).name, ())]
    start = time.monotonic()
    digest = hashlib.sha256()
    word = AGREES
    with tempfile.TemporaryDirectory() as folder:
        for number, part in enumerate(parts, start=1):
            path = export or Path(folder) / "steps.cnf"
            if export and len(parts) > 1:
                path = export.with_stem(f"{export.stem}-{number}")
            path.parent.mkdir(parents=True, exist_ok=True)
            part.write(path)
            digest.update(path.read_bytes())
            if word == AGREES:
                word = _word([*command, str(path)], expected, folder, start + limit_seconds - time.monotonic())
    return SecondWord(solver, version, word, steps_of_proof, time.monotonic() - start, digest.hexdigest())


def _word(command: Sequence[str], expected: int, folder: str, limit_seconds: float) -> str:
    try:
        done = subprocess.run(command, cwd=folder, capture_output=True, timeout=max(limit_seconds, 0), check=False)
    except subprocess.TimeoutExpired:
        return NO_ANSWER
    if done.returncode not in (_SOLUTION, _NO_SOLUTION):
        return NO_ANSWER
    return AGREES if done.returncode == expected else DISAGREES
