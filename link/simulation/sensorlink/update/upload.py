"""Puts a signed program on a device over a serial line: answers what its bootloader asks for.

The bootloader leads. It asks for each item again until it has come whole, and skips the pages that it has. So all that
this side knows of an update is the image.
"""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from typing import Protocol

from sensorlink.eeprom import crc16
from sensorlink.update.device_types import device_name
from sensorlink.update.image import MANIFEST_ITEMS, Image

BAUD = 115_200
# How long a read of the port waits: the bootloader looks for a hello this often.
READ_S = 0.02

_HELLO_BYTE = b"U"
_MESSAGE_BYTES = 6
_BYTE_S = 10 / BAUD
_HELLO, _WANT, _DONE = b"HWD"
# A quarter of a second.
_CHARGING_READS = 12
_ALL_THAT_COMES = 4096
# The bootloader asks again twice a second. If it does not, it was reset.
_SILENT_S = 1.5
# The watchdog resets a bootloader that waits in vain after 8 s.
_GONE_S = 15.0


class Port(Protocol):
    """What an update uses of pyserial's Serial. `read` waits READ_S at most."""

    dtr: bool
    rts: bool

    def read(self, size: int = 1, /) -> bytes: ...

    def write(self, data: bytes, /) -> int | None: ...


class UpdateFailed(Exception):
    """Why the device does not have the program."""


@dataclass(frozen=True)
class Progress:
    """How far an update is."""

    done: int
    of: int


@dataclass(frozen=True)
class Message:
    """What a bootloader tells (link/firmware/bootloader/line.h)."""

    what: int
    device_type: int
    number: int
    request: bytes


def upload(port: Port, image: Image, on_progress: Callable[[Progress], None]) -> None:
    """Updates the device on this port. UpdateFailed if the device refuses or does not answer."""
    _reset(port)
    heard = b""
    silent_s, is_asking = 0.0, True
    while True:
        if is_asking:
            port.write(_HELLO_BYTE)
        read = port.read(_MESSAGE_BYTES)
        heard += read
        message, heard = _next_message(heard)
        if message is None:
            silent_s += len(read) * _BYTE_S if read else READ_S
            is_asking = is_asking or silent_s >= _SILENT_S
            if silent_s >= _GONE_S:
                raise UpdateFailed(
                    "no bootloader answers. Check the port and the cable, press the device's reset button, and start "
                    "this again: it goes on where it stopped"
                )
            continue
        silent_s = 0.0
        if message.what == _WANT and message.number < image.items:
            is_asking = False
            _answer(port, message, image)
            if message.number >= MANIFEST_ITEMS:
                on_progress(Progress(message.number, image.items))
        elif message.what == _HELLO:
            is_asking = False
        elif message.what == _DONE:
            on_progress(Progress(image.items, image.items))
            return
        else:
            raise UpdateFailed(_reason(message, image))


def _reset(port: Port) -> None:
    """As the Arduino IDE does: the edge of DTR, or of RTS on some adapters, reaches the reset pin by a capacitor, which
    needs time to charge first. A port without these lines leaves it to a person to reset the device.
    """
    with suppress(OSError):
        port.dtr = port.rts = False
        for _ in range(_CHARGING_READS):
            port.read(_ALL_THAT_COMES)
        port.dtr = port.rts = True


def _answer(port: Port, message: Message, image: Image) -> None:
    item = image.item(message.number)
    port.write(item + crc16(message.request + item).to_bytes(2, "big"))


def _next_message(heard: bytes) -> tuple[Message | None, bytes]:
    """The first whole message, and what comes after it. A program or noise may have been heard before it."""
    for at in range(len(heard) - _MESSAGE_BYTES + 1):
        request, checksum = heard[at : at + 4], heard[at + 4 : at + _MESSAGE_BYTES]
        if crc16(request) == int.from_bytes(checksum, "big"):
            number = int.from_bytes(request[2:], "big")
            return Message(request[0], request[1], number, request), heard[at + _MESSAGE_BYTES :]
    return None, heard[1 - _MESSAGE_BYTES :]


def _reason(message: Message, image: Image) -> str:
    theirs, ours = device_name(message.device_type), device_name(image.device_type)
    reasons = {
        ord("T"): f"this program is for a {ours}, and the device is a {theirs}",
        ord("L"): "the program is too large for the device",
        ord("V"): (
            f"the device has run version {message.number}, and takes no older one; this program has version "
            f"{image.version}"
        ),
        ord("S"): "the program is not signed with the key of the device's site",
        ord("P"): f"page {message.number} is not the one that was signed",
    }
    return reasons.get(message.what, "the device said something that this version does not know")
