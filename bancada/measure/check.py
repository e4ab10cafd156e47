"""Conformance alone: builds every implementation of a candidate and runs the official vectors on the device. Nothing is
measured."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from bancada.build.build import build
from bancada.compilers.compile import look_again
from bancada.measure.checked_calls import call_fault
from bancada.measure.conformance import conformance
from bancada.measure.device import open_device
from bancada.model.build import Conformance
from bancada.model.errors import UserError
from bancada.model.status import Status
from bancada.monitor.monitor import DeviceError
from bancada.plan.case import Firmware
from bancada.plan.everything_of import everything_of
from bancada.plan.laboratory import Laboratory
from bancada.plan.plan import plan

_ARDUINO_WAITS = (
    " Does it wait for a timer or the serial port? Interrupts are off, so that delay(), millis() and Serial wait for"
    " ever."
)


@dataclass(frozen=True)
class Checked:
    """One implementation: its status, the vectors if they were run, and the reason otherwise."""

    implementation: str
    status: Status
    tested: Conformance | None
    reason: str | None


def _checked(firmware: Firmware, full: bool) -> Checked:
    name = f"{firmware.implementation} by {firmware.compiler.name}" if firmware.compiler else firmware.implementation
    made = build(firmware)
    if made.status is not Status.OK:
        return Checked(name, made.status, None, made.reason)
    unjudged = firmware.primitive.why_unjudged(firmware.algorithm, firmware.key_bits)
    if unjudged is not None:
        return Checked(name, Status.FAILED, None, unjudged)
    fault = call_fault(firmware, made)
    if fault is not None:
        return Checked(name, Status.NOT_CONFORMANT, Conformance(0, 1, fault, None), fault)
    try:
        with open_device(firmware, made) as device:
            tested = conformance(firmware, device, full)
    except DeviceError as error:
        hint = _ARDUINO_WAITS if firmware.candidate.arduino else ""
        return Checked(name, Status.FAILED, None, f"{error}{hint}")
    right = tested.total > 0 and tested.passed == tested.total
    return Checked(name, Status.OK if right else Status.NOT_CONFORMANT, tested, tested.first_failure)


def check(
    laboratory: Laboratory,
    candidate_name: str,
    target_name: str,
    optimisation: str = "-Os",
    full: bool = False,
    compilers: tuple[str, ...] = (),
) -> Iterator[Checked]:
    """Every implementation of the candidate on the target, as each is finished.

    UserError for a name that does not exist, or if none of them can be on this target.
    """
    look_again()
    candidate = laboratory.candidate(candidate_name)
    laboratory.target(target_name)
    seen: set[Firmware] = set()
    for workload in plan(
        laboratory,
        everything_of(laboratory, candidate, target_name, optimisation),
        only_compilers=compilers,
        from_git=True,
    ):
        if workload.firmware is not None and workload.firmware not in seen:
            seen.add(workload.firmware)
            yield _checked(workload.firmware, full)
    if not seen:
        raise UserError(f"'{candidate_name}' has no implementation for the target '{target_name}'.")
