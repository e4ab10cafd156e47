"""Time of one call."""

from __future__ import annotations

from collections.abc import Sequence

from bancada.measure.metric import AsPublished, Facts, Figure, Metric
from bancada.measure.metrics.cycles import median_cycles
from bancada.model.result import Result


def time_us(facts: Facts) -> float | None:
    """The median cycles over the target's clock, in microseconds; None without a sample."""
    cycles = median_cycles(facts.regions)
    return None if cycles is None else cycles / facts.target.clock_hz * 1e6


def _in_milliseconds(results: Sequence[Result], size_bytes: int) -> float | None:
    return None if results[0].time_us is None else results[0].time_us / 1000


def _detail(result: Result) -> str:
    return f"{result.cycles_median or 0:,} cycles".replace(",", "\N{NARROW NO-BREAK SPACE}")


def _extent(result: Result) -> tuple[float, float] | None:
    """The times of the fastest and of the slowest input."""
    if result.time_us is None or not result.cycles_median or result.cycles_min is None or result.cycles_max is None:
        return None
    us_per_cycle = result.time_us / result.cycles_median
    return result.cycles_min * us_per_cycle, result.cycles_max * us_per_cycle


METRIC = Metric(
    name="time",
    title="time",
    unit="µs",
    definition="cycles / clock of the target",
    in_short="Cycles over the clock.",
    figures=(
        # Not compared: it is cycles over a constant, and so says nothing that the cycles do not.
        Figure("time_us", "time", "µs", "Median cycles over the target's clock, in microseconds.", compared=False),
    ),
    derive=lambda facts: {"time_us": time_us(facts)},
    best="Fastest",
    better="Faster",
    worse="Slower",
    shown_in=frozenset({"study", "table", "plot"}),
    order=30,
    axis="time for one call, {unit}",
    detail=_detail,
    extent=_extent,
    as_published=(AsPublished("time_ms", "time", "ms", _in_milliseconds),),
)
