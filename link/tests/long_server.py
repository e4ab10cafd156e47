"""The long tests of the server: the same tests as in every run, at full length. Prints what was reached.

Run as a program (make test-link does): python link/tests/long_server.py [--only TEXT] [--timed | --untimed]
"""

from __future__ import annotations

import argparse
import os
import re
import subprocess
import sys
import time
from dataclasses import dataclass
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "testing"))

from long_table import Machine, Row, allowance, tell

LINK = Path(__file__).resolve().parents[1]


@dataclass(frozen=True)
class Long:
    name: str
    to_reach: str
    tests: tuple[str, ...]
    lengths: dict[str, str]
    drained_within_s: float | None = None
    """No test asserts a time, so that none fails where the machine is slow; this table does, with an allowance for
    that.
    """
    most_cpu_us: float | None = None
    """Of processor time a frame, which other programs do not share."""
    least_per_s: int | None = None
    """The rate, where the machine does nothing else, and what one core of it manages."""

    @property
    def is_timed(self) -> bool:
        return (self.drained_within_s, self.most_cpu_us, self.least_per_s) != (None, None, None)


LONG = (
    Long(
        "damage between good frames",
        "10^6, 0 accepted, in step at once",
        ("server/tests/test_server_units.py",),
        {"BANCADA_LINK_DAMAGED_FRAMES": "1000000"},
    ),
    Long(
        "forgeries through broker and database",
        "10^6, 0 accepted",
        ("server/tests/test_server_refusals.py::test_forged_and_damaged_frames_are_refused_and_cost_nobody_else",),
        {"LINK_TEST_FORGERIES": "1000000"},
    ),
    Long(
        "replays: restarts, a second gateway, edges of window, 2^16, 2^32 - 1",
        "0 accepted",
        ("server/tests/test_server_refusals.py::test_no_replay_is_accepted_at_any_edge",),
        {},
    ),
    Long(
        "two servers, one subscription",
        "no duplicate, no gap",
        ("server/tests/test_server_store.py::test_two_servers_share_a_subscription_without_a_duplicate_or_a_gap",),
        {},
    ),
    Long(
        "servers killed at random",
        "0 lost, 0 twice",
        ("server/tests/test_server_store.py::test_servers_killed_at_random_lose_nothing",),
        {"LINK_TEST_SERVER_KILLS": "100"},
    ),
    Long(
        "broker and servers killed at 2,000 frames/s",
        "200 kills, 0 lost, drained in 5 s",
        ("server/tests/test_server_whole_link.py",),
        {"LINK_TEST_WHOLE_KILLS": "200", "LINK_TEST_WHOLE_FRAMES": "400000"},
        drained_within_s=5,
    ),
    Long(
        "the server's disk full",
        "nothing acknowledged that is not stored",
        ("server/tests/test_server_store.py::test_a_full_disk_acknowledges_nothing_and_resumes_by_itself",),
        {},
    ),
    Long(
        "SQLite's log on a disk of 40 MB, four times as much written",
        "the disk does not fill; after it was full: drained, none lost",
        ("server/tests/test_server_store.py::test_the_log_of_sqlite_does_not_fill_a_small_disk",),
        {},
    ),
    Long(
        "a flood of one gateway, a million bursts",
        "other gateways' frames stored meanwhile, 250 MB of memory at most",
        ("server/tests/test_server_gateways.py::test_a_flood_of_one_gateway_delays_no_other",),
        {},
    ),
    Long(
        "an hour's delay of a sensor whose clock was never set; a late burst with a reset inside",
        "shown as late, also after a restart; what came first in the burst stored, what came behind refused",
        (
            "server/tests/test_server_time.py::test_a_sensor_without_a_clock_that_is_held_back_is_late",
            "server/tests/test_server_refusals.py::test_frames_of_one_burst_are_held_against_each_other_in_their_order",
        ),
        {},
    ),
    Long(
        "firmware and server agree, and with what agrees with the designers' vectors of Ascon",
        "10,000 frames of each suite; all of the designers'",
        (
            "server/tests/test_server_vectors.py",
            "../tests/primitives/test_references.py::test_ascon_aead128_writes_the_designers_file",
        ),
        {"LINK_TEST_VECTORS": "10000"},
    ),
    Long(
        "old months dropped while replays and late frames come; two servers",
        "no duplicate, no gap, 0 accepted again",
        ("server/tests/test_server_months.py",),
        {},
    ),
    Long(
        "throughput of the gateway alone",
        "20,000 frames/s, on one core",
        ("tests/test_throughput.py::test_the_gateway_alone",),
        {"LINK_TEST_THROUGHPUT": "400000"},
        least_per_s=20_000,
    ),
    Long(
        "a frame at a database of 50 million readings of ten thousand sensors",
        "20 µs of processor time, the checkpoints included",
        ("tests/test_large_database.py",),
        {"LINK_TEST_ROWS": "50000000", "LINK_TEST_SENSORS": "10000", "LINK_TEST_THROUGHPUT": "200000"},
        most_cpu_us=20,
    ),
    Long(
        "throughput of the server alone",
        "20,000 frames/s, on one core, the database's work included",
        ("tests/test_throughput.py::test_the_server_alone",),
        {"LINK_TEST_THROUGHPUT": "200000"},
        least_per_s=20_000,
    ),
)


def drained_in_time(said: list[str], within_s: float) -> bool:
    """Whether the tests said how long it took until everything was delivered, and all of it was soon enough."""
    took_s = [float(text) for line in said for text in re.findall(r"drained ([\d.]+) s", line)]
    return bool(took_s) and max(took_s) <= within_s


def cheap_enough(said: list[str], most_us: float) -> bool:
    """Whether the tests said what a frame took, and each was little enough."""
    found = [float(text) for line in said for text in re.findall(r"([\d.]+) us of processor time a frame", line)]
    return bool(found) and max(found) <= most_us


def fast_enough(said: list[str], least_per_s: int, slower: float) -> bool:
    """Whether the tests said rates, and each was enough: as it was, less what others took of the machine, and by
    processor time, which other programs do not share.
    """
    found = [re.search(r" s: (\d+)/s; .*: (\d+)/s on one core", line) for line in said]
    rates = [(int(match[1]), int(match[2])) for match in found if match]
    return bool(rates) and all(
        rate * slower >= least_per_s and on_one_core >= least_per_s for rate, on_one_core in rates
    )


def run(long: Long) -> Row:
    command = [sys.executable, "-m", "pytest", "-q", "-s", *(str(LINK / test) for test in long.tests)]
    # The output is read here: no option of the user's own changes it.
    environment = {**os.environ, **long.lengths, "PYTEST_ADDOPTS": ""}
    began = time.monotonic()
    with Machine() as machine:
        done = subprocess.run(command, cwd=LINK.parent, env=environment, capture_output=True, text=True)
    # What a test prints stands behind pytest's dots.
    said = [
        line.lstrip(".").strip()
        for line in done.stdout.splitlines()
        if re.search(r"\d", line) and ": " in line and not line.startswith(("=", "E ", "link/", "tests/"))
    ]
    if done.returncode != 0:
        print("\n".join(done.stdout.splitlines()[-25:]), flush=True)
        said = [line for line in done.stdout.splitlines() if line.startswith("FAILED")] or ["failed"]
    summary = done.stdout.strip().splitlines()[-1:] or ["no output"]
    holds = done.returncode == 0
    if long.drained_within_s is not None and holds:
        holds = drained_in_time(said, long.drained_within_s * machine.slower)
        said.append(allowance(long.drained_within_s, machine.slower))
    if long.most_cpu_us is not None and holds:
        holds = cheap_enough(said, long.most_cpu_us)
    if long.least_per_s is not None and holds:
        holds = fast_enough(said, long.least_per_s, machine.slower)
        if machine.slower > 1.05:
            said.append(f"the machine was {machine.slower:.1f} x slower than alone")
    tests = re.sub(r" in [\d.]+s.*", "", summary[0].strip("= "))
    return Row(long.name, long.to_reach, "; ".join([*said, f"{tests} ({time.monotonic() - began:.0f} s)"]), holds)


def print_table(rows: tuple[Long, ...], description: str | None) -> int:
    """Runs the rows that the command line asks for and prints what each reached; the exit code."""
    parser = argparse.ArgumentParser(description=description)
    parser.add_argument("--only", default="", help="only those whose name contains this")
    kind = parser.add_mutually_exclusive_group()
    kind.add_argument("--timed", action="store_true", help="only those that this table holds to a time")
    kind.add_argument("--untimed", action="store_true", help="only the others")
    options = parser.parse_args()
    unwanted = {True: options.untimed, False: options.timed}
    chosen = [long for long in rows if options.only in long.name and not unwanted[long.is_timed]]
    # Each is told when it is known: what comes after it may take an hour.
    return max((tell([run(long)]) for long in chosen), default=1)


if __name__ == "__main__":
    sys.exit(print_table(LONG, __doc__))
