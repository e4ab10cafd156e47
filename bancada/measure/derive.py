"""Makes a result of the outcome of a case: what identifies it, how it ended, and the figures of every metric."""

from __future__ import annotations

import math
from datetime import UTC, datetime
from typing import Any

from bancada.measure.metric import Facts, Metric
from bancada.measure.read_metrics import Metrics
from bancada.measure.samples import Run
from bancada.model.build import Build, Conformance
from bancada.model.result import FIELDS, SCHEMA, FigureValue, Result
from bancada.model.status import Fidelity, Status
from bancada.plan.case import Case


class _CannotDerive(Exception):
    """A metric from outside that fails, or returns something that is not a figure."""


def derive(
    case: Case,
    build: Build | None,
    tested: Conformance | None,
    run: Run | None,
    status: Status,
    reason: str | None,
    metrics: Metrics,
) -> Result:
    """One result. Figures are given only for status `ok`; a failed case keeps what identifies it and its reason.

    Where a metric cannot be derived, the case has failed and says which metric and why: no figure is invented, and
    the campaign goes on.
    """
    firmware, target = case.firmware, case.target
    core, is_measured = target.core, target.simulator is not None
    figures: dict[str, FigureValue] = {figure.field: None for figure in metrics.figures}
    if status is Status.OK and build is not None and run is not None:
        facts = Facts(
            operation=case.operation,
            key_bits=firmware.key_bits,
            size_bytes=case.size_bytes,
            associated_bytes=case.associated_bytes,
            target=target,
            build=build,
            regions=run.regions[case],
            context_bytes=run.context_bytes.get(case.operation),
            main_cycles=run.main_cycles,
        )
        try:
            derived = {field: value for metric in metrics for field, value in _figures(metric, facts).items()}
        except _CannotDerive as error:
            status, reason = Status.FAILED, str(error)
        else:
            figures |= derived
    ours: dict[str, Any] = {field: value for field, value in figures.items() if field in FIELDS}
    return Result(
        schema=SCHEMA,
        case=case.name,
        target=target.name,
        core=core.name,
        engine=target.engine.name,
        engine_version=run.engine_version if run else "",
        fidelity=Fidelity.MEASURED if is_measured else core.fidelity,
        fidelity_band_percent=None if is_measured else target.band_of(ours.get("cycles_median")),
        candidate=firmware.candidate.name,
        candidate_version=firmware.candidate.version,
        implementation=firmware.implementation,
        primitive=firmware.primitive.name,
        algorithm=firmware.algorithm,
        variant=firmware.variant,
        operation=case.operation,
        key_bits=firmware.key_bits,
        size_bytes=case.size_bytes,
        associated_bytes=case.associated_bytes,
        compiler=build.compiler_version if build else firmware.compiler_name,
        optimisation=firmware.optimisation,
        flags=build.flags if build else "",
        status=status,
        reason=reason,
        conformance_passed=tested.passed if tested else None,
        conformance_total=tested.total if tested else None,
        sp800_38a=tested.sp800_38a if tested else None,
        **ours,
        elf_sha256=build.elf_sha256 if build else None,
        date=datetime.now(UTC).isoformat(timespec="seconds"),
        added=tuple((field, value) for field, value in figures.items() if field not in FIELDS),
    )


def _figures(metric: Metric, facts: Facts) -> dict[str, FigureValue]:
    """The figures of one metric: those that it declares, each a number, a word or None."""
    try:
        found = dict(metric.derive(facts))
    except Exception as error:
        raise _CannotDerive(f"the metric '{metric.name}' cannot be derived: {type(error).__name__}: {error}") from error
    kinds = {figure.field: figure.kind for figure in metric.figures}
    for field, value in found.items():
        if field not in kinds:
            raise _CannotDerive(f"the metric '{metric.name}' gives '{field}', which is not one of its figures")
        if not _is_of_kind(value, kinds[field]):
            raise _CannotDerive(f"the metric '{metric.name}' gives {value!r} for '{field}', which is no {kinds[field]}")
    return found


def _is_of_kind(value: object, kind: str) -> bool:
    if value is None:
        return True
    if isinstance(value, bool):
        return False
    if kind == "string":
        return isinstance(value, str)
    if kind == "integer":
        return isinstance(value, int)
    return isinstance(value, (int, float)) and math.isfinite(value)
