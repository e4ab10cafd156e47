"""The engine of targets with an AVR: every cycle is executed.

As in bancada.engines.qemu.engine, what reads ELF is imported when it is needed.
"""

from __future__ import annotations

from dataclasses import replace

from bancada.catalogue.target import FunctionRequest, SecretBytes, Target, Tool
from bancada.engines.interface import EngineBase
from bancada.engines.simavr.followed import FollowedSession
from bancada.engines.simavr.session import SimavrSession, cycles_to_main, engine_version, is_built
from bancada.model.errors import UserError
from bancada.model.measurement import Measurement

# The watchdog's jitter in the simulator: a seed makes runs repeatable (docs/reference/engine-simavr.md).
_WATCHDOG_SEED = "1"

# Start-up code copies and clears at most the whole RAM: far below this on any ATmega.
_MAIN_LIMIT_CYCLES = 1_000_000

_BUILD = "builds the engine simavr"
_TOOLS = (
    Tool("cargo", f"{_BUILD}, fetches candidates from crates", "cargo", True),
    Tool("clang", "the engine's build reads simavr's headers with it", "clang libclang-dev", True),
    Tool("make", _BUILD, "make", True),
    Tool("pkg-config", _BUILD, "pkg-config", True),
)


class Simavr(EngineBase):
    """The runner of engines/simavr."""

    name = "simavr"
    follows_secrets = True

    def __init__(self) -> None:
        self._live: set[SimavrSession] = set()

    def check(self, target: Target) -> None:
        """ValueError without 'mcu'."""
        if not target.mcu:
            raise ValueError("a target of the engine 'simavr' needs 'mcu'")

    def tools(self, target: Target) -> tuple[Tool, ...]:
        """What builds the runner. Not needed where it is there already."""
        return tuple(replace(tool, is_needed=not is_built()) for tool in _TOOLS)

    def open(self, target: Target, elf_path: str, is_counted: bool) -> SimavrSession:
        """Starts a firmware. UserError if the runner cannot be built, with what to install."""
        options = ("--wdt-jitter", _WATCHDOG_SEED)
        return SimavrSession(target.mcu, target.clock_hz, elf_path, options, live=self._live)

    def version(self, target: Target) -> str:
        """The runner and the simavr inside it."""
        return engine_version()

    def cycles_to_main(self, target: Target, elf_path: str) -> int | None:
        """Cycles from reset to the first instruction of `main`; None if it is not reached."""
        return cycles_to_main(target.mcu, target.clock_hz, elf_path, _MAIN_LIMIT_CYCLES)

    def measure_function(self, target: Target, request: FunctionRequest) -> Measurement:
        """As bancada.engines.simavr.function. UserError for arguments, which a bare device does not have, and for a
        program that was linked for another AVR."""
        from bancada.build.avr_device import need_device_of
        from bancada.engines.simavr.function import measure_function

        if request.arguments:
            raise UserError(f"'{target.name}' is a bare device: its programs take no arguments.")
        need_device_of(target, request.elf)
        return measure_function(
            target.mcu,
            target.clock_hz,
            request.elf,
            request.function,
            request.first_call,
            request.calls,
            request.hottest,
            request.limit_cycles,
        )

    def follow(self, target: Target, elf_path: str, secrets: tuple[SecretBytes, ...]) -> FollowedSession:
        """Starts a firmware in the program that follows secrets (docs/reference/audit.md)."""
        return FollowedSession(target.mcu, target.clock_hz, elf_path, secrets, live=self._live)

    def stop_all(self) -> None:
        """Ends every simulator that this engine started."""
        for session in list(self._live):
            session.kill()
