"""What the gateway sends to the Raspberry Pi, decoded by code that is not the firmware's."""

from __future__ import annotations

import random
import struct
from binascii import crc_hqx

from firmware_host import Host, cobs_decode, payloads


def test_the_crc_is_ccitt_false() -> None:
    host = Host.shared()
    assert host.c.host_crc16(b"123456789", 9) == 0x29B1  # the check value of the CRC catalogues
    source = random.Random(1)
    for length in range(80):
        data = source.randbytes(length)
        assert host.c.host_crc16(data, length) == crc_hqx(data, 0xFFFF)


def test_cobs_has_no_zero_and_decodes() -> None:
    import ctypes

    host = Host.shared()
    source = random.Random(2)
    for length in range(254):
        for zeros in (0.0, 0.1, 0.9, 1.0):
            data = bytes(0 if source.random() < zeros else source.randrange(1, 256) for _ in range(length))
            out = ctypes.create_string_buffer(256)
            written = host.c.host_cobs(out, data, length)
            assert written == length + 2 and out.raw[written - 1] == 0
            assert 0 not in out.raw[: written - 1]
            assert cobs_decode(out.raw[: written - 1]) == data


def test_a_frame_is_one_chunk() -> None:
    host = Host.shared()
    host.c.host_chunk_start()
    frame = bytes(range(32))
    assert all(host.message("host_chunk_add", byte, 70_000 + i) == b"" for i, byte in enumerate(frame))
    (payload,) = payloads(host.message("host_chunk_gap"))
    assert payload == struct.pack(">BBI", 1, 0, 70_000) + frame
    assert host.message("host_chunk_gap") == b""


def test_long_bursts_are_cut_and_say_that_they_continue() -> None:
    host = Host.shared()
    source = random.Random(3)
    for length in (1, 57, 58, 59, 115, 116, 117, 300):
        host.c.host_chunk_start()
        burst = source.randbytes(length)
        stream = b"".join(host.message("host_chunk_add", byte, i) for i, byte in enumerate(burst))
        stream += host.message("host_chunk_gap")
        got = payloads(stream)
        assert b"".join(payload[6:] for payload in got) == burst
        assert [payload[1] for payload in got] == [0] + [1] * (len(got) - 1)
        assert [int.from_bytes(payload[2:6], "big") for payload in got] == list(range(0, length, 58))
        # After a gap the next chunk stands for itself, also if the last one was full.
        host.message("host_chunk_add", 1, 5000)
        (after,) = payloads(host.message("host_chunk_gap"))
        assert after == struct.pack(">BBIB", 1, 0, 5000, 1)


def test_status_and_plaintext() -> None:
    host = Host.shared()
    (status,) = payloads(host.message("host_status", 0x01020304, 5, 0xFFFFFFFF, 7, 65535, 0x0A0B0C0D, 300))
    assert status == struct.pack(">BBIIIHHIH", 2, 0x80 | 23, 0x01020304, 5, 0xFFFFFFFF, 7, 65535, 0x0A0B0C0D, 300)
    (plain,) = payloads(host.message("host_plaintext", bytes(16), 9))
    assert plain == struct.pack(">BBI", 3, 0, 9) + bytes(16)
