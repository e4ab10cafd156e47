"""The serial line to a board: anything that pyserial opens by name or address, and one sentence for each fault.

A fault of the line ends the campaign (UserError). It is no fault of a case, and every later case would fail in the same
way.
"""

from __future__ import annotations

import errno
import os
import termios
import time
from dataclasses import dataclass

import serial
from serial.tools import list_ports

from bancada.model.errors import UserError

# A wait for bytes is interrupted this often, to see whether the port is still there or the campaign was stopped.
_LOOK_S = 0.2

# A board that reads its UART empties any buffer of the host's in much less.
_WRITE_TIMEOUT_S = 10.0

RESUMES = "every finished case is stored, and the same command resumes"

# What pyserial raises when a device goes away under it: the last two come from closed or vanished descriptors.
_FAULTS = (serial.SerialException, OSError, termios.error, TypeError)


@dataclass(frozen=True)
class Port:
    """A serial port of this machine: its path, what the system calls the device behind it, and what tells that from
    others."""

    path: str
    title: str
    identity: str


def ports() -> list[Port]:
    """The serial ports behind which there may be a board: those of the USB, and others that the system describes."""
    found = []
    for port in sorted(list_ports.comports()):
        if port.hwid == "n/a":
            continue  # the sockets of a PC's mainboard, whether there is anything behind them or not
        usb = f"USB {port.vid:04x}:{port.pid:04x}" if port.vid is not None and port.pid is not None else ""
        number = f"serial number {port.serial_number}" if port.serial_number else ""
        found.append(Port(port.device, port.description, ", ".join(part for part in (usb, number) if part)))
    return found


def is_address(port: str) -> bool:
    """Whether it is what pyserial calls a URL and not a path: `socket://host:port`."""
    return "://" in port


def identity_of(port: str) -> str:
    """What is known of the board behind a port, for the record: USB numbers tell boards apart, a path does not."""
    if is_address(port):
        return ""
    real = os.path.realpath(port)
    return next((found.identity for found in ports() if os.path.realpath(found.path) == real), "")


def _ports_there_are() -> str:
    names = [f"{port.path} ({port.title})" for port in ports()]
    return (
        f"the ports there are: {', '.join(names)}"
        if names
        else "there is no serial port at all: put in the board's cable, one that carries data"
    )


def open_port(port: str, baud: int) -> serial.SerialBase:
    """The open port. UserError that says what to do if it cannot be had."""
    try:
        # `exclusive`: two programs that read one line each get half of the answers.
        return serial.serial_for_url(
            port, baudrate=baud, timeout=_LOOK_S, write_timeout=_WRITE_TIMEOUT_S, exclusive=True
        )
    except _FAULTS as error:
        raise _cannot_open(port, error) from error
    except ValueError as error:
        raise UserError(f"'{port}' is not a serial port: {error}.") from error


def _cannot_open(port: str, error: BaseException) -> UserError:
    number = getattr(error, "errno", None)
    if is_address(port):
        return UserError(
            f"Nothing answers at {port} ({error}): is the machine with the board there, and its port open?"
        )
    if not os.path.exists(port):
        return UserError(f"There is no port {port}; {_ports_there_are()}.")
    if number in (errno.EACCES, errno.EPERM):
        return UserError(
            f"You may not use {port}: join the group that owns it (sudo usermod -aG dialout $USER), and log in again."
        )
    if number in (errno.EBUSY, errno.EAGAIN, errno.EWOULDBLOCK) or "exclusively lock" in str(error):
        return UserError(f"Another program has {port} open (a serial monitor, or a second bancada?): close it.")
    if number in (errno.ENOTTY, errno.EINVAL, errno.EISDIR) or "configure port" in str(error):
        return UserError(f"{port} is not a serial port; {_ports_there_are()}.")
    return UserError(f"The port {port} cannot be opened: {error}.")


class Line:
    """Bytes to and from a board. UserError when the port goes away."""

    def __init__(self, port: str, baud: int) -> None:
        self._name = port
        self._port = open_port(port, baud)

    def close(self) -> None:
        """Closes the port, if it is still there to be closed."""
        try:
            self._port.close()
        except _FAULTS:
            return  # it went away, which is what closing is for

    def write(self, data: bytes) -> None:
        """Hands all bytes to the system, within the port's time limit; to wait until they are sent would have none
        (tcdrain)."""
        try:
            self._port.write(data)
        except serial.SerialTimeoutException as error:
            raise UserError(
                f"The port {self._name} takes no more bytes: unplug the board and plug it in again; {RESUMES}."
            ) from error
        except _FAULTS as error:
            raise self._gone(error) from error

    def read(self, longest_s: float) -> bytes:
        """What has come, or comes first; nothing if a moment or `longest_s` passes before."""
        try:
            self._port.timeout = min(_LOOK_S, max(longest_s, 0.0))
            data: bytes = self._port.read(max(1, self._port.in_waiting))
        except _FAULTS as error:
            raise self._gone(error) from error
        if not data and not is_address(self._name) and not os.path.exists(self._name):
            raise self._gone(None)
        return data

    def drain(self, quiet_s: float, longest_s: float) -> None:
        """Discards input until none has come for `quiet_s`, and for `longest_s` at most."""
        end = time.monotonic() + longest_s
        while time.monotonic() < end and self.read(quiet_s):
            pass

    def _gone(self, error: BaseException | None) -> UserError:
        why = f" ({error})" if error is not None and str(error) else ""
        return UserError(f"The board on {self._name} went away{why}: plug it in again; {RESUMES}.")
