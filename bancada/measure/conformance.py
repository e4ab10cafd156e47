"""Runs a primitive's official vectors on the device, through the same firmware that is measured.

The first check that fails is named. The others are still counted.
"""

from __future__ import annotations

from collections.abc import Iterator

from bancada.build.firmware_names import guard_names
from bancada.measure.device import Device
from bancada.model.build import Conformance
from bancada.plan.case import Firmware
from bancada.primitives import SP800_38A, Check

SP800_38A_PASSES = "library makes a fresh IV"
SP800_38A_CALLER = "caller gives the IV"
SP800_38A_FAILS = "library's IV is not fresh and unpredictable"


_NOTHING_OUTSIDE = "nothing written outside the library's buffers"


def _outside(device: Device) -> str:
    changed = device.monitor.changed()
    names = guard_names(device.elf_path)
    places = [f"before the {names[number]}" for number in changed.before]
    places += [f"behind the {names[number]}" for number in changed.behind]
    return f"bytes changed {', '.join(places)}" if places else _NOTHING_OUTSIDE


def _all_checks(device: Device, full: bool) -> Iterator[Check]:
    """The primitive's checks, then the check that no call wrote outside its buffers."""
    yield from device.client.checks(full)
    yield Check(_NOTHING_OUTSIDE, lambda: (_NOTHING_OUTSIDE, _outside(device)))


def conformance(firmware: Firmware, device: Device, full: bool = False) -> Conformance:
    """Every check for this firmware, on its device.

    `full` runs the Monte-Carlo tests whole. DeviceError if the device stops answering.
    """
    passed = total = 0
    first_failure: str | None = None
    groups: dict[str | None, bool] = {}
    for check in _all_checks(device, full):
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
