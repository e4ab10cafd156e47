"""`kill -9` at any moment, of the gateway and of the broker, whose state is wiped too, while the server loses payloads
and acknowledgements: nothing that was committed is lost.

A test that kills the daemon cannot know what was in the daemon's memory at that moment. It writes to the daemon again
what is neither in the outbox nor at the server, as sensors go on sending. Independent of that, the gateway must have
committed whatever the server has *seen* before it sent it, and no id may ever stand for two bursts.

As a script: `python link/gateway/tests/test_gateway_kills.py --kills 200`.
"""

from __future__ import annotations

import argparse
import collections
import random
import subprocess
import sys
import tempfile
import time
from dataclasses import dataclass
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "testing"))

from gateway_site import Site, running_site
from link_site import Gateway, ServerDouble, SteadyFeed, air_frame, air_frame_number, wait_until
from long_table import Machine, Row, allowance, tell
from sensorlink.binaries import GATEWAY, binary

PAUSE_S = (0.02, 0.5)
DRAINED_S = 5


@dataclass(frozen=True)
class Outcome:
    kills: collections.Counter[str]
    frames: int
    lost: int
    duplicates: int
    drained_s: float
    ran_s: float


def start(gateway: Gateway) -> None:
    gateway.start("--input", "-", stdin=subprocess.PIPE)


def committed(gateway: Gateway, server: ServerDouble) -> int:
    """The number of frames that are committed, which are the first ones; everything that was seen is among them."""
    seen, stored = server.copy()  # before the outbox is read: no row may leave between the two
    known = {air_frame_number(frame) for frame in stored} | {air_frame_number(frame) for frame in gateway.stored()}
    count = len(known)
    assert known == set(range(1, count + 1)), (
        f"a gap among {count} frames: {sorted(set(range(1, count + 1)) - known)[:5]}"
    )
    unknown = {air_frame_number(frame) for frame in seen} - known
    assert not unknown, f"sent before they were committed: {sorted(unknown)[:5]}"
    return count


def run(site: Site, kills: int, seed: int) -> Outcome:
    """Kills at random moments; then ends the feed and waits for the last frame."""
    choose = random.Random(seed)
    counted: collections.Counter[str] = collections.Counter()
    gateway = site.gateway()
    begun = time.monotonic()
    with site.server() as server:
        lossy = random.Random(seed + 1)
        server.ignores = lambda _: lossy.random() < 0.02
        server.keeps_silent = lambda _: lossy.random() < 0.02
        start(gateway)
        feed = SteadyFeed(gateway, air_frame, 1)
        for _ in range(kills):
            time.sleep(choose.uniform(*PAUSE_S))  # the moment itself is what is random here
            victim = choose.choice(["gateway", "broker", "broker and its state"])
            counted[victim] += 1
            if victim == "gateway":
                gateway.kill()
                feed.end()
                first = committed(gateway, server) + 1
                start(gateway)
                feed = SteadyFeed(gateway, air_frame, first)
            else:
                site.broker.kill()
                if victim != "broker":
                    site.broker.wipe()
                time.sleep(choose.choice([0.0, 0.3]))
                site.broker.start()
        frames = feed.end() - 1
        ended = time.monotonic()
        everything = {air_frame(number) for number in range(1, frames + 1)}
        wait_until(lambda: server.has(everything), "every frame at the server", detail=gateway.log)
        wait_until(lambda: not gateway.stored(), "an empty outbox", detail=gateway.log)
        drained_s = time.monotonic() - ended
        assert gateway.stop() == 0
        assert not server.faults, server.faults[:5]
        lost = len(everything - server.bursts)
        return Outcome(counted, frames, lost, server.duplicates, drained_s, time.monotonic() - begun)


def test_kills_lose_nothing(site: Site) -> None:
    outcome = run(site, kills=10, seed=20)
    assert outcome.lost == 0
    assert outcome.frames > 0
    assert sum(outcome.kills.values()) == 10


def main() -> int:
    parser = argparse.ArgumentParser(description="Kills gateway and broker at random moments; prints what was lost.")
    parser.add_argument("--kills", type=int, default=200)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--gateway", type=Path, help="this build of the daemon instead of the sources'")
    arguments = parser.parse_args()
    with (
        Machine() as machine,
        tempfile.TemporaryDirectory() as name,
        running_site(Path(name), arguments.gateway or binary(GATEWAY)) as site,
    ):
        outcome = run(site, arguments.kills, arguments.seed)
    kills = ", ".join(f"{count} of the {victim}" for victim, count in sorted(outcome.kills.items()))
    reached = (
        f"{sum(outcome.kills.values())} kills: {kills} (seed {arguments.seed}); {outcome.frames:,} frames, "
        f"{outcome.ran_s:.0f} s; "
        f"lost {outcome.lost}; {outcome.duplicates:,} twice, all recognised; drained {outcome.drained_s:.2f} s after "
        "the last frame, "
        f"{allowance(DRAINED_S, machine.slower)}"
    )
    name = f"kill -9 of gateway and broker, its state wiped too, {SteadyFeed.PER_SECOND:,}/s over TLS"
    holds = outcome.lost == 0 and outcome.drained_s <= DRAINED_S * machine.slower
    return tell([Row(name, f"{arguments.kills} kills, 0 lost, drained in {DRAINED_S} s", reached, holds)])


if __name__ == "__main__":
    sys.exit(main())
