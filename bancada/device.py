"""Opens the device that runs a firmware, on the engine of its target."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass

from bancada import catalogue
from bancada.catalogue import named
from bancada.engines import engine
from bancada.engines.interface import Session
from bancada.monitor import Facts, Monitor
from bancada.primitives import PRIMITIVES, Client
from bancada.records import Build, Firmware


@dataclass(frozen=True)
class Device:
    """A running firmware: the engine's session, what the firmware says of itself, and its primitive's calls."""

    session: Session
    facts: Facts
    monitor: Monitor
    client: Client


@contextmanager
def open_device(firmware: Firmware, build: Build, is_counted: bool = True, is_simulated: bool = False) -> Iterator[Device]:
    """Starts the firmware of a successful build. DeviceError if it does not answer.

    Without `is_counted` nobody asks the session for regions, and an engine that counts at a price need not. `is_simulated` takes the
    simulator where a board stands in its place.
    """
    target = named("target", catalogue.targets(), firmware.target)
    if is_simulated:
        target = target.simulated
    core = named("core", catalogue.cores(), target.core)
    assert build.elf_path is not None
    with engine(target.engine).open(target, core, build.elf_path, is_counted) as session:
        monitor = Monitor(session, session.answer_wait_s, session.longest_wait_s)
        facts = monitor.identify()
        client = PRIMITIVES[firmware.primitive].client(monitor, facts, firmware, build.with_decrypt)
        yield Device(session, facts, monitor, client)
