"""The DS3231's registers against the calendar of Python, and the rain gauge's contact and total."""

from __future__ import annotations

import ctypes
import random
from datetime import UTC, datetime, timedelta

import pytest
from firmware_host import Host

EPOCH_2000 = datetime(2000, 1, 1, tzinfo=UTC)


def bcd(value: int) -> int:
    return value // 10 << 4 | value % 10


def registers_of(time: datetime, *, twelve_hours: bool = False) -> list[int]:
    hours = bcd(time.hour)
    if twelve_hours:
        hours = 0x40 | (0x20 if time.hour >= 12 else 0) | bcd(time.hour % 12 or 12)
    return [bcd(time.second), bcd(time.minute), hours, 1, bcd(time.day), bcd(time.month), bcd(time.year - 2000)]


@pytest.fixture
def host() -> Host:
    host = Host.shared()
    host.load(b"")
    return host


def read(host: Host) -> tuple[bool, int, int, bool]:
    unix_s, temperature, lost = ctypes.c_uint32(), ctypes.c_int32(), ctypes.c_bool()
    answered = host.c.host_clock_read(ctypes.byref(unix_s), ctypes.byref(temperature), ctypes.byref(lost))
    return answered, unix_s.value, temperature.value, lost.value


@pytest.mark.parametrize("twelve_hours", [False, True])
def test_times_are_the_calendars(host: Host, twelve_hours: bool) -> None:
    source = random.Random(1)
    days = [EPOCH_2000 + timedelta(days=day) for day in range(0, 36525)]
    for day in source.sample(days, 2000) + [
        datetime(year, 2, 28, 23, 59, 59, tzinfo=UTC) for year in range(2000, 2100)
    ]:
        time = day + timedelta(seconds=source.randrange(86400)) if day.hour == 0 else day
        host.clock[:7] = registers_of(time, twelve_hours=twelve_hours)
        assert read(host)[:2] == (True, int(time.timestamp()))
        following = time + timedelta(days=1)
        if following.year < 2100:
            host.clock[:7] = registers_of(following)
            assert read(host)[1] == int(following.timestamp())


def test_setting_reads_back_and_clears_the_mark_of_a_stop(host: Host) -> None:
    source = random.Random(2)
    last = int(datetime(2099, 12, 31, 23, 59, 59, tzinfo=UTC).timestamp())
    for _ in range(1000):
        time = source.randrange(int(EPOCH_2000.timestamp()), last + 1)
        host.clock[0x0F] = 0x88
        assert read(host)[1:2] + read(host)[3:] == (0, True)
        assert host.c.host_clock_set(ctypes.c_uint32(time))
        moment = datetime.fromtimestamp(time, UTC)
        expected = registers_of(moment)
        expected[3] = (moment.weekday() + 1) % 7 + 1  # Sunday is 1
        assert list(host.clock[:7]) == expected
        assert read(host)[1:2] + read(host)[3:] == (time, False)
        # The registers of alarm 1 remember it, whatever the time is since.
        host.clock[:7] = registers_of(moment + timedelta(days=9) if moment.year < 2099 else moment)
        assert host.c.host_clock_set_s() == time == int.from_bytes(bytes(host.clock[7:11]), "big")


def test_registers_that_are_no_date_are_no_time(host: Host) -> None:
    for register, value in (
        (0, 0x60),
        (1, 0x60),
        (2, 0x24),
        (4, 0x00),
        (4, 0x32),
        (5, 0x00),
        (5, 0x13),
        (6, 0xA0),
        (0, 0x7F),
        (4, 0x30),
    ):
        host.clock[:7] = registers_of(datetime(2026, 2, 3, 4, 5, 6, tzinfo=UTC))
        assert read(host)[1] != 0
        host.clock[register] = value
        assert read(host)[:2] == (True, 0), f"register {register} is {value:#x}"


def test_temperatures_in_all_quarters(host: Host) -> None:
    for quarters in range(-512, 512):
        host.clock[0x11] = quarters >> 2 & 0xFF
        host.clock[0x12] = (quarters & 3) << 6
        assert read(host)[2] == quarters * 250


def test_a_clock_that_is_not_there(host: Host) -> None:
    host.clock[:7] = registers_of(datetime(2026, 2, 3, tzinfo=UTC))
    host.c.host_clock_absent(True)
    assert read(host) == (False, 0, 0, False)
    assert not host.c.host_clock_start()


def pulses(samples: list[int]) -> tuple[int, bool]:
    settled = ctypes.c_bool()
    return int(Host.shared().c.host_rain_pulses(bytes(samples), len(samples), ctypes.byref(settled))), settled.value


def test_a_closing_counts_once_however_it_bounces() -> None:
    source = random.Random(3)
    for _ in range(300):
        samples: list[int] = [0] * 30
        count = source.randrange(6)
        for _ in range(count):
            for edge in (1, 0):
                samples += [value for _ in range(source.randrange(4)) for value in [1] * source.randrange(1, 3) + [0]]
                samples += [edge] * source.randrange(25, 200)
        assert pulses(samples) == (count, True)


def test_short_pulses_are_not_rain() -> None:
    for closed_ms, counted in ((1, 0), (2, 0), (3, 1), (4, 1), (500, 1)):
        assert pulses([0] * 10 + [1] * closed_ms + [0] * 30)[0] == counted, f"{closed_ms} ms"


def test_a_bounce_on_opening_is_no_second_pulse() -> None:
    assert pulses([1] * 50 + [0] * 19 + [1] * 50 + [0] * 30) == (1, True)
    assert pulses([1] * 50 + [0] * 20 + [1] * 50 + [0] * 30) == (2, True)
    assert pulses([1] * 50 + [0] * 10) == (1, False)


def test_the_total_survives_resets_and_torn_writes(host: Host) -> None:
    source = random.Random(4)
    known = 0
    assert host.c.host_rain_start() == 0
    for step in range(3000):
        added = source.randrange(4)
        fails = source.randrange(1, 12) if added and source.random() < 0.2 else -1
        host.c.host_power_fails_after(fails, source.randrange(256))
        total = host.c.host_rain_add(added, step)
        assert total == known + added
        lost_power = not host.c.host_has_power()
        host.c.host_power_fails_after(-1, 0)
        if lost_power or source.random() < 0.1:
            # A write that was torn costs its own pulses, never earlier ones.
            assert host.c.host_rain_start() in (known, total)
            total = host.c.host_rain_start()
        known = total
    assert known > 3000
    assert max(host.wear[:512]) == 0


def test_the_alarm_is_for_rain_within_ten_minutes(host: Host) -> None:
    host.c.host_rain_start()
    for minute in range(30):
        host.c.host_rain_add(2, 60 * minute)
        assert not host.c.host_rain_alarm()
    host.c.host_rain_start()
    host.c.host_rain_add(24, 5)
    assert not host.c.host_rain_alarm()
    host.c.host_rain_add(1, 300)
    assert host.c.host_rain_alarm()
    host.c.host_rain_add(0, 590)
    assert host.c.host_rain_alarm()
    host.c.host_rain_add(0, 601)
    assert not host.c.host_rain_alarm()


def test_the_alarm_is_over_after_a_long_silence(host: Host) -> None:
    host.c.host_rain_start()
    host.c.host_rain_add(200, 10)
    host.c.host_rain_add(200, 20)
    assert host.c.host_rain_alarm()
    host.c.host_rain_add(0, 1_000_000)
    assert not host.c.host_rain_alarm()
    host.c.host_rain_add(25, 1_000_030)
    assert host.c.host_rain_alarm()
