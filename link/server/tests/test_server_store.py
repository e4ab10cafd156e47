"""Nothing is lost and nothing stored twice: several servers, servers killed at random, a full disk, SQLite and
PostgreSQL.
"""

from __future__ import annotations

import contextlib
import os
import random
import resource
import signal
import sqlite3
import subprocess
import threading
from collections.abc import Callable
from functools import partial
from pathlib import Path

import pytest
from server_support import Device, Server, Site, TestGateway, until

pytestmark = pytest.mark.long

KILLS = int(os.environ.get("LINK_TEST_SERVER_KILLS", "6"))
SEED = int(os.environ.get("LINK_TEST_SEED", "1"))


def assert_each_once(farm: Site, devices: list[Device], frames: int) -> None:
    """Every counter of every device is stored, once. The table has no key to hide behind: rows are counted."""
    expected = [(device.id, frames, 0, frames - 1, frames) for device in devices]
    assert (
        farm.query(
            "SELECT device, COUNT(*), MIN(counter), MAX(counter), COUNT(DISTINCT counter) FROM reading GROUP BY "
            "device ORDER BY device"
        )
        == expected
    )


@pytest.mark.parametrize("database", ["SQLite", "PostgreSQL"])
def test_two_servers_share_a_subscription_without_a_duplicate_or_a_gap(
    farm: Site, new_database: Callable[[], str], database: str
) -> None:
    """Every burst goes out twice, by two gateways' topics at once, so that both servers get the same frames at the same
    time.
    """
    farm.database = new_database() if database == "PostgreSQL" else None
    farm.create(fleet=20)
    servers = [farm.server(), farm.server()]
    gateways = [farm.gateway("gw-a"), farm.gateway("gw-b")]
    for first in range(0, 200, 10):
        bursts = [device.frame(counter) for counter in range(first, first + 10) for device in farm.devices]
        for gateway in gateways:
            ids = gateway.send(bursts, batch=20)
            gateway.publish(ids[:40], batch=7)
    for gateway in gateways:
        gateway.drain()
    assert_each_once(farm, farm.devices, 200)
    # Neither frames that came by the other gateway first are refused, nor bursts that were published twice.
    assert farm.refusals() == {}
    for server in servers:
        assert server.process is not None and server.process.poll() is None, server.log()
        assert "database" not in server.log(), server.log()


def has_room(gateway: TestGateway, killer: threading.Timer) -> bool:
    return len(gateway.unacknowledged()) < 1000 or not killer.is_alive()


@pytest.mark.parametrize("database", ["SQLite", "PostgreSQL"])
def test_servers_killed_at_random_lose_nothing(farm: Site, new_database: Callable[[], str], database: str) -> None:
    """`kill -9` at moments drawn by seed, while a gateway delivers without a pause; repeat one with LINK_TEST_SEED."""
    farm.database = new_database() if database == "PostgreSQL" else None
    farm.create(fleet=20)
    servers = [farm.server(), farm.server()]
    gateway = farm.gateway()
    chance = random.Random(SEED)
    sent = 0
    for _ in range(KILLS):
        victim = chance.choice(servers)
        delay_s = chance.uniform(0, 0.3)
        killer = threading.Timer(delay_s, lambda server=victim: os.kill(server.process.pid, signal.SIGKILL))
        killer.start()
        while killer.is_alive():
            gateway.send([device.frame(sent) for device in farm.devices], batch=5)
            sent += 1
            # The broker may lose what it has of the dead one; a thousand on their way at most, as with a real gateway.
            until(partial(has_room, gateway, killer), "room")
        killer.join()
        victim.kill()
        victim.start()
    gateway.drain(timeout_s=120)
    assert_each_once(farm, farm.devices, sent)
    assert farm.refusals() == {}
    print(
        f"{database}: {KILLS} servers killed (seed {SEED}), {sent * len(farm.devices)} frames: all stored, none twice"
    )


def limited() -> None:
    """In the server: files may not grow beyond 1 MB, which fails a write as a full disk does, and does not kill."""
    signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
    resource.setrlimit(resource.RLIMIT_FSIZE, (1 << 20, resource.RLIM_INFINITY))


def test_a_full_disk_acknowledges_nothing_and_resumes_by_itself(farm: Site) -> None:
    farm.create(fleet=50)
    server = farm.server(start=False)
    server.start(preexec_fn=limited)
    gateway = farm.gateway()
    counter = 0
    while "nothing can be stored" not in server.log():
        gateway.send([device.frame(counter) for device in farm.devices])
        counter += 1
        until(
            lambda: len(gateway.unacknowledged()) < 200 or "nothing can be stored" in server.log(),
            "acknowledged or full",
        )
    server.wait_for_log("left the broker")
    with sqlite3.connect(farm.folder / "link.sqlite") as database:
        stored = {row[0] for row in database.execute("SELECT outbox_id FROM reading")}
    assert gateway.acknowledged <= stored
    assert gateway.unacknowledged()
    assert server.process is not None
    resource.prlimit(server.process.pid, resource.RLIMIT_FSIZE, (resource.RLIM_INFINITY, resource.RLIM_INFINITY))
    server.wait_for_log("the database works again")
    gateway.drain()
    assert_each_once(farm, farm.devices, counter)


def test_another_server_takes_over_while_one_cannot_store(farm: Site) -> None:
    farm.create()
    broken, healthy = farm.server(start=False), farm.server()
    broken.start(preexec_fn=limited)
    assert broken.process is not None and healthy.process is not None
    # The log of the database's transactions is beyond this soon: whose turn it is then cannot store.
    resource.prlimit(broken.process.pid, resource.RLIMIT_FSIZE, (1 << 16, resource.RLIM_INFINITY))
    gateway = farm.gateway()
    device = farm.devices[0]
    counter = 0
    while "left the broker" not in broken.log():
        gateway.send([device.frame(counter)])
        counter += 1
        until(
            lambda: not gateway.unacknowledged() or "left the broker" in broken.log(), "acknowledged, or one has left"
        )
    ids = gateway.deliver([device.frame(counter + number) for number in range(40)])
    assert set(ids) <= gateway.acknowledged
    assert farm.counters(device.id) == list(range(counter + 40))
    assert "nothing can be stored" not in healthy.log()


def test_postgresql_away_for_a_while(farm: Site, new_database: Callable[[], str]) -> None:
    """The server's connection is cut: it acknowledges nothing meanwhile, connects again by itself, and loses
    nothing.
    """
    farm.database = new_database()
    farm.create()
    server = farm.server()
    gateway = farm.gateway()
    device = farm.devices[0]
    gateway.deliver([device.frame(1)])
    farm.query(
        "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = current_database() AND pid <> "
        "pg_backend_pid()"
    )
    gateway.deliver([device.frame(2)])
    assert farm.counters(device.id) == [1, 2]
    server.wait_for_log("the database works again")


def test_the_log_of_sqlite_does_not_fill_a_small_disk(farm: Site, tmp_path: Path) -> None:
    """On 12 MB, with four times as much written through the log; then the disk is full, and has room again."""
    disk = tmp_path / "disk"
    disk.mkdir()
    mounted = subprocess.run(["mount", "-t", "tmpfs", "-o", "size=12m,mode=711", "tmpfs", str(disk)])
    if mounted.returncode != 0:
        pytest.skip("only root may mount a file system; how long the log gets is tested in checkpoint.rs too")
    try:
        farm.folder = disk / "farm"
        farm.create(fleet=100, suite="ccm")  # Python seals a hundred of these as fast as one of Ascon's
        server = farm.server()
        gateway = farm.gateway()
        log = farm.folder / "link.sqlite-wal"
        longest = written = counter = 0
        while written < 48_000_000:
            before = log.stat().st_size
            gateway.deliver([device.frame(counter) for device in farm.devices])
            counter += 1
            longest = max(longest, log.stat().st_size)
            written += max(0, log.stat().st_size - before)
        assert "nothing can be stored" not in server.log(), server.log()
        assert longest < 7_500_000, longest
        filler = disk / "filler"
        # Without a buffer: its rest would be written once more when the file is closed, and fail there.
        with contextlib.suppress(OSError), filler.open("wb", buffering=0) as file:
            while True:
                file.write(bytes(65_536))
        while "nothing can be stored" not in server.log():
            gateway.send([device.frame(counter) for device in farm.devices])
            counter += 1
            until(partial(is_stored_or_refused, server, gateway), "stored, or the disk is full")
        filler.unlink()
        gateway.drain(timeout_s=120)
        assert_each_once(farm, farm.devices, counter)
        print(f"{written / 1e6:.0f} MB through a log of at most {longest / 1e6:.1f} MB on a disk of 12 MB")
    finally:
        farm.close()
        subprocess.run(["umount", "--lazy", str(disk)], check=True)


def is_stored_or_refused(server: Server, gateway: TestGateway) -> bool:
    return not gateway.unacknowledged() or "nothing can be stored" in server.log()
