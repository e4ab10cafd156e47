"""A device under its next key: when the old one ends, and what is on its way then."""

from __future__ import annotations

import json
import time
from collections.abc import Callable
from functools import partial

import pytest
from page_support import request, session_of
from sensorlink.eeprom import decode_record
from server_support import Device, Site, device_key, until


def test_rotation_ends_the_old_key_with_the_first_good_frame_of_the_new(farm: Site) -> None:
    farm.create()
    farm.server()
    old = farm.devices[0]
    gateway = farm.gateway()
    gateway.deliver([old.frame(5)])
    farm.run("rotate", str(old.id), "--suite", "ccm")
    record = decode_record((farm.folder / "devices" / f"{old.id}-epoch1.bin").read_bytes()[:32])
    assert record is not None and (record.epoch, record.suite, record.mark) == (1, 2, 0)
    master = bytes.fromhex((farm.folder.parent / "fleet.csv").read_text().splitlines()[1].split(",")[3])
    assert record.key == device_key(master, 1, 2)
    new = Device(old.id, 1, 2, record.key)
    gateway.deliver([old.frame(6)])
    forged = bytearray(new.frame(0))
    forged[30] ^= 4
    gateway.deliver([bytes(forged), old.frame(7)])
    gateway.deliver([new.frame(0), old.frame(8)])
    gateway.deliver([old.frame(5), new.frame(1)])
    assert farm.query(f"SELECT epoch, counter FROM reading WHERE device = {old.id} ORDER BY epoch, counter") == [
        (0, 5),
        (0, 6),
        (0, 7),
        (1, 0),
        (1, 1),
    ]
    assert farm.refusals() == {"forged tag": 1, "wrong suite or epoch": 2}


def rotated(farm: Site, old: Device, *options: str) -> Device:
    """The device under its next key."""
    farm.run("rotate", str(old.id), *options)
    record = decode_record((farm.folder / "devices" / f"{old.id}-epoch{old.epoch + 1}.bin").read_bytes()[:32])
    assert record is not None
    return Device(old.id, record.epoch, record.suite, record.key)


def stored(farm: Site, device: int) -> list[tuple[int, int]]:
    return [
        (int(epoch), int(counter))
        for epoch, counter in farm.query(
            f"SELECT epoch, counter FROM reading WHERE device = {device} ORDER BY epoch, counter"
        )
    ]


@pytest.mark.parametrize("database", ["SQLite", "PostgreSQL"])
def test_readings_that_a_rotation_overtook_are_stored_once(
    farm: Site, new_database: Callable[[], str], database: str
) -> None:
    """Under the old key and on their way, from the gateway that heard the new key later and from one that was
    offline.
    """
    farm.database = new_database() if database == "PostgreSQL" else None
    farm.create(gateways=("gw-a", "gw-b", "gw-c"))
    farm.server()
    old = farm.devices[0]
    gateway, offline = farm.gateway("gw-a"), farm.gateway("gw-b")
    farm.gateway("gw-c").deliver([old.frame(500)])
    new = rotated(farm, old)
    # Behind the window, within it, and above it.
    behind, within, above = range(100, 300), range(470, 490), range(501, 700)
    on_the_way = gateway.number([old.frame(counter) for counter in (*behind, *within, *above)])
    (newer,) = gateway.number([new.frame(0)])
    gateway.publish([newer])
    until(lambda: newer in gateway.acknowledged, "acknowledged")
    for _ in range(2):  # the second time is no replay: an acknowledgement was lost
        gateway.acknowledged -= set(on_the_way)
        gateway.publish(on_the_way)
        until(lambda: not gateway.unacknowledged(), "acknowledged")
    other = range(300, 400)
    offline.deliver([old.frame(counter) for counter in other])
    expected = [(0, counter) for counter in (*behind, *other, *within, 500, *above)] + [(1, 0)]
    assert stored(farm, old.id) == expected
    assert farm.refusals() == {}
    # Stored before: refused, from any gateway.
    offline.deliver([old.frame(counter) for counter in (100, 399, 480, 500, 699)])
    assert farm.refusals() == {"wrong suite or epoch": 5}
    # Never stored, but this gateway had heard the new key before it: held back on the air.
    gateway.deliver([old.frame(counter) for counter in (450, 650, 9000)])
    offline.deliver([new.frame(1)])
    offline.deliver([old.frame(counter) for counter in (450, 9000)])
    assert farm.refusals() == {"wrong suite or epoch": 10}
    assert stored(farm, old.id) == [*expected, (1, 1)]


def test_the_last_frame_of_an_old_key_may_be_in_the_burst_of_the_first_of_the_new(farm: Site) -> None:
    """The burst came late. In it the old key's frame is in front, so no newer key had been heard before it."""
    farm.create()
    farm.server()
    old, other = farm.devices
    gateway = farm.gateway()
    gateway.deliver([old.frame(9) + other.frame(9)])
    new, other_new = rotated(farm, old), rotated(farm, other)
    late = gateway.number([old.frame(10) + new.frame(0), other_new.frame(0) + other.frame(10)])
    newer = gateway.number([new.frame(1) + other_new.frame(1)])
    for ids in (newer, late):
        gateway.publish(ids)
        until(partial(gateway.has_acknowledged, ids), "acknowledged")
    assert stored(farm, old.id) == [(0, 9), (0, 10), (1, 0), (1, 1)]
    assert stored(farm, other.id) == [(0, 9), (1, 0), (1, 1)]
    assert farm.refusals() == {"wrong suite or epoch": 1}


def test_a_retired_key_s_readings_may_be_deleted_and_are_no_less_replays(farm: Site) -> None:
    farm.create()
    farm.server()
    old = farm.devices[0]
    gateway, offline = farm.gateway("gw-a"), farm.gateway("gw-b")
    gateway.deliver([old.frame(counter) for counter in range(200)])
    new = rotated(farm, old)
    gateway.deliver([new.frame(0)])
    farm.query(f"DELETE FROM reading WHERE device = {old.id} AND epoch = 0 AND counter < 190")
    offline.deliver([old.frame(counter) for counter in range(200)])
    assert stored(farm, old.id) == [(0, counter) for counter in range(190, 200)] + [(1, 0)]
    assert farm.refusals() == {"wrong suite or epoch": 200}


def test_a_stated_time_ends_the_old_key_for_what_is_on_its_way_too(farm: Site) -> None:
    farm.create()
    farm.server()
    old = farm.devices[0]
    gateway, offline = farm.gateway("gw-a"), farm.gateway("gw-b")
    new = rotated(farm, old)
    gateway.deliver([new.frame(0)])
    offline.deliver([old.frame(1)])
    farm.query(f"UPDATE epoch SET retires_ms = {int(time.time() * 1000) - 1} WHERE device = {old.id} AND epoch = 0")
    # As a command does that changes a key: servers read the epochs again.
    farm.query("UPDATE setting SET value = CAST(value AS INTEGER) + 1 WHERE name = 'generation'")
    offline.deliver([old.frame(2)])
    assert stored(farm, old.id) == [(0, 1), (1, 0)]
    assert farm.refusals() == {"wrong suite or epoch": 1}


def test_rotation_ends_the_old_key_at_a_stated_time(farm: Site) -> None:
    farm.create()
    farm.server()
    one, two = farm.devices
    farm.run("rotate", str(one.id), "--old-for", "0s")
    farm.run("rotate", str(two.id), "--old-for", "1d")
    farm.gateway().deliver([one.frame(1), two.frame(1)])
    assert farm.query("SELECT device, epoch, counter FROM reading") == [(two.id, 0, 1)]
    assert farm.refusals() == {"wrong suite or epoch": 1}


def test_an_old_key_ends_after_a_week_unless_another_time_is_stated(farm: Site) -> None:
    """Without an end, a thief of it could go on for ever by way of a gateway that does not hear the sensor."""
    farm.create(fleet=1)
    before_ms = int(time.time() * 1000)
    said = farm.run("rotate", "1")
    assert "bring the new one to the sensor before. If somebody may know the old key: --old-for 0s." in said
    ((epoch, retires_ms), (newest, none)) = farm.query(
        "SELECT epoch, COALESCE(retires_ms, 0) FROM epoch ORDER BY epoch"
    )
    assert (epoch, newest, none) == (0, 1, 0)
    week_ms = 7 * 86_400_000
    assert before_ms + week_ms <= retires_ms <= int(time.time() * 1000) + week_ms
    # A later rotation does not give an older key more time.
    farm.run("rotate", "1", "--old-for", "30d")
    assert farm.query("SELECT retires_ms FROM epoch WHERE epoch = 0") == [(retires_ms,)]
    assert "Its old key has ended" in farm.run("rotate", "1", "--old-for", "0s")
    ((latest,),) = farm.query("SELECT MAX(retires_ms) FROM epoch WHERE epoch < 3")
    assert latest <= int(time.time() * 1000)


def test_sixteen_epochs_and_no_more(farm: Site) -> None:
    farm.create(fleet=1)
    for _ in range(15):
        farm.run("rotate", "1")
    done = farm.attempt("rotate", "1")
    assert (done.returncode, done.stderr) == (
        2,
        "bancada: Device 1 has used all 16 key epochs; give the sensor a new id.\n",
    )
    keys = {
        record.key
        for path in (farm.folder / "devices").glob("*.bin")
        if (record := decode_record(path.read_bytes()[:32]))
    }
    assert len(keys) == 15


def test_a_database_from_a_backup_makes_no_epoch_twice(farm: Site) -> None:
    """Its counter would begin anew under the key that the sensor has used already."""
    farm.create(fleet=1)
    database = farm.folder / "link.sqlite"
    backup = database.read_bytes()
    for _ in range(2):
        farm.run("rotate", "1")
    (farm.folder / "devices" / "1-epoch1.bin").unlink()
    database.write_bytes(backup)
    assert "Device 1 has key epoch 3: " in farm.run("rotate", "1")
    (farm.folder / "devices" / "1-epoch15.eep").touch()
    assert "has used all 16 key epochs" in farm.attempt("rotate", "1").stderr


@pytest.mark.parametrize("database", ["SQLite", "PostgreSQL"])
def test_the_page_shows_rain_behind_a_new_key_if_the_sensor_is_the_same(
    farm: Site, new_database: Callable[[], str], database: str
) -> None:
    farm.database = new_database() if database == "PostgreSQL" else None
    farm.create()
    server = farm.server(page="127.0.0.1:0")
    session = session_of(server, farm.password)
    gateway, first = farm.gateway(), farm.devices[0]

    def rain() -> tuple[float, int]:
        """Millimetres that are known, and how often what fell is not."""
        now_ms = int(time.time() * 1000)
        path = f"/api/series?device={first.id}&from_ms={now_ms - 600_000}&to_ms={now_ms + 600_000}&points=10"
        points = json.loads(request(server, "GET", path, cookie=session)[2])["points"]
        return round(sum(point["rain_mm"] for point in points), 1), sum(point["rain_unknown"] for point in points)

    gateway.deliver([first.frame(1, pulses=100), first.frame(2, pulses=105)])
    assert rain() == (1.0, 0)
    second = rotated(farm, first)
    gateway.deliver([second.frame(1, pulses=120)])
    assert rain() == (4.0, 0)
    # Another sensor takes its place, which has counted more elsewhere.
    third = rotated(farm, second, "--new-sensor")
    gateway.deliver([third.frame(1, pulses=130), third.frame(2, pulses=131)])
    assert rain() == (4.2, 1)
    # That one gets a key over the air.
    farm.run("rotate", str(first.id), "--over-the-air")
    master = bytes.fromhex((farm.folder.parent / "fleet.csv").read_text().splitlines()[1].split(",")[3])
    fourth = Device(first.id, 3, third.suite, device_key(master, 3, third.suite))
    gateway.deliver([fourth.frame(300, pulses=141)])
    assert rain() == (6.2, 1)
    # And one whose count began anew, of which nobody said that it is another.
    fifth = rotated(farm, fourth)
    gateway.deliver([fifth.frame(1, pulses=7), fifth.frame(2, pulses=8)])
    assert rain() == (6.4, 2)
    assert farm.query(f"SELECT gauge FROM epoch WHERE device = {first.id} AND epoch > 0 ORDER BY epoch") == [
        ("said",),
        ("other",),
        ("same",),
        ("said",),
    ]
