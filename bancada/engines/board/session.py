"""The engine `board`: a real device behind a serial port. It runs the very ELF that the simulator runs, and its own
Timer 1 counts.

No target has this engine: `bancada.campaign.board.board_at` puts it in the place of a target's own for one campaign.
"""

from __future__ import annotations

import threading
import time
from typing import Self

from bancada.catalogue.target import Target
from bancada.engines.board.port import Line
from bancada.model.errors import UserError
from bancada.model.run import Region
from bancada.monitor.frames import Frames
from bancada.monitor.monitor import DeviceError, Monitor

# From the opening of the port, which resets an Arduino, through its boot loader (a second or two) to the firmware's
# first answer.
_WAKE_S = 10.0
_ASK_S = 0.5

# Answers to the questions that were asked while the boot loader listened may still be under way.
_QUIET_S = 0.1
_DRAIN_S = 2.0

# No operation of any candidate takes an ATmega a fifth of this.
_LONGEST_CALL_S = 120.0
_ANSWER_S = 5.0

STOPPED = "The campaign was stopped."


class BoardSession:
    """The running firmware on the board: a transport for the monitor. Use it as a context manager: leaving it closes
    the port."""

    is_counting = False
    longest_wait_s = _LONGEST_CALL_S
    answer_wait_s = _ANSWER_S

    def __init__(self, target: Target, elf_path: str, port: str, stopping: threading.Event) -> None:
        """Once `stopping` is set, a thread that waits for this session gets a DeviceError, even while it still
        wakes."""
        self._target = target
        self._elf_path = elf_path
        self._port = port
        self._frames = Frames()
        self._heard_bytes = 0
        self._stopping = stopping
        self._line = Line(port, target.baud)
        try:
            self._wake()
        except BaseException:
            self._line.close()
            raise

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *raised: object) -> None:
        self._line.close()

    def place(self) -> str | None:
        """Where the firmware is, which a board does not tell."""
        return None

    def regions(self) -> list[Region]:
        """Always empty: the timer of the device counts, and its answers have the counts."""
        return []

    def write(self, data: bytes) -> None:
        """Sends bytes to the board. UserError if it went away."""
        self._line.write(data)

    def read_frame(self, timeout_s: float) -> bytes | None:
        """Bytes from the board up to the next zero, without it; None if none came in time. UserError if it went
        away."""
        deadline = time.monotonic() + timeout_s
        while (frame := self._frames.next()) is None:
            if self._stopping.is_set():
                raise DeviceError(STOPPED)
            left_s = deadline - time.monotonic()
            if left_s <= 0:
                return None
            data = self._line.read(left_s)
            self._heard_bytes += len(data)
            self._frames.hear(data)
        return frame

    def _wake(self) -> None:
        """Asks until the firmware answers. Asking early does no harm: a boot loader ignores what is not a command of
        its own."""
        deadline = time.monotonic() + _WAKE_S
        while True:
            try:
                Monitor(self, timeout_s=_ASK_S).identify()
                break
            except DeviceError:
                if self._stopping.is_set():
                    raise
                if time.monotonic() > deadline:
                    raise self._no_answer() from None
        self._line.drain(_QUIET_S, _DRAIN_S)
        self._frames.forget()

    def _no_answer(self) -> UserError | DeviceError:
        """Says whether the board or the firmware is at fault: it starts the same firmware in the simulator."""
        heard = f"sent {self._heard_bytes} bytes that are not an answer" if self._heard_bytes else "sent nothing"
        simulated = self._target.simulated
        with simulated.engine.open(simulated, self._elf_path, False) as session:
            try:
                Monitor(session, timeout_s=_ANSWER_S).identify()
            except DeviceError as error:
                return DeviceError(
                    f"The firmware answers neither on the board, which {heard}, nor in the simulator: {error}"
                )
        hint = (
            f"is it a {self._target.title}, at {self._target.clock_hz / 1e6:g} MHz, and does its USB bridge run at"
            f" {self._target.baud} baud"
            if self._heard_bytes
            else "does the board have power, and is nothing else wired to its pins 0 and 1"
        )
        return UserError(
            f"The board on {self._port} did not answer within {_WAKE_S:g} s and {heard}, while the same firmware"
            f" answers in the simulator: {hint}? Every finished case is stored, and the same command resumes."
        )
