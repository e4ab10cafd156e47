"""The firmware's protocol code, the gateway's daemon, the broker and two servers; broker and servers killed at
random.
"""

from __future__ import annotations

import json
import os
import random
import subprocess
import time
from collections.abc import Callable
from pathlib import Path

import pytest
from fleet_support import variables
from link_site import Program, wait_until
from sensorlink.binaries import GATEWAY, binary
from server_support import Site

KILLS = int(os.environ.get("LINK_TEST_WHOLE_KILLS", "4"))
FRAMES = int(os.environ.get("LINK_TEST_WHOLE_FRAMES", "12000"))
SEED = int(os.environ.get("LINK_TEST_SEED", "1"))
PACKETS_PER_S = 2000
# As the stream's messages are: 32 bytes of a frame, type, flags, uptime, checksum, COBS and the zero.
MESSAGE_BYTES = 42
DEADLINE_S = 600


@pytest.mark.parametrize("database", ["SQLite", "PostgreSQL"])
def test_kills_lose_nothing(
    farm: Site, fleet: Path, new_database: Callable[[], str], tmp_path: Path, database: str
) -> None:
    """Few sensors, so that what is on its way covers hundreds of counters of each: the hardest case for the replay
    window.
    """
    farm.database = new_database() if database == "PostgreSQL" else None
    farm.create(fleet=20, gateways=("gw-a",))
    stream, log = tmp_path / "stream", tmp_path / "log.jsonl"
    subprocess.run(
        [
            fleet,
            "--keys",
            tmp_path / "fleet.csv",
            "--output",
            stream,
            "--log",
            log,
            "--speed",
            "0",
            "--frames",
            str(FRAMES),
            "--reset",
            "0.001",
        ],
        check=True,
        capture_output=True,
    )
    servers = [farm.server(), farm.server()]
    settings = farm.folder / "gateways" / "gw-a" / "gateway.toml"
    settings.write_text(
        settings.read_text().replace("[broker]", "min_free_mb = 0\n\n[broker]")
        + "resend_s = 0.5\nbackoff_max_s = 0.3\n"
    )
    gateway = Program(tmp_path / "gateway.log")
    program = os.environ.get("BANCADA_LINK_GATEWAY") or str(binary(GATEWAY))
    gateway.spawn([program, "--config", str(settings), "--input", "-", "--exit-when-drained"], stdin=subprocess.PIPE)
    assert gateway.process is not None and gateway.process.stdin is not None
    chance = random.Random(SEED)
    data = stream.read_bytes()
    # Paced at the rate of ten thousand sensors; the kills are spread over the time that takes.
    per_kill = len(data) // (KILLS + 1) + 1
    began = time.monotonic()
    sent = 0
    try:
        for part in range(KILLS + 1):
            end = min(len(data), (part + 1) * per_kill)
            strike = chance.randrange(sent, end) if part < KILLS else len(data)
            while sent < end:
                gateway.process.stdin.write(data[sent : min(sent + 8192, end)])
                sent = min(sent + 8192, end)
                ahead_s = sent / (PACKETS_PER_S * MESSAGE_BYTES) - (time.monotonic() - began)
                time.sleep(max(0.0, ahead_s))  # the pace of the air, not a wait for something
                if sent > strike:
                    strike = len(data)
                    victim = chance.choice(["broker", "server", "server"])
                    if victim == "broker":
                        farm.broker.kill()
                        farm.start_broker()
                    else:
                        server = chance.choice(servers)
                        server.kill()
                        server.start()
        gateway.process.stdin.close()
        fed_s = time.monotonic()
        wait_until(
            lambda: gateway.process is None or gateway.process.poll() is not None,
            "the gateway has delivered everything",
            DEADLINE_S,
            gateway.log,
        )
        drained_s = time.monotonic() - fed_s
        assert gateway.process.returncode == 0, gateway.log()
    finally:
        gateway.kill()
    expected = {variables(json.loads(line)) for line in log.read_text().splitlines()}
    stored = farm.query("SELECT device, epoch, counter, kind, device_time_s, second, third, fourth FROM reading")
    assert len(stored) == len(set(stored)) == len(expected) == FRAMES, (len(stored), len(expected))
    assert set(stored) == expected
    assert farm.refusals() == {}
    print(
        f"{database}: {KILLS} kills of broker and servers (seed {SEED}), {FRAMES} frames: 0 lost, 0 twice; drained "
        f"{drained_s:.1f} s after the last frame"
    )
