"""Checks what a library's functions write, and which registers they give back.

Code that writes before its output, or assembly that does not restore a register of its caller, passes its vectors as
long as nothing happens to be kept there. A second firmware with the same library looks at both after every call
(bancada.build.checked_calls). It runs in the simulator, and nothing of it is measured.
"""

from __future__ import annotations

import re
from collections import Counter

from bancada.build.build import checking_firmware
from bancada.build.firmware_names import guard_names, register_names
from bancada.measure.device import open_device
from bancada.model.build import Build
from bancada.monitor.monitor import DeviceError
from bancada.plan.case import Firmware

# A call that does so does it on most inputs: a few vectors of each kind are enough.
_OF_EACH_KIND = 8


def call_fault(firmware: Firmware, made: Build) -> str | None:
    """What the library's functions changed that is not theirs, with the names of the buffers and registers; None if
    nothing.

    Asked before the vectors are run, because a firmware whose caller lost a register may do anything. None too where
    nothing can be said: the firmware that checks does not fit the device beside the library, or it crashes, as the
    firmware without checks then will.
    """
    checking = checking_firmware(firmware, made)
    if checking is None:
        return None
    try:
        return _fault(firmware, checking)
    except DeviceError:
        return None


def _fault(firmware: Firmware, checking: Build) -> str | None:
    """DeviceError if the firmware crashes."""
    seen: Counter[str] = Counter()
    with open_device(firmware, checking, is_counted=False, is_simulated=True) as device:
        for check in device.client.checks(False):
            kind = re.sub(r"\d+", "", check.name)
            seen[kind] += 1
            if seen[kind] <= _OF_EACH_KIND:
                check.run()
        changed = device.monitor.changed()
    assert checking.elf_path is not None
    if changed.before or changed.behind:
        names = guard_names(checking.elf_path)
        places = [f"before the {names[number]}" for number in changed.before]
        places += [f"behind the {names[number]}" for number in changed.behind]
        return f"a call wrote outside its buffers: {', '.join(places)}"
    if changed.registers:
        names = register_names(checking.elf_path)
        registers = ", ".join(names[number] for number in changed.registers)
        return f"a call changed {registers} and did not restore {'it' if len(changed.registers) == 1 else 'them'}"
    return None
