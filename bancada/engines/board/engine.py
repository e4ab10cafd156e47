"""The engine of a target that is there in silicon: the device's own timer counts."""

from __future__ import annotations

import threading
from collections.abc import Mapping
from typing import Any

from bancada.catalogue.target import EngineSettings, Target
from bancada.engines.board.flash import Flash, flasher_of
from bancada.engines.board.port import identity_of, open_port
from bancada.engines.board.session import STOPPED, BoardSession
from bancada.engines.board.simulated_port import IDENTITY, SimulatedPort, is_simulated
from bancada.engines.interface import EngineBase
from bancada.model.board import BOARD
from bancada.monitor.monitor import PROTOCOL, DeviceError


class Board(EngineBase):
    """A real board on a serial port. This is the entry without a port; `AttachedBoard` has one."""

    name = BOARD

    def settings(self, tables: Mapping[str, Mapping[str, Any]]) -> EngineSettings:
        """ValueError: a target says what simulates it."""
        raise ValueError("'engine' is what simulates the target; its board is asked for with --port")

    def open(self, target: Target, elf_path: str, is_counted: bool) -> BoardSession:
        """DeviceError: there is no port."""
        raise DeviceError("No board is attached: name its port with --port.")

    def version(self, target: Target) -> str:
        """What counts."""
        return f"Timer 1 of the {target.mcu}, monitor protocol {PROTOCOL}"

    def stop_all(self) -> None:
        """Nothing is under way."""


class AttachedBoard(Board):
    """The board behind one port. It does one thing at a time."""

    def __init__(self, target: Target, port: str) -> None:
        """UserError, with what to do, if the port or the target's flasher cannot be had. A port `sim:` has a simulated
        board behind it."""
        self._flash: Flash | SimulatedPort
        if is_simulated(port):
            self._flash, self._identity = SimulatedPort(target, port), IDENTITY
        else:
            flasher_of(target)
            open_port(port, target.baud).close()
            self._flash, self._identity = Flash(port), identity_of(port)
        self._stopping = threading.Event()

    def __eq__(self, other: object) -> bool:
        """Two boards are never equal."""
        return self is other

    def __hash__(self) -> int:
        return id(self)

    def open(self, target: Target, elf_path: str, is_counted: bool) -> BoardSession:
        """Starts a firmware, written to the board first if another one is there."""
        if self._stopping.is_set():
            raise DeviceError(STOPPED)
        self._flash.put(target, elf_path)
        return BoardSession(target, elf_path, self._flash.path, self._stopping)

    def version(self, target: Target) -> str:
        """What counts, and which board it is, as far as the USB says."""
        return ", ".join(part for part in (super().version(target), self._identity) if part)

    def stop_all(self) -> None:
        """Ends what is under way on the board."""
        self._stopping.set()
        self._flash.stop()
