"""A serial port with a simulated board behind it, for users without a board: `--port sim:`.

The port, the speed, the monitor and the device's timer are used exactly as with a board. The port is a pseudo-terminal,
and the target's simulator answers on it. Writing a firmware starts the simulator with it.
"""

from __future__ import annotations

import os
import pty
import select
import threading
import tty
from contextlib import suppress

from bancada.catalogue.target import Session, Target
from bancada.model.errors import UserError
from bancada.monitor.monitor import DeviceError

PREFIX = "sim:"
IDENTITY = "a simulated board"

# A wait for bytes, of the device or of the host, is interrupted this often, to see whether the board was unplugged.
_LOOK_S = 0.1
_CHUNK_BYTES = 4096
_END_S = 30.0


def is_simulated(port: str) -> bool:
    """Whether a value of --port asks for a simulated board: `sim:`, or `sim:TARGET`."""
    return port.startswith(PREFIX)


def target_of(port: str) -> str:
    """The name in `sim:TARGET`; empty for `sim:`."""
    return port.removeprefix(PREFIX)


class SimulatedPort:
    """The port of a simulated board. `path` is that of its pseudo-terminal while a firmware is there."""

    def __init__(self, target: Target, port: str) -> None:
        """UserError if the target has no board, or `port` names another one."""
        if target_of(port) not in ("", target.name):
            raise UserError(f"--port {port} is the board '{target_of(port)}', --target says '{target.name}'.")
        if target.flasher is None or not target.baud:
            raise UserError(f"'{target.name}' has no board with a serial port that could be simulated.")
        self.path = ""
        self._ends = threading.Event()
        self._pump: threading.Thread | None = None
        self._descriptors: tuple[int, int] | None = None

    def put(self, target: Target, elf_path: str) -> None:
        """Starts the firmware on a board of its own, in the place of the one before. UserError if the simulator cannot
        be had."""
        self.stop()
        self._ends = threading.Event()
        master, slave = pty.openpty()
        tty.setraw(slave)
        os.set_blocking(master, False)
        self._descriptors = master, slave
        self.path = os.ttyname(slave)
        simulated = target.simulated
        session = simulated.engine.open(simulated, elf_path, False)
        self._pump = threading.Thread(target=_pump, args=(session, master, self._ends), daemon=True)
        self._pump.start()

    def stop(self) -> None:
        """Ends the simulator, if one runs. The port is then gone."""
        self._ends.set()
        if self._pump is not None:
            self._pump.join(_END_S)
            self._pump = None
        if self._descriptors is not None:
            for descriptor in self._descriptors:
                os.close(descriptor)
            self._descriptors = None


def _pump(session: Session, master: int, ends: threading.Event) -> None:
    """Bytes from the port to the device and back, until the board is unplugged or the firmware crashes.

    Each way has a thread that sleeps until bytes come: a vector is three questions and answers, and an experiment has
    thousands.
    """
    with session:
        to_device = threading.Thread(target=_hand_on, args=(session, master, ends), daemon=True)
        to_device.start()
        try:
            with suppress(DeviceError, OSError):
                while not ends.is_set():
                    frame = session.read_frame(_LOOK_S)
                    if frame is not None:
                        _send(master, frame + b"\0", ends)
        finally:
            ends.set()
            to_device.join()


def _hand_on(session: Session, master: int, ends: threading.Event) -> None:
    """Bytes from the port to the device."""
    with suppress(DeviceError, OSError):
        while not ends.is_set():
            if select.select([master], [], [], _LOOK_S)[0]:
                session.write(os.read(master, _CHUNK_BYTES))


def _send(master: int, data: bytes, ends: threading.Event) -> None:
    while data and not ends.is_set():
        if select.select([], [master], [], _LOOK_S)[1]:
            data = data[os.write(master, data) :]
