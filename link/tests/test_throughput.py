"""How fast gateway and server are, each by itself, and what a frame costs them: nothing here asserts a time, the long
tests' table does.
"""

from __future__ import annotations

import os
import subprocess
import sys
import time
from collections.abc import Callable
from functools import partial
from pathlib import Path

import pytest
from gateway_site import Site as GatewaySite
from link_site import air_frames, chunk, wait_until
from long_table import rate_line
from sensorlink.gateway_stream import take_apart
from server_support import Site, until

FRAMES = int(os.environ.get("LINK_TEST_THROUGHPUT", "20000"))
SENSORS = 1000
TICKS_PER_S = os.sysconf("SC_CLK_TCK")
DEADLINE_S = 600


def stat(pid: int) -> list[str]:
    """What proc(5) says from the third field on."""
    return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()


def cpu_s(pid: int) -> float:
    fields = stat(pid)
    return (int(fields[11]) + int(fields[12])) / TICKS_PER_S


def family_cpu_s(parent: int) -> float:
    """Of a process, its children, and those that have ended."""
    ended = sum(int(field) for field in stat(parent)[13:15]) / TICKS_PER_S
    total = cpu_s(parent) + ended
    for folder in Path("/proc").iterdir():
        try:
            if folder.name.isdigit() and int(stat(int(folder.name))[1]) == parent:
                total += cpu_s(int(folder.name))
        except OSError:
            continue  # it has ended since
    return total


def test_the_gateway_alone(site: GatewaySite, tmp_path: Path) -> None:
    """From a recording to a server that keeps everything in memory; outbox, TLS and acknowledgements included."""
    recording = tmp_path / "recording"
    with recording.open("wb") as file:
        file.writelines(chunk(frame) for frame in air_frames(1, FRAMES))
    gateway = site.gateway()
    with site.server() as server:
        began = time.monotonic()
        gateway.start("--input", str(recording), "--exit-when-drained")
        assert gateway.process is not None
        _, status, used = os.wait4(gateway.process.pid, 0)
        took_s = time.monotonic() - began
        gateway.process.returncode = os.waitstatus_to_exitcode(status)
        assert gateway.process.returncode == 0, gateway.log()
        wait_until(lambda: len(server.bursts) >= FRAMES, "every frame at the server", DEADLINE_S, gateway.log)
    gateway.process = None
    assert server.bursts == set(air_frames(1, FRAMES))
    print(rate_line("gateway", FRAMES, took_s, {"gateway": used.ru_utime + used.ru_stime}))


@pytest.mark.parametrize("database", ["SQLite", "PostgreSQL"])
def test_the_server_alone(
    farm: Site, fleet: Path, new_database: Callable[[], str], tmp_path: Path, database: str
) -> None:
    """From the first publication to the last acknowledgement, PostgreSQL's own processes included; the broker's time is
    not.
    """
    farm.database = new_database() if database == "PostgreSQL" else None
    farm.create(fleet=SENSORS)
    stream = tmp_path / "stream"
    subprocess.run(
        [fleet, "--keys", tmp_path / "fleet.csv", "--output", stream, "--speed", "0", "--frames", str(FRAMES)],
        check=True,
        capture_output=True,
    )
    bursts = take_apart(stream.read_bytes()).bursts
    assert len(bursts) == FRAMES
    server = farm.server()
    gateway = farm.gateway()
    assert server.process is not None
    watched: dict[str, Callable[[], float]] = {"server": partial(cpu_s, server.process.pid)}
    if database == "PostgreSQL":
        ((backend,),) = farm.query(
            "SELECT pid FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid() LIMIT 1"
        )
        watched["PostgreSQL"] = lambda: family_cpu_s(int(stat(int(backend))[1]))
    before = {name: look() for name, look in watched.items()}
    began = time.monotonic()
    gateway.send(bursts, batch=256)
    until(lambda: not gateway.unacknowledged(), "everything acknowledged")
    took_s = time.monotonic() - began
    used = {name: look() - before[name] for name, look in watched.items()}
    assert farm.query("SELECT COUNT(*) FROM reading") == [(FRAMES,)]
    assert farm.query("SELECT COUNT(*) FROM (SELECT DISTINCT device, epoch, counter FROM reading) AS identity") == [
        (FRAMES,)
    ]
    assert farm.refusals() == {}
    print(rate_line(database, FRAMES, took_s, used))


if __name__ == "__main__":
    sys.exit(pytest.main(["-q", "-s", __file__]))
