"""Expands an experiment to cases. Nothing is dropped silently: what cannot be is a case that says why."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from bancada.catalogue.candidate import Candidate, Implementation, filled
from bancada.catalogue.entries import entries
from bancada.catalogue.experiment import Experiment
from bancada.catalogue.target import Target
from bancada.compilers.compilers import Compiler, choose, compiler_of
from bancada.model.errors import UserError
from bancada.model.status import Status
from bancada.plan.case import Case, Firmware, Refusal, Workload
from bancada.plan.laboratory import Laboratory
from bancada.primitives.primitive import Primitive
from bancada.primitives.rows import operations_of, primitive_of
from bancada.sources.prebuilt import why_not_here

QUICK_OPTIMISATIONS = ("-Os",)


def _firmware(
    laboratory: Laboratory,
    target: Target,
    candidate: Candidate,
    row: Implementation,
    primitive: Primitive,
    variant: str,
    key_bits: int,
    optimisation: str,
    compiler: _Chosen,
) -> Firmware:

    def fill(text: str) -> str:
        return filled(text, variant, key_bits)

    def fill_all(texts: Iterable[str]) -> tuple[str, ...]:
        return tuple(fill(text) for text in texts)

    with_core = (name for name, one in entries(laboratory.targets).readable.items() if one.arduino is not None)
    return Firmware(
        target=target,
        candidate=candidate,
        implementation=f"{candidate.name}/{fill(row.name)}",
        primitive=primitive,
        algorithm=row.algorithm,
        variant=variant,
        key_bits=key_bits,
        block_bytes=row.block_bytes,
        digest_bytes=row.digest_bytes,
        nonce_bytes=row.nonce_bytes,
        tag_bytes=row.tag_bytes,
        adapter=fill(row.adapter),
        sources=fill_all(row.sources),
        include=fill_all(row.include),
        defines=fill_all(row.defines),
        adapter_defines=fill_all(row.adapter_defines),
        monitor_sources=fill_all(row.monitor_sources),
        operations=operations_of(row, primitive),
        cbc=row.cbc,
        optimisation=optimisation,
        libraries=fill_all(row.libraries),
        heap=row.heap,
        byte_order=row.byte_order,
        compiler=compiler.compiler,
        compiler_name=compiler.name,
        arduino_targets=tuple(sorted(with_core)),
    )


def _cases(
    experiment: Experiment, firmware: Firmware, operations: Iterable[str], refusal: Refusal | None = None
) -> tuple[Case, ...]:
    cases: list[Case] = []
    for operation in operations:
        sizes = list(firmware.primitive.parameters(experiment, firmware, operation))
        if not sizes:
            raise UserError(
                f"{experiment.folder / 'experiment.toml'}: key 'sizes_bytes': '{operation}' of a"
                f" {firmware.primitive.name} is measured on messages, and no size is given, for example [16, 64]."
            )
        cases += [Case(firmware, operation, size_bytes, more_bytes, refusal) for size_bytes, more_bytes in sizes]
    return tuple(cases)


@dataclass(frozen=True)
class _Chosen:
    """A compiler that a target is planned with: `compiler` is None for the target's own, and for one that does not
    compile for it."""

    name: str
    compiler: Compiler | None
    is_usable: bool


def _chosen(target: Target, wanted: str) -> _Chosen:
    if wanted == target.toolchain.compiler:
        return _Chosen(wanted, None, True)
    found = compiler_of(target, wanted)
    return _Chosen(wanted, None, False) if found is None else _Chosen(found.name, found, True)


def _is_for(row: Implementation, target: Target) -> bool:
    return not row.cores or target.core.name in row.cores


def _refusal(
    row: Implementation, candidate: Candidate, target: Target, key_bits: int, compiler: _Chosen
) -> Refusal | None:
    """Why an implementation cannot be measured in this combination at all."""
    if key_bits not in row.key_bits:
        return Refusal(Status.NOT_OFFERED, f"{candidate.title} offers no {key_bits}-bit key for this implementation")
    if elsewhere := why_not_here(candidate, target):
        return Refusal(Status.NOT_OFFERED, elsewhere)
    if not _is_for(row, target):
        why = f"{row.name} of {candidate.title} is written for {' and '.join(row.cores)}; {target.name} has"
        return Refusal(Status.NOT_OFFERED, f"{why} {target.core.name}")
    if not compiler.is_usable:
        return Refusal(Status.DOES_NOT_BUILD, f"{compiler.name} does not compile for {target.name}")
    return None


def _workloads_of(
    laboratory: Laboratory,
    experiment: Experiment,
    target: Target,
    candidate: Candidate,
    optimisations: tuple[str, ...],
    compilers: tuple[_Chosen, ...],
    every: bool,
) -> list[Workload]:
    rows = [
        row
        for row in candidate.implementation
        if row.algorithm in experiment.algorithms and (_is_for(row, target) or not every)
    ]
    expansions = [
        (row, variant, key_bits, optimisation, compiler)
        for compiler in compilers
        for optimisation in optimisations
        for row in rows
        for variant in row.variant
        for key_bits in (experiment.key_bits if row.key_bits != (0,) else (0,))
    ]
    workloads: list[Workload] = []
    for row, variant, key_bits, optimisation, compiler in expansions:
        primitive = primitive_of(candidate, row, laboratory.primitives)
        firmware = _firmware(laboratory, target, candidate, row, primitive, variant, key_bits, optimisation, compiler)
        asked = [name for name in experiment.operations if name in primitive.measured]
        refusal = _refusal(row, candidate, target, key_bits, compiler)
        if refusal is not None:
            known = primitive.algorithms.get(row.algorithm)
            is_gap = primitive.shows_gaps and (known is None or key_bits in known.key_bits)
            if key_bits in row.key_bits or is_gap:
                workloads.append(Workload(None, _cases(experiment, firmware, asked, refusal)))
            continue
        offered = [name for name in asked if name in firmware.operations]
        missing = [name for name in asked if name not in firmware.operations]
        workloads.append(Workload(firmware, _cases(experiment, firmware, offered)))
        if missing and primitive.shows_gaps:
            why = Refusal(Status.NOT_OFFERED, f"{candidate.title} has no such operation in this implementation")
            workloads.append(Workload(None, _cases(experiment, firmware, missing, why)))
    return workloads


def plan(
    laboratory: Laboratory,
    experiment: Experiment,
    only_targets: tuple[str, ...] = (),
    only_candidates: tuple[str, ...] = (),
    quick: bool = False,
    only_compilers: tuple[str, ...] = (),
    from_git: bool = False,
) -> list[Workload]:
    """The workloads of an experiment, in a fixed order. Every name is resolved here: the cases hold things.

    `only_targets` replaces the experiment's targets. `only_candidates` replaces its candidates, whether it lists them
    or not. `quick` keeps one optimisation level. `only_compilers` (bancada.compilers.compilers) replaces the targets'
    own. Without `from_git` the experiment's candidates that come from Git repositories are left out, but not those of
    `only_candidates`. UserError for a name that does not exist, or a choice that leaves nothing.
    """
    targets = [laboratory.target(name) for name in dict.fromkeys(only_targets or experiment.targets)]
    listed = _candidates(laboratory, experiment, only_candidates)
    chosen = [one for one in listed if from_git or only_candidates or not one.is_from_git]
    is_git_left_out = len(chosen) < len(listed)
    every = "*" in experiment.candidates and not only_candidates
    optimisations = QUICK_OPTIMISATIONS if quick else experiment.optimisations
    workloads = []
    for target in targets:
        names = choose(targets, only_compilers, target) or (target.toolchain.compiler,)
        compilers = tuple(_chosen(target, name) for name in names)
        for candidate in chosen:
            # In a survey of all candidates, what is written or compiled for other machines is not missing on this
            # target.
            if not (every and why_not_here(candidate, target)):
                workloads += _workloads_of(laboratory, experiment, target, candidate, optimisations, compilers, every)
    if not workloads:
        raise _nothing_to_run(experiment, chosen, is_git_left_out)
    return workloads


def _candidates(laboratory: Laboratory, experiment: Experiment, only: tuple[str, ...]) -> list[Candidate]:
    """By name: those that were asked for; without a wish those of the experiment, of which '*' is every usable one."""
    if only:
        return [laboratory.candidate(name) for name in sorted(set(only))]
    named = {name: laboratory.candidate(name) for name in experiment.candidates if name != "*"}
    if "*" in experiment.candidates:
        named |= {name: candidate for name, candidate in laboratory.candidates.items() if candidate.usable}
    return [candidate for _, candidate in sorted(named.items())]


def _nothing_to_run(experiment: Experiment, chosen: list[Candidate], is_git_left_out: bool) -> UserError:
    if is_git_left_out and not chosen:
        return UserError(
            f"Experiment '{experiment.name}' has nothing to run: git fetches all of its candidates; add --from-git."
        )
    algorithms = ", ".join(experiment.algorithms)
    whose = ", ".join(candidate.name for candidate in chosen) or "no candidate"
    return UserError(f"Experiment '{experiment.name}' has nothing to run: {whose} offers none of {algorithms}.")
