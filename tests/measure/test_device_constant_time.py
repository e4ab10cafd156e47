"""Tatu's time depends on no secret: the same cycles for each of many random keys and inputs, on the UNO."""

from __future__ import annotations

import pytest

from bancada.build.build import build
from bancada.measure.laboratory import open_laboratory
from bancada.measure.run import run
from bancada.model.status import Status
from bancada.plan.case import Case, Workload
from bancada.plan.plan import plan

SAMPLES = 64
# A call of millions of cycles; tests/tatu/test_constant_time.py follows its secrets.
SAMPLES_OF_LONG_CALLS = 8


def _cases(workload: Workload) -> tuple[Case, ...]:
    """Short messages are enough: longer ones repeat the same blocks. Verification has no secret."""
    return tuple(
        case
        for case in workload.cases
        if case.size_bytes in (0, 8, 16) and case.associated_bytes == 0 and case.operation != "verify"
    )


def _workloads() -> list[Workload]:
    found: dict[str, Workload] = {}
    for name in ("sensor", "records", "hashes", "aead"):
        if name not in open_laboratory().experiments:
            continue
        for workload in plan(
            open_laboratory(), open_laboratory().experiments[name], only_candidates=("tatu",), quick=True
        ):
            if workload.firmware and _cases(workload):
                found.setdefault(workload.firmware.implementation, workload)
    return list(found.values())


@pytest.mark.parametrize("workload", _workloads(), ids=lambda workload: workload.firmware.implementation)
def test_cycles_do_not_depend_on_keys_or_data(workload: Workload) -> None:
    assert workload.firmware is not None
    made = build(workload.firmware)
    assert made.status is Status.OK, made.reason
    is_long = workload.firmware.primitive.name in ("key-exchange", "signature")
    measured = run(workload.firmware, made, _cases(workload), SAMPLES_OF_LONG_CALLS if is_long else SAMPLES)
    assert measured.regions
    for case, regions in measured.regions.items():
        assert len({region.cycles for region in regions}) == 1, case.name
