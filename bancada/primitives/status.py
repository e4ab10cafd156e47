"""The one rule for what a timed call returns: it did what it was asked, or it has no time."""

from __future__ import annotations

from bancada.monitor.monitor import DeviceError


class Refused(DeviceError):
    """The library returned failure. The device is well: other cases of the same firmware can be measured."""


def accepted(answer: tuple[int, int], step: str) -> int:
    """The cycles of a call that succeeded (Monitor.call gives `answer`). Refused, with one sentence, if it did not.

    `step` completes "The device refused to".
    """
    returned, cycles = answer
    if returned != 0:
        raise Refused(
            f"The device refused to {step}: the library returned {returned}, and the time of a refusal is not a figure."
        )
    return cycles
