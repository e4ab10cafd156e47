"""Checks that a library's functions give back the registers that their caller may rely on.

Assembly that does not passes its vectors as long as the compiler happens to keep nothing in them. A second firmware of
the same objects checks each call of the library (bancada.build.checked_calls); it runs in the simulator, and nothing of
it is measured.
"""

from __future__ import annotations

import re
from collections import Counter

from bancada.build.build import checking_firmware
from bancada.build.firmware_names import register_names
from bancada.measure.device import open_device
from bancada.model.build import Build
from bancada.monitor.monitor import DeviceError
from bancada.plan.case import Firmware

# A call that changes a register does so on most inputs: a few vectors of each kind are enough.
_OF_EACH_KIND = 4


def register_fault(firmware: Firmware, made: Build) -> str | None:
    """What the library's functions did to registers that are not theirs, with the registers' names; None if they gave
    all back.

    Asked before the vectors are run, because a firmware whose caller lost a register may do anything. None too where
    nothing can be said: the firmware that checks does not fit the device beside the library, or it crashes, as the
    firmware without checks then will.
    """
    checking = checking_firmware(firmware, made)
    if checking is None:
        return None
    try:
        changed = _changed(firmware, checking)
    except DeviceError:
        return None
    return f"every register of the caller given back: {changed}" if changed else None


def _changed(firmware: Firmware, checking: Build) -> str:
    """Which registers a call changed, as a sentence; empty if none. DeviceError if the firmware crashes."""
    seen: Counter[str] = Counter()
    with open_device(firmware, checking, is_counted=False, is_simulated=True) as device:
        for check in device.client.checks(False):
            kind = re.sub(r"\d+", "", check.name)
            seen[kind] += 1
            if seen[kind] <= _OF_EACH_KIND:
                check.run()
        numbers = device.monitor.changed().registers
    names = register_names(device.elf_path) if numbers else ()
    found = ", ".join(names[number] for number in numbers)
    return f"a call changed {found} and did not restore {'it' if len(numbers) == 1 else 'them'}" if found else ""
