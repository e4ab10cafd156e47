"""The whole chain with nothing played: sealed frames into the daemon, mosquitto, the server, its database; each of the
three programs killed with -9 at random moments.

What a gateway had in memory when it died is written to it again, as in test_gateway_kills.py.
As a script: `python link/gateway/tests/test_gateway_chain.py --kills 200`.
"""

from __future__ import annotations

import argparse
import collections
import random
import sys
import tempfile
import time
from dataclasses import dataclass
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "testing"))

from link_site import SteadyFeed, wait_until
from long_table import Machine, Row, allowance, tell
from sensorlink.binaries import GATEWAY, binary
from server_support import Daemon, Server
from server_support import Site as Farm

DEVICES = 20
PAUSE_S = (0.05, 0.6)
DRAINED_S = 5


@dataclass(frozen=True)
class Outcome:
    kills: collections.Counter[str]
    frames: int
    lost: int
    stored: int
    refusals: dict[str, int]
    drained_s: float


class Frames:
    """Frame number n, from 0: device n mod DEVICES, counter n div DEVICES."""

    def __init__(self, farm: Farm) -> None:
        self._devices = farm.devices

    def __getitem__(self, number: int) -> bytes:
        return self._devices[number % DEVICES].frame(number // DEVICES)

    def number(self, device: int, counter: int) -> int:
        return counter * DEVICES + next(index for index, known in enumerate(self._devices) if known.id == device)


def known(farm: Farm, daemon: Daemon, frames: Frames) -> set[int]:
    """The numbers of the frames that are in the outbox or in the server's database."""
    waiting = {
        frames.number(int.from_bytes(burst[2:4], "big"), int.from_bytes(burst[4:8], "big")) for burst in daemon.bursts()
    }
    # Read after the outbox: a row may go from there to the database meanwhile, and must not be missed in both.
    return waiting | stored(farm, frames)


def stored(farm: Farm, frames: Frames) -> set[int]:
    return {frames.number(device, counter) for device, counter in farm.query("SELECT device, counter FROM reading")}


def run(farm: Farm, program: Path, kills: int, seed: int) -> Outcome:
    choose = random.Random(seed)
    counted: collections.Counter[str] = collections.Counter()
    farm.create(fleet=DEVICES, gateways=("gw-a",), suite="ccm")
    server: Server = farm.server()
    frames, daemon = Frames(farm), Daemon(program, farm)
    daemon.start()
    try:
        feed = SteadyFeed(daemon, frames.__getitem__, 0)
        for _ in range(kills):
            time.sleep(choose.uniform(*PAUSE_S))  # the moment itself is what is random here
            victim = choose.choice(["gateway", "broker", "server"])
            counted[victim] += 1
            if victim == "gateway":
                daemon.kill()
                feed.end()
                there = known(farm, daemon, frames)
                assert there == set(range(len(there))), "a gap among the frames that are committed"
                daemon.start()
                feed = SteadyFeed(daemon, frames.__getitem__, len(there))
            elif victim == "broker":
                farm.broker.kill()
                time.sleep(choose.choice([0.0, 0.3]))
                farm.start_broker()
            else:
                server.kill()
                time.sleep(choose.choice([0.0, 0.3]))
                server.start()
        count = feed.end()
        ended = time.monotonic()
        everything = set(range(count))
        wait_until(lambda: len(stored(farm, frames)) >= count, "every frame in the database", detail=daemon.log)
        wait_until(lambda: not daemon.bursts(), "an empty outbox", detail=daemon.log)
        drained_s = time.monotonic() - ended
        assert daemon.stop() == 0
    finally:
        daemon.kill()
    there = stored(farm, frames)
    return Outcome(counted, count, len(everything - there), len(there), farm.refusals(), drained_s)


def test_kills_of_all_three_lose_nothing(tmp_path: Path, gateway_program: Path) -> None:
    farm = Farm(tmp_path / "farm")
    try:
        outcome = run(farm, gateway_program, kills=8, seed=3)
    finally:
        farm.close()
    assert outcome.frames > 0
    assert (outcome.lost, outcome.stored) == (0, outcome.frames)
    assert sum(outcome.kills.values()) == 8


def main() -> int:
    parser = argparse.ArgumentParser(
        description="Kills gateway, broker and server at random moments; prints what was lost."
    )
    parser.add_argument("--kills", type=int, default=200)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--gateway", type=Path, help="this build of the daemon instead of the sources'")
    arguments = parser.parse_args()
    with Machine() as machine, tempfile.TemporaryDirectory() as name:
        farm = Farm(Path(name) / "farm")
        try:
            outcome = run(farm, arguments.gateway or binary(GATEWAY), arguments.kills, arguments.seed)
        finally:
            farm.close()
    kills = ", ".join(f"{count} of the {victim}" for victim, count in sorted(outcome.kills.items()))
    reached = (
        f"{sum(outcome.kills.values())} kills: {kills} (seed {arguments.seed}); {outcome.frames:,} frames, "
        f"{outcome.stored:,} stored; "
        f"lost {outcome.lost}; refusals {outcome.refusals or 'none'}; drained {outcome.drained_s:.2f} s after the "
        "last frame, "
        f"{allowance(DRAINED_S, machine.slower)}"
    )
    name = (
        "kill -9 of gateway, broker (state wiped too) and server, "
        f"{SteadyFeed.PER_SECOND:,}/s over TLS, to the database"
    )
    holds = outcome.lost == 0 and outcome.drained_s <= DRAINED_S * machine.slower
    return tell([Row(name, f"{arguments.kills} kills, 0 lost, drained in {DRAINED_S} s", reached, holds)])


if __name__ == "__main__":
    sys.exit(main())
