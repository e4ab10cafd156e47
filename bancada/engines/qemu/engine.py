"""The engine of targets that QEMU emulates and a core's table costs.

Every command reads every engine. What decodes instructions and reads ELF takes a fifth of the time in which a command
starts, so it is imported when a program is run.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any

from bancada.catalogue.target import EngineSettings, FunctionRequest, Target, Tool
from bancada.engines.interface import EngineBase
from bancada.engines.qemu.plugin import emulator_package
from bancada.engines.qemu.settings import QemuSettings, qemu_settings
from bancada.model.errors import UserError
from bancada.model.measurement import Measurement

if TYPE_CHECKING:
    from bancada.engines.qemu.cost_process import Coster
    from bancada.engines.qemu.process import QemuProcess
    from bancada.engines.qemu.session import QemuSession

_RESET_LIMIT_S = 20.0


class Qemu(EngineBase):
    """QEMU with the profiler plugin of engines/qemu."""

    name = "qemu"

    def __init__(self) -> None:
        self._live: set[QemuProcess] = set()

    @cached_property
    def _coster(self) -> Coster:
        from bancada.engines.qemu.cost_process import Coster

        return Coster()

    def settings(self, tables: Mapping[str, Mapping[str, Any]]) -> EngineSettings:
        """The table [qemu]."""
        return QemuSettings(**tables.get(self.name, {}))

    def tools(self, target: Target) -> tuple[Tool, ...]:
        """The emulator, and what builds the profiler."""
        program = qemu_settings(target).program
        return (
            Tool(program, "the engine qemu, for ARM targets", emulator_package(program), False),
            Tool("cc", "builds the engine qemu's profiler, for ARM targets", "gcc libc6-dev", False),
        )

    def open(self, target: Target, elf_path: str, is_counted: bool) -> QemuSession:
        """Starts a firmware. UserError if QEMU is not installed or the core has no table."""
        from bancada.engines.qemu.session import QemuSession

        self.version(target)
        if target.core.table is None:
            name = target.core.name
            raise UserError(
                f"The core '{name}' has no cost table (cores/{name}.toml, [table]): "
                "the engine 'qemu' cannot say its cycles."
            )
        return QemuSession(target, elf_path, is_counted, self._coster, self._live)

    def version(self, target: Target) -> str:
        """The emulator and the digest of the profiler's sources."""
        from bancada.engines.qemu.profiler import engine_version

        return engine_version(qemu_settings(target).program)

    def cycles_to_main(self, target: Target, elf_path: str) -> int | None:
        """Cycles from reset to the first instruction of `main`; None under Linux, where a loader comes before."""
        from bancada.build.symbols import symbols
        from bancada.costing.cost import cost
        from bancada.engines.qemu.profiler import profile_regions
        from bancada.engines.qemu.session import emulator_command, memory_as_linked

        emulator, table = qemu_settings(target), target.core.table
        if emulator.machine is None or table is None:
            return None
        memory = memory_as_linked(target)
        found = symbols(Path(elf_path))
        options = [f"begin={found.address('startup_reset'):#x}", f"end={found.address('main'):#x}"]
        command = emulator_command(emulator, elf_path)
        [profile] = profile_regions(command, found, options, memory, "startup_reset", 1, 0, _RESET_LIMIT_S)
        return round(cost(profile, table, memory).cycles)

    def measure_function(self, target: Target, request: FunctionRequest) -> Measurement:
        """As bancada.engines.qemu.function. UserError if the core has no table."""
        from bancada.engines.qemu.function import measure_function
        from bancada.engines.qemu.session import memory_as_linked

        emulator, table = qemu_settings(target), target.core.table
        if table is None:
            raise UserError(f"The core '{target.core.name}' of '{target.name}' has no cost table.")
        return measure_function(
            request.elf,
            request.function,
            request.first_call,
            request.calls,
            request.hottest,
            emulator=emulator.program,
            cpu=emulator.cpu,
            machine=request.machine or emulator.machine,
            table=table,
            memory=memory_as_linked(target),
            arguments=request.arguments,
            limit_s=request.limit_s,
            missing=emulator.missing_on_device,
            environment=request.environment,
            compiler=target.toolchain.compiler,
            stdin=request.stdin,
        )

    @contextmanager
    def several(self, is_wanted: bool) -> Iterator[None]:
        """Profiles are costed in other processes (bancada.engines.qemu.cost_process)."""
        with self._coster.beside(is_wanted):
            yield

    def stop_all(self) -> None:
        """Ends every emulator that this engine started, and every process that costs."""
        for process in list(self._live):
            process.process.kill()
        self._coster.stop()
