"""Derives every figure of a result from raw samples. docs/metrics.md defines each one."""

from __future__ import annotations

from collections.abc import Callable
from datetime import UTC, datetime
from statistics import median

from bancada.catalogue import Core, Target
from bancada.energy import energy
from bancada.records import BOARD, SCHEMA, Build, Case, Conformance, Fidelity, Image, Result, Run, Status


def _difference(build: Build, image: str, size: Callable[[Image], int]) -> int | None:
    """What an image has beyond the baseline of a caller that keeps the same context."""
    if image not in build.images:
        return None
    decrypts_only = image in ("decrypt", "set-decrypt-key") and "none-decrypt" in build.images
    return size(build.images[image]) - size(build.images["none-decrypt" if decrypts_only else "none"])


def _flash(build: Build, image: str) -> int | None:
    return _difference(build, image, lambda found: found.flash_bytes)


def ram_static_bytes(build: Build, image: str) -> int | None:
    """Static RAM that an operation adds to a program, whose context and buffers are not in it; None where there is no such image."""
    return _difference(build, image, lambda found: found.ram_static_bytes)


def metrics(
    case: Case,
    target: Target,
    core: Core,
    build: Build | None,
    tested: Conformance | None,
    run: Run | None,
    status: Status,
    reason: str | None,
) -> Result:
    """One result. Figures are given only for status `ok`; a failed case keeps what identifies it and its reason."""
    ok = status is Status.OK and build is not None and run is not None
    regions = run.regions[case] if ok and run else ()
    cycles = [region.cycles for region in regions]
    instructions = [region.instructions for region in regions if region.instructions is not None]
    middle = round(median(cycles)) if cycles else None
    time_us = middle / target.clock_hz * 1e6 if middle is not None else None
    used = energy(target, regions, time_us) if time_us is not None else None
    return Result(
        schema=SCHEMA,
        case=case.name,
        target=case.target,
        core=case.core,
        engine=case.engine,
        engine_version=run.engine_version if run else "",
        fidelity=Fidelity.MEASURED if case.engine == BOARD else core.fidelity,
        fidelity_band_percent=None if case.engine == BOARD else core.band_percent,
        candidate=case.candidate,
        candidate_version=case.candidate_version,
        implementation=case.implementation,
        primitive=case.primitive,
        algorithm=case.algorithm,
        variant=case.variant,
        operation=case.operation,
        key_bits=case.key_bits,
        size_bytes=case.size_bytes,
        associated_bytes=case.associated_bytes,
        compiler=build.compiler_version if build else case.compiler,
        optimisation=case.optimisation,
        flags=build.flags if build else "",
        status=status,
        reason=reason,
        conformance_passed=tested.passed if tested else None,
        conformance_total=tested.total if tested else None,
        sp800_38a=tested.sp800_38a if tested else None,
        samples=len(cycles) or None,
        cycles_min=min(cycles, default=None),
        cycles_median=middle,
        cycles_max=max(cycles, default=None),
        instructions_median=round(median(instructions)) if instructions else None,
        time_us=time_us,
        flash_bytes=_flash(build, case.operation) if ok and build else None,
        flash_both_bytes=_flash(build, "both") if ok and build else None,
        ram_static_bytes=ram_static_bytes(build, case.operation) if ok and build else None,
        ram_context_bytes=run.context_bytes.get(case.operation) if ok and run else None,
        stack_bytes=max((region.stack_bytes for region in regions if region.stack_bytes is not None), default=None),
        energy_uj=used.total_uj if used else None,
        energy_dynamic_uj=used.dynamic_uj if used else None,
        energy_static_uj=used.static_uj if used else None,
        energy_source=used.source if used else None,
        initialisation_us=run.main_cycles / target.clock_hz * 1e6 if ok and run and run.main_cycles else None,
        elf_sha256=build.elf_sha256 if build else None,
        date=datetime.now(UTC).isoformat(timespec="seconds"),
    )
