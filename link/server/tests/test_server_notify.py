"""Messages about alarms and faults: by webhook, mail and MQTT; as CAP 1.2 too; an outbox that survives restarts."""

from __future__ import annotations

import email
import email.policy
import hashlib
import json
import os
import re
import socketserver
import subprocess
import threading
import xml.etree.ElementTree as ET
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import paho.mqtt.client as mqtt
import pytest
from link_site import DEADLINE_S, Program, free_port
from page_support import enter, request, text_of
from paho.mqtt.enums import CallbackAPIVersion
from selenium import webdriver
from selenium.webdriver.common.by import By
from server_support import Site, until

CAP = "{urn:oasis:names:tc:emergency:cap:1.2}"
# CAP 1.2, section 3.4: the elements of the schema in their order, those that must be there, and the words that may.
ALERT_ORDER = (
    "identifier sender sent status msgType source scope restriction addresses code note references incidents info"
).split()
ALERT_NEEDS = {"identifier", "sender", "sent", "status", "msgType", "scope"}
INFO_ORDER = (
    "language category event responseType urgency severity certainty audience eventCode effective onset expires "
    "senderName headline description instruction web contact parameter resource area"
).split()
INFO_NEEDS = {"category", "event", "urgency", "severity", "certainty"}
WORDS = {
    "status": {"Actual", "Exercise", "System", "Test", "Draft"},
    "msgType": {"Alert", "Update", "Cancel", "Ack", "Error"},
    "scope": {"Public", "Restricted", "Private"},
    "category": set("Geo Met Safety Security Rescue Fire Health Env Transport Infra CBRNE Other".split()),
    "urgency": {"Immediate", "Expected", "Future", "Past", "Unknown"},
    "severity": {"Extreme", "Severe", "Moderate", "Minor", "Unknown"},
    "certainty": {"Observed", "Likely", "Possible", "Unlikely", "Unknown"},
}
MOMENT = re.compile(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d[-+]\d\d:\d\d")


def check_cap(xml: str) -> dict[str, str]:
    """The rules of the schema of CAP 1.2 that this message can break; its elements' texts."""
    alert = ET.fromstring(xml)
    assert alert.tag == f"{CAP}alert"
    found: dict[str, str] = {}
    for parent, order, needs in (
        (alert, ALERT_ORDER, ALERT_NEEDS),
        (alert.find(f"{CAP}info"), INFO_ORDER, INFO_NEEDS),
    ):
        assert parent is not None
        names = [child.tag.removeprefix(CAP) for child in parent]
        assert names == sorted(names, key=order.index) and needs <= set(names)
        assert len(names) == len(set(names))
        found |= {child.tag.removeprefix(CAP): (child.text or "") for child in parent}
    for name, words in WORDS.items():
        assert found[name] in words
    assert MOMENT.fullmatch(found["sent"]) and not found["sent"].endswith("Z")
    for name in ("identifier", "sender"):
        assert found[name] and not re.search(r"[\s,<&]", found[name])
    area = alert.find(f"{CAP}info/{CAP}area/{CAP}areaDesc")
    assert area is not None and area.text
    return {**found, "areaDesc": area.text}


class Receiver:
    """A webhook's other end, which refuses for as long as it is told to."""

    def __init__(self) -> None:
        self.refuses = False
        self.attempts = 0
        self.told: list[dict[str, Any]] = []
        self.keys: list[str] = []
        receiver = self

        class Handler(BaseHTTPRequestHandler):
            def do_POST(self) -> None:
                body = self.rfile.read(int(self.headers["content-length"]))
                receiver.attempts += 1
                if not receiver.refuses:
                    receiver.keys.append(self.headers["idempotency-key"])
                    receiver.told.append(json.loads(body))
                self.send_response(503 if receiver.refuses else 204)
                self.end_headers()

            def log_message(self, format: str, *args: object) -> None:
                pass

        self.server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        threading.Thread(target=self.server.serve_forever, daemon=True).start()
        self.url = f"http://127.0.0.1:{self.server.server_address[1]}/told"


@pytest.fixture
def receiver() -> Iterator[Receiver]:
    made = Receiver()
    yield made
    made.server.shutdown()
    made.server.server_close()


@contextmanager
def mail_server() -> Iterator[tuple[int, list[bytes]]]:
    """As much of RFC 5321 as a client needs to hand over a message."""
    taken: list[bytes] = []

    class Handler(socketserver.StreamRequestHandler):
        def handle(self) -> None:
            self.wfile.write(b"220 localhost\r\n")
            while line := self.rfile.readline():
                word = line.split()[0].upper() if line.split() else b""
                if word == b"RCPT" and b"<gone@" in line:
                    self.wfile.write(b"550 no such mailbox\r\n")
                    continue
                if word == b"DATA":
                    self.wfile.write(b"354 go on\r\n")
                    message = b""
                    while (part := self.rfile.readline()) != b".\r\n":
                        message += part
                    taken.append(message)
                self.wfile.write(b"221 bye\r\n" if word == b"QUIT" else b"250 localhost\r\n")
                if word == b"QUIT":
                    return

    with socketserver.ThreadingTCPServer(("127.0.0.1", 0), Handler) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        yield server.server_address[1], taken
        server.shutdown()


def settle(farm: Site, text: str) -> None:
    path = farm.folder / "site.toml"
    path.write_text(path.read_text() + "\n[notify]\n" + text)


@pytest.mark.parametrize("database", ["SQLite", "PostgreSQL"])
def test_an_alarm_is_told_once_by_webhook_and_mail_whatever_fails_meanwhile(
    farm: Site, new_database: Callable[[], str], receiver: Receiver, database: str
) -> None:
    farm.database = new_database() if database == "PostgreSQL" else None
    farm.create(fleet=1)
    farm.provision("--device", "9", "--name", "Weir <1> & old, mill")
    farm.query("UPDATE device SET name = 'Weir <1> & old, mill' WHERE id = 1")
    receiver.refuses = True
    with mail_server() as (port, mails):
        settle(
            farm,
            f'webhooks = ["{receiver.url}"]\nfree_disk_mb = 0\n[notify.mail]\nhost = "127.0.0.1"\nport = {port}\n'
            'tls = false\nfrom = "link@example.org"\nto = ["duty@example.org"]\n',
        )
        server = farm.server()
        gateway = farm.gateway()
        sensor = farm.devices[0]
        gateway.deliver([sensor.frame(1, time_s=0), sensor.frame(2, time_s=0, pulses=60)])
        until(lambda: mails and receiver.attempts, "the mail is there, and the webhook was tried")
        # The server is killed with the message in its outbox.
        server.kill()
        assert not receiver.told
        receiver.refuses = False
        farm.query("UPDATE message SET next_ms = 0")
        server.start()
        until(lambda: receiver.told, "the webhook gets it from the next server")
        gateway.deliver([sensor.frame(400, time_s=0, pulses=60)])
        until(lambda: len(receiver.told) == 2 and len(mails) == 2, "the end is told too")
        until(lambda: farm.query("SELECT COUNT(*) FROM message") == [(0,)], "nothing waits")
        begin, end = receiver.told
        assert (begin["kind"], begin["state"], end["state"]) == ("alarm", "begin", "end")
        assert "72 mm/h" in begin["detail"] and begin["headline"] == "Rain alarm: Weir <1> & old, mill"
        assert len(set(receiver.keys)) == 2
        first, last = check_cap(begin["cap"]), check_cap(end["cap"])
        assert first["areaDesc"] == "Weir <1> & old, mill"
        assert (first["msgType"], last["msgType"]) == ("Alert", "Cancel")
        assert last["references"] == f"{first['sender']},{first['identifier']},{first['sent']}"
        parsed = email.message_from_bytes(mails[0], policy=email.policy.default)
        assert parsed["Subject"] == "Rain alarm: Weir <1> & old, mill" and parsed["To"] == "duty@example.org"
        (attached,) = [part for part in parsed.walk() if part.get_content_type() == "application/cap+xml"]
        content = attached.get_payload(decode=True)
        assert isinstance(content, bytes) and check_cap(content.decode()) == first


def test_an_address_that_is_gone_keeps_no_mail_from_the_others(farm: Site) -> None:
    farm.create(fleet=1)
    with mail_server() as (port, mails):
        settle(
            farm,
            f'free_disk_mb = 0\n[notify.mail]\nhost = "127.0.0.1"\nport = {port}\ntls = false\n'
            'from = "link@example.org"\n'
            'to = ["gone@example.org", "nobody at all", "Duty <duty@example.org>", "chief@example.org"]\n',
        )
        farm.server()
        farm.gateway().deliver([farm.devices[0].frame(1, time_s=0), farm.devices[0].frame(2, time_s=0, pulses=60)])
        until(lambda: len(mails) == 2, "those that can have it have it")
        until(
            lambda: (
                farm.query("SELECT channel FROM message WHERE tries > 0 ORDER BY channel")
                == [("mail gone@example.org",), ("mail nobody at all",)]
            ),
            "the others wait",
        )
        for mail in mails:
            to = email.message_from_bytes(mail, policy=email.policy.default)["To"]
            assert to == "gone@example.org, Duty <duty@example.org>, chief@example.org"


def test_faults_are_told_and_acknowledged_on_the_page(
    farm: Site, receiver: Receiver, browser: webdriver.Chrome
) -> None:
    farm.create(fleet=3, extra=("--days", "10"))
    # More room than any disk has.
    settle(farm, f'webhooks = ["{receiver.url}"]\nfree_disk_mb = 1000000000000\n')
    server = farm.server(page="127.0.0.1:0")
    low, well, silent = farm.devices
    farm.gateway().deliver([silent.frame(1), low.frame(1, supply_mv=2700), well.frame(1)])
    farm.query(f"UPDATE epoch SET heard_ms = heard_ms - 600000 WHERE device = {silent.id}")
    farm.query("UPDATE gateway SET last_seen_ms = 1000 WHERE name = 'gw-b'")
    kinds = {"silent sensor", "low battery", "silent gateway", "certificate", "disk"}
    until(lambda: kinds <= {told["kind"] for told in receiver.told}, "each is told")
    headlines = {told["headline"] for told in receiver.told}
    assert {"Sensor silent: Sensor 3", "Battery low: Sensor 1", "Gateway silent: gw-b"} <= headlines
    assert "Certificate ends: server/server.crt" in headlines and "Disk nearly full" in headlines
    assert not any("Sensor 2" in headline for headline in headlines)
    assert all(told["cap"] is None for told in receiver.told)
    enter(browser, server, farm.password)
    until(lambda: "Battery low: Sensor 1" in text_of(browser, "#notices"), "the page shows it")
    # What needs somebody stands first: the silent sensor, the low one; the silent gateway.
    cards = [card.get_attribute("data-device") for card in browser.find_elements(By.CSS_SELECTOR, ".card")]
    assert cards == [str(silent.id), str(low.id), str(well.id)]
    assert text_of(browser, "#gateways tr:first-child td:first-child") == "gw-b"
    if folder := os.environ.get("LINK_TEST_PICTURES"):
        for width, height in ((1280, 900), (390, 844)):
            browser.set_window_size(width, height)
            browser.execute_script("document.getElementById('notices-title').scrollIntoView()")
            browser.save_screenshot(f"{folder}/notices-{width}.png")
    browser.find_element(By.CSS_SELECTOR, "[aria-label='Seen: Battery low: Sensor 1']").click()
    until(lambda: re.search(r"seen \d\d:\d\d:\d\dBattery low: Sensor 1", text_of(browser, "#notices")), "it was seen")
    assert farm.query("SELECT COUNT(*) FROM notice WHERE acknowledged_ms IS NOT NULL") == [(1,)]
    # Nobody without the password acknowledges anything.
    assert request(server, "POST", "/api/notices/1/acknowledge")[0] == 401
    count = len(receiver.told)
    farm.gateway().deliver([silent.frame(2), low.frame(2, supply_mv=3300)])
    until(lambda: len(receiver.told) >= count + 2, "both are over")
    ended = {told["headline"] for told in receiver.told if told["state"] == "end"}
    assert {"Over: Sensor silent: Sensor 3", "Over: Battery low: Sensor 1"} <= ended


def test_a_receiver_that_is_away_is_tried_again_and_named_once(farm: Site) -> None:
    farm.create(fleet=1)
    url = f"http://127.0.0.1:{free_port()}/"
    settle(farm, f'webhooks = ["{url}"]\nfree_disk_mb = 0\n')
    server = farm.server()
    farm.gateway().deliver([farm.devices[0].frame(1, supply_mv=2500)])
    for tries in (1, 2, 3):
        until(lambda tries=tries: farm.query("SELECT tries FROM message") == [(tries,)], "tried")  # type: ignore[misc]
        farm.query("UPDATE message SET next_ms = 0")
    name = f"webhook {urlsplit(url).netloc} {hashlib.sha256(url.encode()).hexdigest()[:8]}"
    assert server.log().count(f"{name} does not take messages") == 1


def test_what_waits_for_a_webhook_that_is_removed_is_told_to_nobody_else(farm: Site, receiver: Receiver) -> None:
    farm.create(fleet=2)
    gone = f"http://127.0.0.1:{free_port()}/"
    settings = (farm.folder / "site.toml").read_text()
    settle(farm, f'webhooks = ["{gone}", "{receiver.url}"]\nfree_disk_mb = 0\n')
    server, gateway = farm.server(), farm.gateway()
    first, second = farm.devices
    gateway.deliver([first.frame(1, supply_mv=2500)])
    until(lambda: len(receiver.told) == 1, "the one that is there has it")
    until(lambda: farm.query("SELECT tries FROM message") == [(1,)], "the other one was tried")
    assert server.stop() == 0
    (farm.folder / "site.toml").write_text(settings)
    settle(farm, f'webhooks = ["{receiver.url}"]\nfree_disk_mb = 0\n')
    farm.query("UPDATE message SET next_ms = 0")
    server.start()
    gateway.deliver([second.frame(1, supply_mv=2500)])
    until(lambda: "Battery low: Sensor 2" in {told["headline"] for told in receiver.told}, "the next one is told")
    assert [told["headline"] for told in receiver.told] == ["Battery low: Sensor 1", "Battery low: Sensor 2"]
    # That it was told is noted after the receiver's answer.
    until(lambda: len(farm.query("SELECT channel FROM message")) == 1, "what was told is gone, and the other one waits")


def test_settings_that_are_wrong_are_named(farm: Site) -> None:
    farm.create(fleet=1)
    settle(farm, "webhook = 3\n")
    refused = farm.attempt("serve", "--page", "none")
    assert refused.returncode == 2 and "unknown field `webhook`" in refused.stderr


class Listener:
    """What a client of the user's broker gets that joins now: by topic, with what was retained before it came."""

    def __init__(self, port: int, ca: Path) -> None:
        self.retained: dict[str, str] = {}
        self.told: list[tuple[str, str]] = []
        ready = threading.Event()
        self._client = mqtt.Client(CallbackAPIVersion.VERSION2)
        self._client.username_pw_set("office", "rain")
        self._client.tls_set(str(ca))
        self._client.on_connect = lambda client, *_: client.subscribe("#", 1)
        self._client.on_subscribe = lambda *_: ready.set()
        self._client.on_message = lambda _client, _data, message: self._note(message)
        self._client.connect("localhost", port)
        self._client.loop_start()
        assert ready.wait(DEADLINE_S)

    def _note(self, message: mqtt.MQTTMessage) -> None:
        if message.retain:
            self.retained[message.topic] = message.payload.decode()
        else:
            self.told.append((message.topic, message.payload.decode()))

    def close(self) -> None:
        self._client.disconnect()
        self._client.loop_stop()


@pytest.fixture
def office_broker(farm: Site, tmp_path: Path) -> Iterator[Callable[[], Program]]:
    """mosquitto as an office runs it: TLS with the certificate of the site's own broker, and a password."""
    started: list[Program] = []

    def start() -> Program:
        passwords = tmp_path / "passwords"
        subprocess.run(["mosquitto_passwd", "-b", "-c", passwords, "office", "rain"], check=True, capture_output=True)
        passwords.chmod(0o600)
        settings = tmp_path / "office.conf"
        folder = farm.folder / "broker"
        user = "user root\n" if os.getuid() == 0 else ""
        settings.write_text(
            f"{user}listener {farm.port + 1} localhost\nallow_anonymous false\npassword_file {passwords}\n"
            f"certfile {folder / 'broker.crt'}\nkeyfile {folder / 'broker.key'}\n"
        )
        program = Program(tmp_path / "office.log")
        started.append(program)
        program.spawn(["mosquitto", "-c", str(settings)])
        program.wait_for_log("running")
        return program

    yield start
    for program in started:
        program.kill()


def test_home_assistant_finds_each_sensor_and_an_alarm_is_retained_while_it_lasts(
    farm: Site, office_broker: Callable[[], Program]
) -> None:
    farm.create(fleet=2)
    ca = farm.folder / "broker" / "ca.crt"
    settle(
        farm,
        f'free_disk_mb = 0\n[notify.mqtt]\nhost = "localhost"\nport = {farm.port + 1}\nca = "{ca}"\n'
        'user = "office"\npassword = "rain"\n',
    )
    server = farm.server()
    gateway = farm.gateway()
    sensor = farm.devices[0]
    gateway.deliver([sensor.frame(1, time_s=0), sensor.frame(2, time_s=0, pulses=60, supply_mv=3312)])
    server.wait_for_log("mqtt does not take messages")
    office_broker()
    farm.query("UPDATE message SET next_ms = 0")
    until(lambda: farm.query("SELECT COUNT(*) FROM message") == [(0,)], "the broker that was away has it")
    ((site,),) = farm.query("SELECT value FROM setting WHERE name = 'notify_site'")
    state_topic, notice_topic = f"bancada/{site}/sensor/1", f"bancada/{site}/notice/1"

    def retained() -> dict[str, str]:
        listener = Listener(farm.port + 1, ca)
        until(lambda: state_topic in listener.retained, "the sensor's state was retained")
        listener.close()
        return listener.retained

    def is_told() -> bool:
        return bool(json.loads(retained()[state_topic])["alarm"] == "alarm")

    until(is_told, "the state with the alarm")
    found = retained()
    notice, state = json.loads(found[notice_topic]), json.loads(found[state_topic])
    assert (notice["kind"], notice["state"]) == ("alarm", "begin") and check_cap(notice["cap"])
    assert (state["rain_mm"], state["rain_mm_per_hour"], state["battery_v"]) == (12.0, 72.0, 3.312)
    assert state["last_seen"].endswith("Z") and state["name"] == "Sensor 1" and state["late"] is False
    # Home Assistant, MQTT Discovery: <discovery prefix>/<component>/<node>/<object>/config, names of letters, digits,
    # _ and -; https://www.home-assistant.io/integrations/sensor names the classes and their units.
    units = {"precipitation": "mm", "precipitation_intensity": "mm/h", "temperature": "°C", "voltage": "V"}
    configs = {topic: json.loads(text) for topic, text in found.items() if topic.startswith("homeassistant/")}
    assert len(configs) == 10 and len({config["unique_id"] for config in configs.values()}) == 10
    for topic, config in configs.items():
        assert re.fullmatch(r"homeassistant/sensor/[a-zA-Z0-9_-]+/[a-zA-Z0-9_-]+/config", topic)
        assert config["device_class"] == "timestamp" or units[config["device_class"]] == config["unit_of_measurement"]
        template = re.fullmatch(r"\{\{ value_json\.(\w+) \}\}", config["value_template"])
        assert template and template[1] in json.loads(found[config["state_topic"]])
    assert {config["device"]["name"] for config in configs.values()} == {"Sensor 1", "Sensor 2"}
    # The end is told to whoever listens, and leaves nothing behind.
    listener = Listener(farm.port + 1, ca)
    gateway.deliver([sensor.frame(400, time_s=0, pulses=60)])
    until(lambda: (notice_topic, "") in listener.told, "the end")
    listener.close()
    ends = [json.loads(text) for topic, text in listener.told if topic == notice_topic and text]
    assert [end["state"] for end in ends] == ["end"]
    assert notice_topic not in retained()
    # A sensor that is revoked is taken back.
    farm.run("revoke", "--device", "2")
    until(lambda: not any("_2/" in topic for topic in retained()), "Home Assistant forgets it")
