"""The long tests of the simulated link: resets by the thousand, hours of slots, the several-sensors curve. Prints what
was reached.

Run as a program (make test-link does):
python link/simulation/tests/long_simulation.py [--only PART...] [--resets 10000] [--json FILE]
"""

from __future__ import annotations

import argparse
import json
import sys
import time
from collections.abc import Callable, Iterator
from dataclasses import asdict
from functools import partial
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "testing"))

from long_table import Row, tell
from sensorlink.air import packet_interval_in_theory_s
from sensorlink.simulate import Outcome, Simulation, delivery_curve, simulate
from simulation_bench import counters_on_air

PARTS = ("rate", "delivery", "EEPROM", "resets", "curve")


def keep_transmissions(events: list[dict[str, Any]], event: dict[str, Any]) -> None:
    if event["event"] in ("transmit-begin", "summary"):
        events.append(event)


def resets(count: int) -> Iterator[Row]:
    """Random resets of every kind, many of them in the middle of an EEPROM write, until there have been so many."""
    done = torn = frames = seed = 0
    repeated = 0
    while done < count:
        seed += 1
        events: list[dict[str, Any]] = []
        outcome = simulate(
            Simulation(sensors=4, period_s=1, duration_s=600, seed=seed, reset_interval_s=1.5, reset_while_writing=0.1),
            partial(keep_transmissions, events),
        )
        done += sum(node.resets for node in outcome.nodes)
        torn += sum(node["torn_writes"] for node in events[-1]["nodes"])
        used = counters_on_air(events)
        frames += len(used)
        repeated += sum(times > 1 for times in used.values())
        progress(f"{done} resets")
    reached = f"{done:,} resets, {torn:,} torn writes, {frames:,} frames, {repeated} nonces twice"
    yield Row(
        "sensor resets, torn EEPROM writes included",
        f"{count:,}, no nonce twice",
        reached,
        repeated == 0 and torn > count // 20,
    )


def a_day_of_writes() -> Iterator[Row]:
    """EEPROM writes of the counter's ring in four hours at 5 s, with no rain and no reset: extrapolated to a day."""
    events: list[dict[str, Any]] = []
    simulate(
        Simulation(sensors=1, duration_s=4 * 3600),
        lambda event: events.append(event) if event["event"] == "eeprom-write" else None,
    )
    slots = [event["address"] // 32 for event in events]
    written = 1 + sum(before != after for before, after in zip(slots, slots[1:], strict=False))
    a_day = written * 6
    reached = f"{a_day} records a day"
    yield Row("EEPROM records written", "at most 100 a day", reached, 0 < a_day <= 100)


def delivery() -> Iterator[Row]:
    for name, simulation, lowest, highest in (
        ("one sensor, an hour", Simulation(sensors=1, duration_s=3600), 1.0, 1.0),
        ("four jittered, an hour: .64 +- .08", Simulation(sensors=4, duration_s=3600), 0.56, 0.72),
        ("four in slots, an hour", Simulation(sensors=4, schedule="slots", duration_s=3600), 0.99, 1.0),
        ("eleven in slots, an hour", Simulation(sensors=11, schedule="slots", duration_s=3600), 0.99, 1.0),
    ):
        outcome = simulate(simulation)
        part = outcome.delivered_part or 0.0
        holds = lowest <= part <= highest and outcome.at_the_pi == outcome.delivered and not outcome.complaints
        reached = (
            f"{part:.4f} of {outcome.sent:,}, all whole at the Pi" if holds else f"{part:.4f}, {outcome.complaints[:1]}"
        )
        to_reach = f"{lowest:.2f}" if lowest == highest else f"{lowest:.2f} to {highest:.2f}"
        yield Row(name, to_reach, reached, holds)


def rate() -> Iterator[Row]:
    outcome = simulate(Simulation(sensors=1, period_s=0, duration_s=600))
    interval_s = outcome.nodes[0].interval_s or 0.0
    theory_s = packet_interval_in_theory_s(2400, 32)
    reached = f"{1 / interval_s:.3f}/s, model {1 / theory_s:.3f}/s ({interval_s / theory_s - 1:+.1%})"
    yield Row(
        "packets a second without a pause, 2.4k",
        "within 5 % of the time-on-air model",
        reached,
        abs(interval_s / theory_s - 1) < 0.05,
    )


def free(sensors: int, runs: int = 60) -> tuple[float, float]:
    """Senders that keep their period meet the same others all the time, or never: the mean over many beginnings, and
    theory's.
    """
    outcomes = [
        simulate(Simulation(sensors=sensors, schedule="free", duration_s=30, native=sensors, seed=seed))
        for seed in range(runs)
    ]
    return sum(outcome.delivered_part or 0.0 for outcome in outcomes) / runs, outcomes[
        0
    ].delivered_part_in_theory or 0.0


def curve() -> tuple[list[Row], list[Outcome]]:
    rows = []
    for sensors in (2, 4, 8, 16):
        part, theory = free(sensors)
        name = f"{sensors} sensors, free, mean of 60 beginnings (all by timing model)"
        rows.append(Row(name, f"{theory:.3f} by theory, within 0.1", f"{part:.3f}", abs(part - theory) <= 0.1))
        progress(name)
    outcomes = delivery_curve(schedules=("jitter", "slots"), duration_s=900)
    for outcome in outcomes:
        simulation, part, theory = (
            outcome.simulation,
            outcome.delivered_part or 0.0,
            outcome.delivered_part_in_theory or 0.0,
        )
        native = sum(node.kind == "native" for node in outcome.nodes)
        name = f"{simulation['sensors']} sensors, {simulation['schedule']} ({native} by timing model)"
        allowed = 0.06 if simulation["schedule"] == "jitter" else 0.01
        rows.append(
            Row(name, f"{theory:.3f} by theory, within {allowed}", f"{part:.3f}", abs(part - theory) <= allowed)
        )
    return rows, outcomes


def progress(what: str) -> None:
    print(f"  {what}", file=sys.stderr, flush=True)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--only", nargs="+", choices=PARTS, default=PARTS, help="these parts")
    parser.add_argument("--resets", type=int, default=10_000)
    parser.add_argument("--json", type=Path, help="the curve's outcomes, into this file")
    options = parser.parse_args()
    parts: list[tuple[str, Callable[[], Iterator[Row]]]] = [
        ("rate", rate),
        ("delivery", delivery),
        ("EEPROM", a_day_of_writes),
        ("resets", lambda: resets(options.resets)),
    ]
    code = 0
    for name, part in parts:
        if name not in options.only:
            continue
        began = time.monotonic()
        # Each is told when it is known: the next takes an hour of its own.
        for row in part():
            code |= tell([row])
        progress(f"{name}: {time.monotonic() - began:.0f} s")
    if "curve" not in options.only:
        return code
    began = time.monotonic()
    rows, outcomes = curve()
    progress(f"curve: {time.monotonic() - began:.0f} s")
    if options.json:
        options.json.write_text(json.dumps([asdict(outcome) for outcome in outcomes], indent=2) + "\n")
    return code | tell(rows)


if __name__ == "__main__":
    sys.exit(main())
