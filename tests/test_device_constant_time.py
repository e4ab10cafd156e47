"""Tatu's time depends on no secret: the same cycles for every one of 256 random keys and inputs, on the UNO."""

from __future__ import annotations

import pytest

from bancada import catalogue
from bancada.build import build
from bancada.plan import plan
from bancada.records import Status, Workload
from bancada.run import run

SAMPLES = 256


def _workloads() -> list[Workload]:
    found: dict[str, Workload] = {}
    for name in ("sensor", "records", "hashes", "aead"):
        if name not in catalogue.experiments():
            continue
        for workload in plan(catalogue.experiments()[name], only_candidates=("tatu",), quick=True):
            if workload.firmware:
                found.setdefault(workload.firmware.implementation, workload)
    return list(found.values())


@pytest.mark.parametrize("workload", _workloads(), ids=lambda workload: workload.firmware.implementation)
def test_cycles_do_not_depend_on_keys_or_data(workload: Workload) -> None:
    assert workload.firmware is not None
    made = build(workload.firmware)
    assert made.status is Status.OK, made.reason
    # Short messages are enough: longer ones repeat the same blocks.
    cases = tuple(case for case in workload.cases if case.size_bytes in (0, 8, 16) and case.associated_bytes == 0)
    measured = run(workload.firmware, made, cases, SAMPLES)
    for case, regions in measured.regions.items():
        assert len({region.cycles for region in regions}) == 1, case.name
