"""Gateways that misbehave: two machines with one certificate, and one that names outboxes without end."""

from __future__ import annotations

import json
import shutil
import sqlite3
import uuid
from contextlib import closing
from functools import partial
from pathlib import Path

from link_site import DEADLINE_S, air_frame, chunk, wait_until
from server_support import Daemon, Site, until, up_payload

NOTICED = "two machines use the certificate of gateway 'gw-a'"


def test_two_machines_that_take_the_connection_from_each_other_are_noticed(farm: Site, gateway_program: Path) -> None:
    """With a copy of the gateway's whole folder, outbox included: what differs is what each daemon drew at its
    start.
    """
    farm.create(gateways=("gw-a",))
    server = farm.server()
    first = Daemon(gateway_program, farm)
    first.start()
    until(lambda: first.bursts() == [] and "connected to the broker" in first.log(), "the first is connected")
    first.stop()
    copy = farm.folder.parent / "copy"
    shutil.copytree(farm.folder / "gateways" / "gw-a", copy)
    second = Daemon(gateway_program, farm, folder=copy)
    try:
        first.start()
        server.wait_for_log("connected to the broker")
        assert NOTICED not in server.log()
        second.start()
        wait_until(lambda: NOTICED in server.log(), "noticed", detail=lambda: server.log() + first.log() + second.log())
        until(lambda: farm.query("SELECT gateway FROM double_use") == [("gw-a",)], "noted for the page")
        assert "are there two gateways with one certificate?" in first.log() + second.log()
    finally:
        first.kill()
        second.kill()


def has_refusals(farm: Site, count: int) -> bool:
    return len(farm.query("SELECT number FROM refusal")) == count


def test_restarts_and_new_disks_are_no_second_machine(farm: Site, gateway_program: Path) -> None:
    farm.create(gateways=("gw-a",))
    server = farm.server()
    daemon = Daemon(gateway_program, farm)
    folder = farm.folder / "gateways" / "gw-a"
    for number in range(4):
        daemon.start()
        assert daemon.process is not None and daemon.process.stdin is not None
        daemon.process.stdin.write(chunk(air_frame(number)))
        daemon.process.stdin.flush()
        until(partial(has_refusals, farm, number + 1), "the burst at the server")
        until(lambda: daemon.bursts() == [], "acknowledged")
        assert daemon.stop() == 0
        for file in folder.glob("outbox.sqlite*"):
            file.unlink()
    ((status,),) = farm.query("SELECT status FROM gateway")
    assert len(bytes.fromhex(json.loads(status)["instance"])) == 8
    assert farm.query("SELECT COUNT(*) FROM outbox") == [(4,)]
    assert "two machines" not in server.log()


def test_invented_outboxes_do_not_fill_the_table(farm: Site) -> None:
    farm.create()
    server = farm.server()
    gateway = farm.gateway("gw-a")
    one, two = farm.devices
    gateway.deliver([one.frame(0)])
    for number in range(600):
        gateway.publish_raw(up_payload(uuid.uuid4().bytes, [(number % 3, 0, two.frame(number))]))
    # What the gateway had, and what others have, goes on.
    gateway.deliver([one.frame(1)])
    farm.gateway("gw-b").deliver([one.frame(2)])
    assert farm.counters(one.id) == [0, 1, 2]
    assert farm.query("SELECT gateway, COUNT(*) FROM outbox GROUP BY gateway ORDER BY gateway") == [
        ("gw-a", 256),
        ("gw-b", 1),
    ]
    assert farm.counters(two.id) == list(range(255))
    # One for each id, however many there were.
    assert farm.refusals() == {"too many outboxes": 3}
    assert server.process is not None and server.process.poll() is None
    assert "too many outboxes" in farm.run("audit", "--count")


def test_a_flood_of_one_gateway_delays_no_other(farm: Site) -> None:
    """A million bursts of one byte, 19 MB: those of another gateway are stored while the flood waits for its turns."""
    farm.create()
    server = farm.server()
    flooding, honest = farm.gateway("gw-a"), farm.gateway("gw-b")
    device = farm.devices[0]
    flood = flooding.number([b"x"] * 1_000_000)
    flooding.publish(flood, batch=50_000)
    until(lambda: flooding.acknowledged, "the first of the flood is stored")
    for counter in range(5):
        honest.deliver([device.frame(counter)])
    waiting = len(flooding.unacknowledged())
    assert waiting > 0, "the flood was stored before the honest frames"
    assert farm.counters(device.id) == list(range(5))
    assert server.process is not None
    status = Path(f"/proc/{server.process.pid}/status").read_text()
    peak_mb = int(next(line for line in status.splitlines() if line.startswith("VmHWM")).split()[1]) / 1000
    print(f"a flood of {len(flood):,} bursts: {waiting:,} waited behind 5 honest ones; at most {peak_mb:.0f} MB")
    assert peak_mb < 250


def test_a_flood_of_statuses_is_one_write(farm: Site) -> None:
    """While the database is held up they pile up; of those that came together the newest is written."""
    farm.create()
    server = farm.server()
    flooding, honest = farm.gateway("gw-a"), farm.gateway("gw-b")
    device = farm.devices[0]
    honest.deliver([device.frame(0)])
    database = farm.folder / "link.sqlite"
    with closing(sqlite3.connect(database, timeout=DEADLINE_S, isolation_level=None)) as holder:
        holder.execute("PRAGMA wal_checkpoint(TRUNCATE)")
        holder.execute("BEGIN IMMEDIATE")
        for number in range(4000):
            # Two machines, which take the connection from each other.
            status = json.dumps({"instance": str(number % 2), "n": number}).encode()
            last = flooding.publish_raw(status, "link/gw-a/status")
        wait_until(last.is_published, "the broker has the flood")
        holder.execute("ROLLBACK")
    honest.deliver([device.frame(1)])
    until(lambda: farm.query("SELECT status FROM gateway WHERE name = 'gw-a'")[0][0].endswith("3999}"), "the newest")
    # Each write is a page of the log at least.
    written = database.with_name("link.sqlite-wal").stat().st_size
    assert written < 1_000_000, f"{written:,} bytes"
    assert 1 <= server.log().count(NOTICED) <= 5
    assert server.process is not None and server.process.poll() is None
