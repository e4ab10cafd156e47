"""Proofs of functions of a program, by a file of proofs."""

from __future__ import annotations

import hashlib
import time
import traceback
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from bancada.costing.cortex_m_table import CortexMTable
from bancada.formulas.polynomial import ImpossibleCase
from bancada.model.errors import UserError
from bancada.prove.alteration import Alteration
from bancada.prove.congruence import BY_POLYNOMIALS, difference_of
from bancada.prove.decide import ABC, decide
from bancada.prove.errors import SecretTime, TimeUsedUp
from bancada.prove.program import Program, read_program
from bancada.prove.proof import Proof, ProofFunction
from bancada.prove.proof_files import digest_of_proofs, read_proofs
from bancada.prove.records import Called, Shows
from bancada.prove.replay import replay
from bancada.prove.second_solver import SecondWord, ask_of_a_counterexample, ask_of_a_proof, need_solver
from bancada.prove.trial import Trial

PROVED, REFUTED, UNDECIDED, NOT_POSSIBLE = "proved", "refuted", "undecided", "not-possible"
# Random inputs that are tried first; and before a proof about numbers stays undecided.
_TRIALS, _MORE_TRIALS = 2, 40
# How often the solver's limit following the program may take: computing time, since the machine may be busy.
_FOLLOWING = 5


@dataclass(frozen=True)
class Proved:
    """What came of one proof. `reason` is empty if it is proved; `calls` are those of the first placement."""

    name: str
    verdict: str
    reason: str
    by: str
    calls: tuple[Called, ...]
    placements: int
    seconds: float
    counterexample: dict[str, int] | None
    elf_sha256: str
    proofs_sha256: str
    replay: tuple[str, ...] = ()
    """What the engine shows of the counterexample; or one sentence that says why it shows nothing."""
    is_replayed: bool = False
    """Whether the engine shows a difference."""
    shows: tuple[Shows, ...] = ()
    """Whose operations this is a proof of."""
    second: SecondWord | None = None
    """What a second solver says, if one was asked."""


@dataclass(frozen=True)
class Demand:
    """How a proof is made. `second` is the name of a second solver, '' for none; `export` is a folder that gets a file
    of clauses for each proof, which any such solver reads."""

    placements: int = 2
    limit_seconds: float = 60.0
    second: str = ""
    export: Path | None = None
    most_instructions: int = 0
    """Of one call; 0: as many as anything here needs."""
    alteration: Alteration | None = None
    """What is wrong with the specification on purpose."""


def prove(
    elf: Path, proofs: Path, names: tuple[str, ...], demand: Demand, table: CortexMTable | None = None
) -> list[Proved]:
    """Proves what the file of proofs says of this program.

    `table` says what a Cortex-M's instructions cost; without it there are no cycles. `names`: only these proofs; none:
    all of them. Each is made for several placements of its buffers, and proved only if it holds in all. UserError: a
    file cannot be read, or there is no such proof.
    """
    program = read_program(elf, table)
    found = read_proofs(proofs)
    for name in names:
        if name not in found:
            raise UserError(f"{proofs} has no proof '{name}'; it has {', '.join(sorted(found))}.")
    if demand.second:
        need_solver(demand.second)
    return [prove_one(program, name, found[name], proofs, demand) for name in names or found]


def prove_one(program: Program, name: str, function: ProofFunction, proofs: Path, demand: Demand) -> Proved:
    """One proof of a program, for several placements of its buffers. `proofs` is the file that it comes from."""
    start = time.monotonic()
    made: list[Proof] = []
    found = _Found(PROVED)
    trial = None if demand.second else _differing_trial(program, function, demand, range(_TRIALS))
    for placement in range(0 if trial else demand.placements):
        for proof, fault in _cases(program, function, placement, demand):
            if fault is not None:
                found = _fault(fault, proofs)
                break
            made.append(proof)
            found = _decided(proof, made[0], found, demand)
            if found.verdict != PROVED:
                break
        if found.verdict != PROVED:
            break
    if not made and found.verdict == PROVED:
        found = _Found(NOT_POSSIBLE, "no case can be: the proof contradicts itself")
    if found.verdict == UNDECIDED and made and made[-1].congruences:
        trial = _differing_trial(program, function, demand, range(_TRIALS, _MORE_TRIALS))
    if trial is not None:
        made.append(trial)
        reason = f"'{trial.differs}' is not what the specification says"
        found = _Found(REFUTED, reason, "simulation", trial.inputs)
    asked = _second(name, made[-1], found, demand) if made and demand.second else None
    shown: tuple[str, ...] = ()
    is_replayed = False
    if found.verdict == REFUTED and found.counterexample is not None:
        replayed = replay(made[-1], found.counterexample, program.flash)
        is_replayed = bool(replayed.differences)
        shown = replayed.differences or (
            replayed.not_run or "the engine shows no difference: the prover is wrong here",
        )
    return Proved(
        name,
        found.verdict,
        found.reason,
        found.by,
        _calls(made),
        demand.placements,
        time.monotonic() - start,
        found.counterexample,
        _sha256(program.path),
        digest_of_proofs(proofs),
        shown,
        is_replayed,
        tuple(made[0].shown) if made else (),
        asked,
    )


def _calls(made: Sequence[Proof]) -> tuple[Called, ...]:
    """Those of the first placement; of a proof whose numbers are public, with the cycles of all cases."""
    if not made:
        return ()
    if not made[0].has_public_branches:
        return tuple(made[0].calls)
    found = []
    for at, call in enumerate(made[0].calls):
        same = [proof.calls[at] for proof in made if at < len(proof.calls)]
        most, least = [each.cycles or 0 for each in same], [each.least_cycles or 0 for each in same]
        found.append(replace(call, cycles=max(most), least_cycles=min(least)))
    return tuple(found)


def _cases(
    program: Program, function: ProofFunction, placement: int, demand: Demand
) -> Iterator[tuple[Proof, Exception | None]]:
    """The proof, or each case of one that is made `by_cases`, and what went wrong with it. Cases that cannot be are
    left out. All have to go the same way through the program, since the carries that they are made by are secret, but
    for those of a proof whose numbers are public."""
    waiting: list[tuple[int, ...]] = [()]
    way: int | None = None
    while waiting:
        chosen = waiting.pop()
        proof = Proof(
            program,
            placement=placement,
            most_instructions=demand.most_instructions,
            alteration=demand.alteration,
            chosen=chosen,
            last_second=time.process_time() + _FOLLOWING * demand.limit_seconds,
        )
        fault: Exception | None = None
        is_possible = True
        try:
            function(proof)
        except ImpossibleCase:
            is_possible = False
        except Exception as error:  # the user's own Python: one proof that fails does not stop the others
            fault = error
        waiting += [(*chosen, *[0] * (at - len(chosen)), 1) for at in range(len(chosen), proof.masks)]
        if is_possible:
            way = proof.way if way is None else way
            if fault is None and proof.way != way and not proof.has_public_branches:
                fault = SecretTime("a branch depends on a carry that was taken case by case")
            yield proof, fault


def _fault(error: Exception, proofs: Path) -> _Found:
    if isinstance(error, TimeUsedUp):
        return _Found(UNDECIDED, str(error))
    if isinstance(error, UserError):
        return _Found(NOT_POSSIBLE, str(error))
    return _Found(NOT_POSSIBLE, f"{_line_of(error, proofs)}: {type(error).__name__}: {error}")


def _differing_trial(program: Program, function: ProofFunction, demand: Demand, seeds: Iterable[int]) -> Trial | None:
    """One random input for which an output differs, if the ones tried show it."""
    for seed in seeds:
        trial = Trial(program, seed, demand.most_instructions, demand.alteration)
        trial.last_second = time.process_time() + _FOLLOWING * demand.limit_seconds
        try:
            function(trial)
        except Exception:
            return None  # the proof itself says what is wrong
        if trial.differs:
            return trial
    return None


@dataclass(frozen=True)
class _Found:
    verdict: str
    reason: str = ""
    by: str = ""
    counterexample: dict[str, int] | None = None


def _decided(proof: Proof, first: Proof, before: _Found, demand: Demand) -> _Found:
    """What one placement gives. One with the same formulas as the first is not decided again."""
    if not (proof.equalities or proof.congruences) or proof.is_vacuous:
        return _Found(NOT_POSSIBLE, "the proof says nothing: no output that it asks about depends on an input")
    # On a Cortex-M places may be aligned to words or not, and a copy of bytes may ask: they are no secret.
    is_of_one_time = proof.is_avr and not proof.has_public_branches
    if is_of_one_time and [call.cycles for call in first.calls] != [call.cycles for call in proof.calls]:
        return _Found(NOT_POSSIBLE, "the time depends on where the buffers lie")
    if proof is not first and proof.has_the_formulas_of(first):
        return before
    by = ""
    for congruence in proof.congruences:
        by = BY_POLYNOMIALS
        try:
            why = difference_of(proof, congruence)
        except ImpossibleCase:
            return _Found(UNDECIDED, "the bounds of a case contradict each other", by)
        if why:
            return _Found(UNDECIDED, why, by)
    for equality in proof.equalities:
        decision = decide(proof.graph, equality.found, equality.expected, demand.limit_seconds)
        by = decision.by
        if decision.is_equal is None:
            return _Found(UNDECIDED, by, by)
        if not decision.is_equal:
            reason = f"'{equality.what}' is not what the specification says"
            return _Found(REFUTED, reason, by, decision.counterexample)
    return _Found(PROVED, "", by)


def _second(name: str, proof: Proof, found: _Found, demand: Demand) -> SecondWord | None:
    """What the second solver says. Polynomials are nothing that it reads, and what was not followed to its end has
    nothing to ask."""
    if proof.congruences:
        return None
    path = demand.export / f"{name}.cnf" if demand.export else None
    if found.verdict == REFUTED and found.counterexample is not None:
        return ask_of_a_counterexample(proof, found.counterexample, demand.second, demand.limit_seconds, path)
    if found.verdict in (PROVED, UNDECIDED) and found.by:
        in_steps = ABC not in found.by
        return ask_of_a_proof(proof, demand.second, demand.limit_seconds, path, in_steps)
    return None


def _line_of(error: Exception, proofs: Path) -> str:
    """The last line of the file of proofs, or of one in their folder, that the error passed through."""
    entries = traceback.extract_tb(error.__traceback__)
    place = proofs.absolute()  # Python names a file by its whole path
    inside = [entry for entry in entries if place in (Path(entry.filename), Path(entry.filename).parent)]
    return f"{inside[-1].filename}, line {inside[-1].lineno}" if inside else str(proofs)


def _sha256(path: Path) -> str:
    return hashlib.sha256(path.read_bytes()).hexdigest()
