"""Proofs of a candidate's firmware, `proofs.py` or the folder `proofs` in its own folder, against the programs that the
laboratory measures."""

from __future__ import annotations

import hashlib
from collections import Counter
from collections.abc import Callable, Iterator
from concurrent.futures import Future, ProcessPoolExecutor
from dataclasses import dataclass
from itertools import chain
from multiprocessing import get_context
from pathlib import Path

from bancada.build.build import build
from bancada.catalogue.candidate import Candidate
from bancada.catalogue.target import Target
from bancada.costing.cortex_m_table import CortexMTable
from bancada.model.errors import UserError, unknown_name
from bancada.model.status import Status
from bancada.plan.case import Firmware
from bancada.plan.everything_of import everything_of
from bancada.plan.laboratory import Laboratory
from bancada.plan.plan import plan
from bancada.prove.certificate import key_of, read_certificates, read_outcomes, store_certificate, store_outcome
from bancada.prove.congruence import BY_POLYNOMIALS
from bancada.prove.mutants import outcomes, outcomes_of_specification
from bancada.prove.needs import needs_of_every
from bancada.prove.program import read_program
from bancada.prove.proof_files import digest_of_proofs, proofs_beside, read_proofs
from bancada.prove.prove import UNDECIDED, Demand, Proved, prove_one
from bancada.prove.second_solver import need_solver


@dataclass(frozen=True)
class ProvedIn:
    """A verdict, and the implementation in whose firmware it is. `is_stored`: it was proved by an earlier run."""

    implementation: str
    proved: Proved
    is_stored: bool


@dataclass(frozen=True)
class _Task:
    implementation: str
    elf: Path
    name: str
    key: str


def proofs_of(candidate: Candidate) -> Path:
    """The candidate's file or folder of proofs. UserError if it has none."""
    path = proofs_beside(candidate.folder)
    if path is None:
        raise UserError(f"'{candidate.name}' has no proofs.py in {candidate.folder}; give one with --proofs.")
    return path


def table_of(target: Target) -> CortexMTable | None:
    """What instructions cost on the target, if it is a Cortex-M."""
    table = target.core.table
    return table if isinstance(table, CortexMTable) else None


@dataclass(frozen=True)
class Inquiry:
    """Which proofs of a candidate are asked about, and where what came of them is kept.

    `implementation`: only what is in its firmware; None: in that of any. `names`: only these proofs; none: all.
    `say_missing` is called with the proofs whose functions are in no firmware that was asked about.
    """

    laboratory: Laboratory
    candidate: Candidate
    implementation: str | None
    target: Target
    proofs: Path
    names: tuple[str, ...]
    jobs: int
    store: Path
    say_missing: Callable[[list[str]], None]


def prove_candidate(inquiry: Inquiry, demand: Demand) -> Iterator[ProvedIn]:
    """Each proof whose functions a firmware has, once: in an implementation that it is of, or in the one named.

    A verdict that is stored with the same program, proofs, prover and costs of instructions is not made again, unless
    it is `undecided`: a longer limit, or a solver that is there by now, may decide it. Others are stored when they
    come. UserError: there is no such implementation or proof, or no firmware builds.
    """
    if demand.second:
        need_solver(demand.second)
    stored = read_certificates(inquiry.store)
    tasks = _tasks(inquiry, demand.placements)
    table = table_of(inquiry.target)
    kept = {
        key: proved
        for key, proved in stored.items()
        if demand.export is None and proved.verdict != UNDECIDED and _has_its_word(proved, demand)
    }
    yield from (ProvedIn(task.implementation, kept[task.key], True) for task in tasks if task.key in kept)
    # A fresh process for each job: a fork would take the threads' locks with it.
    with ProcessPoolExecutor(inquiry.jobs, mp_context=get_context("spawn")) as pool:
        asked: list[tuple[_Task, Future[Proved]]] = [
            (task, pool.submit(_prove, task.elf, inquiry.proofs, task.name, demand, table))
            for task in tasks
            if task.key not in kept
        ]
        for task, future in asked:
            proved = future.result()
            store_certificate(inquiry.store, task.key, inquiry.target.name, task.implementation, proved)
            yield ProvedIn(task.implementation, proved, False)


def _has_its_word(proved: Proved, demand: Demand) -> bool:
    """Whether the second solver that is asked for has said its word, or has none to say."""
    if not demand.second or proved.by == BY_POLYNOMIALS:
        return True
    return proved.second is not None and proved.second.solver == demand.second


def mutants_of_candidate(inquiry: Inquiry, count: int) -> Iterator[tuple[str, Counter[str]]]:
    """So many mutants of each proof's function, and as many of its specification; and how many had which outcome
    (`bancada/prove/mutants.py`).

    What is stored for the same program, proofs and prover is not judged again. UserError as for `prove_candidate`.
    """
    tasks = _tasks(inquiry, 1)
    with ProcessPoolExecutor(inquiry.jobs, mp_context=get_context("spawn")) as pool:
        asked = [(task, pool.submit(_mutants, task, inquiry.proofs, count, inquiry.store)) for task in tasks]
        for task, future in asked:
            yield task.name, future.result()


def _mutants(task: _Task, proofs: Path, count: int, store: Path) -> Counter[str]:
    known = read_outcomes(store, task.key)
    found: Counter[str] = Counter()
    function = read_proofs(proofs)[task.name]
    program = read_program(task.elf)
    judged = (
        outcomes(program, task.name, function, proofs, count, known),
        outcomes_of_specification(program, task.name, function, proofs, count, known),
    )
    for mutant, outcome in chain(*judged):
        if mutant not in known:
            store_outcome(store, task.key, task.name, mutant, outcome)
        found[outcome] += 1
    return found


def _tasks(inquiry: Inquiry, placements: int) -> list[_Task]:
    """Each proof in the firmware of an implementation that it is of; else in the first that has its functions."""
    known = read_proofs(inquiry.proofs)
    for name in inquiry.names:
        if name not in known:
            raise unknown_name("proof", name, known)
    digest, table = digest_of_proofs(inquiry.proofs), table_of(inquiry.target)
    every = needs_of_every(inquiry.proofs)
    needs = {name: every[name] for name in inquiry.names or known}
    found: dict[str, _Task] = {}
    machines: set[str] = set()
    for firmware, elf in _programs(inquiry):
        program = read_program(elf)
        machines.add(program.machine)
        sha256 = hashlib.sha256(program.path.read_bytes()).hexdigest()
        for name, need in needs.items():
            if need.are_in(program) and (name not in found or firmware.implementation in need.implementations):
                key = key_of(sha256, digest, name, placements, table)
                found[name] = _Task(firmware.implementation, elf, name, key)
    if inquiry.implementation is None or inquiry.names:
        # What is asked for by name is told even if it is of programs for another machine.
        of_them = [name for name, need in needs.items() if inquiry.names or machines & set(need.machines)]
        inquiry.say_missing([name for name in of_them if name not in found])
    return [found[name] for name in needs if name in found]


def _programs(inquiry: Inquiry) -> Iterator[tuple[Firmware, Path]]:
    laboratory, candidate, target = inquiry.laboratory, inquiry.candidate, inquiry.target
    workloads = plan(laboratory, everything_of(laboratory, candidate, target.name, "-Os"), (target.name,))
    every = list(dict.fromkeys(workload.firmware for workload in workloads if workload.firmware is not None))
    chosen = [one for one in every if inquiry.implementation in (None, one.implementation)]
    if not chosen:
        known = (firmware.implementation for firmware in every)
        raise unknown_name(f"implementation for the target '{target.name}'", str(inquiry.implementation), known)
    is_built = False
    for firmware in chosen:
        made = build(firmware)
        if made.status is Status.OK and made.elf_path is not None:
            is_built = True
            yield firmware, Path(made.elf_path)
    if not is_built:
        raise UserError(f"No firmware of '{candidate.name}' builds for the target '{target.name}'.")


def _prove(elf: Path, proofs: Path, name: str, demand: Demand, table: CortexMTable | None) -> Proved:
    return prove_one(read_program(elf, table), name, read_proofs(proofs)[name], proofs, demand)
