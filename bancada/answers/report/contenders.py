"""The data that report.js chooses from when the reader sets limits: for each question, every implementation at every
level that may be the answer."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from bancada.answers.words import short_name
from bancada.measure.metric import Metric
from bancada.measure.read_metrics import Metrics
from bancada.model.result import Result
from bancada.model.status import Fidelity

_VERDICTS = ("", "clean", "leaks")


def verdict(result: Result) -> str:
    """The verdict of the audit of this operation: clean, leaks, or '' where it was not audited."""
    return result.audit.partition(":")[0].partition(" ")[0] if result.audit else ""


def contenders(
    results: Sequence[Result], metrics: Metrics, anchors: dict[str, str], key: Callable[[Result], str]
) -> dict[str, object]:
    """The data in compact form. Names, algorithms and levels are listed once. Each question has rows of indices into
    them, with the verdict, the error band, the anchor and the values of the headline's metrics."""
    shown = metrics.shown_in("headline")
    names = sorted({short_name(result) for result in results})
    algorithms = sorted({result.algorithm for result in results})
    levels = sorted({result.optimisation for result in results})
    groups: dict[str, dict[tuple[str, int, str], list[Result]]] = {}
    for result in results:
        which = (result.implementation, result.key_bits, result.engine)
        groups.setdefault(key(result), {}).setdefault(which, []).append(result)
    questions = {
        question: [
            [
                names.index(short_name(result)),
                algorithms.index(result.algorithm),
                levels.index(result.optimisation),
                _VERDICTS.index(verdict(result)) if verdict(result) in _VERDICTS else 0,
                0 if result.fidelity is Fidelity.EXACT else result.fidelity_band_percent or 0,
                anchors.get(result.case, ""),
                [metric.value(result) for metric in shown],
            ]
            for members in by_implementation.values()
            for result in _worth_having(members, shown)
        ]
        for question, by_implementation in groups.items()
    }
    return {
        "names": names,
        "algorithms": algorithms,
        "levels": levels,
        "metrics": [
            [metric.name, metric.unit, metric.less_is_better, metric.timed, _us_each(metric, results)]
            for metric in shown
        ],
        "questions": questions,
    }


def _us_each(metric: Metric, results: Sequence[Result]) -> float | None:
    """How many microseconds one of the metric's unit takes, where it is shown as a time."""
    if metric.as_time_us is None:
        return None
    times = ((metric.as_time_us(result), metric.value(result)) for result in results)
    return next((time_us / value for time_us, value in times if time_us and value), None)


def _worth_having(levels: Sequence[Result], metrics: Sequence[Metric]) -> list[Result]:
    """The levels that no other level of the implementation beats or equals in every metric. Of equal ones it is the
    first."""
    kept: list[Result] = []
    for result in sorted(levels, key=lambda result: (result.optimisation != "-Os", result.optimisation)):
        others = [other for other in levels if other is not result]
        if any(_as_good(other, result, metrics) and not _as_good(result, other, metrics) for other in others):
            continue
        if not any(_as_good(other, result, metrics) for other in kept):
            kept.append(result)
    return kept


def _as_good(one: Result, other: Result, metrics: Sequence[Metric]) -> bool:
    """Whether `one` is at least as good as `other` in every metric, and its audit no worse. A figure that is not
    measured is never as good."""
    for metric in metrics:
        first, second = metric.value(one), metric.value(other)
        if first is None:
            return False
        if second is not None and ((first > second) if metric.less_is_better else (first < second)):
            return False
    return verdict(one) == verdict(other)
