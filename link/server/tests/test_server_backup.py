"""Backups: a copy while servers run, and a way back by which nothing that was recorded becomes new again."""

from __future__ import annotations

import os
import sqlite3
import threading
import time
from contextlib import closing
from pathlib import Path

import pytest
from link_site import DEADLINE_S, chunk
from server_support import Daemon, Server, Site, until


def heard_by(farm: Site, daemon: Daemon, bursts: list[bytes]) -> None:
    """Gives frames to a gateway by its serial line and waits until the server has acknowledged them."""
    before = farm.query("SELECT COUNT(*) FROM reading")[0][0]
    assert daemon.process is not None and daemon.process.stdin is not None
    for burst in bursts:
        daemon.process.stdin.write(chunk(burst))
    daemon.process.stdin.flush()
    until(lambda: farm.query("SELECT COUNT(*) FROM reading")[0][0] == before + len(bursts), "everything is stored")
    until(lambda: not daemon.bursts(), "everything is acknowledged")


def test_a_backup_while_the_server_stores_is_one_state(farm: Site, tmp_path: Path) -> None:
    farm.create(fleet=1)
    farm.server()
    gateway = farm.gateway()
    ended = threading.Event()

    def go_on() -> None:
        counter = 0
        while not ended.is_set():
            gateway.deliver([farm.devices[0].frame(counter + at) for at in range(50)])
            counter += 50

    writer = threading.Thread(target=go_on)
    writer.start()
    try:
        until(lambda: farm.query("SELECT COUNT(*) FROM reading")[0][0] >= 100, "some readings")
        target = tmp_path / "copy.sqlite"
        farm.run("backup", "--to", str(target))
    finally:
        ended.set()
        writer.join(DEADLINE_S)
    assert target.stat().st_mode & 0o777 == 0o600
    assert not Path(f"{target}-wal").exists()
    with closing(sqlite3.connect(target)) as copy:
        (highest, accepted), (count,) = (
            copy.execute("SELECT highest, accepted FROM epoch").fetchone(),
            copy.execute("SELECT COUNT(*) FROM reading").fetchone(),
        )
    assert count == accepted == highest + 1 >= 100
    refused = farm.attempt("backup", "--to", str(target))
    assert refused.returncode == 2 and "there is such a file already" in refused.stderr


def restored_site(farm: Site, program: Path, tmp_path: Path, clocks: bool) -> tuple[Daemon, Server, list[bytes]]:
    """A site whose backup is older than 200 frames that one gateway delivered; the frames, and the gateway's daemon.

    The other gateway of the site is away.
    """
    farm.create(fleet=2)
    server = farm.server()
    daemon = Daemon(program, farm)
    farm._running.append(daemon)
    daemon.start()
    time_s = int(time.time()) if clocks else 0
    frames = [device.frame(counter, time_s=time_s) for counter in range(150) for device in farm.devices]
    heard_by(farm, daemon, frames[:100])
    backup = tmp_path / "backup.sqlite"
    farm.run("backup", "--to", str(backup))
    heard_by(farm, daemon, frames[100:])
    in_use = farm.attempt("restore", "--from", str(backup))
    assert in_use.returncode == 2 and "end all servers first" in in_use.stderr
    assert farm.query("SELECT COUNT(*) FROM reading") == [(300,)]
    server.kill()
    farm.run("restore", "--from", str(backup))
    assert farm.query("SELECT COUNT(*) FROM reading") == [(100,)]
    return daemon, server, frames


@pytest.mark.parametrize("clocks", [False, True])
def test_after_a_backup_no_recorded_frame_is_new_and_none_is_lost(
    farm: Site, gateway_program: Path, tmp_path: Path, clocks: bool
) -> None:
    daemon, server, frames = restored_site(farm, gateway_program, tmp_path, clocks)
    # An attacker plays all 200 to another gateway as soon as the server is there; nobody has answered yet.
    other = farm.gateway("gw-b")
    ids = other.send(frames[100:])
    server.start()
    other.publish(ids)
    until(lambda: farm.query("SELECT COUNT(*) FROM reading") == [(300,)], "what the gateway kept is stored again")
    # Each of them came from the gateway that heard it, under the id that it had.
    outboxes = dict(farm.query("SELECT number, gateway FROM outbox"))
    origin = {outboxes[row[0]] for row in farm.query("SELECT DISTINCT outbox FROM reading")}
    assert origin == {"gw-a"}
    assert not other.has_acknowledged(ids[:1]) and other.unacknowledged() == set(ids)
    server.wait_for_log("brought what they kept: gw-b;")
    # A new frame waits too, unless its sealed clock proves it; then the absent gateway is given up.
    one = farm.devices[0]
    heard = threading.Thread(target=heard_by, args=(farm, daemon, [one.frame(150, time_s=0)]))
    heard.start()
    finished = farm.run("restore", "--finish")
    assert "no longer for: gw-b" in finished
    heard.join(DEADLINE_S)
    assert not heard.is_alive()
    other.drain()
    # The window knows them all again: to it the recordings are copies that a further gateway heard, or replays.
    assert farm.query("SELECT COUNT(*) FROM reading") == [(301,)]
    assert {outboxes[row[0]] for row in farm.query("SELECT DISTINCT outbox FROM reading")} == {"gw-a"}
    ids = other.deliver(frames[100:])
    assert farm.query("SELECT COUNT(*) FROM reading") == [(301,)]
    assert farm.refusals() == {"replay": 200}


def test_the_wait_ends_by_itself_when_all_gateways_have_answered(
    farm: Site, gateway_program: Path, tmp_path: Path
) -> None:
    daemon, server, _ = restored_site(farm, gateway_program, tmp_path, clocks=False)
    second = Daemon(gateway_program, farm, "gw-b")
    farm._running.append(second)
    second.start()
    server.start()
    server.wait_for_log("the backup is complete")
    heard_by(farm, daemon, [farm.devices[0].frame(150, time_s=0)])
    assert farm.query("SELECT COUNT(*) FROM reading") == [(301,)]
    assert farm.query("SELECT name FROM setting WHERE name = 'restored'") == []
    nothing = farm.attempt("restore", "--finish")
    assert nothing.returncode == 2 and nothing.stderr.count("\n") == 1


def test_a_sensor_whose_sealed_clock_is_set_need_not_wait(farm: Site, gateway_program: Path, tmp_path: Path) -> None:
    _, server, _ = restored_site(farm, gateway_program, tmp_path, clocks=True)
    # As if the backup had been put in place ten minutes ago.
    farm.query(
        "UPDATE setting SET value = substr(value, 1, 33) || (CAST(substr(value, 34) AS INTEGER) - 600000) "
        "WHERE name = 'restored'"
    )
    server.start()
    other = farm.gateway("gw-b")
    one, two = farm.devices
    now_s = int(time.time())
    fresh = other.send([one.frame(200, time_s=now_s)])
    held = other.send([two.frame(200, time_s=0), one.frame(140, time_s=now_s - 700)])
    until(lambda: other.has_acknowledged(fresh), "the fresh frame")
    other.publish(held)
    until(lambda: 140 in farm.counters(two.id), "what the gateway kept")
    assert 200 in farm.counters(one.id) and 200 not in farm.counters(two.id)
    assert other.unacknowledged() == set(held)


def test_what_is_no_backup_leaves_the_database_alone(farm: Site, tmp_path: Path) -> None:
    farm.create(fleet=1)
    foreign = Site(tmp_path / "foreign")
    foreign.provision("--fleet", "1", "--csv", str(tmp_path / "foreign.csv"))
    before = (farm.folder / "link.sqlite").read_bytes()
    (tmp_path / "noise").write_bytes(os.urandom(8192))
    for wrong, said in (
        (tmp_path / "nothing", "cannot be restored"),
        (tmp_path / "noise", "not a database"),
        (foreign.folder / "link.sqlite", "sealed by another server key"),
    ):
        refused = farm.attempt("restore", "--from", str(wrong))
        assert refused.returncode == 2 and said in refused.stderr and refused.stderr.count("\n") == 1, refused.stderr
    assert (farm.folder / "link.sqlite").read_bytes() == before
    assert [path.name for path in farm.folder.glob("link.sqlite*") if "restored" in path.name] == []
