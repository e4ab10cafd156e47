"""What the gateway's UNO says to the Pi: COBS frames with a CRC (docs/reference/link-formats.md), taken apart."""

from __future__ import annotations

from dataclasses import dataclass

from sensorlink.eeprom import crc16

_RECEIVED = 1
_OPENED = 3
_CONTINUES = 1


@dataclass(frozen=True)
class GatewayStream:
    """The bursts that the gateway received, each whole, and how many frames of the stream were damaged."""

    bursts: tuple[bytes, ...]
    # Plaintexts that a gateway in paper mode made of what it received.
    opened: tuple[bytes, ...]
    statuses: int
    damaged: int


def _uncobs(data: bytes) -> bytes | None:
    decoded = bytearray()
    at = 0
    while at < len(data):
        code = data[at]
        if code == 0 or at + code > len(data):
            return None
        decoded += data[at + 1 : at + code]
        at += code
        if code < 0xFF and at < len(data):
            decoded.append(0)
    return bytes(decoded)


def take_apart(stream: bytes) -> GatewayStream:
    """Joins chunks that continue each other. What is after the last zero byte is not whole yet and left out."""
    bursts: list[bytes] = []
    opened: list[bytes] = []
    statuses = damaged = 0
    for encoded in stream.split(b"\0")[:-1]:
        frame = _uncobs(encoded)
        if not frame or len(frame) < 8 or crc16(frame[:-2]) != int.from_bytes(frame[-2:], "big"):
            damaged += 1
        elif frame[0] == _OPENED:
            opened.append(frame[6:-2])
        elif frame[0] != _RECEIVED:
            statuses += 1
        elif frame[1] & _CONTINUES and bursts:
            bursts[-1] += frame[6:-2]
        else:
            bursts.append(frame[6:-2])
    return GatewayStream(tuple(bursts), tuple(opened), statuses, damaged)
