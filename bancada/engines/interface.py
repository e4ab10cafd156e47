"""What the laboratory asks of an engine, whichever it is."""

from __future__ import annotations

from typing import Protocol, Self

from bancada.catalogue import Core, Target
from bancada.monitor import Transport
from bancada.records import Region


class Session(Transport, Protocol):
    """One device under an engine: a transport for the monitor, and what the engine counted. Leaving it ends the engine."""

    @property
    def is_counting(self) -> bool:
        """Whether the engine counts; otherwise the device's own timer does."""

    @property
    def answer_wait_s(self) -> float:
        """How long an answer may take that is ready at once."""

    @property
    def longest_wait_s(self) -> float:
        """How long any answer may take."""

    def __enter__(self) -> Self: ...

    def __exit__(self, *raised: object) -> None: ...

    def regions(self) -> list[Region]:
        """The timed regions that ended since the last call. DeviceError if the engine reported a fault."""


class Engine(Protocol):
    """An engine; bancada.engines.engine(name) has it."""

    def open(self, target: Target, core: Core, elf_path: str, is_counted: bool) -> Session:
        """Starts a firmware; `is_counted` says whether anybody will ask for regions. UserError if the engine cannot be had, with
        what to install."""

    def version(self, target: Target) -> str:
        """The engine and what else of it can change a figure, as results record it."""

    def cycles_to_main(self, target: Target, core: Core, elf_path: str) -> int | None:
        """Cycles from reset to the first instruction of `main`; None if it is not reached, or the target has no reset."""

    def stop_all(self) -> None:
        """Ends every session of this process, so that whoever waits for one gets a DeviceError at once."""
