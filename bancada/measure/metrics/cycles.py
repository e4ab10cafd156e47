"""Cycles of one call."""

from __future__ import annotations

from collections.abc import Sequence
from statistics import median

from bancada.measure.metric import AsPublished, Facts, Figure, Metric
from bancada.model.result import FigureValue, Result
from bancada.model.run import Region


def median_cycles(regions: Sequence[Region]) -> int | None:
    """The median over the random inputs, rounded to a whole cycle; None without a sample."""
    return round(median(region.cycles for region in regions)) if regions else None


def marginal_cycles(results: Sequence[Result]) -> float | None:
    """What each further byte of a message costs, from the two longest messages; `results` are sorted by size."""
    messages = [result for result in results if not result.is_keystream_block]
    if len(messages) < 2:
        return None
    shorter, longer = messages[-2:]
    if shorter.cycles_median is None or longer.cycles_median is None:
        return None
    return (longer.cycles_median - shorter.cycles_median) / (longer.size_bytes - shorter.size_bytes)


def _for_a_block(results: Sequence[Result], size_bytes: int) -> float | None:
    cycles = marginal_cycles(results)
    return None if cycles is None else cycles * size_bytes


def _derive(facts: Facts) -> dict[str, FigureValue]:
    cycles = [region.cycles for region in facts.regions]
    return {
        "samples": len(cycles) or None,
        "cycles_min": min(cycles, default=None),
        "cycles_median": median_cycles(facts.regions),
        "cycles_max": max(cycles, default=None),
    }


def _extent(result: Result) -> tuple[float, float] | None:
    if result.cycles_min is None or result.cycles_max is None:
        return None
    return float(result.cycles_min), float(result.cycles_max)


METRIC = Metric(
    name="cycles",
    title="cycles",
    unit="cycles",
    definition=(
        "from the call instruction to the instruction after it, both the call and the return included; loading the "
        "arguments is not. Where an "
        "operation takes several calls of a library, from the first call to the last return. Minimum, median and "
        "maximum over 16 to 32 random "
        "keys and inputs, the same ones for every candidate, in buffers that begin where any type of the machine "
        "may. If they are not all "
        "equal, time depends on data, or on what caches held"
    ),
    in_short=(
        "From the call instruction to the instruction after it, C calling convention included; the median over "
        "random inputs. The key is set "
        "before, and setting it is timed as an operation of its own."
    ),
    figures=(
        Figure(
            "samples", "inputs timed", "", "Random inputs that were timed.", kind="integer", compared=False, minimum=1
        ),
        Figure(
            "cycles_min",
            "cycles, best input",
            "cycles",
            "Fewest cycles over the samples, call and return included.",
            kind="integer",
            compared=False,
        ),
        Figure("cycles_median", "cycles", "cycles", "Median cycles over the samples.", kind="integer"),
        Figure(
            "cycles_max",
            "cycles, worst input",
            "cycles",
            "Most cycles over the samples.",
            kind="integer",
            follows="cycles_median",
        ),
    ),
    derive=_derive,
    of=lambda result: result.cycles_median,
    best="Fastest",
    better="Faster",
    worse="Slower",
    shown_in=frozenset({"headline", "table", "across", "by-size"}),
    order=10,
    axis="cycles for one call",
    extent=_extent,
    as_time_us=lambda result: result.time_us,
    as_published=(
        AsPublished(
            "cycles_per_byte", "cycles a byte", "cycles/B", lambda results, size_bytes: marginal_cycles(results)
        ),
        AsPublished("cycles_per_block", "cycles a block", "cycles", _for_a_block),
    ),
)
