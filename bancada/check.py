"""Conformance alone: builds every implementation of a candidate, runs the official vectors on the device, measures nothing."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from bancada import catalogue
from bancada.build import build
from bancada.catalogue import named
from bancada.compile import look_again
from bancada.conformance import conformance
from bancada.device import open_device
from bancada.errors import UserError
from bancada.everything_of import everything_of
from bancada.monitor import DeviceError
from bancada.plan import plan
from bancada.records import Conformance, Firmware, Status
from bancada.vectors import why_unjudged


_ARDUINO_WAITS = " Does it wait for a timer or the serial port? Interrupts are off, so that delay(), millis() and Serial wait for ever."


@dataclass(frozen=True)
class Checked:
    """One implementation: how it ended, its vectors if they were run, and why not otherwise."""

    implementation: str
    status: Status
    tested: Conformance | None
    reason: str | None


def _checked(firmware: Firmware, full: bool) -> Checked:
    name = f"{firmware.implementation} by {firmware.compiler}" if firmware.compiler else firmware.implementation
    made = build(firmware)
    if made.status is not Status.OK:
        return Checked(name, made.status, None, made.reason)
    unjudged = why_unjudged(firmware.primitive, firmware.algorithm, firmware.key_bits)
    if unjudged is not None:
        return Checked(name, Status.FAILED, None, unjudged)
    try:
        with open_device(firmware, made) as device:
            tested = conformance(firmware, device, full)
    except DeviceError as error:
        arduino = named("candidate", catalogue.candidates(), firmware.candidate).arduino
        return Checked(name, Status.FAILED, None, f"{error}{_ARDUINO_WAITS if arduino else ''}")
    right = tested.total > 0 and tested.passed == tested.total
    return Checked(name, Status.OK if right else Status.NOT_CONFORMANT, tested, tested.first_failure)


def check(candidate_name: str, target_name: str, optimisation: str = "-Os", full: bool = False, compilers: tuple[str, ...] = ()) -> Iterator[Checked]:
    """Every implementation of the candidate on the target, as each is finished.

    UserError for a name that does not exist, or if none of them can be on this target.
    """
    look_again()
    candidate = named("candidate", catalogue.candidates(), candidate_name)
    named("target", catalogue.targets(), target_name)
    seen: set[Firmware] = set()
    for workload in plan(everything_of(candidate, target_name, optimisation), only_compilers=compilers):
        if workload.firmware is not None and workload.firmware not in seen:
            seen.add(workload.firmware)
            yield _checked(workload.firmware, full)
    if not seen:
        raise UserError(f"'{candidate_name}' has no implementation for the target '{target_name}'.")
