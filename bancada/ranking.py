"""Who is best at what: the headline of a target, and the study's "best algorithm by metric" table.

Only results that are `ok` are ranked, each implementation at the compiler and optimisation level that is
best for the metric in question: a library is not to be judged by a flag that its user would not choose.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from bancada import catalogue
from bancada.records import Fidelity, Result, Status

if TYPE_CHECKING:
    from rich.console import RenderableType

THIN_SPACE = "\N{NARROW NO-BREAK SPACE}"
ANY_ALGORITHM = "any algorithm"


def ram_bytes(result: Result) -> int | None:
    """All the RAM that one call needs: static, key context and stack. Unknown if one of the three is."""
    parts = (result.ram_static_bytes, result.ram_context_bytes, result.stack_bytes)
    return None if any(part is None for part in parts) else sum(part for part in parts if part is not None)


@dataclass(frozen=True)
class Metric:
    """Something of which less is better."""

    name: str
    title: str
    unit: str
    best: str
    timing: bool
    value: Callable[[Result], float | None]


METRICS: dict[str, Metric] = {
    metric.name: metric
    for metric in (
        Metric("cycles", "Cycles", "cycles", "Fastest", True, lambda result: result.cycles_median),
        Metric("time", "Time", "µs", "Fastest", True, lambda result: result.time_us),
        Metric("flash", "Flash", "B", "Smallest flash", False, lambda result: result.flash_bytes),
        Metric("ram", "RAM", "B", "Least RAM", False, ram_bytes),
        Metric("energy", "Energy", "µJ", "Least energy", True, lambda result: result.energy_uj),
    )
}


@dataclass(frozen=True)
class Best:
    """The least value among comparable results. Several `winners` are a tie.

    `inseparable` are the results behind the winners by less than the error of the model that made both
    figures: they may well be as good.
    """

    metric: Metric
    value: float
    winners: tuple[Result, ...]
    inseparable: tuple[Result, ...]
    runner_up: Result | None
    ranked: int

    @property
    def tie(self) -> bool:
        return len(self.winners) > 1


@dataclass(frozen=True)
class HeadlineRow:
    """The answers to one everyday question: this operation, this key, on this target."""

    target: str
    primitive: str
    algorithm: str | None
    operation: str
    key_bits: int
    size_bytes: int
    associated_bytes: int
    best: dict[str, Best]


@dataclass(frozen=True)
class StudyRow:
    """A line of the study's table: one direction, the best of every algorithm and key size by each metric."""

    target: str
    primitive: str
    operation: str
    direction: str
    size_bytes: int
    associated_bytes: int
    best: dict[str, Best]


HEADLINE_METRICS = ("cycles", "flash", "ram")
STUDY_METRICS = ("energy", "time", "ram", "flash")
_DIRECTIONS = {"encrypt": "sending", "decrypt": "receiving"}
_KEY_OPERATIONS = ("set-key", "set-decrypt-key")
# The order in which people think of operations; anything else follows by name.
_OPERATIONS = ("encrypt", "decrypt", "set-key", "set-decrypt-key", "hash", "sign", "verify", "send", "receive")


def display_name(result: Result) -> str:
    """How a person would call it: `tatu aes-128 small`, `tatu sha-256`. `plain` is what is not said."""
    key = f"-{result.key_bits}" if result.key_bits else ""
    variant = "" if result.variant in ("", "plain") else f" {result.variant}"
    return f"{result.candidate} {result.algorithm}{key}{variant}"


def number(value: float) -> str:
    """A figure for people: thousands apart, and no more digits than mean something."""
    if float(value).is_integer() and abs(value) < 1e15:
        text = f"{int(value):,}"
    elif abs(value) >= 1000:
        text = f"{value:,.0f}"
    elif abs(value) >= 10:
        text = f"{value:.1f}"
    elif abs(value) >= 1:
        text = f"{value:.2f}"
    else:
        text = f"{value:.3g}"
    return text.replace(",", THIN_SPACE)


def size_text(size_bytes: int, associated_bytes: int = 0) -> str:
    """`16 B`, or `16 + 8 B` where associated data is authenticated with the message."""
    return f"{number(size_bytes)}{f' + {number(associated_bytes)}' if associated_bytes else ''} B"


def fidelity_text(result: Result) -> str:
    """`exact`, or `modelled ±5 %`: no figure leaves without it."""
    if result.fidelity == Fidelity.EXACT or result.fidelity_band_percent is None:
        return str(result.fidelity)
    return f"{result.fidelity} ±{result.fidelity_band_percent:g} %"


def operation_order(operation: str) -> tuple[int, str]:
    known = operation in _OPERATIONS
    return (_OPERATIONS.index(operation) if known else len(_OPERATIONS), operation)


def at_best_level(results: Iterable[Result], metric: Metric) -> list[Result]:
    """The `ok` results, each implementation once: at its best compiler and level for this metric."""
    chosen: dict[tuple[object, ...], Result] = {}
    for result in results:
        if result.status != Status.OK or metric.value(result) is None:
            continue
        key = (
            result.target,
            result.engine,
            result.candidate,
            result.candidate_version,
            result.implementation,
            result.operation,
            result.key_bits,
            result.size_bytes,
            result.associated_bytes,
        )
        if key not in chosen or _order(result, metric) < _order(chosen[key], metric):
            chosen[key] = result
    return sorted(chosen.values(), key=lambda result: _order(result, metric))


def best(results: Iterable[Result], metric: Metric) -> Best | None:
    """The best of results that answer one question; None where nobody has a figure."""
    ranked = at_best_level(results, metric)
    if not ranked:
        return None
    least = _value(ranked[0], metric)
    winners = tuple(result for result in ranked if _value(result, metric) == least)
    others = ranked[len(winners) :]
    reach = max(_high(result, metric) for result in winners)
    inseparable = tuple(result for result in others if _low(result, metric) <= reach) if metric.timing else ()
    return Best(metric, least, winners, inseparable, others[0] if others else None, len(ranked))


def _offered(results: Iterable[Result]) -> list[Result]:
    """Without what is there only to be compared with: nobody is advised to use it."""
    known = catalogue.candidates()
    return [result for result in results if result.candidate not in known or known[result.candidate].usable]


def headline(results: Iterable[Result], target: str, algorithm: str | None = None) -> list[HeadlineRow]:
    """For a target: fastest, smallest flash, least RAM, for each operation, key size and message size.

    Without `algorithm`, the best of any algorithm of the same primitive. Rows come in the order in which
    people ask: encrypt, decrypt, set-key, each by key size.
    """
    groups: dict[tuple[str, str, int, int, int], list[Result]] = {}
    for result in _offered(results):
        if result.target == target and algorithm in (None, result.algorithm):
            message = (result.size_bytes, result.associated_bytes)
            groups.setdefault((result.primitive, result.operation, result.key_bits, *message), []).append(result)
    rows = []
    for key in sorted(groups, key=lambda key: (key[0], operation_order(key[1]), key[2:])):
        primitive, operation, key_bits, size_bytes, associated_bytes = key
        found = _bests(groups[key], HEADLINE_METRICS)
        if found:
            row = HeadlineRow(target, primitive, algorithm, operation, key_bits, size_bytes, associated_bytes, found)
            rows.append(row)
    return rows


def study_table(results: Iterable[Result]) -> list[StudyRow]:
    """The study's Table 1 for any results: which algorithm, variant and key is best by which metric.

    Setting a key is left out, as in the study: the table is about what every message costs.
    """
    groups: dict[tuple[str, str, str, int, int], list[Result]] = {}
    for result in _offered(results):
        if result.operation not in _KEY_OPERATIONS:
            message = (result.size_bytes, result.associated_bytes)
            groups.setdefault((result.target, result.primitive, result.operation, *message), []).append(result)
    rows = []
    for key in sorted(groups, key=lambda key: (key[:2], operation_order(key[2]), key[3:])):
        target, primitive, operation, size_bytes, associated_bytes = key
        found = _bests(groups[key], STUDY_METRICS)
        if found:
            direction = _DIRECTIONS.get(operation, operation)
            rows.append(StudyRow(target, primitive, operation, direction, size_bytes, associated_bytes, found))
    return rows


def render_headline(rows: Sequence[HeadlineRow]) -> RenderableType:
    """The headline as a table for the console."""
    from rich.table import Table  # rich is slow to import, and only the console needs it

    algorithm = rows[0].algorithm or ANY_ALGORITHM if rows else ANY_ALGORITHM
    table = Table(title=f"{rows[0].target}: best of {algorithm}" if rows else "no result is ok")
    sizes: dict[tuple[str, str], set[str]] = {}
    for row in rows:
        sizes.setdefault((row.primitive, row.operation), set()).add(size_text(row.size_bytes, row.associated_bytes))
    table.add_column("operation")
    table.add_column("key", justify="right")
    table.add_column("size", justify="right")
    for name in HEADLINE_METRICS:
        table.add_column(METRICS[name].best.lower())
    for row in rows:
        several = len(sizes[row.primitive, row.operation]) > 1
        size = size_text(row.size_bytes, row.associated_bytes) if several else ""
        cells = [cell_text(row.best.get(name)) for name in HEADLINE_METRICS]
        table.add_row(row.operation, str(row.key_bits or ""), size, *cells)
    return table


def cell_text(found: Best | None) -> str:
    """One answer in one line: who, how much, and whether others are as good."""
    if found is None:
        return "not measured"
    first = found.winners[0]
    text = f"{display_name(first)}: {number(found.value)} {found.metric.unit}"
    if found.tie:
        text += f" (tie with {len(found.winners) - 1} more)"
    elif found.inseparable:
        text += f" (within the error band: {len(found.inseparable)} more)"
    return text


def _bests(results: Sequence[Result], names: Sequence[str]) -> dict[str, Best]:
    found = {name: best(results, METRICS[name]) for name in names}
    return {name: answer for name, answer in found.items() if answer is not None}


def _value(result: Result, metric: Metric) -> float:
    value = metric.value(result)
    assert value is not None  # at_best_level lets no other through
    return value


def _order(result: Result, metric: Metric) -> tuple[float, float, float, str, bool, str]:
    """By the metric; among equals the faster, then the smaller, then by name, so that order never flickers.

    Among levels that come out the same -Os stands for all: most tool chains for small devices have it as default.
    """
    infinite = float("inf")
    cycles = result.cycles_median if result.cycles_median is not None else infinite
    flash = result.flash_bytes if result.flash_bytes is not None else infinite
    level = (result.optimisation != "-Os", result.compiler + result.optimisation)
    return (_value(result, metric), cycles, flash, result.implementation, *level)


def _band(result: Result) -> float:
    return 0.0 if result.fidelity == Fidelity.EXACT else (result.fidelity_band_percent or 0.0) / 100


def _low(result: Result, metric: Metric) -> float:
    return _value(result, metric) * (1 - _band(result))


def _high(result: Result, metric: Metric) -> float:
    return _value(result, metric) * (1 + _band(result))
