"""A sensor's EEPROM as provisioning writes it: the record of docs/reference/link-formats.md in slot 0."""

from __future__ import annotations

from dataclasses import dataclass

EEPROM_BYTES = 1024
RECORD_BYTES = 32
RECORDS = 16
KEY_BYTES = 16

_LAYOUT = 1
_ERASED = 0xFF


@dataclass(frozen=True)
class EepromRecord:
    """What a sensor knows of itself."""

    suite: int
    epoch: int
    device: int
    mark: int
    key: bytes
    slot: int
    slots: int
    period_s: int
    channel: int


def crc16(data: bytes) -> int:
    """CRC-16/CCITT-FALSE: polynomial 1021h, first value ffffh."""
    crc = 0xFFFF
    for byte in data:
        crc ^= byte << 8
        for _ in range(8):
            crc = (crc << 1 ^ (0x1021 if crc & 0x8000 else 0)) & 0xFFFF
    return crc


def encode_record(record: EepromRecord) -> bytes:
    """The 32 bytes of a record. ValueError if a field does not fit."""
    if not (0 <= record.suite < 16 and 0 <= record.epoch < 16):
        raise ValueError(f"suite {record.suite} and epoch {record.epoch} must be 0 to 15")
    if len(record.key) != KEY_BYTES:
        raise ValueError(f"a key has {KEY_BYTES} bytes, not {len(record.key)}")
    try:
        body = (
            bytes([_LAYOUT, record.suite << 4 | record.epoch])
            + record.device.to_bytes(2, "big")
            + record.mark.to_bytes(4, "big")
            + record.key
            + bytes([record.slot, record.slots, record.period_s, record.channel, 0, 0])
        )
    except (OverflowError, ValueError) as error:
        raise ValueError(f"a field of the EEPROM record of device {record.device} does not fit: {error}") from error
    return body + crc16(body).to_bytes(2, "big")


def decode_record(data: bytes) -> EepromRecord | None:
    """The record in 32 bytes; None if they are not a whole record."""
    if len(data) != RECORD_BYTES or data[0] != _LAYOUT or crc16(data[:-2]) != int.from_bytes(data[-2:], "big"):
        return None
    return EepromRecord(
        suite=data[1] >> 4,
        epoch=data[1] & 15,
        device=int.from_bytes(data[2:4], "big"),
        mark=int.from_bytes(data[4:8], "big"),
        key=data[8:24],
        slot=data[24],
        slots=data[25],
        period_s=data[26],
        channel=data[27],
    )


def image(record: EepromRecord) -> bytes:
    """The whole EEPROM of an ATmega328P with this record in slot 0."""
    data = encode_record(record)
    return data + bytes([_ERASED]) * (EEPROM_BYTES - len(data))


def records(contents: bytes) -> list[EepromRecord | None]:
    """What is in each of the 16 slots."""
    return [decode_record(contents[at : at + RECORD_BYTES]) for at in range(0, RECORDS * RECORD_BYTES, RECORD_BYTES)]
