"""The server's own clock a day fast or slow, and set anew between starts: what is stored and what refused does not
change.
"""

from __future__ import annotations

import time
from pathlib import Path

from server_support import Device, Site

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
