"""Opens the device that runs a firmware, on the engine of its target."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass

from bancada.catalogue.target import Session
from bancada.model.build import Build
from bancada.monitor.monitor import Facts, Monitor
from bancada.plan.case import Firmware
from bancada.primitives.primitive import Client


@dataclass(frozen=True)
class Device:
    """A running firmware: the engine's session, the facts that the firmware reports, and the calls of its primitive."""

    session: Session
    facts: Facts
    monitor: Monitor
    client: Client


@contextmanager
def open_device(
    firmware: Firmware, build: Build, is_counted: bool = True, is_simulated: bool = False
) -> Iterator[Device]:
    """Starts the firmware of a successful build. DeviceError if it does not answer.

    Without `is_counted` no caller asks the session for regions, so an engine that is slower when it counts need not
    count. `is_simulated` takes the simulator where a board stands in its place.
    """
    target = firmware.target.simulated if is_simulated else firmware.target
    assert build.elf_path is not None
    with target.engine.open(target, build.elf_path, is_counted) as session:
        monitor = Monitor(session, session.answer_wait_s, session.longest_wait_s)
        facts = monitor.identify()
        client = firmware.primitive.open(monitor, facts, firmware, build.with_decrypt)
        yield Device(session, facts, monitor, client)
