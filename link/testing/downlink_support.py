"""Frames to a sensor, made by implementations that are not the link's own (docs/reference/link-downlink.md)."""

from __future__ import annotations

import ctypes
import struct
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from cryptography.hazmat.primitives.ciphers.aead import AESCCM
from firmware_host import READY, Host, record
from laboratory_references import aead128_encrypt
from link_site import serial_frame
from sensorlink.gateway_stream import take_apart

ASCON, CCM = 1, 2
ORDER, KEY = 2, 3
DERIVE_DOWN, DERIVE_NEXT, DERIVE_KEY = 1, 2, 3
KEY_GROUP = 8
STAGE_COUNTERS = 4096
PERIOD, SLOT, ALARM, CHANNEL, POWER = range(1, 6)
LISTENS, ON_TRIAL, SETTING_REFUSED, DUTY_SPENT, FELL_BACK = 0x08, 0x10, 0x20, 0x40, 0x80
TRANSMIT = 4


def derive(key: bytes, suite: int, epoch: int, device: int, purpose: int, number: int = 0) -> bytes:
    """The whole tag of a frame of version 0 without text."""
    header = struct.pack(">BBHI", purpose, suite << 4 | epoch, device, number)
    if suite == ASCON:
        return aead128_encrypt(key, header + bytes(8), header, b"")[1]
    return AESCCM(key, tag_length=16).encrypt(header + bytes(5), b"", header)


def key_of_stage(key: bytes, suite: int, epoch: int, device: int, stage: int) -> bytes:
    """What has become of the key of stage 0."""
    for number in range(1, stage + 1):
        key = derive(key, suite, epoch, device, DERIVE_NEXT, number)
    return key


def seal(key: bytes, suite: int, header: bytes, text: bytes) -> bytes:
    if suite == ASCON:
        ciphertext, tag = aead128_encrypt(key, header + bytes(8), header, text)
        return header + ciphertext + tag[:8]
    return header + AESCCM(key, tag_length=8).encrypt(header + bytes(5), text, header)


def order_text(
    answers: int = 0,
    time_ms: int = 0,
    missing: int = 0,
    setting: int = 0,
    value: int = 0,
    whatever_it_shows: bool = False,
) -> bytes:
    return (
        struct.pack(">IIH", answers, time_ms // 1000, time_ms % 1000 | whatever_it_shows << 15)
        + missing.to_bytes(3, "big")
        + struct.pack(">BH", setting, value)
    )


@dataclass
class Downlink:
    """What a server knows of one sensor and key."""

    device: int
    key: bytes
    suite: int = ASCON
    epoch: int = 0

    def frame(self, number: int, text: bytes, kind: int = ORDER, answers: int = 0) -> bytes:
        """`answers`: the counter of the frame that the next key answers; an order's is in its text."""
        purpose, group = (DERIVE_KEY, answers // KEY_GROUP) if kind == KEY else (DERIVE_DOWN, 0)
        key = derive(self.key, self.suite, self.epoch, self.device, purpose, group)
        header = struct.pack(">BBHI", 1 << 4 | kind, self.suite << 4 | self.epoch, self.device, number)
        return seal(key, self.suite, header, text)

    def order(self, number: int, answers: int = 0, **asks: int) -> bytes:
        return self.frame(number, order_text(answers, **asks))  # type: ignore[arg-type]


def transmit(frame: bytes) -> bytes:
    """What the daemon writes to the gateway's serial port to have a frame sent."""
    return serial_frame(bytes([TRANSMIT, 0]) + frame)


@dataclass(frozen=True)
class Heard:
    """A frame of the sensor, opened, and when the gateway's daemon had it."""

    time_us: int
    frame: bytes
    epoch: int
    kind: int
    counter: int
    unix_s: int
    words: tuple[int, int, int]

    @property
    def flags(self) -> int:
        return self.words[2] >> 16 if self.kind == 0 else 0


class PlayedServer:
    """The daemon and the server behind a simulated gateway, in simulated time.

    What `respond` makes of a frame waits, as at the daemon, until the sensor's next frame is heard, and is sent then.
    """

    def __init__(self, sensor: Downlink, respond: Callable[[Heard], bytes | None]) -> None:
        self.heard: list[Heard] = []
        self.sent: list[tuple[int, bytes]] = []
        self._keys = {sensor.epoch: sensor.key}
        self._sensor = sensor
        self._respond = respond
        self._stream = b""
        self._waiting: bytes | None = None

    def expect(self, epoch: int, key: bytes) -> None:
        """A further key of the sensor."""
        self._keys[epoch] = key

    def __call__(self, event: dict[str, Any]) -> bytes:
        self._stream += bytes.fromhex(event["bytes"])
        end = self._stream.rfind(b"\0") + 1
        whole, self._stream = self._stream[:end], self._stream[end:]
        answer = b""
        for burst in take_apart(whole).bursts:
            for at in range(0, len(burst) - 31, 32):
                heard = self._open(event["time_us"], burst[at : at + 32])
                if heard is None:
                    continue
                self.heard.append(heard)
                if self._waiting is not None:
                    self.sent.append((event["time_us"], self._waiting))
                    answer += transmit(self._waiting)
                self._waiting = self._respond(heard)
        return answer

    def _open(self, time_us: int, frame: bytes) -> Heard | None:
        version_and_kind, suite_and_epoch, device, counter = struct.unpack(">BBHI", frame[:8])
        key = self._keys.get(suite_and_epoch & 15)
        if version_and_kind >> 4 != 1 or device != self._sensor.device or key is None:
            return None
        opened = Host.shared().open(device, self._sensor.suite, suite_and_epoch & 15, key, frame)
        if opened is None:
            return None
        kind, counter, text = opened
        unix_s, *words = struct.unpack(">IIII", text)
        return Heard(time_us, frame, suite_and_epoch & 15, kind, counter, unix_s, (words[0], words[1], words[2]))


DEVICE_KEY = bytes(range(16))
# A time at which every frame may still be answered.
NEVER = 0xFFFFFFFF


def downlink_host() -> Host:
    """The sensor's code on this machine, with its downlink begun."""
    host = Host.shared()
    host.load(record())
    host.c.host_counter_start()
    host.c.host_downlink_start()
    host.c.host_answerable(0, ctypes.c_uint32(NEVER))
    return host


def start(host: Host, **settings: int) -> Downlink:
    """The same sensor with other settings in its EEPROM, and what sends to it."""
    host.load(record(**settings))  # type: ignore[arg-type]
    assert host.c.host_counter_start() == READY
    host.c.host_downlink_start()
    return Downlink(settings.get("device", 7), DEVICE_KEY, settings.get("suite", ASCON), settings.get("epoch", 0))
