"""Proofs of a candidate's firmware: the file `proofs.py` of its folder, against the programs that the laboratory
measures."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterator
from concurrent.futures import Future, ProcessPoolExecutor
from dataclasses import dataclass
from multiprocessing import get_context
from pathlib import Path

from bancada.build.build import build
from bancada.catalogue.candidate import Candidate
from bancada.catalogue.target import Target
from bancada.model.errors import UserError, unknown_name
from bancada.model.status import Status
from bancada.plan.case import Firmware
from bancada.plan.everything_of import everything_of
from bancada.plan.laboratory import Laboratory
from bancada.plan.plan import plan
from bancada.prove.certificate import key_of, read_certificates, store_certificate
from bancada.prove.program import read_program
from bancada.prove.prove import Demand, Proved, has_functions, prove_one, read_proofs
from bancada.prove.second_solver import need_solver

PROOFS_FILE = "proofs.py"


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
    """The candidate's file of proofs. UserError if it has none."""
    path = candidate.folder / PROOFS_FILE
    if not path.is_file():
        raise UserError(f"'{candidate.name}' has no {PROOFS_FILE} in {candidate.folder}; give one with --proofs.")
    return path


def prove_candidate(
    laboratory: Laboratory,
    candidate: Candidate,
    implementation: str | None,
    target: Target,
    proofs: Path,
    names: tuple[str, ...],
    demand: Demand,
    jobs: int,
    store: Path,
    say_missing: Callable[[list[str]], None],
) -> Iterator[ProvedIn]:
    """Each proof whose functions a firmware has, once: in the first implementation that has them, or in the one named.

    A verdict that is stored with the same program, proofs and prover is not made again. Others are stored when they
    come. `say_missing` is called with the proofs whose functions are in no firmware of the candidate.

    UserError: there is no such implementation or proof, or no firmware builds.
    """
    if demand.second:
        need_solver(demand.second)
    known = read_proofs(proofs)
    for name in names:
        if name not in known:
            raise unknown_name("proof", name, known)
    stored = read_certificates(store)
    left = list(names or known)
    digest = hashlib.sha256(proofs.read_bytes()).hexdigest()
    tasks: list[_Task] = []
    for firmware, elf in _programs(laboratory, candidate, implementation, target):
        program = read_program(elf)
        here = [name for name in left if has_functions(program, known[name])]
        left = [name for name in left if name not in here]
        sha256 = hashlib.sha256(program.path.read_bytes()).hexdigest()
        tasks += [
            _Task(firmware.implementation, elf, name, key_of(sha256, digest, name, demand.placements)) for name in here
        ]
    if implementation is None:
        say_missing(left)
    # A stored verdict counts if the second solver that is asked for has said its word.
    kept = {
        key: proved
        for key, proved in stored.items()
        if demand.export is None and (not demand.second or proved.second and proved.second.solver == demand.second)
    }
    yield from (ProvedIn(task.implementation, kept[task.key], True) for task in tasks if task.key in kept)
    # A fresh process for each job: a fork would take the threads' locks with it.
    with ProcessPoolExecutor(jobs, mp_context=get_context("spawn")) as pool:
        asked: list[tuple[_Task, Future[Proved]]] = [
            (task, pool.submit(_prove, task.elf, proofs, task.name, demand)) for task in tasks if task.key not in kept
        ]
        for task, future in asked:
            proved = future.result()
            store_certificate(store, task.key, target.name, task.implementation, proved)
            yield ProvedIn(task.implementation, proved, False)


def _programs(
    laboratory: Laboratory, candidate: Candidate, implementation: str | None, target: Target
) -> Iterator[tuple[Firmware, Path]]:
    workloads = plan(laboratory, everything_of(laboratory, candidate, target.name, "-Os"), (target.name,))
    every = list(dict.fromkeys(workload.firmware for workload in workloads if workload.firmware is not None))
    chosen = [one for one in every if implementation in (None, one.implementation)]
    if not chosen:
        known = (firmware.implementation for firmware in every)
        raise unknown_name(f"implementation for the target '{target.name}'", str(implementation), known)
    is_built = False
    for firmware in chosen:
        made = build(firmware)
        if made.status is Status.OK and made.elf_path is not None:
            is_built = True
            yield firmware, Path(made.elf_path)
    if not is_built:
        raise UserError(f"No firmware of '{candidate.name}' builds for the target '{target.name}'.")


def _prove(elf: Path, proofs: Path, name: str, demand: Demand) -> Proved:
    return prove_one(read_program(elf), name, read_proofs(proofs)[name], proofs, demand)
