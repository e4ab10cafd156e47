"""The whole link under the load of ten thousand sensors: the fleet's program, a serial line, the gateway daemon,
mosquitto with TLS, the server and its SQLite database. Prints whether nothing was lost, how long a frame took and what
it cost.

Run as a program (make test-link does):
python link/fleet/tests/long_fleet.py [--sensors 10000] [--rate 2000] [--minutes 10] [--seed 1]
"""

from __future__ import annotations

import argparse
import json
import os
import pty
import sqlite3
import subprocess
import sys
import tempfile
import threading
import time
import tty
from bisect import bisect_left
from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "testing"))

from fleet_support import variables
from link_site import Program, wait_until
from long_table import Machine, Row, allowance, tell
from sensorlink.binaries import GATEWAY, binary
from sensorlink.laboratory import data_root
from server_support import Site

POLL_S = 0.05
DRAIN_DEADLINE_S = 600
TO_REACH_P99_S = 1.0
TO_REACH_CORES = 1.0
# The sensors draw their pauses: what they send in a while is not exactly sensors / period.
LEAST_OF_RATE = 0.98


@dataclass(frozen=True)
class Load:
    sensors: int
    rate: int
    seconds: float
    seed: int

    @property
    def period_s(self) -> int:
        """The fleet's sensors know whole seconds only: where that is too slow, their clock runs faster (`speed`)."""
        return max(1, round(self.sensors / self.rate))

    @property
    def speed(self) -> float:
        return self.rate * self.period_s / self.sensors


@dataclass(frozen=True)
class Outcome:
    load: Load
    frames: int
    lost: int
    twice: int
    foreign: int
    """Rows of the database that no sensor sent."""
    refusals: dict[str, int]
    latencies_s: list[float]
    """Sorted: from the moment a frame was due in the fleet to the first look at the database that found it committed.
    """
    batch_latencies_s: list[float]
    """Sorted: to the server's clock when it began the batch with the frame in it (`stored_ms`)."""
    sent_s: float
    drained_s: float
    """After the fleet has ended."""
    cpu_s: dict[str, float]
    machine_load: float
    slower: float = 1.0
    """Than a machine that does nothing else (long_table.Machine)."""

    @property
    def cores(self) -> float:
        """What gateway and server took, from the first frame to an empty outbox."""
        return (self.cpu_s["gateway"] + self.cpu_s["server"]) / (self.sent_s + self.drained_s)

    def complete(self) -> bool:
        return self.frames > 0 and (self.lost, self.twice, self.foreign, self.refusals) == (0, 0, 0, {})

    def holds(self) -> bool:
        fast = self.complete() and quantile(self.latencies_s, 0.99) < TO_REACH_P99_S * self.slower
        return fast and self.cores < TO_REACH_CORES and self.frames / self.sent_s >= LEAST_OF_RATE * self.load.rate


def quantile(ordered: list[float], share: float) -> float:
    """The smallest value that at least this share of all does not exceed."""
    return ordered[max(0, -int(-share * len(ordered) // 1) - 1)] if ordered else float("inf")


def build_fleet(folder: Path) -> Path:
    subprocess.run(
        ["make", "-s", "-C", str(data_root() / "link" / "fleet"), f"OUT={folder}"], check=True, capture_output=True
    )
    return folder / "fleet"


def cpu_s(program: Program | subprocess.Popen[bytes]) -> float:
    """User and system time of a process that runs (proc(5), stat: fields 14 and 15)."""
    process = program.process if isinstance(program, Program) else program
    assert process is not None
    fields = Path(f"/proc/{process.pid}/stat").read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


class SentLog:
    """Keeps the fleet's log as it comes through a pipe, and places the fleet's clock on this machine's.

    A line cannot come before its frame was due. So the fleet began at the least of (moment of reading - time in the
    line).
    """

    def __init__(self, file: Path, speed: float) -> None:
        self.file, self._speed = file, speed
        self.began_s = float("inf")
        self._read, self.write = os.pipe()
        self._thread = threading.Thread(target=self._keep, daemon=True)
        self._thread.start()

    def _keep(self) -> None:
        with self.file.open("wb") as kept:
            while part := os.read(self._read, 1 << 16):
                now_s = time.time()
                kept.write(part)
                last = part.rpartition(b'{"ms":')[2].partition(b",")
                if last[1] and last[0].isdigit():
                    self.began_s = min(self.began_s, now_s - int(last[0]) / 1000 / self._speed)
        os.close(self._read)

    def end(self) -> None:
        """After the fleet has ended."""
        self._thread.join()

    def frames(self) -> Iterator[tuple[tuple[int, ...], float]]:
        """Each frame as the database keeps it, and when it was due."""
        with self.file.open() as lines:
            for line in lines:
                frame = json.loads(line)
                assert frame["fate"] == "sent", line
                yield variables(frame), self.began_s + frame["ms"] / 1000 / self._speed


class Watch:
    """Looks again and again how many readings are committed: the server counts them for each key in the same
    transaction.
    """

    def __init__(self, database: Path) -> None:
        self.moments_s: list[float] = []
        self.counts: list[int] = []
        self._database = database
        self._end = threading.Event()
        self._thread = threading.Thread(target=self._look, daemon=True)
        self._thread.start()

    def _look(self) -> None:
        reader = sqlite3.connect(self._database, timeout=30)
        while not self._end.wait(POLL_S):
            count = reader.execute("SELECT COALESCE(SUM(accepted), 0) FROM epoch").fetchone()[0]
            self.counts.append(count)
            self.moments_s.append(time.time())
        reader.close()

    def committed(self) -> int:
        return self.counts[-1] if self.counts else 0

    def end(self) -> None:
        self._end.set()
        self._thread.join()

    def seen_s(self, rank: int) -> float:
        """When the reading that was the rank-th to be committed, from 1, was first seen."""
        at = bisect_left(self.counts, rank)
        return self.moments_s[at] if at < len(self.counts) else float("inf")


def start_gateway(farm: Site, program: Path, device: str) -> Program:
    """With the settings that provisioning wrote; only the serial port is another."""
    folder = farm.folder / "gateways" / "gw-a"
    settings = folder / "gateway.toml"
    text = settings.read_text()
    assert '"/dev/ttyACM0"' in text
    settings.write_text(text.replace('"/dev/ttyACM0"', f'"{device}"'))
    gateway = Program(folder / "gateway.log")
    gateway.spawn([str(program), "--config", str(settings)])
    gateway.wait_for_log(f"{device} is open")
    return gateway


def waiting(farm: Site) -> int:
    """Bursts in the gateway's outbox."""
    outbox = sqlite3.connect(farm.folder / "gateways" / "gw-a" / "outbox.sqlite", timeout=30)
    try:
        count: int = outbox.execute("SELECT COUNT(*) FROM burst").fetchone()[0]
        return count
    finally:
        outbox.close()


def run(farm: Site, fleet: Path, program: Path, load: Load) -> Outcome:
    farm.create(fleet=load.sensors, gateways=("gw-a",))
    server = farm.server()
    folder = farm.folder.parent
    ours, theirs = pty.openpty()
    tty.setraw(theirs)
    gateway = start_gateway(farm, program, os.ttyname(theirs))
    log = SentLog(folder / "sent.jsonl", load.speed)
    watch = Watch(farm.folder / "link.sqlite")
    watched = {"gateway": gateway, "server": server, "broker": farm.broker}
    try:
        before = {name: cpu_s(each) for name, each in watched.items()}
        command = [
            str(fleet),
            "--keys",
            str(folder / "fleet.csv"),
            "--output",
            "-",
            "--log",
            f"/dev/fd/{log.write}",
            "--seed",
            str(load.seed),
            "--period",
            str(load.period_s),
            "--speed",
            str(load.speed),
            "--duration",
            str(load.seconds * load.speed),
        ]
        began = time.monotonic()
        with (folder / "fleet.log").open("wb") as said:
            sender = subprocess.Popen(
                command, stdout=ours, stderr=said, stdin=subprocess.DEVNULL, pass_fds=(log.write,)
            )
        os.close(log.write)
        try:
            code = sender.wait(timeout=load.seconds * 2 + 60)
        finally:
            sender.kill()
        sent_s = time.monotonic() - began
        log.end()
        assert code == 0, (folder / "fleet.log").read_text()
        sent = list(log.frames())
        parsed_s = time.monotonic() - began  # reading the log takes a while, in which the rest arrives
        wait_until(
            lambda: watch.committed() >= len(sent),
            "every frame in the database",
            DRAIN_DEADLINE_S,
            lambda: f"{watch.committed()} of {len(sent)}\n{gateway.log()[-2000:]}",
        )
        wait_until(lambda: waiting(farm) == 0, "an empty outbox", DRAIN_DEADLINE_S, gateway.log)
        drained_s = max(watch.seen_s(len(sent)) - (log.began_s + sent_s), 0.0)
        after = {name: cpu_s(each) for name, each in watched.items()}
        machine_load = os.getloadavg()[0]
        assert parsed_s >= sent_s
        assert gateway.stop() == 0, gateway.log()
    finally:
        watch.end()
        gateway.kill()
        os.close(theirs)
        os.close(ours)
    used = {name: after[name] - before[name] for name in watched}
    return judge(farm, load, sent, watch, sent_s, drained_s, used, machine_load)


def judge(
    farm: Site,
    load: Load,
    sent: list[tuple[tuple[int, ...], float]],
    watch: Watch,
    sent_s: float,
    drained_s: float,
    used: dict[str, float],
    machine_load: float,
) -> Outcome:
    due_s = dict(sent)
    assert len(due_s) == len(sent), "the fleet sent the same frame twice"
    # One server commits one batch after the other: in the order of their times.
    rows = farm.query(
        "SELECT device, epoch, counter, kind, device_time_s, second, third, fourth, stored_ms FROM reading ORDER BY "
        "stored_ms, outbox_id"
    )
    found: set[tuple[int, ...]] = set()
    twice = foreign = 0
    latencies, batch_latencies = [], []
    for rank, row in enumerate(rows, 1):
        frame = row[:-1]
        if frame not in due_s:
            foreign += 1
        elif frame in found:
            twice += 1
        else:
            found.add(frame)
            latencies.append(watch.seen_s(rank) - due_s[frame])
            batch_latencies.append(row[-1] / 1000 - due_s[frame])
    return Outcome(
        load,
        len(sent),
        len(sent) - len(found),
        twice,
        foreign,
        farm.refusals(),
        sorted(latencies),
        sorted(batch_latencies),
        sent_s,
        drained_s,
        used,
        machine_load,
    )


def report(outcome: Outcome) -> Iterator[str]:
    load = outcome.load
    yield (
        f"{outcome.frames:,} frames in {outcome.sent_s:.1f} s, {outcome.frames / outcome.sent_s:,.0f}/s (seed "
        f"{load.seed}); SQLite, TLS"
    )
    yield (
        f"lost {outcome.lost}, twice {outcome.twice}, never sent {outcome.foreign}, refused "
        f"{sum(outcome.refusals.values())}"
    )
    looked = outcome.latencies_s
    yield (
        f"due to seen committed: p50 {quantile(looked, 0.5):.3f} s, p99 {quantile(looked, 0.99):.3f} s, most "
        f"{quantile(looked, 1):.3f} s "
        f"(looked at every {POLL_S * 1000:.0f} ms, which is in it; {allowance(TO_REACH_P99_S, outcome.slower)})"
    )
    began = outcome.batch_latencies_s
    yield (
        f"due to the server's beginning of the batch: p50 {quantile(began, 0.5):.3f} s, p99 "
        f"{quantile(began, 0.99):.3f} s"
    )
    yield f"drained {outcome.drained_s:.2f} s after the fleet ended"
    yield (
        f"CPU gateway {outcome.cpu_s['gateway']:.2f} s + server {outcome.cpu_s['server']:.2f} s: {outcome.cores:.2f} "
        "cores"
    )
    yield (
        f"broker {outcome.cpu_s['broker']:.2f} s; the machine's load at the end {outcome.machine_load:.1f} on "
        f"{os.cpu_count()} cores"
    )


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--sensors", type=int, default=10_000)
    parser.add_argument("--rate", type=int, default=2000, help="frames a second, of all sensors together")
    parser.add_argument("--minutes", type=float, default=10)
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    if not (1 <= options.sensors <= 65_535 and options.rate >= 1 and options.minutes > 0):
        parser.error("--sensors is from 1 to 65535, --rate at least 1, --minutes more than 0.")
    if round(options.sensors / options.rate) > 255:
        parser.error(
            f"{options.sensors} sensors at {options.rate}/s have a period of more than the 255 s a sensor knows: "
            "raise --rate."
        )
    load = Load(options.sensors, options.rate, options.minutes * 60, options.seed)
    with tempfile.TemporaryDirectory(prefix="long-fleet-") as name:
        farm = Site(Path(name) / "farm")
        try:
            with Machine() as machine:
                outcome = run(farm, build_fleet(Path(name) / "build"), binary(GATEWAY), load)
            outcome = replace(outcome, slower=machine.slower)
        finally:
            farm.close()
    name = f"{load.sensors:,} native sensors, {load.rate:,}/s, {load.seconds / 60:g} minutes"
    return tell([Row(name, "0 lost, p99 under 1 s, under one core", "; ".join(report(outcome)), outcome.holds())])


if __name__ == "__main__":
    sys.exit(main())
