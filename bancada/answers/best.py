"""Which result is best: one function for the ranking, for `pick` and for published figures.

Only results that are `ok` are ranked, each implementation at the compiler and optimisation level that is best for the
metric in question: a library is not judged by a flag that its user would not choose.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import TypeVar

from bancada.measure.metric import Metric
from bancada.model.result import Result
from bancada.model.status import Fidelity, Status

_Item = TypeVar("_Item")


def in_order(
    items: Iterable[_Item],
    value: Callable[[_Item], float],
    result: Callable[[_Item], Result],
    *,
    less_is_better: bool = True,
) -> list[_Item]:
    """The items, best first.

    Among equals the faster comes first, then the smaller, then by name, so that the order never flickers. Among
    levels that come out the same -Os stands for all: most tool chains for small devices have it as default.
    """
    sign = 1 if less_is_better else -1

    def order(item: _Item) -> tuple[object, ...]:
        of = result(item)
        infinite = float("inf")
        cycles = of.cycles_median if of.cycles_median is not None else infinite
        flash = of.flash_bytes if of.flash_bytes is not None else infinite
        level = (of.optimisation != "-Os", of.compiler + of.optimisation)
        return (sign * value(item), cycles, flash, of.implementation, *level)

    return sorted(items, key=order)


@dataclass(frozen=True)
class Best:
    """The best value among comparable results. Several `winners` are a tie.

    `inseparable` are the results behind the winners by less than the error of the model that made both figures: they
    may well be as good. `ranked` are all that were compared, best first.
    """

    metric: Metric
    value: float
    winners: tuple[Result, ...]
    inseparable: tuple[Result, ...]
    ranked: tuple[Result, ...]

    @property
    def tie(self) -> bool:
        """Whether several are equally good."""
        return len(self.winners) > 1

    @property
    def runner_up(self) -> Result | None:
        """The best result behind the winners."""
        return self.ranked[len(self.winners)] if len(self.ranked) > len(self.winners) else None

    def times_as_much(self, result: Result) -> float | None:
        """A result's value divided by the best value. None where either is unknown."""
        value = self.metric.value(result)
        return None if value is None or self.value <= 0 else value / self.value


def at_best_level(results: Iterable[Result], metric: Metric) -> list[Result]:
    """The `ok` results, best first, each implementation once: at its best compiler and level for this metric."""
    known = [result for result in results if result.status is Status.OK and metric.value(result) is not None]
    chosen: dict[tuple[object, ...], Result] = {}
    for result in _in_order(known, metric):
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
        chosen.setdefault(key, result)
    return list(chosen.values())


def best(results: Iterable[Result], metric: Metric) -> Best | None:
    """The best of results that answer one question. None where no result has a figure."""
    ranked = at_best_level(results, metric)
    if not ranked:
        return None
    first = _value(ranked[0], metric)
    winners = tuple(result for result in ranked if _value(result, metric) == first)
    others = ranked[len(winners) :]
    inseparable = tuple(result for result in others if _may_be_as_good(result, winners, metric)) if metric.timed else ()
    return Best(metric, first, winners, inseparable, tuple(ranked))


def _in_order(results: Iterable[Result], metric: Metric) -> list[Result]:
    return in_order(
        results,
        lambda result: _value(result, metric),
        lambda result: result,
        less_is_better=metric.less_is_better,
    )


def _value(result: Result, metric: Metric) -> float:
    value = metric.value(result)
    assert value is not None  # at_best_level lets no other through
    return value


def _may_be_as_good(result: Result, winners: tuple[Result, ...], metric: Metric) -> bool:
    """Whether its error band reaches that of a winner."""
    if metric.less_is_better:
        reach = max(_value(winner, metric) * (1 + _band(winner)) for winner in winners)
        return _value(result, metric) * (1 - _band(result)) <= reach
    reach = min(_value(winner, metric) * (1 - _band(winner)) for winner in winners)
    return _value(result, metric) * (1 + _band(result)) >= reach


def _band(result: Result) -> float:
    return 0.0 if result.fidelity is Fidelity.EXACT else (result.fidelity_band_percent or 0.0) / 100
