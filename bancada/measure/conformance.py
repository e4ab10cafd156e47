"""Runs a primitive's official vectors on the device, through the same firmware that is measured.

The first check that fails is named. The others are still counted.
"""

from __future__ import annotations

from collections.abc import Iterator

from bancada.measure.device import Device
from bancada.model.build import Conformance
from bancada.plan.case import Firmware
from bancada.primitives import SP800_38A, Check

SP800_38A_PASSES = "library makes a fresh IV"
SP800_38A_CALLER = "caller gives the IV"
SP800_38A_FAILS = "library's IV is not fresh and unpredictable"


def _with_guards(device: Device, full: bool) -> Iterator[Check]:
    """The primitive's checks, then the check that no call wrote outside its buffers."""
    yield from device.client.checks(full)
    expected = "nothing written beyond the context and the output"
    yield Check(expected, lambda: (expected, expected if device.monitor.guards_hold() else "bytes behind them changed"))


def conformance(firmware: Firmware, device: Device, full: bool = False) -> Conformance:
    """Every check for this firmware, on its device.

    `full` runs the Monte-Carlo tests whole. DeviceError if the device stops answering.
    """
    passed = total = 0
    first_failure: str | None = None
    groups: dict[str | None, bool] = {}
    for check in _with_guards(device, full):
        expected, got = check.run()
        right = expected == got
        total += 1
        passed += right
        groups[check.group] = groups.get(check.group, True) and right
        if not right and first_failure is None:
            first_failure = f"{check.name}: expected {expected or 'nothing'}, got {got}"
    sp800_38a = SP800_38A_CALLER if firmware.cbc == "caller" else None
    if SP800_38A in groups:
        sp800_38a = SP800_38A_PASSES if groups[SP800_38A] else SP800_38A_FAILS
    return Conformance(passed, total, first_failure, sp800_38a)
