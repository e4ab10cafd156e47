"""Time: rain is counted in the sensor's order, silence by the server's clock, and what comes late is called late."""

from __future__ import annotations

import json
import struct
import time
import urllib.parse
from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest
from clock_support import start_at
from page_support import enter, login, request, text_of
from selenium import webdriver
from selenium.webdriver.common.by import By
from server_support import BOOT, Device, Server, Site, TestGateway, until

HOUR_MS = 3_600_000


def now_ms() -> int:
    return int(time.time() * 1000)


def ask(farm: Site, server: Server, path: str, **query: int) -> Any:
    session = login(server, farm.password)[1]["set-cookie"].split(";")[0]
    status, _, text = request(server, "GET", f"{path}?{urllib.parse.urlencode(query)}", cookie=session)
    assert status == 200, text
    return json.loads(text)


def series(farm: Site, server: Server, device: Device, from_ms: int, to_ms: int) -> tuple[float, int, int]:
    """What fell, how many readings came, how many are missing."""
    points = ask(farm, server, "/api/series", device=device.id, from_ms=from_ms, to_ms=to_ms, points=500)["points"]
    rain_mm, came, lost = (round(sum(point[field] for point in points), 6) for field in ("rain_mm", "came", "lost"))
    return rain_mm, came, lost


def deliver_in_turn(device: Device, gateways: tuple[TestGateway, TestGateway], ahead_ms: int, begin_ms: int) -> None:
    """An hour of 60 mm, a frame every five seconds, each by the other gateway; the second one's clock is ahead."""
    for counter in range(721):
        sender = counter % 2
        frame = device.frame(counter, time_s=0, pulses=counter * 300 // 720)
        gateways[sender].send([frame], begin_ms + counter * 5000 + sender * ahead_ms)
    for gateway in gateways:
        gateway.drain()


def test_gateways_whose_clocks_differ_add_no_rain(farm: Site) -> None:
    farm.create(fleet=3)
    server = farm.server(page="127.0.0.1:0")
    gateways = (farm.gateway("gw-a"), farm.gateway("gw-b"))
    begin_ms = now_ms() - 2 * HOUR_MS
    for device, ahead_ms in zip(farm.devices, (6_000, 20_000, 180_000), strict=True):
        deliver_in_turn(device, gateways, ahead_ms, begin_ms)
        assert series(farm, server, device, begin_ms - HOUR_MS, now_ms()) == (60.0, 721, 0), f"{ahead_ms} ms ahead"


def test_a_pi_without_a_clock_files_nothing_under_another_year(farm: Site) -> None:
    farm.create(fleet=2)
    server = farm.server(page="127.0.0.1:0")
    set_clock, no_clock = farm.devices
    begin_ms = now_ms() - 60_000
    in_2025 = 1_740_000_000_000
    farm.gateway("gw-a").deliver([no_clock.frame(1, time_s=0)])
    lost = farm.gateway("gw-b")
    lost.deliver([set_clock.frame(1, time_s=begin_ms // 1000)], in_2025)
    lost.deliver([no_clock.frame(2, time_s=0)], in_2025)
    assert series(farm, server, set_clock, begin_ms - 60_000, now_ms())[1] == 1
    assert series(farm, server, no_clock, begin_ms - 60_000, now_ms())[1] == 2


def test_held_back_frames_of_a_dead_sensor_are_late_and_no_sign_of_life(
    farm: Site, browser: webdriver.Chrome, shifted_clock: Path, tmp_path: Path
) -> None:
    farm.create(fleet=3)
    ahead = tmp_path / "seconds"
    ahead.write_bytes(struct.pack("=q", 0))
    server = farm.server(page="127.0.0.1:0", start=False)
    start_at(server, shifted_clock, datetime.now(UTC), more=ahead)
    gateway = farm.gateway()
    dead, alive, hostile = farm.devices
    ago_s = now_ms() // 1000 - 3600
    gateway.deliver([dead.frame(1, time_s=ago_s - 5)], (ago_s - 5) * 1000)
    # Who jammed and recorded them brings them now; a gateway that lies dates its own far ahead.
    gateway.deliver([dead.frame(counter, time_s=ago_s + 5 * counter) for counter in range(2, 20)])
    gateway.deliver([alive.frame(1, time_s=now_ms() // 1000)])
    gateway.deliver([hostile.frame(1, time_s=0)], 2**64 - 1)
    shown = {device["id"]: device for device in ask(farm, server, "/api/overview")["devices"]}
    assert shown[dead.id]["late"] and not shown[alive.id]["late"]
    assert shown[hostile.id]["last_ms"] <= now_ms() and shown[hostile.id]["heard_ms"] <= now_ms()
    enter(browser, server, farm.password)
    until(lambda: text_of(browser, f".card[data-device='{dead.id}'] .state") == "late", "the dead sensor's card")
    assert text_of(browser, f".card[data-device='{alive.id}'] .state") == "reporting"
    # Two minutes later by the server's clock alone, whatever a gateway said.
    with ahead.open("r+b", buffering=0) as file:
        file.write(struct.pack("=q", 120))
    farm.gateway("gw-b").deliver([alive.frame(2, time_s=now_ms() // 1000)])
    until(
        lambda: text_of(browser, f".card[data-device='{hostile.id}'] .state") == "silent",
        "silence by the server's clock",
    )
    # How far the sensor's clock was off when it spoke last.
    browser.find_element(By.CSS_SELECTOR, f".card[data-device='{dead.id}']").click()
    until(lambda: "behind the server's" in text_of(browser, "#facts"), "the sensor's clock")


@pytest.mark.parametrize("database", ["SQLite", "PostgreSQL"])
def test_a_sensor_without_a_clock_that_is_held_back_is_late(
    farm: Site, new_database: Callable[[], str], shifted_clock: Path, tmp_path: Path, database: str
) -> None:
    """Nothing sealed says when it spoke, but its counter does: it sends one frame in each period."""
    farm.database = new_database() if database == "PostgreSQL" else None
    farm.create(fleet=3)
    ahead = tmp_path / "seconds"
    ahead.write_bytes(struct.pack("=q", 0))
    server = farm.server(page="127.0.0.1:0", start=False)
    start_at(server, shifted_clock, datetime.now(UTC), more=ahead)
    held, on, restarted = farm.devices
    gateway = farm.gateway()

    def lateness() -> list[bool]:
        devices = {device["id"]: device["late"] for device in ask(farm, server, "/api/overview")["devices"]}
        return [devices[device.id] for device in farm.devices]

    gateway.deliver([device.frame(counter, time_s=0) for counter in range(10) for device in farm.devices])
    assert lateness() == [False, False, False]
    # An hour later: one sensor's frames were recorded and jammed, one went on sending, one was off.
    with ahead.open("r+b", buffering=0) as file:
        file.write(struct.pack("=q", 3600))
    told_ms = now_ms() + HOUR_MS
    later = [held.frame(10, time_s=0), on.frame(730, time_s=0), restarted.frame(256, kind=BOOT, time_s=0)]
    gateway.deliver(later, received_ms=told_ms)
    assert lateness() == [True, False, False]
    taken_ms = farm.query(f"SELECT time_ms FROM reading WHERE device = {held.id} AND counter = 10")[0][0]
    assert taken_ms < told_ms - HOUR_MS + 60_000
    # The memory of it outlives the server; a sensor that is heard itself again is not late.
    server.kill()
    start_at(server, shifted_clock, datetime.now(UTC), 3600)
    gateway.deliver([held.frame(11, time_s=0)], received_ms=told_ms)
    assert lateness()[0]
    gateway.deliver([held.frame(735, time_s=0)], received_ms=told_ms)
    assert lateness() == [False, False, False]


def test_hundreds_of_alarms_at_once_are_all_shown(farm: Site, browser: webdriver.Chrome) -> None:
    farm.create(fleet=120)
    server = farm.server(page="127.0.0.1:0")
    gateway = farm.gateway()
    gateway.deliver([device.frame(1, time_s=0) for device in farm.devices])
    gateway.deliver([device.frame(2, time_s=0, pulses=50 + device.id) for device in farm.devices])
    until(lambda: farm.query("SELECT COUNT(*) FROM alarm WHERE cleared_ms IS NULL") == [(120,)], "all are raised")
    told = ask(farm, server, "/api/overview")
    assert len([alarm for alarm in told["alarms"] if alarm["cleared_ms"] is None]) == 120
    assert all(device["alarm_mm_per_hour"] > 30 for device in told["devices"])
    enter(browser, server, farm.password)
    until(lambda: "120 in alarm" in text_of(browser, "#summary"), "the count")
    assert (
        len(browser.find_elements(By.CSS_SELECTOR, ".card.alarmed"))
        == 60
        == len(browser.find_elements(By.CSS_SELECTOR, ".card"))
    )
    assert len(browser.find_elements(By.CSS_SELECTOR, "#alarms article")) == 5
    assert "116 more rain alarms" in text_of(browser, "#alarms h2")
    # The hardest rain first; the banner leaves most of the screen to the rest; a line leads to its sensor.
    assert "Sensor 120" in browser.find_element(By.CSS_SELECTOR, "#alarms h2").text
    line = browser.find_element(By.CSS_SELECTOR, "#alarms li button")
    assert line.text.startswith("Sensor 116: ")
    line.click()
    until(lambda: text_of(browser, "#detail-title") == "Sensor 116", "the line's sensor")
