"""A full disk: nothing is acknowledged that is not stored, nothing stored is lost, and the gateway goes on by
itself.
"""

from __future__ import annotations

import contextlib
import os
import re
import resource
import shutil
import sqlite3
import struct
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest
from gateway_site import Site
from link_site import Gateway, air_frames, chunk, wait_until

MB = 1 << 20
FULL = "the disk is full"
ROOM = "the disk has room again"


class Feed:
    """Writes frames to the daemon's standard input for as long as the daemon takes them."""

    def __init__(self, gateway: Gateway, count: int) -> None:
        assert gateway.process is not None and gateway.process.stdin is not None
        self._pipe = gateway.process.stdin
        self._count = count
        self.thread = threading.Thread(target=self._write, daemon=True)
        self.thread.start()

    def _write(self) -> None:
        with contextlib.suppress(BrokenPipeError), self._pipe:
            for first in range(1, self._count + 1, 100):
                last = min(first + 99, self._count)
                self._pipe.write(b"".join(chunk(frame) for frame in air_frames(first, last)))


def start(gateway: Gateway) -> None:
    gateway.start("--input", "-", "--exit-when-drained", stdin=subprocess.PIPE)


def fill_then_drain(site: Site, gateway: Gateway, largest_file: int = resource.RLIM_INFINITY) -> None:
    """Offline until the disk is full; then the broker and the server come, and room with them."""
    count = 150_000  # 7 MB in the file, more than any limit of these tests
    site.broker.kill()
    start(gateway)
    assert gateway.process is not None
    resource.prlimit(gateway.process.pid, resource.RLIMIT_FSIZE, (largest_file, largest_file))
    feed = Feed(gateway, count)
    gateway.wait_for_log(FULL)
    kept = gateway.stored()
    assert kept == list(air_frames(1, len(kept)))
    assert 10_000 < len(kept) < count
    assert feed.thread.is_alive(), "more was read than can be stored"
    assert ROOM not in gateway.log()
    site.broker.start()
    with site.server() as server:
        assert gateway.process is not None
        assert gateway.process.wait(300) == 0, gateway.log()
        assert server.bursts == set(air_frames(1, count))
        assert not server.faults
    assert ROOM in gateway.log()


def test_the_outboxs_own_limit(site: Site) -> None:
    fill_then_drain(site, site.gateway(outbox_settings={"min_free_mb": 0, "max_mb": 3}))


def test_a_limit_of_file_size(site: Site) -> None:
    fill_then_drain(site, site.gateway(), largest_file=3 * MB)


@dataclass
class SmallDisk:
    folder: Path

    def free_bytes(self) -> int:
        disk = os.statvfs(self.folder)
        return disk.f_bavail * disk.f_frsize

    def fill(self, leave: int = 0) -> Path:
        """A file of another program's that takes all but `leave` bytes of the disk."""
        file = self.folder / "of another program"
        with file.open("ab", buffering=0) as other:
            while self.free_bytes() > leave:
                try:
                    other.write(bytes(min(65_536, self.free_bytes() - leave)))
                except OSError:
                    break
        return file


@pytest.fixture
def small_disk(tmp_path: Path) -> Iterator[SmallDisk | None]:
    """A file system of 8 MB; None if this user may not mount one here."""
    folder = tmp_path / "small disk"
    folder.mkdir()
    mounted = subprocess.run(["mount", "-t", "tmpfs", "-o", "size=8m", "tmpfs", str(folder)], capture_output=True)
    yield SmallDisk(folder) if mounted.returncode == 0 else None
    if mounted.returncode == 0:
        subprocess.run(["umount", "--lazy", str(folder)], check=True)


IN_A_NAMESPACE = ["unshare", "--user", "--map-root-user", "--mount"]


def without_small_disk(site: Site, test: str) -> None:
    """A user who may not mount here may do so in a namespace of their own: the same test, run there. Where not even
    that is allowed (some
    containers), a limit of file size is the nearest to a full disk that any user can have."""
    allowed = (
        subprocess.run([*IN_A_NAMESPACE, "true"], capture_output=True).returncode == 0
        if shutil.which("unshare")
        else False
    )
    if os.environ.get("LINK_TEST_NAMESPACE") or not allowed:
        print(f"{test}: no file system of its own can be mounted here; tested with a limit of file size instead")
        return test_a_limit_of_file_size(site)
    command = [
        *IN_A_NAMESPACE,
        sys.executable,
        "-m",
        "pytest",
        "-q",
        "-s",
        "-p",
        "no:cacheprovider",
        f"{__file__}::{test}",
    ]
    done = subprocess.run(command, env={**os.environ, "LINK_TEST_NAMESPACE": "1"}, capture_output=True, text=True)
    assert done.returncode == 0 and "limit of file size instead" not in done.stdout, done.stdout + done.stderr


def test_a_disk_that_the_outbox_itself_has_filled(site: Site, small_disk: SmallDisk | None) -> None:
    """Room comes by acknowledgements alone; removing rows needs some, which is why the outbox leaves it."""
    if small_disk is None:
        return without_small_disk(site, "test_a_disk_that_the_outbox_itself_has_filled")
    fill_then_drain(site, site.gateway(outbox_file=small_disk.folder / "outbox", outbox_settings={"min_free_mb": 3}))


def test_a_disk_that_others_have_filled(site: Site, small_disk: SmallDisk | None) -> None:
    """To the last byte, with rows in the outbox: those still reach the server and leave; the rest follows when there is
    room.
    """
    if small_disk is None:
        return without_small_disk(site, "test_a_disk_that_others_have_filled")
    gateway = site.gateway(outbox_file=small_disk.folder / "outbox", outbox_settings={"min_free_mb": 2})
    site.broker.kill()
    start(gateway)
    assert gateway.process is not None and gateway.process.stdin is not None
    gateway.process.stdin.write(b"".join(chunk(frame) for frame in air_frames(1, 2000)))
    gateway.process.stdin.flush()
    wait_until(lambda: gateway.outbox.exists() and "is open" in gateway.log(), "the outbox", detail=gateway.log)
    wait_until(lambda: len(gateway.stored()) == 2000, "2000 rows", detail=gateway.log)
    others = small_disk.fill(leave=MB)
    feed = Feed(gateway, 4000)  # the first 2000 once more: the outbox does not look into frames
    gateway.wait_for_log(FULL)
    small_disk.fill()
    assert small_disk.free_bytes() == 0
    site.broker.start()
    with site.server() as server:
        wait_until(lambda: server.has(set(air_frames(1, 2000))), "the stored rows at the server", detail=gateway.log)
        wait_until(lambda: not gateway.stored(), "an empty outbox on a full disk", detail=gateway.log)
        assert server.bursts == set(air_frames(1, 2000))
        assert ROOM not in gateway.log()
        others.unlink()
        feed.thread.join(60)
        assert gateway.process is not None
        assert gateway.process.wait(60) == 0, gateway.log()
        assert server.bursts == set(air_frames(1, 4000))
    assert ROOM in gateway.log()


def fill_outbox(gateway: Gateway, rows: int) -> int:
    """An outbox with rows and nothing in its log; the size of its pages."""
    assert gateway.run("--check-config").returncode == 0
    with contextlib.closing(sqlite3.connect(gateway.outbox)) as outbox:
        outbox.executemany(
            "INSERT INTO burst (received_ms, bytes) VALUES (1, ?)", [(frame,) for frame in air_frames(1, rows)]
        )
        outbox.commit()
        page_bytes: int = outbox.execute("PRAGMA page_size").fetchone()[0]
    assert not Path(f"{gateway.outbox}-wal").exists()
    return page_bytes


def spoil(gateway: Gateway, page: int, page_bytes: int) -> None:
    with gateway.outbox.open("r+b") as file:
        file.seek((page - 1) * page_bytes)
        file.write(b"\xff" * page_bytes)


def is_set_aside(gateway: Gateway) -> None:
    """Under another name, once and said aloud; the gateway works on in a new one, which has what could be read of the
    old one.
    """
    assert len(list(gateway.outbox.parent.glob(f"{gateway.outbox.name}.damaged-*"))) == 1
    assert gateway.log().count("is damaged; set aside as") == 1


def works_on(site: Site, gateway: Gateway, tmp_path: Path) -> None:
    recording = tmp_path / "recording"
    recording.write_bytes(b"".join(chunk(frame) for frame in air_frames(5001, 5100)))
    with site.server() as server:
        gateway.start("--input", str(recording), "--exit-when-drained")
        assert gateway.process is not None and gateway.process.wait(60) == 0, gateway.log()
        assert server.has(set(air_frames(5001, 5100)))
    assert gateway.log().count("is damaged; set aside as") == 1


def test_a_damaged_row_s_page_is_met_when_the_outbox_is_opened(site: Site, tmp_path: Path) -> None:
    gateway = site.gateway()
    page_bytes = fill_outbox(gateway, 3000)
    spoil(gateway, 12, page_bytes)
    works_on(site, gateway, tmp_path)


@pytest.mark.parametrize("damage", ["cut", "spoiled"])
def test_what_is_whole_of_a_damaged_outbox_is_sent(site: Site, damage: str) -> None:
    """A worn SD card: the file lacks its last 4 kB, or one of its pages is rubbish. All other rows get to the
    server.
    """
    gateway = site.gateway()
    page_bytes = fill_outbox(gateway, 5000)
    if damage == "cut":
        with gateway.outbox.open("r+b") as file:
            file.truncate(gateway.outbox.stat().st_size - 4096)
    else:
        spoil(gateway, 12, page_bytes)
    everything = set(air_frames(1, 5000))
    with site.server() as server:
        gateway.start("--input", "/dev/null", "--exit-when-drained")
        assert gateway.process is not None and gateway.process.wait(60) == 0, gateway.log()
        assert server.bursts <= everything
        assert len(server.bursts) >= 4850, f"{len(server.bursts)} of 5000"
    is_set_aside(gateway)
    assert f"{len(server.bursts)} bursts were read from the damaged outbox" in gateway.log()


def test_a_large_damaged_outbox_takes_no_more_memory_than_a_small_one(site: Site) -> None:
    """A service has 128 MB (bancada-link-gateway.service), and an outbox up to a gigabyte."""
    gateway = site.gateway()
    page_bytes = fill_outbox(gateway, 1)
    rows = 160_000
    with contextlib.closing(sqlite3.connect(gateway.outbox)) as outbox:
        outbox.execute(
            "WITH RECURSIVE every(n) AS (SELECT 2 UNION ALL SELECT n + 1 FROM every WHERE n < ?) "
            "INSERT INTO burst (received_ms, bytes) SELECT 1, randomblob(500) FROM every",
            (rows,),
        )
        outbox.commit()
    assert gateway.outbox.stat().st_size > 80 * MB
    spoil(gateway, 12, page_bytes)
    done = gateway.run(
        "--check-config", preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_DATA, (48 * MB, 48 * MB))
    )
    assert done.returncode == 0, done.stderr
    stored = re.search(r"(\d+) bursts were read from the damaged outbox", done.stderr)
    assert stored and int(stored[1]) > rows - 100, done.stderr
    assert f"{stored[1]} rows wait in the outbox" in done.stdout
    assert len(list(gateway.outbox.parent.glob(f"{gateway.outbox.name}.*"))) == 2  # the lock, and what is set aside


def test_a_salvage_that_was_killed_between_the_two_names_is_finished(site: Site) -> None:
    gateway = site.gateway()
    fill_outbox(gateway, 10)
    gateway.outbox.rename(gateway.outbox.with_name(f"{gateway.outbox.name}.salvaged"))
    assert "10 rows wait in the outbox" in gateway.run("--check-config").stdout


def test_a_damaged_page_that_is_met_when_rows_are_stored(site: Site, tmp_path: Path) -> None:
    """The list of free pages: opening does not touch it."""
    gateway = site.gateway()
    page_bytes = fill_outbox(gateway, 3000)
    with contextlib.closing(sqlite3.connect(gateway.outbox)) as outbox:
        outbox.execute("DELETE FROM burst")
        outbox.commit()
    (first_free,) = struct.unpack_from(">I", gateway.outbox.read_bytes(), 32)
    assert first_free > 1
    spoil(gateway, first_free, page_bytes)
    recording = tmp_path / "more"
    recording.write_bytes(b"".join(chunk(frame) for frame in air_frames(1, 3000)))
    site.broker.kill()
    gateway.start("--input", str(recording))
    assert gateway.process is not None and gateway.process.wait(60) == 1, gateway.log()
    assert re.search(
        r"the outbox cannot be written \(.*\): the last \d+ bursts are lost; start the gateway again", gateway.log()
    )
    is_set_aside(gateway)
    site.broker.start()
    gateway.kill()
    works_on(site, gateway, tmp_path)


def test_a_damaged_page_that_is_met_when_rows_are_sent(site: Site, tmp_path: Path) -> None:
    gateway = site.gateway()
    page_bytes = fill_outbox(gateway, 3000)
    site.broker.kill()
    gateway.start("--input", "/dev/null")
    gateway.wait_for_log("3000 rows wait")
    spoil(gateway, 12, page_bytes)
    site.broker.start()
    with site.server():
        gateway.wait_for_log("is damaged; set aside as")
        assert gateway.process is not None and gateway.process.wait(60) == 1, gateway.log()
    is_set_aside(gateway)
    gateway.kill()
    works_on(site, gateway, tmp_path)


def test_the_status_says_that_the_disk_is_full(site: Site) -> None:
    gateway = site.gateway(outbox_settings={"min_free_mb": 4_000_000_000})
    with site.server() as server:
        start(gateway)
        Feed(gateway, 10)
        gateway.wait_for_log(FULL)
        wait_until(
            lambda: any(b'"disk full"' in status for _, status in server.statuses), "the status", detail=gateway.log
        )
        assert not server.bursts
        assert gateway.stop() == 0
    assert "stopped with a full disk: the last 10 bursts are lost" in gateway.log()


def test_a_question_that_there_is_no_room_to_answer_is_complained_of_once(site: Site) -> None:
    """A server's database came back from a backup while the gateway's disk is full: what the gateway kept does not fit
    among the rows that wait. It says so once, and answers by itself when there is room.
    """
    everything = set(air_frames(1, 20_000))
    unanswered, answered = "cannot be brought back", "20000 rows that it had acknowledged are sent again"
    gateway = site.gateway()
    start(gateway)
    assert gateway.process is not None and gateway.process.stdin is not None
    with site.server() as server:
        gateway.process.stdin.write(b"".join(chunk(frame) for frame in everything))
        gateway.process.stdin.flush()
        wait_until(lambda: server.has(everything) and not gateway.stored(), "all acknowledged", detail=gateway.log)
        server.bursts.clear()
        server.stored.clear()
        resource.prlimit(gateway.process.pid, resource.RLIMIT_FSIZE, (64 << 10, resource.RLIM_INFINITY))
        server.acknowledge(gateway.name, b"\x02" + bytes(range(16)))
        gateway.wait_for_log(unanswered)
        time.sleep(8)  # two attempts more
        assert gateway.log().count(unanswered) == 1, gateway.log()
        resource.prlimit(gateway.process.pid, resource.RLIMIT_FSIZE, (resource.RLIM_INFINITY, resource.RLIM_INFINITY))
        gateway.wait_for_log(answered)
        wait_until(lambda: server.has(everything), "what was kept, at the server again", detail=gateway.log)
        gateway.process.stdin.close()
        assert gateway.process.wait(60) == 0, gateway.log()
    assert gateway.log().count(unanswered) == 1
