"""What goes on the air on behalf of the downlink: frames that were missing, within the duty cycle of a region, and what
the gateway's microcontroller sends.
"""

from __future__ import annotations

import ctypes
import random
from collections.abc import Callable

import pytest
from downlink_support import downlink_host, transmit
from firmware_host import Host


@pytest.fixture
def host() -> Host:
    return downlink_host()


def test_missing_frames_are_sent_again_the_oldest_first(host: Host) -> None:
    def frame(counter: int) -> bytes:
        return bytes([0x10, 0x10, 0, 7]) + counter.to_bytes(4, "big") + counter.to_bytes(24, "big")

    host.c.host_resend_start()
    for counter in range(100, 140):
        host.c.host_resend_keep(frame(counter), 1000 + counter)
    out = ctypes.create_string_buffer(32)
    assert not host.c.host_resend_take(out)
    # Counters 139 down to 116 are there; 115 and below are not any more.
    host.c.host_resend_want(ctypes.c_uint32(138), 1 << 0 | 1 << 5 | 1 << 21 | 1 << 22 | 1 << 23)
    found = []
    while host.c.host_resend_take(out):
        found.append(out.raw)
    assert found == [frame(116), frame(132), frame(137)]
    assert host.c.host_resend_sent_ms(139) == 1139 and host.c.host_resend_sent_ms(115) == 0
    host.c.host_resend_want(ctypes.c_uint32(0), 0xFFFFFF)
    assert not host.c.host_resend_take(out)


def test_the_account_of_an_hour_is_kept_in_any_hour(host: Host) -> None:
    """10 % and 1 %, with frames as often as they are let through: no hour has more."""
    for per_mille, on_air_ms in ((100, 370), (10, 370), (100, 3285)):
        host.c.host_duty_start()
        sent: list[int] = []
        refused = 0
        for second in range(0, 4 * 3600):
            if host.c.host_duty_spend(per_mille, second, on_air_ms):
                sent.append(second)
            else:
                refused += 1
        assert host.c.host_duty_refused() == refused
        most = max(sum(start_s <= second < start_s + 3600 for second in sent) for start_s in range(0, 3 * 3600, 50))
        assert most * on_air_ms <= 3600 * per_mille
        assert len(sent) * on_air_ms > 2 * 3600 * per_mille  # and it is used
    host.c.host_duty_start()
    assert all(host.c.host_duty_spend(1000, second, 3000) for second in range(100_000))


def test_after_a_long_silence_the_account_is_empty(host: Host) -> None:
    host.c.host_duty_start()
    while host.c.host_duty_spend(10, 0, 370):
        pass
    assert not host.c.host_duty_spend(10, 3599, 370)
    assert host.c.host_duty_spend(10, 100_000, 370)


@pytest.mark.parametrize(
    ("region", "per_mille", "allowed"),
    [
        (0, 1000, {(channel, power) for channel in range(256) for power in range(4)}),
        (1, 100, {(24, 3)}),
        (2, 10, {(channel, power) for channel in (4, 5) for power in (2, 3)}),
        (3, 1000, {(channel, power) for channel in (*range(3, 8), *range(16, 28)) for power in range(4)}),
        (4, 0, set()),
        (255, 0, set()),
    ],
)
def test_regions(host: Host, region: int, per_mille: int, allowed: set[tuple[int, int]]) -> None:
    assert host.c.host_region_duty(region) == per_mille
    found = {
        (channel, power)
        for channel in range(256)
        for power in range(6)
        if host.c.host_region_allows(region, channel, power)
    }
    assert found == allowed


def dispatched(host: Host, stream: bytes) -> list[bytes]:
    out = ctypes.create_string_buffer(64)
    found = []
    for byte in stream:
        length = host.c.host_dispatch_add(byte, out)
        if length:
            found.append(out.raw[:length])
    return found


def test_the_gateway_takes_whole_messages_and_nothing_else(host: Host) -> None:
    draw = random.Random(5)
    frames = [bytes(32), bytes([1]) * 58, b"\x00", *(draw.randbytes(draw.randrange(1, 59)) for _ in range(200))]
    host.c.host_dispatch_start()
    stream = b"".join(transmit(frame) for frame in frames)
    assert dispatched(host, stream) == frames
    garbage: list[Callable[[bytes], bytes]] = [
        lambda message: bytes([message[0] ^ 1]) + message[1:],
        lambda message: message[:-3] + message[-2:],
        lambda message: b"\x07" * 200 + b"\0",
        lambda message: message[:10] + message,
    ]
    for spoil in garbage:
        host.c.host_dispatch_start()
        found = dispatched(host, spoil(transmit(frames[0])) + transmit(frames[1]))
        assert found == [frames[1]]
    # A checksum of 16 bits lets one damage in 65,536 through; single bits never.
    message = transmit(bytes(range(1, 33)))
    for bit in range(8 * (len(message) - 1)):
        spoiled = bytearray(message)
        spoiled[bit // 8] ^= 1 << bit % 8
        assert dispatched(host, bytes(spoiled) + b"\0") == []
