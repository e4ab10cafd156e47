"""Expands an experiment to cases. Nothing is dropped silently: what cannot be is a case that says why."""

from __future__ import annotations

from collections.abc import Iterable

from bancada import catalogue
from bancada.catalogue import Candidate, Experiment, Implementation, Target, named
from bancada.errors import UserError, unknown_name
from bancada.records import Case, Firmware, Workload

QUICK_OPTIMISATIONS = ("-Os",)


def _fill(text: str, values: dict[str, str]) -> str:
    for name, value in values.items():
        text = text.replace("{" + name + "}", value)
    return text


def _firmware(
    target: Target, candidate: Candidate, row: Implementation, variant: str, key_bits: int, optimisation: str
) -> Firmware:
    values = {"key_bits": str(key_bits), "key_bytes": str(key_bits // 8), "variant": variant}

    def fill_all(texts: Iterable[str]) -> tuple[str, ...]:
        return tuple(_fill(text, values) for text in texts)

    return Firmware(
        target=target.name,
        candidate=candidate.name,
        implementation=f"{candidate.name}/{_fill(row.name, values)}",
        primitive=row.primitive,
        algorithm=row.algorithm,
        variant=variant,
        key_bits=key_bits,
        block_bytes=row.block_bytes,
        adapter=_fill(row.adapter, values),
        sources=fill_all(row.sources),
        include=fill_all(row.include),
        defines=fill_all(row.defines),
        adapter_defines=fill_all(row.adapter_defines),
        monitor_sources=fill_all(row.monitor_sources),
        operations=row.operations,
        cbc=row.cbc,
        optimisation=optimisation,
    )


def _case(
    firmware: Firmware, target: Target, candidate: Candidate, operation: str, why_not: str | None = None
) -> Case:
    return Case(
        target=target.name,
        core=target.core,
        engine=target.engine,
        candidate=candidate.name,
        candidate_version=candidate.version,
        implementation=firmware.implementation,
        primitive=firmware.primitive,
        algorithm=firmware.algorithm,
        variant=firmware.variant,
        operation=operation,
        key_bits=firmware.key_bits,
        size_bytes=firmware.block_bytes,
        compiler=target.toolchain.compiler,
        optimisation=firmware.optimisation,
        why_not=why_not,
    )


def _workloads_of(
    experiment: Experiment, target: Target, candidate: Candidate, optimisations: tuple[str, ...]
) -> list[Workload]:
    rows = [row for row in candidate.implementation if row.algorithm in experiment.algorithms]
    workloads: list[Workload] = []
    for optimisation in optimisations:
        for row in rows:
            for variant in row.variant:
                for key_bits in experiment.key_bits:
                    firmware = _firmware(target, candidate, row, variant, key_bits, optimisation)
                    if key_bits not in row.key_bits:
                        why = f"{candidate.title} offers no {key_bits}-bit key for this implementation"
                        cases = tuple(_case(firmware, target, candidate, name, why) for name in experiment.operations)
                        workloads.append(Workload(None, cases))
                        continue
                    offered = tuple(name for name in experiment.operations if name in row.operations)
                    missing = tuple(name for name in experiment.operations if name not in row.operations)
                    why = f"{candidate.title} has no such operation in this implementation"
                    workloads.append(
                        Workload(firmware, tuple(_case(firmware, target, candidate, name) for name in offered))
                    )
                    if missing:
                        cases = tuple(_case(firmware, target, candidate, name, why) for name in missing)
                        workloads.append(Workload(None, cases))
    return workloads


def plan(
    experiment: Experiment,
    only_targets: tuple[str, ...] = (),
    only_candidates: tuple[str, ...] = (),
    quick: bool = False,
) -> list[Workload]:
    """The workloads of an experiment, in a fixed order.

    `only_targets` replaces the experiment's targets; `only_candidates` keeps these of its candidates; `quick` keeps one
    optimisation level. UserError for a name that does not exist, or a choice that leaves nothing.
    """
    target_names = only_targets or experiment.targets
    targets = [named("target", catalogue.targets(), name) for name in target_names]
    offered = catalogue.candidates()
    for name in only_candidates:
        if name not in offered:
            raise unknown_name("candidate", name, offered)
    every = "*" in experiment.candidates
    chosen = [
        candidate
        for name, candidate in sorted(offered.items())
        if (every or name in experiment.candidates) and (not only_candidates or name in only_candidates)
    ]
    if not every:
        for name in experiment.candidates:
            named("candidate", offered, name)
    optimisations = QUICK_OPTIMISATIONS if quick else experiment.optimisations
    workloads = [
        workload
        for target in targets
        for candidate in chosen
        for workload in _workloads_of(experiment, target, candidate, optimisations)
    ]
    if not workloads:
        raise UserError(
            f"Experiment '{experiment.name}' has nothing to run: no candidate chosen has one of "
            f"{', '.join(experiment.algorithms)}."
        )
    return workloads
