"""Readings by months: PostgreSQL's parts are there before they are needed, old months go, and what is gone is never
accepted again.
"""

from __future__ import annotations

import struct
from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path

import pytest
from clock_support import start_at
from server_support import Device, Site, until

pytestmark = pytest.mark.long

FIELDS = "device, epoch, counter, kind, received_ms, stored_ms, outbox, outbox_id, device_time_s, second, third, fourth"
NOW_FIELDS = f"{FIELDS}, time_ms"
# As version 1 of the tables had it.
UNDIVIDED = f"""
DROP TABLE reading; DROP TABLE month; DROP TABLE past_counter; DROP TABLE past_outbox;
CREATE TABLE reading (
    {", ".join(f"{field} BIGINT NOT NULL" for field in FIELDS.split(", "))}, PRIMARY KEY (device, epoch, counter)
);
CREATE INDEX reading_by_time ON reading (device, received_ms);
UPDATE setting SET value = '1' WHERE name = 'schema';
"""
databases = pytest.mark.parametrize("database", ["SQLite", "PostgreSQL"])


def month_after(months: int) -> datetime:
    """The beginning of a month, counted from the present one."""
    now = datetime.now(UTC)
    year, month = divmod(now.year * 12 + now.month - 1 + months, 12)
    return datetime(year, month + 1, 1, tzinfo=UTC)


def name_of(month: datetime) -> str:
    return f"reading_{month:%Y_%m}"


def ms(moment: datetime) -> int:
    return int(moment.timestamp() * 1000)


def parts(farm: Site) -> dict[str, int]:
    """PostgreSQL's parts of the table, and how many readings are in each."""
    names = [
        str(row[0])
        for row in farm.query(
            "SELECT inhrelid::regclass::text FROM pg_inherits WHERE inhparent = 'reading'::regclass ORDER BY 1"
        )
    ]
    return {name: int(farm.query(f"SELECT COUNT(*) FROM {name}")[0][0]) for name in names}


def remembered(farm: Site) -> tuple[int, int, int]:
    """Readings accepted, there, and deleted: the first is the sum of the others."""
    ((accepted,),) = farm.query("SELECT SUM(accepted) FROM epoch")
    ((there,),) = farm.query("SELECT COUNT(*) FROM reading")
    ((deleted,),) = farm.query("SELECT COALESCE(SUM(count), 0) FROM past_counter")
    return int(accepted), int(there), int(deleted)


def wait_for_row(farm: Site, sql: str, what: str) -> None:
    until(lambda: farm.query(sql), what)


def frames(devices: list[Device], first: int, count: int) -> list[bytes]:
    return [device.frame(counter) for counter in range(first, first + count) for device in devices]


def test_the_clock_crosses_a_month_while_the_server_runs(
    farm: Site, new_database: Callable[[], str], shifted_clock: Path, tmp_path: Path
) -> None:
    farm.database = new_database()
    farm.create()
    before, after = month_after(1), month_after(2)
    more = tmp_path / "more seconds"
    more.write_bytes(struct.pack("=q", 0))
    server = farm.server(start=False)
    start_at(server, shifted_clock, after, -3600, more)
    ahead = [name_of(month_after(months)) for months in range(1, 6)]
    assert sorted(parts(farm)) == [*ahead[:3], "reading_default"], "the month's own part and those of two to come"
    gateway = farm.gateway()
    gateway.deliver(frames(farm.devices, 0, 10))
    assert parts(farm)[name_of(before)] == 20
    # The hour passes at once, while frames are on their way.
    gateway.send(frames(farm.devices, 10, 30), batch=1)
    with more.open("r+b", buffering=0) as file:
        file.write(struct.pack("=q", 3600))
    gateway.drain()
    gateway.deliver(frames(farm.devices, 40, 1))
    assert parts(farm)[name_of(after)] >= 2
    until(lambda: name_of(month_after(4)) in parts(farm), "another part is made ahead")
    assert parts(farm)["reading_default"] == 0
    for device in farm.devices:
        assert sorted(farm.counters(device.id)) == list(range(41))
    assert farm.refusals() == {}
    assert farm.query("SELECT COUNT(*) FROM month") == [(2,)]


@databases
def test_old_months_go_and_nothing_of_them_comes_back(
    farm: Site,
    new_database: Callable[[], str],
    shifted_clock: Path,
    database: str,
) -> None:
    """Two servers, a gateway that everything comes by twice, one that is away for months, and a replay of every frame
    after each.
    """
    farm.database = new_database() if database == "PostgreSQL" else None
    farm.create(fleet=5)
    assert "2 whole months" in farm.provision("--keep-months", "2")
    near, far = farm.gateway("gw-a"), farm.gateway("gw-b")
    servers = [farm.server(start=False) for _ in range(2)]
    a_month, months, keep = 100, 5, 2
    held: list[int] = []
    brought = 0
    stored: list[int] = []
    heard_by_both = 0
    for at in range(months):
        for server in servers:
            start_at(server, shifted_clock, month_after(at + 1), 86_400)
        counters = range(at * a_month, (at + 1) * a_month)
        # Of each ten counters the near gateway misses one, which the far one hears and keeps until it is back.
        missed = [counter for counter in counters if counter % 10 == 3]
        ids = near.send(
            [device.frame(counter) for counter in counters if counter not in missed for device in farm.devices],
            batch=20,
        )
        near.publish(ids, batch=7)
        near.drain()
        brought += len(ids)
        held += far.number([device.frame(counter) for counter in missed for device in farm.devices])
        if at > keep:
            first_kept = month_after(at + 1 - keep)
            month = (first_kept.year - 1970) * 12 + first_kept.month - 1
            gone_before = f"SELECT 1 FROM setting WHERE name = 'gone_before_month' AND value = '{month}'"
            wait_for_row(farm, gone_before, "the oldest month has gone")
            assert remembered(farm)[2] == sum(stored[: at - keep])
        if at == months - 1:
            # What the near gateway brought of these in a replay, and is still there: the far one heard it too.
            ((heard_by_both,),) = farm.query("SELECT COUNT(*) FROM reading WHERE counter % 10 = 3")
            far.publish(held, batch=3)
            far.drain()
            brought += len(held)
        # An attacker who recorded everything brings it to the near gateway again.
        brought += len(near.deliver(frames(farm.devices, 0, (at + 1) * a_month)))
        stored.append(remembered(farm)[0] - sum(stored))
        for server in servers:
            assert server.stop() == 0
    # What the near gateway brought from within the window, and the far one had not yet, was new; the rest of the far
    # one's came late.
    accepted, there, deleted = remembered(farm)
    assert accepted == there + deleted == months * a_month * len(farm.devices), (accepted, there, deleted)
    assert deleted == sum(stored[:2]) > 2 * 90 * len(farm.devices)
    late = farm.query("SELECT COUNT(*) FROM reading r JOIN outbox o ON o.number = r.outbox WHERE o.gateway = 'gw-b'")
    assert late[0][0] > months * 3 * len(farm.devices), "of each month's ten, those that were behind the window"
    # The last replay brought all of the far one's readings through the near one: the first copy by another gateway is
    # no attack.
    heard_by_both += late[0][0]
    found = farm.refusals()
    assert set(found) == {"replay", "outside window"} and sum(found.values()) == brought - accepted - heard_by_both, (
        found
    )
    if database == "PostgreSQL":
        assert sorted(name for name, count in parts(farm).items() if count) == [
            name_of(month_after(at)) for at in (3, 4, 5)
        ]
    for server in servers:
        assert "could not" not in server.log() and "nothing can be stored" not in server.log(), server.log()


@databases
def test_a_month_goes_while_servers_store(
    farm: Site,
    new_database: Callable[[], str],
    shifted_clock: Path,
    database: str,
) -> None:
    """Nothing that comes meanwhile is lost, stored twice or refused."""
    farm.database = new_database() if database == "PostgreSQL" else None
    farm.create(fleet=20)
    servers = [farm.server(start=False) for _ in range(2)]
    gateway = farm.gateway()
    counter = 0
    for at, count in ((1, 200), (2, 10)):
        start_at(servers[0], shifted_clock, month_after(at), 86_400)
        gateway.deliver(frames(farm.devices, counter, count))
        counter += count
        assert servers[0].stop() == 0
    for server in servers:
        start_at(server, shifted_clock, month_after(3), 86_400)
    gateway.deliver(frames(farm.devices, counter, 1))
    counter += 1
    farm.provision("--keep-months", "1")
    gone = False
    while not gone:
        gateway.send(frames(farm.devices, counter, 1), batch=5)
        counter += 1
        if counter % 10 == 0:
            gone = remembered(farm)[2] == 200 * len(farm.devices)
            until(lambda: len(gateway.unacknowledged()) < 1000, "room")
        assert counter < 100_000, "the month does not go"
    gateway.send(frames(farm.devices, counter, 50))
    counter += 50
    gateway.drain()
    assert remembered(farm) == (counter * 20, (counter - 200) * 20, 200 * 20)
    assert farm.query("SELECT COUNT(*) FROM (SELECT DISTINCT device, epoch, counter FROM reading) AS identity") == [
        ((counter - 200) * 20,)
    ]
    assert farm.refusals() == {}
    for server in servers:
        assert "nothing can be stored" not in server.log() and "could not" not in server.log(), server.log()


def test_what_has_no_part_waits_for_one(farm: Site, new_database: Callable[[], str], shifted_clock: Path) -> None:
    """The clock leapt over months that no part was made for: the rest takes it, and it gets its own part."""
    farm.database = new_database()
    farm.create()
    far_ahead = month_after(9)
    device = farm.devices[0]
    farm.query(
        f"INSERT INTO reading ({NOW_FIELDS}) VALUES ({device.id}, 0, 5, 0, 0, {ms(far_ahead) + 7}, 1, 1, 0, 0, 0, 0, 0)"
    )
    assert parts(farm)["reading_default"] == 1
    server = farm.server(start=False)
    start_at(server, shifted_clock, far_ahead, 3600)
    assert parts(farm)["reading_default"] == 0
    assert parts(farm)[name_of(far_ahead)] == 1
    farm.gateway().deliver([device.frame(6)])
    assert sorted(farm.counters(device.id)) == [5, 6]


@databases
def test_a_database_of_the_version_before(
    farm: Site, new_database: Callable[[], str], shifted_clock: Path, database: str
) -> None:
    """Its readings stay where they are, are served and remembered, and go when their months are old."""
    farm.database = new_database() if database == "PostgreSQL" else None
    farm.create()
    server = farm.server()
    gateway = farm.gateway()
    gateway.deliver(frames(farm.devices, 0, 50))
    server.stop()
    rows = farm.query(f"SELECT {FIELDS} FROM reading")
    for statement in filter(None, UNDIVIDED.replace("\n", " ").split(";")):
        if statement.strip():
            farm.query(statement)
    # Half of them two months older than the others.
    old = ms(month_after(-2))
    inserted = []
    for row in rows:
        cells = [
            old if name == "stored_ms" and row[2] < 25 else cell
            for name, cell in zip(FIELDS.split(", "), row, strict=True)
        ]
        inserted.append(f"({', '.join(map(str, cells))})")
    farm.query(f"INSERT INTO reading ({FIELDS}) VALUES {', '.join(inserted)}")
    server.start()
    assert "the database is of this version now" in server.log()
    assert farm.query("SELECT COUNT(*) FROM month") == [(2,)]
    # Each has the time at which it was taken: the sensors' clocks cannot be right, so the gateway's, as far as the
    # server's allows.
    assert farm.query("SELECT COUNT(*) FROM reading WHERE counter < 25 AND time_ms <> stored_ms") == [(0,)]
    assert farm.query("SELECT COUNT(*) FROM reading WHERE counter >= 25 AND time_ms <> received_ms") == [(0,)]
    assert farm.query(
        "SELECT COUNT(*) FROM epoch e JOIN reading r ON r.device = e.device AND r.counter = e.highest WHERE e.time_ms "
        "= r.time_ms"
    ) == [(2,)]
    for device in farm.devices:
        assert sorted(farm.counters(device.id)) == list(range(50))
    if database == "PostgreSQL":
        assert parts(farm) == {
            "reading_before": 100,
            "reading_default": 0,
            **{name_of(month_after(at)): 0 for at in (1, 2)},
        }
    gateway.deliver(frames(farm.devices, 40, 20))
    assert farm.refusals() == {"replay": 20}
    farm.provision("--keep-months", "1")
    server.stop()
    start_at(server, shifted_clock, month_after(1), 86_400)
    gateway.deliver(frames(farm.devices, 60, 10))
    until(lambda: remembered(farm) == (140, 90, 50), "the older half has gone")
    gateway.deliver(frames(farm.devices, 0, 25))
    assert remembered(farm) == (140, 90, 50)
    server.stop()
    start_at(server, shifted_clock, month_after(2), 86_400)
    gateway.deliver(frames(farm.devices, 70, 10))
    until(lambda: remembered(farm) == (160, 40, 120), "all of the former table has gone")
    if database == "PostgreSQL":
        assert "reading_before" not in parts(farm)
    gateway.deliver(frames(farm.devices, 0, 80))
    assert remembered(farm) == (160, 40, 120)


def test_a_database_of_a_later_version_is_left_alone(farm: Site) -> None:
    farm.create()
    farm.query("UPDATE setting SET value = '99' WHERE name = 'schema'")
    done = farm.attempt("serve", "--page", "none")
    assert done.returncode == 2
    assert "was made by a newer version of this program" in done.stderr and "version 99" in done.stderr, done.stderr
    assert done.stderr.count("\n") == 1
