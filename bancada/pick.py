"""Which implementation fits, best first, and by how much the others do not."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import TYPE_CHECKING

from bancada.errors import UserError, unknown_name
from bancada.ranking import METRICS, Metric, display_name, fidelity_text, number, ram_bytes
from bancada.records import Result, Status

if TYPE_CHECKING:
    from rich.console import RenderableType


@dataclass(frozen=True)
class Choice:
    """An implementation that fits, at the level that is best for what was asked, and what it leaves free."""

    result: Result
    value: float
    flash_left_bytes: int | None
    ram_left_bytes: int | None


@dataclass(frozen=True)
class Miss:
    """An implementation that does not fit, at its nearest level, and every reason why.

    `excess` orders misses, nearest first: how many times each broken limit is used, added up.
    """

    result: Result
    reasons: tuple[str, ...]
    excess: float


@dataclass(frozen=True)
class Pick:
    """The answer, with the question it answers."""

    target: str
    operation: str
    key_bits: int
    metric: Metric
    per_byte: bool
    flash_limit_bytes: int | None
    ram_limit_bytes: int | None
    fits: tuple[Choice, ...]
    misses: tuple[Miss, ...]


def pick(
    results: Iterable[Result],
    target: str,
    operation: str,
    key_bits: int,
    flash_limit_bytes: int | None = None,
    ram_limit_bytes: int | None = None,
    *,
    by: str = "cycles",
    algorithm: str | None = None,
    size_bytes: int | None = None,
    associated_bytes: int | None = None,
) -> Pick:
    """What fits the limits, best first by a metric of `bancada.ranking.METRICS`.

    RAM is static + context + stack: all that the call takes away from the program around it. An
    implementation is offered at the level that is best by the metric among those that fit. `key_bits` is 0
    for what has no key. Where an implementation takes messages of several sizes, `size_bytes` chooses;
    without `associated_bytes`, it is the least that was measured, as a rule none. Ciphers of different block sizes are compared by the byte (`Pick.per_byte`).
    """
    if by not in METRICS:
        raise unknown_name("metric to pick by", by, METRICS)
    metric = METRICS[by]
    asked = _asked(list(results), target, operation, key_bits, algorithm, size_bytes, associated_bytes)
    levels: dict[tuple[str, str, str], list[Result]] = {}
    for result in asked:
        levels.setdefault((result.implementation, result.candidate_version, result.engine), []).append(result)

    sizes = {result.size_bytes for result in asked}
    per_byte = metric.timing and len(sizes) > 1 and 0 not in sizes
    fits: list[Choice] = []
    misses: list[Miss] = []
    for members in levels.values():
        judged = [_judge(result, metric, per_byte, flash_limit_bytes, ram_limit_bytes) for result in members]
        fitting = [verdict for verdict in judged if isinstance(verdict, Choice)]
        if fitting:
            fits.append(min(fitting, key=_choice_order))
        else:
            misses.append(min((verdict for verdict in judged if isinstance(verdict, Miss)), key=_miss_order))
    return Pick(
        target=target,
        operation=operation,
        key_bits=key_bits,
        metric=metric,
        per_byte=per_byte,
        flash_limit_bytes=flash_limit_bytes,
        ram_limit_bytes=ram_limit_bytes,
        fits=tuple(sorted(fits, key=_choice_order)),
        misses=tuple(sorted(misses, key=_miss_order)),
    )


def render_pick(answer: Pick) -> RenderableType:
    """The answer for a console."""
    from rich.console import Group  # rich is slow to import, and only the console needs it
    from rich.table import Table
    from rich.text import Text

    limits = [
        f"{name} ≤ {number(limit)} B"
        for name, limit in (("flash", answer.flash_limit_bytes), ("RAM", answer.ram_limit_bytes))
        if limit is not None
    ]
    key = f", {answer.key_bits}-bit key" if answer.key_bits else ""
    question = f"{answer.target}: {answer.operation}{key}{', ' if limits else ''}{', '.join(limits)}"
    parts: list[RenderableType] = []
    if answer.fits:
        by = answer.metric.title.lower() + (" a byte" if answer.per_byte else "")
        table = Table(title=f"{question}; best by {by} first", title_justify="left")
        table.add_column("implementation", overflow="fold")
        table.add_column("level")
        for column in ("cycles", "time (µs)", "flash (B)", "RAM (B)", "energy (µJ)"):
            table.add_column(column, justify="right")
        for choice in answer.fits:
            table.add_row(Text(display_name(choice.result)), Text(choice.result.optimisation), *_figures(choice))
        parts.append(table)
        parts.append(Text(f"Cycles, time and energy: {' and '.join(sorted({fidelity_text(choice.result) for choice in answer.fits}))}."))
    else:
        parts.append(Text(f"{question}: nothing fits.", style="bold"))
    if answer.misses:
        table = Table(title="These do not fit", title_justify="left")
        for column in ("implementation", "level", "why not"):
            table.add_column(column, overflow="fold")
        for miss in answer.misses:
            level = Text(miss.result.optimisation)
            table.add_row(Text(display_name(miss.result)), level, Text("; ".join(miss.reasons)))
        parts.append(table)
    return Group(*parts)


def _asked(
    results: list[Result], target: str, operation: str, key_bits: int, algorithm: str | None, size_bytes: int | None,
    associated_bytes: int | None,
) -> list[Result]:
    """The results of the question; a word in it that no result knows is named, with the nearest that one does."""
    if not results:
        raise UserError("There are no results to pick from; run an experiment first: bancada run libraries")
    found = results
    words: tuple[tuple[str, str | None, Callable[[Result], str]], ...] = (
        ("target with results", target, lambda result: result.target),
        ("operation with results there", operation, lambda result: result.operation),
        ("algorithm with results for it", algorithm, lambda result: result.algorithm),
    )
    for kind, wanted, value in words:
        if wanted is None:
            continue
        known = {value(result) for result in found}
        if wanted not in known:
            raise unknown_name(kind, wanted, known)
        found = [result for result in found if value(result) == wanted]
    found = _narrow(found, "key size", "--key", "bit", key_bits, lambda result: result.key_bits)
    if associated_bytes is None:
        associated_bytes = min(result.associated_bytes for result in found)
    kind = "size of associated data"
    found = _narrow(found, kind, "--associated", "B", associated_bytes, lambda result: result.associated_bytes)
    if size_bytes is not None:
        return _narrow(found, "message size", "--size", "B", size_bytes, lambda result: result.size_bytes)
    sizes: dict[str, set[int]] = {}
    for result in found:
        sizes.setdefault(result.implementation, set()).add(result.size_bytes)
    if any(len(known) > 1 for known in sizes.values()):
        raise UserError(f"There are results for messages of {_list(set().union(*sizes.values()))} B: choose with --size.")
    return found


def _narrow(
    results: list[Result], kind: str, option: str, unit: str, wanted: int, value: Callable[[Result], int]
) -> list[Result]:
    known = {value(result) for result in results}
    if wanted not in known:
        raise UserError(f"There is no result for a {kind} of {wanted} {unit}; {option} can be {_list(known)}.")
    return [result for result in results if value(result) == wanted]


def _list(numbers: Iterable[int]) -> str:
    return ", ".join(str(number) for number in sorted(numbers))


def _judge(
    result: Result, metric: Metric, per_byte: bool, flash_limit_bytes: int | None, ram_limit_bytes: int | None
) -> Choice | Miss:
    """Whether one result is within the limits. What is not known to fit does not."""
    if result.status != Status.OK:
        return Miss(result, (f"{result.status}: {result.reason or 'no reason was recorded'}",), float("inf"))
    flash, ram, value = result.flash_bytes, ram_bytes(result), metric.value(result)
    reasons = []
    excess = 0.0
    for name, used, limit in (("flash", flash, flash_limit_bytes), ("RAM", ram, ram_limit_bytes)):
        if limit is None:
            continue
        if used is None:
            reasons.append(f"its {name} is not measured")
            excess = float("inf")
        elif used > limit:
            reasons.append(f"{name} {number(used)} B is {number(used - limit)} B over the limit of {number(limit)} B")
            excess += used / limit if limit else float("inf")
    if value is None:
        reasons.append(f"its {metric.title.lower()} is not measured")
        excess = float("inf")
    if value is None or reasons:
        return Miss(result, tuple(reasons), excess)
    return Choice(
        result=result,
        value=value / result.size_bytes if per_byte else value,
        flash_left_bytes=None if flash is None or flash_limit_bytes is None else flash_limit_bytes - flash,
        ram_left_bytes=None if ram is None or ram_limit_bytes is None else ram_limit_bytes - ram,
    )


def _choice_order(choice: Choice) -> tuple[float, float, float, str, str]:
    infinite = float("inf")
    cycles = choice.result.cycles_median if choice.result.cycles_median is not None else infinite
    flash = choice.result.flash_bytes if choice.result.flash_bytes is not None else infinite
    return (choice.value, cycles, flash, choice.result.implementation, choice.result.optimisation)


def _miss_order(miss: Miss) -> tuple[float, str, str]:
    return (miss.excess, miss.result.implementation, miss.result.optimisation)


def _figures(choice: Choice) -> list[str]:
    result = choice.result
    figures = (result.cycles_median, result.time_us, result.flash_bytes, ram_bytes(result), result.energy_uj)
    return ["–" if figure is None else number(figure) for figure in figures]
