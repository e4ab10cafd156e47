"""What a frame costs the server whose database is large: ten thousand sensors, and as many readings as
LINK_TEST_ROWS says. Nothing here asserts a time; the long tests' table does.
"""

from __future__ import annotations

import os
import sqlite3
import subprocess
import sys
import time
from contextlib import closing
from pathlib import Path

import pytest
from long_table import rate_line
from sensorlink.gateway_stream import take_apart
from server_support import Site, device_key, until

ROWS = int(os.environ.get("LINK_TEST_ROWS", "20000"))
FRAMES = int(os.environ.get("LINK_TEST_THROUGHPUT", "20000"))
SENSORS = int(os.environ.get("LINK_TEST_SENSORS", "1000"))
TICKS_PER_S = os.sysconf("SC_CLK_TCK")
BATCH_SENSORS = 500


def cpu_s(pid: int) -> float:
    fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / TICKS_PER_S


def fill(file: Path, rows_each: int) -> None:
    """Readings of every sensor under its first key, one every five seconds up to now; then a second key."""
    now_ms = int(time.time() * 1000)
    with closing(sqlite3.connect(file, isolation_level=None)) as database:
        database.executescript("PRAGMA synchronous = OFF; PRAGMA cache_size = -200000;")
        database.execute("INSERT INTO outbox (gateway, uuid) VALUES ('gw-b', zeroblob(16))")
        for first in range(1, SENSORS + 1, BATCH_SENSORS):
            taken = f"{now_ms} - ({rows_each} - n) * 5000"
            database.execute(
                f"""WITH RECURSIVE line (n) AS (SELECT 0 UNION ALL SELECT n + 1 FROM line WHERE n + 1 < {rows_each})
                INSERT INTO reading (device, epoch, counter, kind, received_ms, stored_ms, outbox, outbox_id,
                device_time_s, second, third, fourth, time_ms)
                SELECT id, 0, n, 0, {taken}, {taken}, 1, n * 65536 + id, ({taken}) / 1000, n / 50,
                21000 + (7 * n + id) % 1000, 3300, {taken}
                FROM device CROSS JOIN line WHERE id BETWEEN {first} AND {first + BATCH_SENSORS - 1}"""
            )
        database.execute(
            f"UPDATE epoch SET highest = {rows_each - 1}, seen = -1, accepted = {rows_each}, heard_ms = {now_ms}, "
            f"time_ms = {now_ms}, last_received_ms = {now_ms}, device_time_s = {now_ms // 1000}, "
            f"rain_pulses = {(rows_each - 1) // 50}, temperature_mc = 21000, supply_mv = 3300, flags = 0"
        )
        database.execute("INSERT INTO epoch (device, epoch, suite) SELECT device, 1, suite FROM epoch")
        database.execute(
            f"INSERT OR IGNORE INTO month VALUES ({time.gmtime().tm_year * 12 + time.gmtime().tm_mon - 23641})"
        )
        database.execute("PRAGMA wal_checkpoint(TRUNCATE)")


def test_a_frame_at_a_large_database(farm: Site, fleet: Path, tmp_path: Path) -> None:
    farm.create(fleet=SENSORS)
    fill(farm.folder / "link.sqlite", max(1, ROWS // SENSORS))
    # The second keys.
    header, *lines = (tmp_path / "fleet.csv").read_text().splitlines()
    cells = [line.split(",") for line in lines]
    for row in cells:
        row[1], row[4] = "1", device_key(bytes.fromhex(row[3]), 1, int(row[2])).hex()
    keys = tmp_path / "keys.csv"
    keys.write_text("\n".join([header, *(",".join(row) for row in cells)]) + "\n")
    stream = tmp_path / "stream"
    subprocess.run(
        [fleet, "--keys", keys, "--output", stream, "--speed", "0", "--frames", str(FRAMES)],
        check=True,
        capture_output=True,
    )
    bursts = take_apart(stream.read_bytes()).bursts
    assert len(bursts) == FRAMES
    server = farm.server()
    gateway = farm.gateway()
    assert server.process is not None
    before = cpu_s(server.process.pid)
    began = time.monotonic()
    gateway.send(bursts, batch=256)
    until(lambda: not gateway.unacknowledged(), "everything acknowledged")
    took_s = time.monotonic() - began
    used = {"server": cpu_s(server.process.pid) - before}
    rows = max(1, ROWS // SENSORS) * SENSORS
    assert farm.query("SELECT COUNT(*) FROM reading WHERE epoch = 1") == [(FRAMES,)]
    assert farm.refusals() == {}
    print(f"{rows} rows: {1e6 * used['server'] / FRAMES:.1f} us of processor time a frame")
    print(rate_line("SQLite", FRAMES, took_s, used))


if __name__ == "__main__":
    sys.exit(pytest.main(["-q", "-s", __file__]))
