"""Thresholds of rain: levels and sums of hours and days, for each sensor, taken from a file."""

from __future__ import annotations

import json
import os
import time
from collections.abc import Callable
from pathlib import Path

import pytest
from page_support import enter, login, request, text_of
from selenium import webdriver
from server_support import Site, until

TABLE = """
levels = ["attention", "alert", "emergency"]

[[threshold]]
level = "attention"
hours = 24
mm = 20

[[threshold]]
level = "alert"
hours = 24
mm = 40

[[threshold]]
level = "emergency"
hours = 72
mm = 100

[[threshold]]
level = "emergency"
minutes = 10
mm = 8          # 48 mm/h: more than the sensor's own flag says
sensors = [2]
"""
HOUR_S = 3600


@pytest.mark.parametrize("database", ["SQLite", "PostgreSQL"])
def test_levels_and_sums_of_days_for_each_sensor(
    farm: Site, new_database: Callable[[], str], browser: webdriver.Chrome, tmp_path: Path, database: str
) -> None:
    farm.database = new_database() if database == "PostgreSQL" else None
    farm.create(fleet=4)
    table = tmp_path / "thresholds.toml"
    table.write_text(TABLE)
    server = farm.server(page="127.0.0.1:0")
    said = farm.run("thresholds", "--set", str(table)).splitlines()
    assert said[0] == "attention: 20 mm in 24 h, until below 10 mm; all sensors"
    assert said[2] == "emergency: 8 mm in 10 min, until below 4 mm; sensors 2"
    slow, own, wet, dry = farm.devices
    begin_s = int(time.time()) - 80 * HOUR_S
    gateway = farm.gateway()

    def day(hours: int, mm_per_hour: float) -> list[tuple[int, int]]:
        return [(begin_s + hour * HOUR_S, round(hour * mm_per_hour * 5)) for hour in range(hours)]

    for device, readings in ((slow, day(80, 1.0)), (wet, day(80, 1.8)), (dry, day(80, 0.2))):
        gateway.deliver(
            [
                device.frame(720 * at, time_s=time_s, pulses=pulses, flags=4)
                for at, (time_s, pulses) in enumerate(readings)
            ]
        )
    # 42 mm/h for a quarter of an hour, and the sensor's own flag is up: below its own threshold. Then 60 mm/h.
    gateway.deliver([own.frame(at, time_s=begin_s + 60 * at, pulses=round(3.5 * at), flags=4) for at in range(15)])
    gateway.deliver([dry.frame(99_999, time_s=int(time.time()), pulses=80)])

    def open_levels() -> set[tuple[int, str]]:
        return {
            (int(row[0]), str(row[1])) for row in farm.query("SELECT device, level FROM alarm WHERE cleared_ms IS NULL")
        }

    expected = {(slow.id, "attention"), (wet.id, "attention"), (wet.id, "alert"), (wet.id, "emergency")}
    until(lambda: open_levels() == expected, "the levels that the sums reach")
    gateway.deliver([own.frame(at, time_s=begin_s + 60 * at, pulses=49 + 5 * (at - 14)) for at in range(15, 26)])
    until(lambda: (own.id, "emergency") in open_levels(), "the sensor's own threshold")

    session = login(server, farm.password)[1]["set-cookie"].split(";")[0]
    told = json.loads(request(server, "GET", "/api/overview", cookie=session)[2])
    assert [(row["level"], row["mm"], row["minutes"]) for row in told["thresholds"]] == [
        ("attention", 20.0, 1440),
        ("alert", 40.0, 1440),
        ("emergency", 100.0, 4320),
    ]
    assert {row["id"]: row["alarm_level"] for row in told["devices"]} == {
        slow.id: "attention",
        own.id: "emergency",
        wet.id: "emergency",
        dry.id: None,
    }
    enter(browser, server, farm.password)
    until(lambda: "3 in alarm" in text_of(browser, "#summary"), "three sensors, each once")
    heads = text_of(browser, "#alarms h2").split("|")
    assert sorted(heads) == ["⚠ Attention: Sensor 1", "⚠ Emergency: Sensor 2", "⚠ Emergency: Sensor 3"]
    assert heads[-1] == "⚠ Attention: Sensor 1"
    until(lambda: text_of(browser, ".card.alarmed .state") == "EMERGENCY|EMERGENCY|ATTENTION", "the severest first")
    assert "128 mm in 72 h" in text_of(browser, "#alarms p") or "130 mm in 72 h" in text_of(browser, "#alarms p")
    assert "Attention from 20 mm in 24 h" in text_of(browser, "#summary")
    if folder := os.environ.get("LINK_TEST_PICTURES"):
        for width, height in ((1280, 900), (390, 844)):
            browser.set_window_size(width, height)
            browser.save_screenshot(f"{folder}/thresholds-{database}-{width}.png")


def test_a_table_that_is_wrong_changes_nothing(farm: Site, tmp_path: Path) -> None:
    farm.create()
    table = tmp_path / "thresholds.toml"
    table.write_text(TABLE)
    farm.run("thresholds", "--set", str(table))
    before = farm.run("thresholds")
    for wrong, said in (
        (TABLE.replace("[2]", "[2, 77]"), f"{table}: there is no sensor 77.\n"),
        (TABLE.replace("mm = 20", "mm = -1"), f"{table}: threshold 1: mm: a sum above 0.\n"),
        (TABLE.replace("hours = 72", "days = 3"), f"{table}: line 16: unknown field `days`"),
    ):
        table.write_text(wrong)
        refused = farm.attempt("thresholds", "--set", str(table))
        assert refused.returncode == 2 and said in refused.stderr and refused.stderr.count("\n") == 1, refused.stderr
    assert farm.run("thresholds") == before
    refused = farm.attempt("provision", "--rain-alarm", "50")
    assert refused.returncode == 2 and "thresholds --set" in refused.stderr
    farm.run("thresholds", "--none")
    farm.provision("--rain-alarm", "50", "--rain-window", "20")
    assert farm.run("thresholds").startswith("alarm: 16.66")


def test_a_database_from_before_levels_keeps_its_alarms(farm: Site) -> None:
    farm.create(fleet=1)
    farm.query("DROP INDEX alarm_open_level")
    for column in ("level", "rank", "window_ms"):
        farm.query(f"ALTER TABLE alarm DROP COLUMN {column}")
    farm.query("CREATE UNIQUE INDEX alarm_open ON alarm (device) WHERE cleared_ms IS NULL")
    farm.query("UPDATE setting SET value = '4' WHERE name = 'schema'")
    farm.query(
        "INSERT INTO alarm (device, raised_ms, threshold_mm_per_hour, peak_mm_per_hour) VALUES (1, 5, 30.0, 40.0)"
    )
    farm.run("thresholds")
    assert farm.query("SELECT device, level, rank, cleared_ms FROM alarm") == [(1, "alarm", 0, None)]
    assert farm.query("SELECT value FROM setting WHERE name = 'schema'") == [("7",)]
    assert farm.query("SELECT name FROM sqlite_master WHERE name LIKE 'alarm_open%'") == [("alarm_open_level",)]
