"""The host side of the monitor: frames, and what happens when the line or the device is bad."""

from __future__ import annotations

import struct

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bancada.monitor.monitor import DeviceError, Monitor, cobs_decode, cobs_encode, crc16

pytestmark = pytest.mark.quick

_FACTS = struct.pack("<BBHIIII", 3, 16, 16, 176, 176, 16_000_000, 64)


class Line:
    """A device that answers every request with the next of `answers`: None is silence, bytes are raw frames."""

    def __init__(self, answers: list[bytes | None], nonces: list[int] | None = None) -> None:
        self.answers = answers
        self.nonces = nonces or [7] * len(answers)
        self.requests: list[bytes] = []
        self._pending: list[bytes] = []

    def write(self, data: bytes) -> None:
        request = cobs_decode(data.strip(b"\0"))
        assert request is not None
        self.requests.append(request)
        body = self.answers.pop(0)
        nonce = self.nonces.pop(0)
        if body is not None:
            payload = bytes([request[0], 0]) + struct.pack("<H", nonce) + body
            self._pending.append(cobs_encode(payload + struct.pack(">H", crc16(payload))))

    def place(self) -> str | None:
        return None

    def read_frame(self, timeout_s: float) -> bytes | None:
        return self._pending.pop(0) if self._pending else None


def test_crc_is_the_published_check_value() -> None:
    assert crc16(b"123456789") == 0x29B1  # CRC-16/CCITT-FALSE in Greg Cook's catalogue ("CRC-16/IBM-3740")


@pytest.mark.parametrize(
    ("plain", "encoded"),
    [  # examples of the COBS paper's rules, worked by hand
        (b"\x00", b"\x01\x01"),
        (b"\x11\x22\x00\x33", b"\x03\x11\x22\x02\x33"),
        (b"", b"\x01"),
    ],
)
def test_cobs_examples(plain: bytes, encoded: bytes) -> None:
    assert cobs_encode(plain) == encoded
    assert cobs_decode(encoded) == plain


@given(st.binary(max_size=600))
def test_cobs_round_trip(data: bytes) -> None:
    encoded = cobs_encode(data)
    assert 0 not in encoded
    assert cobs_decode(encoded) == data


@given(st.binary(max_size=100))
def test_cobs_decode_never_crashes(data: bytes) -> None:
    cobs_decode(data)


def test_a_lost_answer_is_asked_for_again() -> None:
    line = Line([None, _FACTS])
    assert Monitor(line, timeout_s=0).identify().clock_hz == 16_000_000
    assert len(line.requests) == 2


def test_silence_is_one_clear_error_that_names_the_step() -> None:
    with pytest.raises(DeviceError, match="did not answer at step 'identify' within 0 s"):
        Monitor(Line([None] * 9), timeout_s=0).identify()


def test_a_call_is_never_repeated() -> None:
    line = Line([_FACTS, None, b"\0\0\0\0\0"])
    monitor = Monitor(line, timeout_s=0)
    monitor.identify()
    with pytest.raises(DeviceError, match="call operation 2"):
        monitor.call(2)
    assert len(line.requests) == 2


def test_a_restart_in_mid_run_is_noticed() -> None:
    monitor = Monitor(Line([_FACTS, b""], nonces=[7, 8]), timeout_s=0)
    monitor.identify()
    with pytest.raises(DeviceError, match="restarted in the middle of the run"):
        monitor.write(0, b"key")


def test_an_old_firmware_is_refused() -> None:
    with pytest.raises(DeviceError, match="speaks monitor protocol 9"):
        Monitor(Line([bytes([9]) + _FACTS[1:]]), timeout_s=0).identify()


def test_a_damaged_answer_is_not_believed() -> None:
    class Damaging(Line):
        def read_frame(self, timeout_s: float) -> bytes | None:
            frame = super().read_frame(timeout_s)
            return frame[:-1] + bytes([frame[-1] ^ 1 or 2]) if frame else None

    with pytest.raises(DeviceError, match="did not answer"):
        Monitor(Damaging([_FACTS] * 3), timeout_s=0).identify()
