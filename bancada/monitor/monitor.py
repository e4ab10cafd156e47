"""The host side of the device's monitor (harness/include/bancada/monitor.h): frames, commands, errors.

Works over anything with `write(bytes)` and `read_frame(timeout_s)`: a simulator's pipe or a serial port.
"""

from __future__ import annotations

import binascii
import struct
import time
from dataclasses import dataclass
from typing import Protocol

PROTOCOL = 3
MONITOR_TIMING = 0x80

# Every firmware has this one: a timed region in which nothing is called.
OPERATION_EMPTY = 0

# Every firmware has this one: 1 while no call has written beyond its context or its output.
_BUFFER_GUARDS = 15

_COMMAND_IDENTIFY = 1
_COMMAND_WRITE = 2
_COMMAND_CALL = 3
_COMMAND_READ = 4

# Bodies of the requests, and of the answer to identify (harness/include/bancada/monitor.h).
_FACTS = "<BBHIIII"
_WRITE = "<BI"
_READ = "<BII"
_CALL = "<BIIB"
_CHANGED = "<HI"

_NO_BUFFER, _OUTSIDE_BUFFER = 2, 3
_STATUS_TEXT = {
    1: "does not know the command",
    _NO_BUFFER: "has no such buffer",
    _OUTSIDE_BUFFER: "was asked for bytes outside a buffer",
    4: "does not have the operation",
    5: "found the command malformed",
}

# The firmware that checks calls has this one: what calls changed that they must not.
_BUFFER_CHANGED = 14

# Commands that may be repeated after a lost answer: all that leave the device as if they had run once.
_REPEATABLE = {_COMMAND_IDENTIFY, _COMMAND_WRITE, _COMMAND_READ}
_ATTEMPTS = 3


# A simulator on a busy machine may take its time; the firmware itself is never this slow.
SIMULATED_ANSWER_S = 20.0
SIMULATED_LONGEST_S = 3600.0

# So much noise in front of a frame is cut off.
_NOISE_BYTES = 256

# After a damaged frame, a request that may be repeated is repeated soon: as a rule the answer was damaged.
_AFTER_DAMAGE_S = 1.0


class DeviceError(Exception):
    """The device did not do what it was asked; one sentence that says at which step."""


class NoSuchBuffer(DeviceError):
    """The firmware has no buffer of that number. The device is well."""


class NoRoom(DeviceError):
    """What was to be written is longer than the firmware's buffer for it. The device is well."""


class StackOverflow(DeviceError):
    """The engine saw the stack reach static RAM, in the function `place`."""

    def __init__(self, place: str) -> None:
        super().__init__(f"The firmware crashed in {place}: stack overflow.")
        self.place = place


class Transport(Protocol):
    """A byte stream to a device."""

    def write(self, data: bytes) -> None:
        """Sends all of `data`."""

    def read_frame(self, timeout_s: float) -> bytes | None:
        """Bytes up to the next zero, without it; None if none came in time. DeviceError if the device is gone."""

    def place(self) -> str | None:
        """The function that the device is executing, where that is known."""


@dataclass(frozen=True)
class Changed:
    """What calls changed that they must not: numbers of places that they wrote before, or behind, and numbers of
    registers that they did not give back (harness/include/bancada/monitor.h)."""

    before: tuple[int, ...]
    behind: tuple[int, ...]
    registers: tuple[int, ...]


@dataclass(frozen=True)
class Facts:
    """Facts that the firmware gives about itself."""

    protocol: int
    block_bytes: int
    key_bytes: int
    encrypt_context_bytes: int
    decrypt_context_bytes: int
    clock_hz: int
    largest_body: int


def cobs_encode(data: bytes) -> bytes:
    """Consistent Overhead Byte Stuffing (Cheshire and Baker, 1999): no zero in the result."""
    encoded = bytearray()
    for group in data.split(b"\0"):
        while len(group) >= 254:
            encoded += b"\xff" + group[:254]
            group = group[254:]
        encoded += bytes([len(group) + 1]) + group
    return bytes(encoded)


def cobs_decode(data: bytes) -> bytes | None:
    """The bytes that were encoded; None if `data` cannot be an encoding."""
    decoded = bytearray()
    position = 0
    while position < len(data):
        code = data[position]
        end = position + code
        if code == 0 or end > len(data):
            return None
        decoded += data[position + 1 : end]
        position = end
        if code != 0xFF and position < len(data):
            decoded.append(0)
    return bytes(decoded)


def crc16(data: bytes) -> int:
    """CRC-16/CCITT-FALSE."""
    return binascii.crc_hqx(data, 0xFFFF)


def call_in(frame: bytes) -> tuple[int, int] | None:
    """Operation and chain of a frame that was sent to a device, if it asks for a call."""
    decoded = cobs_decode(frame.strip(b"\0")) or b""
    if decoded[1:2] != bytes([_COMMAND_CALL]):
        return None
    operation, _, _, chain = struct.unpack(_CALL, decoded[2:-2])
    return operation, chain


def with_call(frame: bytes, operation: int) -> bytes:
    """The same frame, asking for one call of another operation."""
    decoded = cobs_decode(frame.strip(b"\0")) or b""
    _, _, _, chain = struct.unpack(_CALL, decoded[2:-2])
    return _frame(decoded[:2] + struct.pack(_CALL, operation, 1, 0, chain))


def _bits(mask: int, step: int) -> tuple[int, ...]:
    """The numbers n of which bit `step` times n is set."""
    return tuple(number for number in range(32) if mask >> (step * number) & 1)


def _frame(payload: bytes) -> bytes:
    return b"\0" + cobs_encode(payload + struct.pack(">H", crc16(payload))) + b"\0"


class Monitor:
    """A conversation with the monitor on one device."""

    def __init__(
        self, transport: Transport, timeout_s: float = SIMULATED_ANSWER_S, longest_wait_s: float = SIMULATED_LONGEST_S
    ) -> None:
        """`timeout_s` is for answers that are ready at once; no answer is waited for longer than `longest_wait_s`."""
        self._transport = transport
        self._timeout_s = timeout_s
        self._longest_wait_s = longest_wait_s
        self._sequence = 0
        self._nonce: int | None = None

    def _exchange(self, command: int, body: bytes, step: str, timeout_s: float | None = None) -> bytes:
        """One request and its answer. DeviceError names the step if there is none, or if the device restarted."""
        wait_s = min(self._timeout_s if timeout_s is None else timeout_s, self._longest_wait_s)
        damaged = 0
        self._sequence = (self._sequence + 1) & 0xFF
        payload = bytes([self._sequence, command]) + body
        frame = _frame(payload)
        for _ in range(_ATTEMPTS if command in _REPEATABLE else 1):
            self._transport.write(frame)
            end = time.monotonic() + wait_s
            while True:
                encoded = self._transport.read_frame(max(end - time.monotonic(), 0.0))
                if encoded is None:
                    break
                answer = self._checked(encoded)
                if answer is None:
                    damaged += 1
                    if command in _REPEATABLE:
                        end = min(end, time.monotonic() + _AFTER_DAMAGE_S)
                    continue
                if answer[0] != self._sequence:
                    continue
                return self._body(answer, step)
        place = self._transport.place()
        noise = f"; {damaged} damaged {'answer' if damaged == 1 else 'answers'} came" if damaged else ""
        raise DeviceError(
            f"The device did not answer at step '{step}' within {wait_s:g}"
            f" s{noise}{f'; it was in {place}' if place else ''}."
        )

    @staticmethod
    def _checked(encoded: bytes) -> bytes | None:
        """The payload; None if the frame is damaged. Noise in front of a frame, which no zero ends, is cut off."""
        for start in range(min(len(encoded), _NOISE_BYTES)):
            decoded = cobs_decode(encoded[start:])
            if decoded is None or len(decoded) < 6:
                continue
            payload, stated = decoded[:-2], struct.unpack(">H", decoded[-2:])[0]
            if crc16(payload) == stated:
                return payload
        return None

    def _body(self, answer: bytes, step: str) -> bytes:
        status, nonce = answer[1], struct.unpack("<H", answer[2:4])[0]
        if self._nonce is not None and nonce != self._nonce:
            raise DeviceError(f"The device restarted in the middle of the run, at step '{step}'.")
        self._nonce = nonce
        if status != 0:
            kind = {_NO_BUFFER: NoSuchBuffer, _OUTSIDE_BUFFER: NoRoom}.get(status, DeviceError)
            raise kind(f"The device {_STATUS_TEXT.get(status, f'answered status {status}')} at step '{step}'.")
        return answer[4:]

    def identify(self) -> Facts:
        """Asks the firmware who it is. DeviceError if it speaks another protocol."""
        body = self._exchange(_COMMAND_IDENTIFY, b"", "identify")
        if body[:1] != bytes([PROTOCOL]) or len(body) != struct.calcsize(_FACTS):
            raise DeviceError(
                f"The device speaks monitor protocol {body[0] if body else 0}, this program {PROTOCOL}: flash it again."
            )
        facts = Facts(*struct.unpack(_FACTS, body))
        self._largest_body = facts.largest_body
        return facts

    def write(self, buffer: int, data: bytes) -> None:
        """Fills a buffer of the device from its beginning."""
        step = self._largest_body - struct.calcsize(_WRITE)
        for offset in range(0, len(data), step):
            body = struct.pack(_WRITE, buffer, offset) + data[offset : offset + step]
            self._exchange(_COMMAND_WRITE, body, f"write buffer {buffer}")

    def read(self, buffer: int, length: int) -> bytes:
        """The first `length` bytes of a buffer of the device."""
        data = b""
        while len(data) < length:
            part = min(self._largest_body, length - len(data))
            body = struct.pack(_READ, buffer, len(data), part)
            data += self._exchange(_COMMAND_READ, body, f"read buffer {buffer}")
        return data

    def guards_hold(self) -> bool:
        """Whether no call so far has written beyond its context or its output."""
        return self.read(_BUFFER_GUARDS, 1) == b"\1"

    def changed(self) -> Changed:
        """What no call may change and some call so far did. NoSuchBuffer if the firmware does not check calls."""
        guards, registers = struct.unpack(_CHANGED, self.read(_BUFFER_CHANGED, struct.calcsize(_CHANGED)))
        return Changed(_bits(guards, 2), _bits(guards >> 1, 2), _bits(registers, 1))

    def call(
        self, operation: int, length: int = 0, count: int = 1, chain: int = 0, timeout_s: float | None = None
    ) -> tuple[int, int]:
        """Calls an operation `count` times; what the last call returned, and its cycles on the device's timer."""
        body = struct.pack(_CALL, operation, count, length, chain)
        answer = self._exchange(_COMMAND_CALL, body, f"call operation {operation}", timeout_s)
        returned, timer_cycles = struct.unpack("<bI", answer)
        return returned, timer_cycles
