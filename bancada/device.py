"""Opens the device that runs a firmware, on the engine of its target."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass

from bancada import catalogue
from bancada.catalogue import named
from bancada.engines.simavr import SimavrSession
from bancada.monitor import Facts, Monitor
from bancada.primitives import PRIMITIVES, Client
from bancada.records import Build, Firmware

# The watchdog's jitter in the simulator: a seed makes runs repeatable (docs/engine-simavr.md).
_WATCHDOG_SEED = "1"


@dataclass(frozen=True)
class Device:
    """A running firmware: the engine's session, what the firmware says of itself, and its primitive's calls."""

    session: SimavrSession
    facts: Facts
    monitor: Monitor
    client: Client


@contextmanager
def open_device(firmware: Firmware, build: Build) -> Iterator[Device]:
    """Starts the firmware of a successful build. DeviceError if it does not answer."""
    target = named("target", catalogue.targets(), firmware.target)
    assert build.elf_path is not None
    options = ("--wdt-jitter", _WATCHDOG_SEED)
    with SimavrSession(target.mcu, target.clock_hz, build.elf_path, options) as session:
        monitor = Monitor(session)
        facts = monitor.identify()
        client = PRIMITIVES[firmware.primitive].client(monitor, facts, firmware, build.with_decrypt)
        yield Device(session, facts, monitor, client)
