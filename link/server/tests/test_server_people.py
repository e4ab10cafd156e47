"""Users of the page: who may do what, the record of log-ins, limits on guessing, and the password of before."""

from __future__ import annotations

import http.client
import json
import ssl
import time
import urllib.parse

import pytest
from page_support import enter, login, request, session_of, text_of
from selenium import webdriver
from selenium.webdriver.common.by import By
from server_support import Server, Site, until

# What each role may ask for, besides what the one before may: method, path, form.
VIEWER = [
    ("GET", "/api/overview", ""),
    ("GET", "/api/sensors/1/notes", ""),
    ("POST", "/api/view", "stream=none"),
]
OPERATOR = [
    ("POST", "/api/sensors/1", "name=Ribeira&latitude=-8,05&longitude=-34.9"),
    ("POST", "/api/sensors/1/notes", "text=a+note"),
    ("POST", "/api/alarms/1/notes", "text=a+note"),
    ("POST", "/api/notices/1/acknowledge", ""),
]
ADMINISTRATOR = [
    ("GET", "/api/people", ""),
    ("POST", "/api/people", "name=new&role=viewer"),
    ("POST", "/api/people/role", "name=new&role=operator"),
    ("POST", "/api/people/password", "name=new"),
    ("POST", "/api/people/remove", "name=new"),
]


def add_user(site: Site, name: str, role: str) -> str:
    password = f"the password of {name}"
    done = site.attempt("user", name, "--role", role, "--stdin", stdin=f"{password}\n")
    assert done.returncode == 0, done.stderr
    return password


def test_each_role_may_do_what_it_may_and_no_more(farm: Site) -> None:
    farm.create()
    server = farm.server(page="127.0.0.1:0")
    sessions = {"": ""}
    for role in ("viewer", "operator", "administrator"):
        sessions[role] = session_of(server, add_user(farm, f"one.{role}", role), f"one.{role}")
    ranks = list(sessions)
    for least, requests in ((1, VIEWER), (2, OPERATOR), (3, ADMINISTRATOR)):
        for method, path, form in requests:
            for rank, role in enumerate(ranks):
                status = request(server, method, path, form, cookie=sessions[role])[0]
                # What is not there is not found, which only those learn who may ask.
                expected = (401,) if not role else (200, 204, 404) if rank >= least else (403,)
                assert status in expected, (role, method, path, status)
    assert farm.query("SELECT name FROM device WHERE id = 1") == [("Ribeira",)]
    assert farm.query("SELECT latitude, longitude FROM place") == [(-8.05, -34.9)]
    assert farm.query("SELECT account, text FROM note ORDER BY number") == [
        ("one.operator", "a note"),
        ("one.administrator", "a note"),
    ]
    # A role that is taken away is gone with the next request; a user that is removed has no session.
    farm.run("user", "one.operator", "--role", "viewer")
    assert request(server, "POST", "/api/sensors/1/notes", "text=x", cookie=sessions["operator"])[0] == 403
    farm.run("user", "one.viewer", "--remove")
    assert request(server, "GET", "/api/overview", cookie=sessions["viewer"])[0] == 401
    # The last administrator stays, whoever asks.
    farm.run("user", "admin", "--remove")
    last = request(server, "POST", "/api/people/remove", "name=one.administrator", cookie=sessions["administrator"])
    assert (last[0], last[2]) == (409, "This is the last administrator: make another one first.")
    refused = farm.attempt("user", "one.administrator", "--role", "viewer")
    assert refused.returncode == 2 and "the last administrator" in refused.stderr


def test_what_is_wrong_is_refused_and_changes_nothing(farm: Site) -> None:
    farm.create()
    server = farm.server(page="127.0.0.1:0")
    session = session_of(server, farm.password)
    for path, form in (
        ("/api/sensors/1", "name=&latitude=&longitude="),
        ("/api/sensors/1", "name=x&latitude=91&longitude=0"),
        ("/api/sensors/1", "name=x&latitude=1&longitude="),
        ("/api/sensors/1", f"name={'x' * 81}&latitude=&longitude="),
        ("/api/sensors/1/notes", "text=+"),
        ("/api/sensors/1/notes", f"text={'x' * 2001}"),
        ("/api/people", "name=a+b&role=viewer"),
        ("/api/people", "name=admin&role=viewer"),
        ("/api/own-password", f"old={farm.password}&new=short"),
        ("/api/own-password", f"old={farm.password}&new={'x' * 1025}"),
        ("/api/own-password", "old=wrong+password&new=long+enough+password"),
    ):
        assert request(server, "POST", path, form, cookie=session)[0] == 409, (path, form)
    for path in ("/api/sensors/99", "/api/sensors/99/notes", "/api/alarms/99/notes"):
        form = "name=x&latitude=&longitude=&text=x"
        assert request(server, "POST", path, form, cookie=session)[0] == 404, path
    assert request(server, "POST", "/api/people", "name=x&role=king", cookie=session)[0] == 400
    assert farm.query("SELECT COUNT(*) FROM note") == farm.query("SELECT COUNT(*) FROM place") == [(0,)]
    assert farm.query("SELECT name FROM account") == [("admin",)]
    # One's own password: the old one is needed, and every session of this user ends.
    form = urllib.parse.urlencode({"old": farm.password, "new": "correct horse battery"})
    assert request(server, "POST", "/api/own-password", form, cookie=session)[0] == 204
    assert request(server, "GET", "/api/overview", cookie=session)[0] == 401
    assert session_of(server, "correct horse battery")


@pytest.mark.parametrize("name", ["maria", "nobody"])
def test_guesses_are_counted_by_name_and_recorded(farm: Site, name: str) -> None:
    """From elsewhere each guess has an address of its own: only the name slows it down. Nothing tells whether there is
    such a user.
    """
    farm.create()
    server = farm.server(page="0.0.0.0:0", extra=("--page-host", "localhost"))
    assert server.page_url().startswith("https")
    password = add_user(farm, "maria", "operator")

    def attempt(from_address: str, secret: str) -> int:
        context = ssl.create_default_context(cafile=str(farm.folder / "ca" / "ca.crt"))
        port = urllib.parse.urlsplit(server.page_url()).port
        connection = http.client.HTTPSConnection(
            "localhost", port, timeout=60, context=context, source_address=(from_address, 0)
        )
        form = urllib.parse.urlencode({"username": name, "password": secret})
        connection.request("POST", "/login", form, {"Content-Type": "application/x-www-form-urlencoded"})
        status = connection.getresponse().status
        connection.close()
        return status

    if name == "maria":
        assert attempt("127.0.0.1", password) == 303
    statuses = [attempt(f"127.0.1.{number}", "a guess") for number in range(1, 9)]
    assert statuses[:5] == [401] * 5 and 429 in statuses[5:]
    if name == "maria":
        # At an address where she has logged in before, what others guess does not hold her up.
        assert attempt("127.0.0.1", password) == 303
    rows = farm.query("SELECT account, address, outcome FROM login ORDER BY number")
    assert (name, "127.0.1.1", "wrong") in rows and {row[2] for row in rows} >= {"wrong", "waiting"}
    assert f"wrong {name} 127.0.1.1" in farm.run("user", "--logins")


def test_a_flood_of_logins_does_not_queue_and_holds_nobody_up(farm: Site) -> None:
    """Sixty strangers send four attempts each at once; a hash takes its time. Maria has logged in from here before."""
    farm.create()
    server = farm.server(page="127.0.0.1:0")
    password = add_user(farm, "maria", "operator")
    assert login(server, password, name="maria")[0] == 303
    address = urllib.parse.urlsplit(server.page_url()).netloc
    flood = []
    for number in range(240):
        connection = http.client.HTTPConnection(address, timeout=120, source_address=(f"127.0.3.{number % 60 + 1}", 0))
        body = urllib.parse.urlencode({"username": f"guess{number}", "password": "a guess"}).encode()
        connection.putrequest("POST", "/login")
        connection.putheader("Content-Type", "application/x-www-form-urlencoded")
        connection.putheader("Content-Length", str(len(body)))
        connection.endheaders()
        flood.append((connection, body))
    # All heads are there; now all bodies at once.
    for connection, body in flood:
        connection.send(body)
    assert login(server, password, name="maria")[0] == 303
    answers = [connection.getresponse() for connection, _ in flood]
    statuses = [answer.status for answer in answers]
    assert set(statuses) == {401, 503}, set(statuses)
    refused = [answer for answer in answers if answer.status == 503]
    assert len(refused) >= 60 and all(answer.headers["Retry-After"] == "5" for answer in refused)
    assert "Too many are logging in at once" in refused[0].read().decode()
    for connection, _ in flood:
        connection.close()


def test_the_one_password_of_before_goes_over(farm: Site) -> None:
    """A site of the version before: a setting with the hash, and sessions without a user."""
    farm.create()
    ((stored,),) = farm.query("SELECT hash FROM account")
    for table in ("account", "login", "place", "note"):
        farm.query(f"DROP TABLE {table}")
    farm.query("ALTER TABLE session DROP COLUMN account")
    farm.query(f"INSERT INTO setting (name, value) VALUES ('password', '{stored}')")
    farm.query(f"INSERT INTO session VALUES (x'{'00' * 32}', {int(time.time() + 1000) * 1000})")
    server = farm.server(page="127.0.0.1:0")
    assert login(server, farm.password)[0] == 303  # as a program sent it before, without a name
    assert session_of(server, farm.password, "admin")
    assert farm.run("user") == "admin: administrator\n"
    assert farm.query("SELECT account FROM session WHERE token = x'" + "00" * 32 + "'") == [("admin",)]
    assert farm.query("SELECT COUNT(*) FROM setting WHERE name = 'password'") == [(0,)]


def press(browser: webdriver.Chrome, selector: str) -> None:
    browser.execute_script("document.querySelector(arguments[0]).click()", selector)


# Answers to questions for a series wait until `releaseSeries` is called. It ends when the page has drawn them, and had
# ten frames of the screen to begin to scroll.
HOLD_SERIES = """
const [ask, held] = [window.fetch, []];
window.fetch = (url, ...rest) =>
  String(url).startsWith("/api/series")
    ? new Promise((resolve) => held.push(resolve)).then(() => ask(url, ...rest))
    : ask(url, ...rest);
window.releaseSeries = async () => {
  window.fetch = ask;
  const drawn = new Promise((resolve) => new MutationObserver(resolve).observe(
    document.getElementById("rain").parentElement, { childList: true, subtree: true, attributes: true }));
  held.forEach((resolve) => resolve());
  await drawn;
  for (let frames = 0; frames < 10; frames++) await new Promise(requestAnimationFrame);
};
"""


def test_people_places_and_notes_in_a_browser(farm: Site, browser: webdriver.Chrome) -> None:
    farm.create(fleet=3)
    server = farm.server(page="127.0.0.1:0")
    enter(browser, server, farm.password)
    until(lambda: len(browser.find_elements(By.CSS_SELECTOR, ".card")) == 3, "three sensors")
    # An administrator adds a viewer, whose password is shown once.
    press(browser, "#people > summary")
    until(lambda: "admin" in text_of(browser, "#accounts"), "the users")
    until(lambda: "logged in" in text_of(browser, "#logins"), "the record")
    browser.find_element(By.CSS_SELECTOR, "#add-user input").send_keys("joão")
    press(browser, "#add-user button")
    until(lambda: "shown this once: " in text_of(browser, "#people-said"), "the password of the new one")
    password = text_of(browser, "#people-said").split(": ")[1]
    until(lambda: "joão" in text_of(browser, "#accounts"), "the new one")
    # A name, a place and a note; all of it is shown as it is.
    press(browser, ".card[data-device='2']")
    until(lambda: text_of(browser, "#detail-title") == "Sensor 2", "the sensor")
    for name, value in (("name", "Ponte <b>do Limoeiro</b>"), ("latitude", "-8.0631"), ("longitude", "-34,8711")):
        field = browser.find_element(By.CSS_SELECTOR, f"#edit input[name='{name}']")
        field.clear()
        field.send_keys(value)
    press(browser, "#edit button[type='submit']")
    until(lambda: text_of(browser, "#detail-title") == "Ponte <b>do Limoeiro</b>", "its name")
    until(lambda: browser.find_element(By.ID, "map").get_attribute("data-spots") == "1", "its place on the map")
    assert (browser.find_element(By.ID, "map").get_attribute("data-scale") or "").endswith("m")
    browser.find_element(By.CSS_SELECTOR, "#notes textarea").send_keys("bateria trocada\nem março")
    press(browser, "#notes button")
    until(lambda: "bateria trocada\nem março" in text_of(browser, "#notes li p"), "the note")
    assert "admin" in text_of(browser, "#notes li")
    # A touch of the map is a place: its middle is where the only sensor stands. A series that comes late scrolls the
    # map away from nobody.
    browser.execute_script(HOLD_SERIES)
    press(browser, ".card[data-device='3']")
    until(lambda: text_of(browser, "#detail-title") == "Sensor 3", "another sensor")
    press(browser, "#pick")
    canvas = browser.find_element(By.ID, "map")
    place = browser.execute_script("return scrollY")
    browser.execute_async_script("window.releaseSeries().then(arguments[0])")
    assert browser.execute_script("return scrollY") == place
    webdriver.ActionChains(browser).move_to_element(canvas).click().perform()
    latitude = browser.find_element(By.CSS_SELECTOR, "#edit input[name='latitude']")
    until(lambda: (latitude.get_attribute("value") or "").startswith("-8.06"), "the place that was touched")
    press(browser, "#edit button[type='submit']")
    until(lambda: canvas.get_attribute("data-spots") == "2", "both on the map")
    # A viewer sees it and is given nothing to write with.
    browser.delete_all_cookies()
    browser.get(server.page_url())
    browser.find_element(By.ID, "username").send_keys("joão")
    browser.find_element(By.ID, "password").send_keys(password)
    press(browser, "button[type='submit']")
    until(lambda: text_of(browser, "#connection") == "live", "the page of a viewer")
    press(browser, ".card[data-device='2']")
    until(lambda: "bateria trocada" in text_of(browser, "#notes li p"), "the note")
    shown = browser.execute_script(
        "return ['#people', '#edit', '#notes textarea', '#notices button'].filter("
        "s => document.querySelector(s)?.checkVisibility())"
    )
    assert shown == []


def test_a_new_alarm_is_heard_once_somebody_wanted_it(farm: Site, browser: webdriver.Chrome) -> None:
    farm.create()
    server = farm.server(page="127.0.0.1:0")
    gateway = farm.gateway()
    one, two = farm.devices
    gateway.deliver([device.frame(1) for device in farm.devices])
    gateway.deliver([one.frame(2, pulses=100)])
    enter(browser, server, farm.password)
    until(lambda: "Sensor 1" in text_of(browser, "#alarms h2"), "the alarm that is there")

    def rung() -> str | None:
        return browser.find_element(By.ID, "sound").get_attribute("data-rung")

    assert text_of(browser, "#sound") == "Sound is off"
    # The press itself is heard, so that it is known how loud it is; alarms from before are not.
    browser.find_element(By.ID, "sound").click()
    until(lambda: text_of(browser, "#sound") == "Sound is on", "sound")
    assert rung() == "1"
    gateway.deliver([two.frame(2, pulses=100)])
    until(lambda: rung() == "2", "the new alarm is heard")
    browser.find_element(By.ID, "sound").click()
    assert text_of(browser, "#sound") == "Sound is off"
    # It is remembered, but a page that nobody has touched may not make a sound, and says so.
    browser.find_element(By.ID, "sound").click()
    browser.refresh()
    until(lambda: text_of(browser, "#connection") == "live", "the page again")
    assert text_of(browser, "#sound") in ("Press here for sound", "Sound is on")


def tiles_of(server: Server, session: str, path: str) -> int:
    return request(server, "GET", path, cookie=session)[0]


def test_tiles_come_from_the_sites_folder_and_nothing_else_does(farm: Site) -> None:
    farm.create()
    picture = bytes.fromhex("89504e470d0a1a0a")
    for path in ("3/2/4.png", "4/5/9.png"):
        (farm.folder / "tiles" / path).parent.mkdir(parents=True)
        (farm.folder / "tiles" / path).write_bytes(picture)
    (farm.folder / "tiles" / "attribution.txt").write_text("© Prefeitura\n")
    server = farm.server(page="127.0.0.1:0")
    session = session_of(server, farm.password)
    assert tiles_of(server, session, "/tiles/3/2/4") == 200
    assert tiles_of(server, "", "/tiles/3/2/4") == 401
    for path in (
        "/tiles/3/2/5",
        "/tiles/3/2/..%2f..%2f..%2fsite.toml",
        "/tiles/3/2/4.png",
        "/tiles/../2/4",
        "/tiles/3/2/-1",
    ):
        assert tiles_of(server, session, path) in (400, 404), path
    stream = request_stream(server, session)
    assert stream["summary"]["tiles"] == {"attribution": "© Prefeitura", "zooms": [3, 4]}


def request_stream(server: Server, session: str) -> dict[str, dict[str, object]]:
    """The first event of the stream of changes."""
    url = urllib.parse.urlsplit(server.page_url())
    connection = http.client.HTTPConnection(url.hostname or "", url.port, timeout=60)
    connection.request("GET", "/api/live?stream=test&cards=10", headers={"Cookie": session})
    answer = connection.getresponse()
    assert answer.readline() == b"event: changes\n"
    event: dict[str, dict[str, object]] = json.loads(answer.readline().removeprefix(b"data: "))
    connection.close()
    return event
