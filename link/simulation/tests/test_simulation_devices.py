"""What is around the simulated microcontroller: clock, EEPROM, resets, sleep, rain."""

from __future__ import annotations

import calendar
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from simulation_bench import PROBES, build, firmware, of, run, summary_of

Said = list[tuple[str, str]]
Probe = Callable[..., tuple[Said, list[dict[str, Any]]]]

EXTERNAL, BROWN_OUT, POWER_ON, WATCHDOG = 1 << 1, 1 << 2, 1 << 0, 1 << 3  # in MCUSR
START_UP_S = 0.065 + 16384 / 16e6


@pytest.fixture
def probe(tmp_path: Path) -> Probe:
    """Runs a firmware and gives what it said, and the events."""

    def run_probe(
        source: str, duration_s: float, flags: tuple[str, ...] = (), **settings: Any
    ) -> tuple[Said, list[dict[str, Any]]]:
        elf = build(tmp_path, PROBES / source, *flags)
        node = firmware("probe", elf, uart={"file": str(tmp_path / "uart")}, **settings)
        events = run([node], duration_s)
        text = b"".join(bytes.fromhex(event["bytes"]) for event in of(events, "uart")).decode()
        return [(line.split("=")[0], line.split("=")[1]) for line in text.splitlines() if "=" in line], events

    return run_probe


def unix_s(*calendar_time: int) -> int:
    return calendar.timegm((*calendar_time, 0, 0, 0))


def clock(**settings: Any) -> dict[str, Any]:
    return {"square_wave": "PD3", **settings}


def test_the_clock_counts_through_a_leap_day(probe: Probe) -> None:
    start = unix_s(2028, 2, 28, 23, 59, 57)
    said, _ = probe("clock_probe.c", 8, clock=clock(unix_s=start, temperature_c=-10.25, oscillator_stopped=True))
    assert said[0] == ("a-device-that-is-not-there", "32")  # status 20h: not acknowledged
    registers = {name: value for name, value in said if name in ("first", "set", "rolled-over")}
    # Seconds ... year; alarms; control at power-on 1Ch, status with OSF and EN32kHz; aging; -10.25 C: data sheet,
    # "Temperature".
    assert registers["first"] == "57592301280228" + "00" * 7 + "1c8800" + "f5c0"
    each = [value[:14] for name, value in said if name == "each"]
    assert each == ["58592301280228", "59592301280228", "00000002290228", "01000002290228"]  # Monday, then Tuesday
    cleared = next(value for name, value in said if name == "each")
    assert cleared[0x0E * 2 : 0x10 * 2] == "0000"  # 1 Hz; OSF and the rest written 0
    assert registers["set"][:14] == "58592307311229"
    # Setting the seconds begins a second: its end is a second later.
    assert int(dict(said)["second-lasts-us"]) == pytest.approx(1e6, abs=3000)
    assert registers["rolled-over"][:14] == "00000001010130"


def test_the_clock_drifts(probe: Probe) -> None:
    """Half a per cent fast: after four seconds by the clock, 3.98 have passed."""
    start = unix_s(2026, 6, 1, 12, 0, 0)
    _, events = probe("clock_probe.c", 6, clock=clock(unix_s=start, phase_s=0.25, drift_ppm=5000))
    text = [(event["time_us"], bytes.fromhex(event["bytes"]).decode()) for event in of(events, "uart")]
    times = [time_us for time_us, words in text if "each" in words]
    expected = [(number - 0.25) / 1.005 for number in (1, 2, 3, 4)]
    assert [time_us / 1e6 for time_us in times] == pytest.approx(expected, abs=0.012)


def test_a_write_to_eeprom_takes_its_time_and_a_failing_supply_spoils_it(probe: Probe) -> None:
    at: list[dict[str, Any]] = [
        {"time_s": 0.5, "cause": "external"},
        {"time_s": 1, "cause": "brown-out"},
        {"time_s": 1.5, "cause": "power-loss"},
    ]
    said, events = probe("memory_probe.c", 2, resets={"at": at})
    of_name = {name: [int(value) for key, value in said if key == name] for name, _ in said}
    assert of_name["cause"] == [POWER_ON, EXTERNAL, BROWN_OUT, POWER_ON]
    assert of_name["ram"][1:] == [1, 1, 0]
    assert of_name["line"] == [1, 1, 1, 1]
    assert of_name["write-us"] == pytest.approx([3400] * 4, abs=10)
    writes = of(events, "eeprom-write")
    assert {event["address"] for event in writes} == {100}
    gaps = [b["time_us"] - a["time_us"] for a, b in zip(writes, writes[1:], strict=False)]
    assert min(gaps) >= 3400
    last_before = [[event["value"] for event in writes if event["time_us"] < reset["time_s"] * 1e6][-1] for reset in at]
    torn = of(events, "eeprom-torn")
    assert [event["time_us"] for event in torn] == [1_000_000, 1_500_000]
    assert of_name["byte"] == [0xFF, last_before[0], torn[0]["value"], torn[1]["value"]]
    assert summary_of(events, "probe")["torn_writes"] == 2
    assert summary_of(events, "probe")["eeprom_writes_of_busiest_cell"] == len(writes)
    assert of(events, "complaint") == []


def test_torn_bytes_depend_on_the_seed_only(probe: Probe) -> None:
    resets = {"mean_interval_s": 0.3, "causes": ["brown-out"]}
    (_, first), (_, again) = (probe("memory_probe.c", 3, resets=resets) for _ in range(2))
    torn = [(event["time_us"], event["value"]) for event in of(first, "eeprom-torn")]
    assert torn == [(event["time_us"], event["value"]) for event in of(again, "eeprom-torn")]
    writes = [(event["time_us"], event["value"]) for event in of(first, "eeprom-write")]
    meant = [[value for began_us, value in writes if began_us <= torn_us][-1] for torn_us, _ in torn]
    assert len(torn) > 3
    assert sum(value != whole for (_, value), whole in zip(torn, meant, strict=True)) >= len(torn) - 1


def test_the_eeprom_image_is_kept_up_to_date(probe: Probe, tmp_path: Path) -> None:
    image, saved = tmp_path / "image.bin", tmp_path / "saved.bin"
    image.write_bytes(bytes(range(256)) * 4)
    said, events = probe("memory_probe.c", 0.5, eeprom={"load": str(image), "save": str(saved)})
    assert dict(said)["byte"] == "100"
    expected = bytearray(range(256)) * 4
    expected[100] = of(events, "eeprom-write")[-1]["value"]
    assert saved.read_bytes() == bytes(expected)


def test_the_first_instruction_comes_after_the_start_up_time(probe: Probe) -> None:
    _, events = probe("memory_probe.c", 0.2)
    assert of(events, "uart")[0]["time_us"] / 1e6 == pytest.approx(START_UP_S, abs=0.006)  # looked at every 5 ms


def test_power_down_stops_the_timers_and_idle_does_not(probe: Probe) -> None:
    """ATmega328P data sheet, "Power-down Mode". The watchdog's own oscillator goes on."""
    said, events = probe("sleep_probe.c", 12, rain={"pin": "PD2", "times_s": [4, 5, 6.5], "bounces": 0})
    figures = {name: int(value) for name, value in said}
    assert figures["timer-us"] < 1000
    assert figures["ticks"] <= 1
    assert figures["ticks-in-idle"] == pytest.approx(1024, abs=3)  # 131072 cycles of 128 kHz
    shares = summary_of(events, "probe")["shares"]
    assert shares["power-down"] == pytest.approx((1.024 + 8.192) / 12, abs=0.01)
    assert shares["idle"] == pytest.approx(1.024 / 12, abs=0.005)
    assert figures["edges"] == summary_of(events, "probe")["rain_pulses"] == 3


@pytest.mark.parametrize("flags", [(), ("-DKEEP_IT",)], ids=["turned off", "made longer"])
def test_the_watchdog_resets_once(probe: Probe, flags: tuple[str, ...]) -> None:
    """After its reset it runs on with 16 ms; what it was set to before counts for nothing any more."""
    said, events = probe("watchdog_probe.c", 2.5, flags=flags)
    assert [event["cause"] for event in of(events, "reset")] == ["watchdog"]
    causes = [int(value) for name, value in said if name == "cause"]
    assert causes == [POWER_ON, WATCHDOG]
    assert [int(value) for name, value in said if name == "alive"] == ([1, 2] if flags else [1])
    # 32 Ki cycles of 128 kHz: data sheet, table "Watchdog Timer Prescale Select".
    started_s = of(events, "uart")[0]["time_us"] / 1e6
    assert of(events, "reset")[0]["time_us"] / 1e6 - started_s == pytest.approx(0.256, abs=0.012)


def test_the_rain_gauges_contact_bounces(probe: Probe) -> None:
    """Each bounce is a falling edge more; in power-down they are over before the crystal runs."""
    rain = {"pin": "PD2", "times_s": [4, 5, 6.5], "bounces": 4}
    edges = [
        int(dict(probe("sleep_probe.c", 12, flags=flags, rain=rain)[0])["edges"])
        for flags in (("-DCOUNT_IN_IDLE",), ())
    ]
    assert edges == [3 * 5, 3]


def test_random_rain_has_its_mean(probe: Probe) -> None:
    _, events = probe(
        "memory_probe.c", 1000, clock=None, mcu="atmega328p", rain={"pin": "PD2", "mean_interval_s": 2}, start_s=990
    )
    assert summary_of(events, "probe")["rain_pulses"] == pytest.approx(
        500 * 0.9, abs=60
    )  # the bucket takes 0.2 s to tip back
