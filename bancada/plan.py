"""Expands an experiment to cases. Nothing is dropped silently: what cannot be is a case that says why."""

from __future__ import annotations

from collections.abc import Iterable

from bancada import catalogue
from bancada.catalogue import Candidate, Experiment, Implementation, Target, named
from bancada.compilers import choose, compiler_of
from bancada.errors import UserError, unknown_name
from bancada.prebuilt import why_not_here
from bancada.records import Case, Firmware, Workload

QUICK_OPTIMISATIONS = ("-Os",)


def _fill(text: str, values: dict[str, str]) -> str:
    for name, value in values.items():
        text = text.replace("{" + name + "}", value)
    return text


def _firmware(
    target: Target, candidate: Candidate, row: Implementation, variant: str, key_bits: int, optimisation: str, compiler: str
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
        digest_bytes=row.digest_bytes,
        nonce_bytes=row.nonce_bytes,
        tag_bytes=row.tag_bytes,
        adapter=_fill(row.adapter, values),
        sources=fill_all(row.sources),
        include=fill_all(row.include),
        defines=fill_all(row.defines),
        adapter_defines=fill_all(row.adapter_defines),
        monitor_sources=fill_all(row.monitor_sources),
        operations=row.all_operations(),
        cbc=row.cbc,
        optimisation=optimisation,
        libraries=fill_all(row.libraries),
        heap=row.heap,
        compiler="" if compiler == target.toolchain.compiler else compiler,
    )


def _parameters(experiment: Experiment, firmware: Firmware, operation: str) -> list[tuple[int, int]]:
    """(message bytes, associated bytes) that the operation is measured with."""
    if firmware.primitive == "mode":
        return [(size, 0) for size in experiment.packet_sizes_bytes or experiment.sizes_bytes]
    if firmware.primitive == "block-cipher":
        if experiment.packet_sizes_bytes and operation in ("encrypt", "decrypt"):
            sizes = experiment.packet_sizes_bytes
            return [(size, 0) for size in ((min(sizes),) if firmware.variant in experiment.smallest_packet_only else sizes)]
        return [(firmware.block_bytes, 0)]
    if operation == "set-key" or firmware.primitive == "signature":
        return [(0, 0)]
    if firmware.primitive == "keystream":
        return [(size, 0) for size in (firmware.block_bytes, *experiment.stream_sizes_bytes)]
    associated = experiment.associated_sizes_bytes if firmware.primitive == "aead" else (0,)
    return [(size, more) for more in associated for size in experiment.sizes_bytes]


def _cases(
    experiment: Experiment,
    firmware: Firmware,
    target: Target,
    candidate: Candidate,
    operations: Iterable[str],
    why_not: str | None = None,
) -> tuple[Case, ...]:
    used = compiler_of(target, firmware.compiler) if firmware.compiler else None
    compiler = used.name if used else firmware.compiler or target.toolchain.compiler
    return tuple(
        Case(
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
            size_bytes=size_bytes,
            associated_bytes=associated_bytes,
            compiler=compiler,
            optimisation=firmware.optimisation,
            why_not=why_not,
        )
        for operation in operations
        for size_bytes, associated_bytes in _parameters(experiment, firmware, operation)
    )


# What a primitive can be asked for at all: an experiment's other operations are no rows of it.
_OPERATIONS = {
    "block-cipher": ("set-key", "set-decrypt-key", "encrypt", "decrypt"),
    "hash": ("hash",),
    "mac": ("set-key", "mac"),
    "keystream": ("keystream",),
    "aead": ("set-key", "encrypt", "decrypt"),
    "signature": ("sign", "verify"),
    "message": ("send", "receive"),
    "mode": ("encrypt", "decrypt"),
}


# Algorithms that define fewer key sizes than 128, 192 and 256 bits: what does not exist is nobody's gap.
_KEY_BITS = {"speck64": (96, 128)}


def _workloads_of(
    experiment: Experiment, target: Target, candidate: Candidate, optimisations: tuple[str, ...], compilers: tuple[str, ...]
) -> list[Workload]:
    rows = [row for row in candidate.implementation if row.algorithm in experiment.algorithms]
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
        firmware = _firmware(target, candidate, row, variant, key_bits, optimisation, compiler)
        asked = [name for name in experiment.operations if name in _OPERATIONS[row.primitive]]
        if key_bits not in row.key_bits:
            if row.primitive == "block-cipher" and key_bits in _KEY_BITS.get(row.algorithm, (key_bits,)):
                why = f"{candidate.title} offers no {key_bits}-bit key for this implementation"
                workloads.append(Workload(None, _cases(experiment, firmware, target, candidate, asked, why)))
            continue
        if elsewhere := why_not_here(candidate, target):
            workloads.append(Workload(None, _cases(experiment, firmware, target, candidate, asked, elsewhere)))
            continue
        if firmware.compiler and compiler_of(target, firmware.compiler) is None:
            why = f"{compiler} does not compile for {target.name}"
            workloads.append(Workload(None, _cases(experiment, firmware, target, candidate, asked, why)))
            continue
        offered = [name for name in asked if name in row.all_operations()]
        missing = [name for name in asked if name not in row.all_operations()]
        workloads.append(Workload(firmware, _cases(experiment, firmware, target, candidate, offered)))
        if missing and row.primitive == "block-cipher":
            why = f"{candidate.title} has no such operation in this implementation"
            workloads.append(Workload(None, _cases(experiment, firmware, target, candidate, missing, why)))
    return workloads


def plan(
    experiment: Experiment,
    only_targets: tuple[str, ...] = (),
    only_candidates: tuple[str, ...] = (),
    quick: bool = False,
    only_compilers: tuple[str, ...] = (),
) -> list[Workload]:
    """The workloads of an experiment, in a fixed order.

    `only_targets` replaces the experiment's targets; `only_candidates` keeps these of its candidates; `quick` keeps one
    optimisation level; `only_compilers` (bancada.compilers) replaces the targets' own. UserError for a name that does not
    exist, or a choice that leaves nothing.
    """
    target_names = tuple(dict.fromkeys(only_targets or experiment.targets))
    targets = [named("target", catalogue.targets(), name) for name in target_names]
    offered = catalogue.candidates()
    for name in only_candidates:
        if name not in offered:
            raise unknown_name("candidate", name, offered)
    every = "*" in experiment.candidates
    chosen = [
        candidate
        for name, candidate in sorted(offered.items())
        if (name in experiment.candidates or (every and (candidate.usable or name in only_candidates)))
        and (not only_candidates or name in only_candidates)
    ]
    if not every:
        for name in experiment.candidates:
            named("candidate", offered, name)
    optimisations = QUICK_OPTIMISATIONS if quick else experiment.optimisations
    compilers = {target.name: choose(targets, only_compilers, target) or (target.toolchain.compiler,) for target in targets}
    workloads = [
        workload
        for target in targets
        for candidate in chosen
        if not (every and not only_candidates and why_not_here(candidate, target))  # a library for other machines is no gap here
        for workload in _workloads_of(experiment, target, candidate, optimisations, compilers[target.name])
    ]
    if not workloads:
        raise UserError(
            f"Experiment '{experiment.name}' has nothing to run: no candidate chosen has one of "
            f"{', '.join(experiment.algorithms)}."
        )
    return workloads
