"""Settings that the sensor is told: their bounds, what is kept of them, and the way back from a channel."""

from __future__ import annotations

import ctypes

import pytest
from downlink_support import ALARM, CHANNEL, PERIOD, POWER, SLOT, downlink_host, start
from firmware_host import BLOCK, READY, Host

REFUSED, SAME, KEEP, TRY = range(4)


@pytest.fixture
def host() -> Host:
    return downlink_host()


def way(channel: int = 23, power: int = 0, period: int = 60, region: int = 0) -> ctypes.Array[ctypes.c_char]:
    """Settings in the order of the structure."""
    return ctypes.create_string_buffer(bytes([0, 0, period, channel, power, 0, region]), 7)


def test_a_sensor_that_hears_nothing_goes_back_for_an_hour(host: Host) -> None:
    start(host)
    assert not host.c.host_fallback_start()
    now = way(5, 2)
    assert not any(host.c.host_fallback_quiet(now) for _ in range(3000)), "there is nothing to go back to"
    host.c.host_fallback_keep(way(23, 0))
    assert host.c.host_fallback_start()
    moved = [minute for minute in range(1, 3200) if host.c.host_fallback_quiet(now)]
    # 25 hours, one hour under the settings before, and again.
    assert moved == [1500, 1560, 3060, 3120]
    assert now.raw == way(5, 2).raw
    host.c.host_fallback_start()
    for _ in range(1499):
        host.c.host_fallback_quiet(now)
    assert not host.c.host_fallback_heard(), "it was not away"
    assert not any(host.c.host_fallback_quiet(now) for _ in range(1499))
    assert host.c.host_fallback_quiet(now) and now.raw == way(23, 0).raw
    assert host.c.host_fallback_heard()
    # The law of a region is kept, and a sensor that never changed has nowhere to go.
    host.c.host_fallback_keep(way(31, 0))
    lawful = way(24, 3, region=1)
    assert not any(host.c.host_fallback_quiet(lawful) for _ in range(3200))
    host.c.host_fallback_keep(way(23, 0))
    unchanged = way(23, 0)
    assert not any(host.c.host_fallback_quiet(unchanged) for _ in range(3200))


def test_power_that_fails_while_the_way_back_is_written(host: Host) -> None:
    """Then there is no way back, or the new one; never a channel that was neither."""
    for writes in range(1, 6):
        for torn in (0x00, 0xFF, 0x5A):
            start(host)
            host.c.host_fallback_keep(way(23, 0))
            host.c.host_power_fails_after(writes, torn)
            host.c.host_fallback_keep(way(7, 1))
            host.c.host_power_fails_after(-1, 0)
            known = host.c.host_fallback_start()
            assert not known or bytes(host.eeprom[897:899]) in (bytes([23, 0]), bytes([7, 1]))


def test_power_that_fails_while_settings_are_kept(host: Host) -> None:
    for writes in range(1, 34):
        for torn in (0x00, 0xFF, 0x5A):
            start(host)
            host.take(10)
            host.c.host_set_counter_settings(bytes([1, 4, 30, 9, 2, 40, 0]))
            host.c.host_power_fails_after(writes, torn)
            host.c.host_counter_keep()
            host.c.host_power_fails_after(-1, 0)
            assert host.c.host_counter_start() == READY
            fields = ctypes.create_string_buffer(7)
            host.c.host_counter_settings(fields)
            assert fields.raw in (bytes([0, 0, 5, 23, 0, 0, 0]), bytes([1, 4, 30, 9, 2, 40, 0]))
            assert host.take(1)[0] >= BLOCK


def verdict(host: Host, setting: int, value: int, **before: int) -> tuple[int, dict[str, int]]:
    names = ("slot", "slots", "period", "channel", "power", "alarm", "region")
    standing = dict(zip(names, (0, 0, 5, 23, 0, 0, 0), strict=True)) | before
    fields = ctypes.create_string_buffer(bytes(standing[name] for name in names), 7)
    found = host.c.host_settings_change(fields, setting, value)
    after = dict(zip(names, fields.raw, strict=True))
    return found, {name: after[name] for name in names if after[name] != standing[name]}


@pytest.mark.parametrize(
    ("setting", "value", "expected"),
    [
        (PERIOD, 30, (KEEP, {"period": 30})),
        (PERIOD, 5, (SAME, {})),
        (PERIOD, 2, (KEEP, {"period": 2})),
        (PERIOD, 1, (REFUSED, {})),
        (PERIOD, 0, (REFUSED, {})),
        (PERIOD, 256, (REFUSED, {})),
        (SLOT, 11 << 8 | 3, (KEEP, {"slots": 11, "slot": 3})),
        (SLOT, 12 << 8 | 3, (KEEP, {"slots": 12, "slot": 3})),
        (SLOT, 13 << 8 | 3, (REFUSED, {})),
        (SLOT, 4 << 8 | 4, (REFUSED, {})),
        (SLOT, 0, (SAME, {})),
        (SLOT, 1, (REFUSED, {})),
        (ALARM, 40, (KEEP, {"alarm": 40})),
        (ALARM, 0, (REFUSED, {})),
        (CHANNEL, 31, (TRY, {"channel": 31})),
        (CHANNEL, 32, (REFUSED, {})),
        (POWER, 3, (TRY, {"power": 3})),
        (POWER, 4, (REFUSED, {})),
        (0, 0, (REFUSED, {})),
        (6, 1, (REFUSED, {})),
        (255, 1, (REFUSED, {})),
    ],
)
def test_settings_are_bounded(host: Host, setting: int, value: int, expected: tuple[int, dict[str, int]]) -> None:
    assert verdict(host, setting, value) == expected


def test_a_period_leaves_room_for_the_slots_and_a_region_for_its_law(host: Host) -> None:
    assert verdict(host, PERIOD, 4, slots=11, slot=1) == (REFUSED, {})
    assert verdict(host, PERIOD, 6, slots=11, slot=1) == (KEEP, {"period": 6})
    eu433 = {"region": 1, "channel": 24, "power": 3}
    assert verdict(host, CHANNEL, 23, **eu433) == (REFUSED, {})
    assert verdict(host, POWER, 2, **eu433) == (REFUSED, {})


def test_no_value_of_any_setting_leaves_the_bounds(host: Host) -> None:
    for setting in range(256):
        for value in (*range(300), 0x0100, 0x0B00, 0x0B0A, 0x0B0B, 0xFFFF):
            found, changed = verdict(host, setting, value)
            assert found != REFUSED or changed == {}
            if found != REFUSED:
                assert changed.get("channel", 0) < 32 and changed.get("power", 0) < 4
                assert changed.get("period", 1) != 0
