"""The page: nobody without the password, and in a real browser the readings, gaps, refusals and alarms, as they
come.
"""

from __future__ import annotations

import hashlib
import http.client
import json
import os
import re
import signal
import ssl
import subprocess
import sys
import time
import urllib.parse
from collections.abc import Callable
from functools import partial
from pathlib import Path

import pytest
from link_site import DEADLINE_S, free_port, wait_until
from page_support import enter, login, request, text_of
from selenium import webdriver
from selenium.webdriver.common.by import By
from selenium.webdriver.common.keys import Keys
from sensorlink.build_command import build_everything
from server_support import BOOT, Server, Site, until

PULSES_PER_MM = 5


def test_nobody_without_the_password(farm: Site) -> None:
    farm.create()
    server = farm.server(page="127.0.0.1:0")
    assert request(server, "GET", "/")[:2][1]["location"] == "/login"
    for path in ("/api/overview", "/api/series?device=1&from_ms=0&to_ms=1&points=10", "/api/live"):
        assert request(server, "GET", path)[0] == 401, path
        assert request(server, "GET", path, cookie=f"bancada_link={'00' * 32}")[0] == 401, path
        assert request(server, "GET", path, cookie="bancada_link=x")[0] == 401, path
    assert login(server, "not the password")[0] == 401
    status, headers, _ = login(server, farm.password)
    assert status == 303
    cookie = headers["set-cookie"]
    assert "HttpOnly" in cookie and "SameSite=Strict" in cookie
    # Behind a relay that speaks TLS the cookie never goes in clear text.
    assert "Secure" not in cookie
    host = urllib.parse.urlsplit(server.page_url()).netloc
    form = urllib.parse.urlencode({"password": farm.password})
    relayed = request(server, "POST", "/login", form, headers={"Origin": f"https://{host}"})[1]
    assert "; Secure" in relayed["set-cookie"]
    session = cookie.split(";")[0]
    status, headers, text = request(server, "GET", "/api/overview", cookie=session)
    assert status == 200 and len(json.loads(text)["devices"]) == 2
    assert headers["cache-control"] == "no-store" and headers["x-content-type-options"] == "nosniff"
    assert "default-src 'self'" in headers["content-security-policy"]
    # The field's name is its label: a hint inside it would vanish with the first letter.
    page = request(server, "GET", "/", cookie=session)[2]
    (label,) = re.findall(r'<label class="filter">(.*?)<input id="filter" ([^>]*)>', page)
    assert label[0].strip() == "Name or number" and "hold" + "er=" not in label[1]
    # The token itself is nowhere in the database.
    token = bytes.fromhex(session.split("=")[1])
    assert token not in b"".join(path.read_bytes() for path in farm.folder.glob("link.sqlite*"))
    # Another server of the site honours the session; a form from elsewhere does not end it; a new password does.
    other = farm.server(page="127.0.0.1:0")
    assert request(other, "GET", "/api/overview", cookie=session)[0] == 200
    assert request(server, "POST", "/logout", cookie=session, headers={"Sec-Fetch-Site": "cross-site"})[0] == 403
    assert request(server, "GET", "/api/overview", cookie=session)[0] == 200
    assert farm.attempt("password", "--stdin", stdin="correct horse battery\n").returncode == 0
    assert request(server, "GET", "/api/overview", cookie=session)[0] == 401
    assert login(server, farm.password)[0] == 401
    status, headers, _ = login(server, "correct horse battery")
    session = headers["set-cookie"].split(";")[0]
    assert request(server, "POST", "/logout", cookie=session)[0] == 303
    assert request(server, "GET", "/api/overview", cookie=session)[0] == 401


@pytest.mark.parametrize("end", ["logout", "expiry", "new password"])
def test_what_follows_the_page_ends_with_its_session(farm: Site, end: str) -> None:
    farm.create()
    server = farm.server(page="127.0.0.1:0")
    ending, lasting = (login(server, farm.password)[1]["set-cookie"].split(";")[0] for _ in range(2))
    streams = [follow(server, session) for session in (ending, lasting)]
    for stream in streams:
        assert stream.readline().startswith(b"event: ")
    if end == "logout":
        assert request(server, "POST", "/logout", cookie=ending)[0] == 303
    elif end == "expiry":
        digest = hashlib.sha256(bytes.fromhex(ending.split("=")[1])).hexdigest()
        farm.query(f"UPDATE session SET expires_ms = 1 WHERE token = x'{digest}'")
    else:
        assert farm.attempt("password", "--stdin", stdin="correct horse battery\n").returncode == 0
    read_to_the_end(streams[0])
    if end == "new password":
        read_to_the_end(streams[1])
    else:
        farm.gateway().deliver([farm.devices[0].frame(1)])
        until(lambda: b'"gateways"' in streams[1].readline(), "the other session goes on")


def follow(server: Server, session: str) -> http.client.HTTPResponse:
    url = urllib.parse.urlsplit(server.page_url())
    connection = http.client.HTTPConnection(url.hostname or "", url.port, timeout=DEADLINE_S)
    connection.request("GET", "/api/live", headers={"Cookie": session})
    answer = connection.getresponse()
    assert answer.status == 200
    return answer


def read_to_the_end(stream: http.client.HTTPResponse) -> None:
    end = time.monotonic() + DEADLINE_S
    while stream.readline():  # at least a comment every 15 s, as long as it is open
        assert time.monotonic() < end, "the stream goes on without its session"


def test_guessing_is_slowed_down(farm: Site) -> None:
    farm.create()
    server = farm.server(page="127.0.0.1:0")
    for _ in range(
        10
    ):  # the wait is of two seconds: a machine that stands still for as long, at this moment, gets another try
        statuses = [login(server, f"guess number {number}")[0] for number in range(5)]
        assert statuses == [401] * 5
        status, headers, text = login(server, farm.password)
        if status != 303:
            break
    assert status == 429 and 1 <= int(headers["retry-after"]) <= 3
    assert "Too many attempts" in text
    until(lambda: login(server, farm.password)[0] == 303, "the right password is let in after the wait")


def test_beyond_loopback_it_speaks_tls_only(farm: Site) -> None:
    farm.create()
    server = farm.server(page="0.0.0.0:0")
    assert server.page_url().startswith("https://")
    trusting = ssl.create_default_context(cafile=str(farm.folder / "ca" / "ca.crt"))
    status, headers, _ = login(server, farm.password, trusting)
    assert status == 303 and "Secure" in headers["set-cookie"]
    with pytest.raises(ssl.SSLCertVerificationError):
        login(server, farm.password, ssl.create_default_context())
    old = ssl.create_default_context(cafile=str(farm.folder / "ca" / "ca.crt"))
    old.maximum_version = ssl.TLSVersion.TLSv1_2
    with pytest.raises(ssl.SSLError):
        login(server, farm.password, old)
    plain = http.client.HTTPConnection(
        "127.0.0.1", urllib.parse.urlsplit(server.page_url()).port or 0, timeout=DEADLINE_S
    )
    with pytest.raises((http.client.HTTPException, ConnectionError)):
        plain.request("GET", "/login")
        plain.getresponse()


def test_a_port_that_is_taken_is_one_sentence(farm: Site) -> None:
    farm.create()
    server = farm.server(page="127.0.0.1:0")
    address = server.page_url().removeprefix("http://").rstrip("/")
    done = farm.attempt("serve", "--page", address)
    assert done.returncode == 2
    assert f"bancada: The page cannot listen on {address}: " in done.stderr


def test_in_a_browser(farm: Site, browser: webdriver.Chrome) -> None:
    farm.create(fleet=3, extra=("--rain-alarm", "40", "--rain-window", "10"))
    server = farm.server(page="127.0.0.1:0")
    gateway = farm.gateway()
    rainy, dry, _never = farm.devices
    now_ms = int(time.time() * 1000)

    def minutes_ago(minutes: float) -> int:
        return now_ms - int(minutes * 60_000)

    gateway.send([dry.frame(0, kind=BOOT)], minutes_ago(12))
    for counter in range(1, 60):
        if counter % 10 != 5:
            gateway.send(
                [dry.frame(counter, temperature_mc=18_000 + 10 * counter, supply_mv=2900)],
                minutes_ago(12 - counter / 5),
            )
    gateway.send([rainy.frame(1, pulses=100)], minutes_ago(11))
    gateway.send([rainy.frame(2, pulses=100)], minutes_ago(6))
    gateway.drain()
    browser.get(server.page_url())
    browser.find_element(By.ID, "password").send_keys("wrong password", Keys.ENTER)
    until(lambda: "The name or the password is wrong" in text_of(browser, ".mistake"), "the mistake is named")
    enter(browser, server, farm.password)
    until(lambda: len(browser.find_elements(By.CSS_SELECTOR, ".card")) == 3, "three sensors")
    assert text_of(browser, "#alarms") == ""
    assert "received 54 of the last 60" in text_of(browser, f".card[data-device='{dry.id}']")
    assert "battery low: 2.90 V" in text_of(browser, f".card[data-device='{dry.id}']")
    assert "no reading yet" in text_of(browser, ".card.never")

    # It rains 8 mm within the ten minutes: 48 mm/h. The page shows it by itself, large, and in its title.
    gateway.deliver([rainy.frame(3, pulses=100 + 8 * PULSES_PER_MM)])
    until(lambda: "Rain alarm: Sensor 1" in text_of(browser, "#alarms h2"), "the alarm is shown")
    assert "48 mm/h" in text_of(browser, "#alarms p") and "threshold is 40 mm/h" in text_of(browser, "#alarms p")
    assert browser.title.startswith("⚠ 1 rain alarm")
    until(lambda: "RAIN ALARM" in text_of(browser, ".card.alarmed .state"), "its card says so too")
    shown = browser.find_element(By.CSS_SELECTOR, "#alarms h2")
    assert float(shown.value_of_css_property("font-size").removesuffix("px")) >= 24

    # A forgery appears among the refusals, with its reason.
    forged = bytearray(dry.frame(70))
    forged[12] ^= 8
    gateway.deliver([bytes(forged)])
    until(lambda: "forged tag: 1" in text_of(browser, "#reasons"), "the refusal is shown")
    assert bytes(forged).hex() in text_of(browser, "#refusals .bytes")

    # The chosen sensor's series, its losses by counter, and single values by the keyboard.
    browser.find_element(By.CSS_SELECTOR, f".card[data-device='{dry.id}']").click()
    until(
        lambda: text_of(browser, "#detail-title") == "Sensor 2" and "6 of 60" in text_of(browser, "#lost"),
        "the series with its losses",
    )
    browser.find_element(By.ID, "temperature").send_keys(Keys.HOME, Keys.ARROW_RIGHT)
    assert "18.01 °C" in text_of(browser, "#temperature-out")
    assert "Arrow keys" in (browser.find_element(By.ID, "temperature").get_attribute("aria-label") or "")

    # The rain ends; the alarm is cleared, and stays in the list.
    gateway.deliver([rainy.frame(4, pulses=100 + 8 * PULSES_PER_MM)], received_ms=int(time.time() * 1000))
    assert "still raised" in text_of(browser, "#history")
    gateway.deliver([rainy.frame(405, pulses=100 + 8 * PULSES_PER_MM)])  # half an hour later, by the counter
    until(lambda: text_of(browser, "#alarms") == "", "the alarm is gone")
    until(
        lambda: "still raised" not in text_of(browser, "#history") and "48.0 mm/h" in text_of(browser, "#history"),
        "the alarm is in the list",
    )

    # Two machines that call themselves one gateway.
    gateway.leave()
    other = farm.gateway()
    other.leave()
    for counter in range(71, 77):
        machine = gateway if counter % 2 else other
        machine.come_back()
        machine.deliver([dry.frame(counter)])
        machine.leave()
    until(
        lambda: "connected; two machines use its certificate (" in text_of(browser, "#gateways td.low"),
        "the second machine is shown",
    )

    # On a phone nothing is wider than the screen; in the dark it is dark.
    browser.execute_cdp_cmd(
        "Emulation.setDeviceMetricsOverride", {"width": 390, "height": 844, "deviceScaleFactor": 2, "mobile": True}
    )
    until(lambda: browser.execute_script("return document.documentElement.scrollWidth") == 390, "as wide as the phone")
    browser.execute_cdp_cmd(
        "Emulation.setEmulatedMedia", {"features": [{"name": "prefers-color-scheme", "value": "dark"}]}
    )
    until(
        lambda: browser.execute_script("return getComputedStyle(document.body).backgroundColor") == "rgb(15, 21, 18)",
        "dark",
    )

    # The server goes: the page says so, rather than show old readings as if they were new.
    server.kill()
    until(lambda: "no connection" in text_of(browser, "#connection"), "the lost connection is shown")
    # What the browser complains of: the wrong password and the lost connection, which were meant, and nothing else.
    complaints = [entry["message"] for entry in browser.get_log("browser")]  # type: ignore[no-untyped-call]
    assert [message for message in complaints if "401" not in message and "net::ERR_" not in message] == []


@pytest.mark.parametrize("database", ["SQLite", "PostgreSQL"])
def test_alarms_survive_the_server_and_a_gateway_whose_clock_is_wrong(
    farm: Site, new_database: Callable[[], str], database: str
) -> None:
    farm.database = new_database() if database == "PostgreSQL" else None
    farm.create()
    server = farm.server(page="127.0.0.1:0")
    gateway = farm.gateway()
    one, two = farm.devices
    day_ms = 86_400_000
    now_ms = int(time.time() * 1000)
    # A gateway's clock a day ahead, then right again: it rained before the second alarm's time nevertheless.
    gateway.deliver([one.frame(1)], now_ms + day_ms)
    gateway.deliver([one.frame(2, pulses=100)], now_ms + day_ms + 1000)
    until(
        lambda: farm.query(f"SELECT COUNT(*) FROM alarm WHERE device = {one.id} AND cleared_ms IS NULL") == [(1,)],
        "raised in spite of the clock",
    )
    assert farm.query("SELECT MAX(raised_ms) FROM alarm")[0][0] < now_ms + day_ms
    # Stored, and the server killed at once: its successor looks back.
    server.kill()
    server.start()
    gateway.deliver([two.frame(1)])
    gateway.deliver([two.frame(2, pulses=60)])
    server.kill()
    server.start()
    until(
        lambda: farm.query(f"SELECT COUNT(*) FROM alarm WHERE device = {two.id}") == [(1,)], "judged after the restart"
    )
    assert farm.query("SELECT COUNT(*) FROM alarm") == [(2,)]
    # What the page is told, from either database.
    session = login(server, farm.password)[1]["set-cookie"].split(";")[0]
    shown = json.loads(request(server, "GET", "/api/overview", cookie=session)[2])
    assert [(device["id"], device["accepted"], device["rain_mm"]) for device in shown["devices"]] == [
        (one.id, 2, 20.0),
        (two.id, 2, 12.0),
    ]
    assert sorted((alarm["device"], alarm["peak"], alarm["cleared_ms"]) for alarm in shown["alarms"]) == [
        (one.id, 120.0, None),
        (two.id, 72.0, None),
    ]
    wanted = f"/api/series?device={two.id}&from_ms={now_ms - 60_000}&to_ms={now_ms + 600_000}&points=60"
    series = json.loads(request(server, "GET", wanted, cookie=session)[2])
    assert sum(point["came"] for point in series["points"]) == 2
    assert sum(point["rain_mm"] for point in series["points"]) == 12.0


def has_readings_of_two(site: Site) -> bool:
    heard: int = site.query("SELECT COUNT(DISTINCT device) FROM reading")[0][0]
    return heard == 2


def test_the_demonstration_starts_twice_and_leaves_nothing(tmp_path: Path) -> None:
    """`bancada link demo`: URL, password, readings of the simulated firmware on the page; Ctrl-C ends every child.

    After set-up it compiles nothing: the compilers that it would find here fail.
    """
    build_everything()
    compilers = tmp_path / "compilers"
    compilers.mkdir()
    for name in ("cargo", "make", "avr-gcc"):
        (compilers / name).write_text("#!/bin/sh\nexit 99\n")
        (compilers / name).chmod(0o755)
    path = f"{compilers}:{os.environ['PATH']}"
    for attempt in range(2):
        scratch = tmp_path / str(attempt)
        scratch.mkdir()
        log = scratch / "demo.log"
        with log.open("w") as output:
            demo = subprocess.Popen(
                [sys.executable, "-m", "bancada", "link", "demo", "--page-port", str(free_port())],
                stdout=output,
                stderr=output,
                env={**os.environ, "TMPDIR": str(scratch), "PATH": path},
                start_new_session=True,
            )
        try:
            said = lambda: "Ctrl-C" in log.read_text() or demo.poll() is not None  # noqa: B023, E731
            wait_until(said, "the demonstration runs", timeout_s=120)
            assert demo.poll() is None, log.read_text()
            children = [pid for pid in map(int, filter(str.isdigit, os.listdir("/proc"))) if parent(pid) == demo.pid]
            assert len(children) == 4
            (database,) = scratch.glob("bancada-link-demo-*/site/link.sqlite")
            site = Site(database.parent)
            until(partial(has_readings_of_two, site), "readings of both sensors")
            assert site.query("SELECT COUNT(*) FROM refusal WHERE reason = 'forged tag'") == [(0,)]
            demo.send_signal(signal.SIGINT if attempt == 0 else signal.SIGKILL)
            code = demo.wait(DEADLINE_S)
            assert code == (0 if attempt == 0 else -signal.SIGKILL), log.read_text()
            until(lambda: not any(alive(pid) for pid in children), "every child has ended")  # noqa: B023
            if attempt == 0:
                assert not list(scratch.glob("bancada-link-demo-*"))
        finally:
            if demo.poll() is None:
                demo.kill()
                demo.wait()


def parent(pid: int) -> int:
    try:
        return int(Path(f"/proc/{pid}/stat").read_text().rsplit(")", 1)[1].split()[1])
    except OSError:
        return 0


def alive(pid: int) -> bool:
    try:
        return Path(f"/proc/{pid}/stat").read_text().rsplit(")", 1)[1].split()[0] != "Z"
    except OSError:
        return False
