"""A second solver's word on a verdict: any program that reads clauses (DIMACS) and answers as in the competitions."""

from __future__ import annotations

import hashlib
import shutil
import subprocess
import tempfile
import time
from collections.abc import Mapping
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


@dataclass(frozen=True)
class SecondWord:
    """What a second solver says of a verdict, and what it was asked: the SHA-256 of the file of clauses."""

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


def ask_of_a_proof(proof: Proof, solver: str, limit_seconds: float, export: Path | None) -> SecondWord:
    """Whether every output is what the specification says, in small steps (`bancada/formulas/steps.py`).

    `export` is a file that gets the clauses. They have no solution exactly if every step holds.
    """
    found = [literal for equality in proof.equalities for literal in equality.found]
    expected = [literal for equality in proof.equalities for literal in equality.expected]
    asked = steps(proof.graph, found, expected)
    return _ask(asked.cnf, _NO_SOLUTION, asked.steps, solver, limit_seconds, export)


def ask_of_a_counterexample(
    proof: Proof, counterexample: Mapping[str, int], solver: str, limit_seconds: float, export: Path | None
) -> SecondWord:
    """Whether an output differs for these values of the inputs. `export` is a file that gets the clauses."""
    found = [literal for equality in proof.equalities for literal in equality.found]
    expected = [literal for equality in proof.equalities for literal in equality.expected]
    cnf, inputs = differing(proof.graph, found, expected)
    for node, variable in inputs.items():
        cnf.clause(variable if counterexample.get(proof.graph.inputs[node]) else -variable)
    return _ask(cnf, _SOLUTION, 1, solver, limit_seconds, export)


def _ask(
    cnf: Cnf, expected: int, steps_of_proof: int, solver: str, limit_seconds: float, export: Path | None
) -> SecondWord:
    version = need_solver(solver)
    start = time.monotonic()
    with tempfile.TemporaryDirectory() as folder:
        path = export or Path(folder) / "steps.cnf"
        path.parent.mkdir(parents=True, exist_ok=True)
        cnf.write(path)
        digest = hashlib.sha256(path.read_bytes()).hexdigest()
        command = [solver, *_QUIET.get(Path(solver).name, ()), str(path)]
        try:
            done = subprocess.run(command, cwd=folder, capture_output=True, timeout=limit_seconds, check=False)
            answer = done.returncode
        except subprocess.TimeoutExpired:
            answer = 0
    word = NO_ANSWER if answer not in (_SOLUTION, _NO_SOLUTION) else AGREES if answer == expected else DISAGREES
    return SecondWord(solver, version, word, steps_of_proof, time.monotonic() - start, digest)
