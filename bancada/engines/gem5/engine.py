"""The engine of targets that a model of gem5's times, where the user has gem5 on the PATH.

As in bancada.engines.qemu.engine, what runs a program is imported when one is run.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from bancada.catalogue.target import EngineSettings, Target
from bancada.engines.gem5.settings import Gem5Settings, gem5_settings
from bancada.engines.interface import EngineBase

if TYPE_CHECKING:
    from bancada.engines.gem5.session import Gem5Session
    from bancada.engines.qemu.process import QemuProcess
    from bancada.engines.qemu.session import QemuSession


class Gem5(EngineBase):
    """gem5 for the time, QEMU for the answers."""

    name = "gem5"

    def __init__(self) -> None:
        self._live: set[QemuProcess] = set()

    def settings(self, tables: Mapping[str, Mapping[str, Any]]) -> EngineSettings:
        """The tables [gem5] and [qemu]."""
        return Gem5Settings(**tables.get(self.name, {}), **tables.get("qemu", {}))

    def open(self, target: Target, elf_path: str, is_counted: bool) -> Gem5Session | QemuSession:
        """Starts a firmware; where no regions are asked for, under QEMU alone. UserError if gem5 is not there."""
        from bancada.engines.gem5.session import Gem5Session
        from bancada.engines.qemu.session import QemuSession

        self.version(target)
        if is_counted:
            return Gem5Session(target, elf_path)
        return QemuSession(target, elf_path, is_counted=False, live=self._live)

    def version(self, target: Target) -> str:
        """gem5's own, and its model."""
        from bancada.engines.gem5.program import gem5_version

        return f"{gem5_version()}, {gem5_settings(target).model}"

    def stop_all(self) -> None:
        """Ends the sessions under QEMU. A run in gem5 ends with the process that waits for it."""
        for process in list(self._live):
            process.process.kill()
