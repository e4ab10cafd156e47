"""The page of ten thousand sensors, 2,000 readings a second, in a storm: what a browser is sent to open it, and
afterwards. A real server, a real browser, and a relay between them that counts.
"""

from __future__ import annotations

import random
import time
import urllib.parse
from pathlib import Path

from counting_relay import Relay
from page_support import text_of
from selenium import webdriver
from selenium.webdriver.common.by import By
from selenium.webdriver.common.keys import Keys
from server_support import Device, Site, TestGateway, until

SENSORS = 10_000
PERIOD_S = 5
IN_ALARM = 500
OPENING_BYTES = 300_000
BYTES_PER_S = 20_000
ROUNDS = 2
SLICES = 50


def frame(device: Device, counter: int) -> bytes:
    """Every reading differs from the one before it; the first sensors have rain that grows harder."""
    rain = (counter - 1) * (30 + device.id % 50 + counter) if device.id <= IN_ALARM else 0
    temperature_mc = 20_000 + 100 * counter + device.id % 1000
    return device.frame(counter, time_s=0, pulses=rain, temperature_mc=temperature_mc, supply_mv=3300 - device.id % 30)


def live_for_one_period(gateway: TestGateway, devices: list[Device], counter: int) -> None:
    """One reading of each sensor, spread over a period."""
    begun = time.monotonic()
    for part in range(SLICES):
        gateway.send([frame(device, counter) for device in devices[part::SLICES]])
        time.sleep(max(0.0, begun + (part + 1) * PERIOD_S / SLICES - time.monotonic()))


def test_ten_thousand_sensors_in_a_storm(farm: Site, browser: webdriver.Chrome, tmp_path: Path) -> None:
    farm.create(fleet=SENSORS, suite="ccm")
    draw = random.Random(13)  # places with a pattern would be sent in fewer bytes
    lines = [f"{device.id},{draw.uniform(-10, -7):.5f},{draw.uniform(-38, -34.8):.5f}" for device in farm.devices]
    (tmp_path / "places.csv").write_text("\n".join(lines))
    farm.run("places", "--set", str(tmp_path / "places.csv"))
    server = farm.server(page="127.0.0.1:0")
    gateway = farm.gateway()
    for counter in (1, 2):
        gateway.deliver([frame(device, counter) for device in farm.devices])
    until(
        lambda: farm.query("SELECT COUNT(*) FROM alarm WHERE cleared_ms IS NULL") == [(IN_ALARM,)], "all are in alarm"
    )
    port = urllib.parse.urlsplit(server.page_url()).port
    assert port
    with Relay(port) as relay:
        browser.get(f"http://127.0.0.1:{relay.port}/")
        browser.find_element(By.ID, "password").send_keys(farm.password, Keys.ENTER)
        canvas = "document.getElementById('map')?.dataset.spots"
        until(lambda: browser.execute_script(f"return {canvas}") == str(SENSORS), "the whole map")
        until(lambda: len(browser.find_elements(By.CSS_SELECTOR, ".card")) == 60, "cards")
        until(lambda: "of" in text_of(browser, "#lost"), "the series of the first")
        opening = relay.received
        assert f"{IN_ALARM} in alarm" in text_of(browser, "#summary")
        assert f"{IN_ALARM - 4} more rain alarms" in text_of(browser, "#alarms h2")
        begun = time.monotonic()
        for counter in range(3, 3 + ROUNDS):
            live_for_one_period(gateway, farm.devices, counter)
        took_s = time.monotonic() - begun
        per_s = (relay.received - opening) / took_s
        print(f"opening: {opening} bytes; afterwards: {per_s:.0f} bytes/s for {took_s:.0f} s")
        assert opening <= OPENING_BYTES
        assert per_s <= BYTES_PER_S
        # It was shown: the last round's temperature is on the last card.
        gateway.drain()
        last = browser.find_elements(By.CSS_SELECTOR, ".card")[-1]
        shown = f"{20 + 0.1 * (2 + ROUNDS) + int(last.get_attribute('data-device') or 0) % 1000 / 1000:.1f} °C"
        until(lambda: shown in last.text, f"{shown} on the last card")
        # One sensor among ten thousand is found on demand.
        browser.find_element(By.ID, "filter").send_keys("9999")
        until(lambda: text_of(browser, ".card .head span:first-child") == "Sensor 9999", "the one that was asked for")
