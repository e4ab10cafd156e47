"""The firmware of one implementation, for tests of whole firmware on the emulated devices."""

from __future__ import annotations

from bancada.measure.laboratory import open_laboratory
from bancada.plan.case import Case, Firmware
from bancada.plan.plan import plan


def firmware_on(
    target: str, implementation: str = "tatu/aes128/small", experiment: str = "libraries"
) -> tuple[Firmware, tuple[Case, ...]]:
    """An implementation's firmware for the target at -Os, and its cases."""
    for workload in plan(
        open_laboratory(), open_laboratory().experiments[experiment], only_targets=(target,), quick=True
    ):
        if workload.firmware is not None and workload.firmware.implementation == implementation:
            return workload.firmware, workload.cases
    raise KeyError(implementation)
