"""A full disk: nothing is acknowledged that is not stored, nothing stored is lost, and the gateway goes on by itself."""

from __future__ import annotations

import contextlib
import os
import resource
import subprocess
import threading
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest
from conftest import Site
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
    """A file system of 8 MB; None if this user may not mount one."""
    folder = tmp_path / "small disk"
    folder.mkdir()
    mounted = subprocess.run(["mount", "-t", "tmpfs", "-o", "size=8m", "tmpfs", str(folder)], capture_output=True)
    yield SmallDisk(folder) if mounted.returncode == 0 else None
    if mounted.returncode == 0:
        subprocess.run(["umount", "--lazy", str(folder)], check=True)


def test_a_disk_that_the_outbox_itself_has_filled(site: Site, small_disk: SmallDisk | None) -> None:
    """Room comes by acknowledgements alone; removing rows needs some, which is why the outbox leaves it."""
    if small_disk is None:
        return test_a_limit_of_file_size(site)
    fill_then_drain(site, site.gateway(outbox_file=small_disk.folder / "outbox", outbox_settings={"min_free_mb": 3}))


def test_a_disk_that_others_have_filled(site: Site, small_disk: SmallDisk | None) -> None:
    """To the last byte, with rows in the outbox: those still reach the server and leave; the rest follows when there is room."""
    if small_disk is None:
        return test_a_limit_of_file_size(site)
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


def test_the_status_says_that_the_disk_is_full(site: Site) -> None:
    gateway = site.gateway(outbox_settings={"min_free_mb": 4_000_000_000})
    with site.server() as server:
        start(gateway)
        Feed(gateway, 10)
        gateway.wait_for_log(FULL)
        wait_until(lambda: any(b'"disk full"' in status for _, status in server.statuses), "the status", detail=gateway.log)
        assert not server.bursts
        assert gateway.stop() == 0
    assert "stopped with a full disk: the last 10 bursts are lost" in gateway.log()
