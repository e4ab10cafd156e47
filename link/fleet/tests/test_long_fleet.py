"""The short version of long_fleet.py: fleet, serial line, gateway, broker and server, all real."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

from server_support import Site

from link.fleet.tests.long_fleet import Load, Outcome, quantile, run


def test_a_thousand_sensors_lose_nothing(farm: Site, fleet: Path, gateway_program: Path) -> None:
    outcome = run(farm, fleet, gateway_program, Load(sensors=1000, rate=2000, seconds=5, seed=4))
    assert outcome.frames > 5000
    assert (outcome.lost, outcome.twice, outcome.foreign, outcome.refusals) == (0, 0, 0, {})
    assert len(outcome.latencies_s) == outcome.frames
    # No frame is committed before it was sent: the two clocks and the order of commits are understood.
    assert min(outcome.latencies_s) >= 0
    assert outcome.cpu_s["gateway"] > 0 and outcome.cpu_s["server"] > 0


GOOD = Outcome(
    Load(sensors=10, rate=100, seconds=10, seed=1),
    frames=1000,
    lost=0,
    twice=0,
    foreign=0,
    refusals={},
    latencies_s=[0.1] * 1000,
    batch_latencies_s=[0.1] * 1000,
    sent_s=10,
    drained_s=0,
    cpu_s={"gateway": 4, "server": 5.9, "broker": 50},
    machine_load=1,
)


def test_what_was_not_reached_is_a_miss() -> None:
    assert GOOD.holds()
    bad = (
        replace(GOOD, lost=1),
        replace(GOOD, twice=1),
        replace(GOOD, foreign=1),
        replace(GOOD, refusals={"replay": 1}),
        replace(GOOD, latencies_s=[0.1] * 980 + [1.5] * 20),
        replace(GOOD, cpu_s={"gateway": 4, "server": 6.1, "broker": 0}),
        replace(GOOD, frames=900),
        replace(GOOD, frames=0, latencies_s=[]),
    )
    assert not any(each.holds() for each in bad)
    assert replace(GOOD, latencies_s=[0.1] * 995 + [1.5] * 5).holds()


def test_quantiles_are_values_that_occurred() -> None:
    ordered = [float(value) for value in range(1, 101)]
    assert (quantile(ordered, 0.5), quantile(ordered, 0.99), quantile(ordered, 1)) == (50, 99, 100)
    assert quantile([], 0.5) == float("inf")
