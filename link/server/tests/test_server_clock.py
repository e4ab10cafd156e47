"""The server's own clock a day fast or slow, and set anew between starts: what is stored and what refused does not
change.
"""

from __future__ import annotations

import csv
import io
import time
from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path

import pytest
from server_support import BOOT, Device, Site

DAY_S = 86_400
Decisions = tuple[list[tuple[int, int, int]], dict[str, int]]


def steps(device: Device, other: Device) -> list[list[bytes]]:
    """What comes in, in four parts: new, replayed, late, behind the window, forged."""
    forged = bytearray(device.frame(900))
    forged[20] ^= 1
    return [
        [device.frame(counter) for counter in range(100, 120)] + [other.frame(0)],
        [device.frame(105), device.frame(119), device.frame(90), device.frame(125), bytes(forged)],
        [device.frame(300), device.frame(200), other.frame(1), other.frame(0)],
        [
            device.frame(125),
            device.frame(301),
            device.frame(237),
            device.frame(236),
            other.frame(2**32 - 1),
            other.frame(7),
        ],
    ]


def decisions(farm: Site, library: Path, shifts_s: tuple[int, int, int, int]) -> Decisions:
    """One part for each of the server's starts, each time with another clock."""
    farm.create(gateways=("gw-a",))
    gateway = farm.gateway()
    for shift_s, bursts in zip(shifts_s, steps(*farm.devices), strict=True):
        server = farm.server(start=False)
        server.start(env={"LD_PRELOAD": str(library), "SHIFTED_CLOCK_S": str(shift_s), "PATH": "/usr/bin:/bin"})
        gateway.deliver(bursts)
        assert server.stop() == 0
        ((stored_ms,),) = farm.query("SELECT MAX(last_seen_ms) FROM gateway")
        assert abs(stored_ms / 1000 - time.time() - shift_s) < 600, "the server's clock was not shifted"
    return farm.query("SELECT device, epoch, counter FROM reading ORDER BY device, epoch, counter"), farm.refusals()


def test_no_decision_depends_on_the_servers_clock(tmp_path: Path, shifted_clock: Path) -> None:
    found: list[Decisions] = []
    for number, shifts_s in enumerate(((0, 0, 0, 0), (DAY_S, -DAY_S, 0, DAY_S), (-DAY_S, -DAY_S, DAY_S, -DAY_S))):
        farm = Site(tmp_path / str(number) / "farm")
        farm.folder.parent.mkdir()
        try:
            found.append(decisions(farm, shifted_clock, shifts_s))
        finally:
            farm.close()
    right, *others = found
    assert [counter for device, _, counter in right[0] if device == 1] == [90, *range(100, 120), 125, 300, 301]
    assert right[1] == {"replay": 4, "forged tag": 1, "outside window": 4}
    assert others == [right, right]


@pytest.mark.parametrize("database", ["SQLite", "PostgreSQL"])
def test_an_export_has_what_was_taken_in_its_period_however_the_clocks_leap(
    farm: Site, shifted_clock: Path, new_database: Callable[[], str], database: str
) -> None:
    """Server and gateway are one machine, whose clock leaps ahead by a day and is set back. The sensor has none, and
    begins anew each time, so that its counter does not say how much time went by.
    """
    farm.database = new_database() if database == "PostgreSQL" else None
    farm.create(gateways=("gw-a",))
    gateway, sensor = farm.gateway(), farm.devices[0]
    server = farm.server(start=False)
    now_s = int(time.time())
    for boot, shift_s in ((0, 0), (256, DAY_S), (512, 0)):
        server.start(env={"LD_PRELOAD": str(shifted_clock), "SHIFTED_CLOCK_S": str(shift_s), "PATH": "/usr/bin:/bin"})
        frames = [sensor.frame(counter, time_s=0) for counter in range(boot + 1, boot + 10)]
        gateway.deliver([sensor.frame(boot, kind=BOOT, time_s=0), *frames], (now_s + shift_s) * 1000)
        assert server.stop() == 0

    def exported(from_s: int, to_s: int) -> list[int]:
        moments = [datetime.fromtimestamp(now_s + at_s, UTC).strftime("%Y-%m-%dT%H:%M:%SZ") for at_s in (from_s, to_s)]
        said = farm.run("export", "--from", moments[0], "--to", moments[1])
        return [int(row["counter"]) for row in csv.DictReader(io.StringIO(said))]

    before, ahead, after = (list(range(boot + 1, boot + 10)) for boot in (0, 256, 512))
    assert exported(-600, 600) == before + after
    assert exported(DAY_S - 600, DAY_S + 600) == ahead
    assert exported(600, DAY_S - 600) == []
    assert exported(-600, DAY_S + 600) == before + ahead + after
