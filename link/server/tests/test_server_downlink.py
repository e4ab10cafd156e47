"""What the server tells sensors, and when it believes that they know it."""

from __future__ import annotations

import json
import sqlite3
import struct
import time
from collections.abc import Callable
from dataclasses import dataclass

import pytest
from downlink_support import (
    ALARM,
    CHANNEL,
    DERIVE_DOWN,
    DERIVE_KEY,
    KEY,
    KEY_GROUP,
    LISTENS,
    ON_TRIAL,
    ORDER,
    PERIOD,
    POWER,
    SETTING_REFUSED,
    SLOT,
    STAGE_COUNTERS,
    Downlink,
    derive,
    key_of_stage,
)
from firmware_host import Host
from page_support import request
from server_support import CCM, Device, Site, TestGateway, device_key, until


@dataclass(frozen=True)
class Order:
    """A frame to a device, opened with its key of this direction."""

    kind: int
    number: int
    text: bytes

    @property
    def answers(self) -> int:
        return int.from_bytes(self.text[:4], "big")

    @property
    def time_ms(self) -> int:
        ms = int.from_bytes(self.text[8:10], "big") & 0x3FF
        return int.from_bytes(self.text[4:8], "big") * 1000 + ms

    @property
    def whatever_it_shows(self) -> bool:
        return self.text[8] >= 0x80

    @property
    def missing(self) -> set[int]:
        mask = int.from_bytes(self.text[10:13], "big")
        return {self.answers - 1 - bit for bit in range(24) if mask >> bit & 1}

    @property
    def setting(self) -> tuple[int, int]:
        setting, value = struct.unpack(">BH", self.text[13:])
        return setting, value


def opened(device: Device, frame: bytes, answers: int = 0) -> Order:
    """`answers`: the counter that a frame with the next key answers."""
    purpose, group = (DERIVE_KEY, answers // KEY_GROUP) if frame[0] & 15 == KEY else (DERIVE_DOWN, 0)
    key = derive(device.key, device.suite, device.epoch, device.id, purpose, group)
    found = Host.shared().open(device.id, device.suite, device.epoch, key, frame)
    assert found is not None, "sealed under another key"
    return Order(*found)


class Played:
    """A sensor that listens, and the gateway that hears it."""

    def __init__(self, gateway: TestGateway, device: Device) -> None:
        self.gateway, self.device = gateway, device
        self.counter = 0
        self.echo = 0
        self.flags = 0

    def frame(self, **values: int) -> bytes:
        values.setdefault("time_s", int(time.time()))
        flags = LISTENS | self.flags | self.echo << 8 | values.pop("more", 0)
        frame = self.device.frame(self.counter, flags=flags, **values)
        self.counter += 1
        return frame

    def say(self, **values: int) -> list[Order]:
        """Sends a frame and waits until the server has stored it and made its answer, if it makes one."""
        before = len(self.gateway.downs)
        self.gateway.deliver([self.frame(**values)])
        # The server answers after it has acknowledged. A second delivery follows all of the first.
        self.gateway.deliver([b"\0"])
        return [opened(self.device, frame, self.counter - 1) for frame in self.gateway.downs[before:]]

    def say_until(self, what: Callable[[Order], bool], tries: int = 5, **values: int) -> Order:
        for _ in range(tries):
            for order in self.say(**values):
                if what(order):
                    return order
        raise AssertionError("nothing of the kind was told")


@pytest.fixture
def played(farm: Site) -> Played:
    farm.create(fleet=2)
    farm.server()
    return Played(farm.gateway(), farm.devices[0])


def test_a_clock_that_is_not_set_is_told_the_time(played: Played) -> None:
    began_ms = int(time.time() * 1000)
    order = played.say_until(lambda order: order.time_ms > 0, time_s=0, more=1)
    assert began_ms - 1 <= order.time_ms <= time.time() * 1000
    assert order.kind == ORDER and order.answers == played.counter - 1 and not order.whatever_it_shows
    assert abs(order.number - time.time()) < 60


def test_a_gateway_is_told_what_need_not_wait_any_more(played: Played) -> None:
    """The daemon cannot know whose frames it hears: what waits there stays until the server has heard the sensor."""
    order = played.say_until(lambda order: order.time_ms > 0, time_s=0, more=1)
    assert played.gateway.forgets == []
    for _ in range(3):
        played.say()
    expected = struct.pack(">HI", played.device.id, order.number)
    assert played.gateway.forgets == [expected]


def test_a_channel_is_not_confirmed_by_a_gateway_on_another(farm: Site) -> None:
    """Somebody sends on what a sensor sends on its new channel to a gateway on the old one, and would send on the
    answer. A gateway whose firmware does not tell its channel is believed."""
    farm.create(fleet=2)
    farm.server()
    played = Played(farm.gateway(), farm.devices[0])
    farm.run("configure", "--device", str(played.device.id), "--channel", "5")
    order = played.say_until(lambda order: order.setting == (CHANNEL, 5))
    played.echo, played.flags = order.number & 0xFF, ON_TRIAL

    def listens_on(channel: int | None) -> None:
        status = {"state": "running", "serial": {"microcontroller": {"channel": channel}}}
        played.gateway._client.publish("link/gw-a/status", json.dumps(status), qos=1, retain=True).wait_for_publish(60)
        until(
            lambda: (
                json.loads(farm.query("SELECT COALESCE(status, '{}') FROM gateway WHERE name = 'gw-a'")[0][0]) == status
            ),
            "the status is noted",
        )

    listens_on(23)
    assert [order for _ in range(4) for order in played.say()] == []
    listens_on(5)
    assert played.say()
    listens_on(None)
    assert played.say()


def test_a_clock_that_is_right_needs_no_word(played: Played) -> None:
    told = [order for _ in range(6) for order in played.say()]
    assert told == []
    assert played.say_until(lambda order: order.time_ms > 0, time_s=int(time.time()) - 30)


def test_time_is_not_told_of_a_frame_that_was_held_back(played: Played) -> None:
    late = int(time.time() * 1000) - 5_000
    played.gateway.deliver([played.frame(time_s=0, more=1)], received_ms=late)
    played.gateway.deliver([b"\0"])
    assert played.gateway.downs == []


def test_nobody_is_told_who_does_not_listen(farm: Site, played: Played) -> None:
    farm.run("configure", "--device", "1", "--period", "30")
    played.gateway.deliver([farm.devices[0].frame(0, time_s=0, flags=1)])
    played.gateway.deliver([b"\0"])
    assert played.gateway.downs == []


def test_what_is_missing_is_asked_for_and_not_for_ever(played: Played) -> None:
    asked: list[set[int]] = []
    for counter in (0, 1, 2, 5, 6, 8, *range(9, 60)):
        played.counter = counter
        asked += [order.missing for order in played.say()]
    assert asked[0] == {3, 4}
    assert {3, 4, 7} == set().union(*asked)
    for counter in (3, 4, 7):
        assert sum(counter in each for each in asked) <= 3
    assert len(asked) < 12


def test_what_came_late_is_not_asked_for(played: Played) -> None:
    for counter in (0, 1, 3):
        played.counter = counter
        played.gateway.deliver([played.frame()])
    played.counter = 2
    played.gateway.deliver([played.frame()])
    played.gateway.downs.clear()
    asked = []
    for counter in range(4, 12):
        played.counter = counter
        asked += [order.missing for order in played.say()]
    assert set().union(*asked) == set()


def test_what_was_never_sent_is_not_asked_for(played: Played) -> None:
    """A reset skips counters: the boot frame begins a new count."""
    for counter in range(5):
        played.counter = counter
        played.say()
    played.gateway.deliver([played.device.frame(256, kind=1)])
    played.counter = 257
    assert [order for _ in range(5) for order in played.say()] == []


@pytest.mark.parametrize("database", ["SQLite", "PostgreSQL"])
def test_a_setting_is_told_until_it_is_confirmed(farm: Site, new_database: Callable[[], str], database: str) -> None:
    farm.database = new_database() if database == "PostgreSQL" else None
    farm.create(fleet=2, suite="ccm" if farm.database else "ascon")
    farm.server()
    played = Played(farm.gateway(), farm.devices[0])
    assert played.device.suite == (CCM if farm.database else 1)
    played.say()
    farm.run("configure", "--device", "1", "--period", "30")
    first = played.say_until(lambda order: order.setting[0] == PERIOD)
    assert first.setting == (PERIOD, 30)
    # It did not hear that: the same again, under another number.
    second = played.say_until(lambda order: order.setting[0] == PERIOD)
    assert second.number >= first.number + 2 and second.number & 0xFF not in (0, played.echo)
    assert farm.query("SELECT period_s FROM device WHERE id = 1") == [(5,)]
    played.echo = second.number & 0xFF
    assert [order.setting for order in played.say() if order.setting[0]] == []
    assert farm.query("SELECT setting, value, state FROM wanted") == [("period", 30, "confirmed")]
    assert farm.query("SELECT period_s FROM device WHERE id = 1") == [(30,)]
    assert "period 30 s: confirmed" in farm.run("configure", "--device", "1")
    assert [order.setting for _ in range(3) for order in played.say() if order.setting[0]] == []


def test_an_older_receipt_confirms_nothing(farm: Site, played: Played) -> None:
    played.echo = 77
    played.say()
    farm.run("configure", "--device", "1", "--warn-mm", "8")
    for _ in range(6):
        order = played.say_until(lambda order: order.setting[0] == ALARM)
        assert order.setting == (ALARM, 40)
        assert order.number & 0xFF not in (0, 77)
    assert farm.query("SELECT state FROM wanted") == [("wanted",)]


def test_a_setting_that_the_sensor_refuses_is_told_no_more(farm: Site, played: Played) -> None:
    played.say()
    farm.run("configure", "--device", "1", "--slots", "4")
    order = played.say_until(lambda order: order.setting[0] == SLOT)
    assert order.setting == (SLOT, 4 << 8 | 1)
    played.echo, played.flags = order.number & 0xFF, SETTING_REFUSED
    assert [order.setting for _ in range(3) for order in played.say() if order.setting[0]] == []
    assert farm.query("SELECT state FROM wanted") == [("refused",)]
    assert farm.query("SELECT slots FROM device WHERE id = 1") == [(0,)]
    assert "slot 1 of 4: refused" in farm.run("configure", "--device", "1")


def test_a_trial_is_answered_and_confirmed_when_it_is_over(farm: Site, played: Played) -> None:
    played.say()
    farm.run("configure", "--device", "1", "--channel", "9", "--power", "14")
    power = played.say_until(lambda order: order.setting[0] == POWER)
    assert power.setting == (POWER, 2)
    played.echo, played.flags = power.number & 0xFF, ON_TRIAL
    answered = [order for _ in range(3) for order in played.say()]
    assert len(answered) == 3
    assert farm.query("SELECT setting, state FROM wanted ORDER BY setting") == [
        ("channel", "wanted"),
        ("power", "wanted"),
    ]
    played.flags = 0
    channel = played.say_until(lambda order: order.setting[0] == CHANNEL)
    assert channel.setting == (CHANNEL, 9)
    assert farm.query("SELECT power FROM device WHERE id = 1") == [(2,)]


def test_a_clock_that_is_hours_off_is_set_on_an_operators_word(farm: Site, played: Played) -> None:
    wrong = int(time.time()) - 7200
    assert not played.say_until(lambda order: order.time_ms > 0, time_s=wrong).whatever_it_shows
    farm.run("configure", "--device", "1", "--set-clock")
    assert played.say_until(lambda order: order.whatever_it_shows, time_s=wrong)
    played.say()
    assert farm.query("SELECT state FROM wanted") == [("confirmed",)]


def test_the_next_key_comes_over_the_air(farm: Site, played: Played) -> None:
    played.say()
    said = farm.run("rotate", "1", "--over-the-air")
    assert "epoch 1" in said and not (farm.folder / "devices" / "1-epoch1.bin").exists()
    frame = played.say_until(lambda order: order.kind == KEY)
    masters = (farm.folder.parent / "fleet.csv").read_text().splitlines()[1].split(",")[3]
    assert frame.text == device_key(bytes.fromhex(masters), 1, played.device.suite)
    refused = farm.attempt("rotate", "1", "--over-the-air")
    assert refused.returncode == 2 and "has not taken its last key yet" in refused.stderr
    # Until it has the key, the old one counts.
    again = played.say_until(lambda order: order.kind == KEY)
    assert again.number > frame.number
    assert farm.query("SELECT epoch, retires_ms FROM epoch WHERE device = 1") == [(0, None), (1, None)]
    played.device = Device(1, 1, played.device.suite, frame.text)
    played.say()
    assert farm.query("SELECT state FROM wanted") == [("confirmed",)]
    ((epoch, retires_ms), _) = farm.query("SELECT epoch, retires_ms FROM epoch WHERE device = 1 ORDER BY epoch")
    assert epoch == 0 and 6.9 < (retires_ms / 1000 - time.time()) / 86_400 < 7.1
    assert farm.counters(1) == list(range(played.counter))


def test_numbers_go_up_whatever_restarts(farm: Site, played: Played) -> None:
    numbers = []
    farm.run("configure", "--device", "1", "--period", "9")
    for _ in range(8):
        numbers.append(played.say_until(lambda order: order.setting[0] == PERIOD).number)
    assert all(later - earlier >= 2 for earlier, later in zip(numbers, numbers[1:], strict=False))
    # A database that has forgotten: the clock is above what was drawn.
    with sqlite3.connect(farm.folder / "link.sqlite", timeout=30) as database:
        database.execute("DELETE FROM down")
    wait = numbers[-1] - int(time.time())
    assert wait < 60
    with sqlite3.connect(farm.folder / "link.sqlite", timeout=30) as database:
        database.execute("UPDATE wanted SET told = 0")
    # And the sensor says, when it begins anew, what it has accepted, were the clock set back too.
    beyond = (int(time.time()) + 5_000) & ~0xFF
    boot = played.device.frame(played.counter + 256, kind=1, pulses=beyond | 1)
    played.gateway.deliver([boot])
    played.counter += 257
    assert played.say_until(lambda order: order.setting[0] == PERIOD).number > beyond


def test_two_gateways_that_hear_each_other_refuse_nothing(farm: Site, played: Played) -> None:
    """A gateway hears what the other one sends to a sensor: that is no attack, and no reading."""
    played.say_until(lambda order: order.time_ms > 0, time_s=0, more=1)
    other = farm.gateway("gw-b")
    stored = farm.counters(1)
    other.deliver([played.gateway.downs[-1], played.gateway.downs[-1] + b"\x01\x02"])
    assert farm.counters(1) == stored
    refusals = farm.refusals()
    assert refusals.get("forged tag", 0) == 0 and refusals.get("unsupported type", 0) == 0


def test_frames_of_the_other_direction_are_no_readings(farm: Site, played: Played) -> None:
    """What is sealed under the key of the downlink is never a reading, whatever type it says it has."""
    down = Downlink(1, played.device.key)
    stored = farm.counters(1)
    tries = [down.frame(50, bytes(16), kind) for kind in range(16)]
    changed = [bytes([frame[0] & 0xF0 | kind]) + frame[1:] for frame in tries for kind in (0, 1)]
    played.gateway.deliver(tries + changed)
    assert farm.counters(1) == stored
    print(f"frames of the other direction: {len(tries + changed)} tries, 0 accepted")


def test_a_device_that_is_revoked_is_told_nothing(farm: Site, played: Played) -> None:
    played.say()
    farm.run("configure", "--device", "1", "--period", "30")
    farm.run("revoke", "--device", "1")
    assert played.say() == []


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        (["--period", "30"], "Say which sensors"),
        (["--device", "9", "--period", "30"], "There is no device 9"),
        (["--device", "1", "--period", "1"], "1 is not in 2..=255"),
        (["--device", "1", "--slots", "13"], "too short for a frame"),
        (["--device", "1", "--warn-mm", "60"], "0.2 to 51 mm"),
        (["--device", "1", "--channel", "32"], "32 is not in 0..=31"),
        (["--device", "1", "--power", "15"], "20, 17, 14 or 10 dBm"),
    ],
)
def test_mistakes_get_one_sentence(farm: Site, arguments: list[str], says: str) -> None:
    farm.provision("--device", "1")
    done = farm.attempt("configure", *arguments)
    assert done.returncode == 2 and says in done.stderr, done.stderr
    assert farm.query("SELECT COUNT(*) FROM wanted") == [(0,)]


def test_a_region_is_kept(farm: Site) -> None:
    farm.provision("--device", "1", "--region", "eu433")
    image = (farm.folder / "devices" / "1-epoch0.bin").read_bytes()
    assert image[27] == 1 << 5 | 24 and image[29] == 3
    for arguments in (["--channel", "23"], ["--power", "20"]):
        done = farm.attempt("configure", "--device", "1", *arguments)
        assert done.returncode == 2 and "not what region eu433 allows" in done.stderr
    assert farm.attempt("provision", "--device", "2", "--region", "eu433", "--channel", "5").returncode == 2


def test_what_is_wanted_can_be_forgotten(farm: Site, played: Played) -> None:
    played.say()
    farm.run("configure", "--device", "1", "--period", "30")
    farm.run("configure", "--device", "1", "--cancel")
    until(lambda: [order.setting for order in played.say() if order.setting[0]] == [], "nothing is told any more")


class Ratcheting(Device):
    """A sensor whose key ratchets."""

    def at(self, counter: int) -> Device:
        stage = counter // STAGE_COUNTERS
        return Device(self.id, self.epoch, self.suite, key_of_stage(self.key, self.suite, self.epoch, self.id, stage))


@pytest.fixture
def ratcheting(farm: Site) -> Ratcheting:
    farm.create(fleet=1)
    farm.provision("--device", "7", "--ratchet", "--period", "5")
    image = (farm.folder / "devices" / "7-epoch0.bin").read_bytes()
    assert image[29] == 1 << 2
    return Ratcheting(7, 0, image[1] >> 4, image[8:24])


def test_a_key_that_ratchets_opens_each_stage_with_its_own(farm: Site, ratcheting: Ratcheting) -> None:
    server = farm.server()
    gateway = farm.gateway()
    counters = [0, 1, 4095, 4096, 4097, 8191, 8192, 3 * 4096 + 5, 9 * 4096]
    gateway.deliver([ratcheting.at(counter).frame(counter) for counter in counters])
    assert farm.counters(7) == counters
    # Under the key of another stage, a counter that is free is refused: the key of last month opens nothing.
    forged = [
        ratcheting.at(stage * 4096).frame(counter)
        for counter in (9 * 4096 + 1, 10 * 4096, 11 * 4096 + 9)
        for stage in (0, 1, 2, 8, 12)
    ]
    far = [ratcheting.frame(2**32 - 2), ratcheting.frame(1100 * 4096)]
    gateway.deliver([*forged, *far])
    assert farm.counters(7) == counters
    assert farm.refusals() == {"forged tag": len(forged) + len(far)}
    # A restart begins where the database is.
    server.kill()
    server.start()
    later = 9 * 4096 + 7
    gateway.deliver([ratcheting.at(later).frame(later)])
    assert farm.counters(7) == [*counters, later]
    print(f"frames under the key of another stage: {len(forged)} tries, 0 accepted")


def test_answers_are_sealed_for_the_stage_of_the_frame(farm: Site, ratcheting: Ratcheting) -> None:
    farm.server()
    gateway = farm.gateway()
    for counter in (10, 5 * 4096 + 3):
        gateway.deliver([ratcheting.at(counter).frame(counter, time_s=0, flags=LISTENS | 1), b"\0"])
        gateway.deliver([b"\0"])
        until(lambda: gateway.downs, "an answer")
        assert opened(ratcheting.at(counter), gateway.downs.pop()).answers == counter


def test_the_next_key_of_one_that_ratchets_is_that_of_stage_0(farm: Site, ratcheting: Ratcheting) -> None:
    farm.server()
    played = Played(farm.gateway(), ratcheting.at(2 * 4096))
    played.counter = 2 * 4096
    played.say()
    farm.run("rotate", "7", "--over-the-air")
    new = played.say_until(lambda order: order.kind == KEY).text
    after = Ratcheting(7, 1, ratcheting.suite, new)
    played.gateway.deliver([after.at(2 * 4096 + 300).frame(2 * 4096 + 300)])
    assert farm.query("SELECT epoch, counter FROM reading ORDER BY epoch DESC LIMIT 1") == [(1, 2 * 4096 + 300)]


def test_programs_can_ask_how_sensors_work(farm: Site) -> None:
    farm.create(fleet=1)
    farm.provision("--device", "7", "--region", "eu433", "--ratchet")
    farm.run("configure", "--device", "7", "--period", "30")
    server = farm.server(page="127.0.0.1:0")
    assert request(server, "GET", "/api/settings")[0] in (303, 401, 403)
    token = {"Authorization": f"Bearer {farm.run('token', 'office').split()[-1]}"}
    status, _, text = request(server, "GET", "/api/settings", headers=token)
    one, seven = json.loads(text)
    assert status == 200 and one["device"] == 1 and one["wanted"] == []
    (wanted,) = seven.pop("wanted")
    assert (wanted["setting"], wanted["value"], wanted["state"], wanted["told"]) == ("period", 30, "wanted", 0)
    assert seven == {
        **{"device": 7, "period_s": 5, "slot": 0, "slots": 0, "channel": 24, "power": 3, "alarm_pulses": 0},
        **{"region": "eu433", "ratchets": True},
    }
