"""The first screen: the best implementations on a target, and how they were measured."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from bancada.answers.best import Best
from bancada.answers.ranking import HeadlineRow, fidelity_text, headline, number
from bancada.answers.report.contenders import contenders, verdict
from bancada.answers.report.input import TargetFacts
from bancada.answers.words import (
    algorithm_title,
    bytes_text,
    count_text,
    frequency_text,
    key_text,
    least_associated,
    listing,
    primitive_order,
    primitive_title,
    short_and_long,
    short_name,
    time_text,
)
from bancada.measure.read_metrics import Metrics
from bancada.model.result import Result
from bancada.model.status import Fidelity, Status

_SHOWN_TIES = 2


@dataclass(frozen=True)
class Winner:
    """An implementation at a level. `verdict` is what its audit found: leaks, clean, or '' where it was not audited;
    `why` says where."""

    name: str
    level: str
    anchor: str | None
    verdict: str
    why: str


@dataclass(frozen=True)
class Cell:
    """One answer: a figure, the figure in another unit, the implementations that reach it, and the next one, with
    `behind` as the factor."""

    figure: str
    also: str
    winners: tuple[Winner, ...]
    more: str
    runner_up: Winner | None
    behind: str


@dataclass(frozen=True)
class AnswerRow:
    """A row of the table. `key` names the data that report.js chooses from when the reader sets limits
    (`AnswerView.data`)."""

    key: str
    question: str
    fidelity: str
    cells: tuple[Cell | None, ...]


@dataclass(frozen=True)
class AnswerGroup:
    """The rows of one operation."""

    title: str
    rows: tuple[AnswerRow, ...]


@dataclass(frozen=True)
class Choice:
    """A choice above the table: all algorithms of a class, or one algorithm."""

    id: str
    primitive: str
    title: str
    algorithm: str
    groups: tuple[AnswerGroup, ...]


@dataclass(frozen=True)
class AnswerView:
    target: str
    title: str
    about: str
    choices: tuple[Choice, ...]
    fidelity: str
    fidelity_words: str
    method: tuple[str, ...]
    facts: tuple[tuple[str, str, str], ...]
    names: tuple[str, ...]
    data: dict[str, object]


def answer(
    results: Sequence[Result], target: str, facts: TargetFacts | None, anchors: dict[str, str], metrics: Metrics
) -> AnswerView:
    """The answer for one target. `anchors` says where in the page the provenance of a case is."""
    here = [result for result in results if result.target == target and result.status is not Status.NOT_OFFERED]
    choices: list[Choice] = []
    primitives = sorted({result.primitive for result in here}, key=primitive_order)
    for primitive in primitives:
        of_class = [result for result in least_associated(here) if result.primitive == primitive]
        algorithms = sorted({result.algorithm for result in of_class if result.status == Status.OK})
        class_title = primitive_title(primitive)
        if len(algorithms) > 1:
            rows = headline(of_class, target, metrics)
            choices.append(_choice(class_title, f"any {class_title}", "", rows, anchors, metrics, len(choices)))
        for algorithm in algorithms:
            rows = headline(of_class, target, metrics, algorithm)
            title = algorithm_title(algorithm)
            choices.append(_choice(class_title, title, algorithm, rows, anchors, metrics, len(choices)))
    ok = [result for result in here if result.status == Status.OK]
    fidelities = sorted({fidelity_text(result) for result in ok})
    keys = {row.key for choice in choices for group in choice.groups for row in group.rows}
    asked = [result for result in least_associated(ok) if _key(result) in keys]
    data = contenders(asked, metrics, anchors, _key)
    return AnswerView(
        target=target,
        title=facts.title if facts else target,
        about=_about(facts) if facts else "",
        choices=tuple(choice for choice in choices if choice.groups),
        fidelity=listing(fidelities) if fidelities else "no figures",
        fidelity_words=" ".join(_fidelity_words(ok)),
        method=tuple(_method(here, ok, metrics)),
        facts=tuple((fact.label, fact.value, fact.source) for fact in facts.facts) if facts else (),
        names=tuple(sorted({short_name(result) for result in asked})),
        data=data,
    )


def _key(item: Result | HeadlineRow) -> str:
    return f"{item.primitive}/{item.operation}/{item.key_bits}/{item.size_bytes}"


def _choice(
    primitive: str,
    title: str,
    algorithm: str,
    rows: Sequence[HeadlineRow],
    anchors: dict[str, str],
    metrics: Metrics,
    index: int,
) -> Choice:
    sizes: dict[str, set[int]] = {}
    for row in rows:
        sizes.setdefault(row.operation, set()).add(row.size_bytes)
    groups: dict[str, list[AnswerRow]] = {}
    for row in rows:
        known = short_and_long(sizes[row.operation])
        if row.size_bytes not in known:
            continue
        winners = [result for best in row.best.values() for result in best.winners]
        key = key_text(row.key_bits, {result.algorithm for result in winners})
        parts = [key, f"{number(row.size_bytes)} B" if len(known) > 1 else ""]
        question = ", ".join(part for part in parts if part) or "any"
        fidelity = listing(sorted({fidelity_text(result) for result in winners}))
        cells = tuple(_cell(row.best.get(metric.name), anchors) for metric in metrics.shown_in("headline"))
        groups.setdefault(row.operation, []).append(AnswerRow(_key(row), question, fidelity, cells))
    return Choice(
        f"{index}",
        primitive,
        title,
        algorithm,
        tuple(AnswerGroup(name, tuple(members)) for name, members in groups.items()),
    )


def _cell(best: Best | None, anchors: dict[str, str]) -> Cell | None:
    if best is None:
        return None
    first = best.winners[0]
    figure, also = f"{number(best.value)} {best.metric.unit}", ""
    as_time_us = best.metric.as_time_us(first) if best.metric.as_time_us is not None else None
    if as_time_us is not None:
        figure, also = time_text(as_time_us), figure
    names: dict[str, Winner] = {}
    for result in best.winners:
        name = short_name(result)
        names.setdefault(name, _winner(result, anchors))
    shown = tuple(names.values())[:_SHOWN_TIES]
    rest = len(names) - len(shown)
    more = f"and {rest} more" if rest else ""
    if best.inseparable:
        more = f"{more}; " if more else ""
        more += f"{count_text(len(best.inseparable), 'other is', 'others are')} within the error band"
    runner_up = best.runner_up
    return Cell(
        figure,
        also,
        shown,
        more,
        runner_up=_winner(runner_up, anchors) if runner_up else None,
        behind=times_text(best.times_as_much(runner_up)) if runner_up else "",
    )


def times_text(times: float | None) -> str:
    """How far a figure is from the best: `+5.1 %`, or `2.4 ×` from twice as much on."""
    if times is None:
        return ""
    if 0.5 < times < 2:
        return f"{(times - 1) * 100:+.2g}\N{NO-BREAK SPACE}%"
    return f"{times:.1f}\N{NO-BREAK SPACE}×" if times < 10 else f"{number(round(times))}\N{NO-BREAK SPACE}×"


def _winner(result: Result, anchors: dict[str, str]) -> Winner:
    return Winner(
        short_name(result),
        result.optimisation,
        anchors.get(result.case),
        verdict=verdict(result),
        why=result.audit or "",
    )


def _about(facts: TargetFacts) -> str:
    parts = [frequency_text(facts.clock_hz)]
    if facts.flash_bytes:
        parts.append(f"{bytes_text(facts.flash_bytes)} flash")
    if facts.ram_bytes:
        parts.append(f"{bytes_text(facts.ram_bytes)} RAM")
    if facts.supply_volts:
        parts.append(f"{facts.supply_volts:g} V")
    return ", ".join(parts)


def _fidelity_words(ok: Sequence[Result]) -> list[str]:
    words = []
    for fidelity in sorted({result.fidelity for result in ok}):
        members = [result for result in ok if result.fidelity == fidelity]
        engines = listing(sorted({result.engine for result in members}))
        if fidelity == Fidelity.EXACT:
            words.append(f"Every executed cycle was counted by {engines}: run it again and the same figures come out.")
        elif fidelity == Fidelity.MODELLED:
            bands = sorted(
                {result.fidelity_band_percent for result in members if result.fidelity_band_percent is not None}
            )
            band = f" (±{bands[-1]:g} %)" if bands else ""
            words.append(
                f"{engines} counted what was executed; a cost table of the core made cycles of it, "
                f"with an error{band} known from published silicon figures."
            )
        else:
            words.append(f"The device's own counter was read by {engines}; raw samples vary.")
    return words


def _method(here: Sequence[Result], ok: Sequence[Result], metrics: Metrics) -> list[str]:
    implementations = {(result.candidate, result.implementation) for result in here}
    passed = {(result.candidate, result.implementation) for result in ok}
    items = [
        f"{count_text(len({name for name, _ in implementations}), 'library', 'libraries')}, "
        f"{count_text(len(implementations), 'implementation')}, {count_text(len(here), 'case')}. "
        + (
            f"All are correct and fit{', if not under every compiler' if _depends_on_the_compiler(here) else ''}."
            if len(passed) == len(implementations)
            else (
                f"{count_text(len(implementations - passed), 'implementation was', 'implementations were')} eliminated."
            )
        )
    ]
    totals = [result.conformance_total for result in ok if result.conformance_total]
    if totals:
        items.append(
            f"Correct first: {_between(totals)} official vectors for each implementation, run on the device "
            "through the same firmware that is timed."
        )
    compilers = listing(sorted({result.compiler for result in ok}))
    levels = listing(f"`{level}`" for level in sorted({result.optimisation for result in ok}))
    samples = [result.samples for result in ok if result.samples]
    if compilers and samples:
        items.append(
            f"Compiled with {compilers} at {levels}; each implementation is judged at its best "
            f"{'compiler and level' if len({result.compiler for result in ok}) > 1 else 'level'} for each figure. "
            f"{_between(samples)} random inputs; the median is shown."
        )
    caveats = (one for one in metrics if one.caveat and any(one.value(result) is not None for result in ok))
    return [*items, *(metric.caveat for metric in caveats)]


def _depends_on_the_compiler(results: Sequence[Result]) -> bool:
    """Whether a case ended well under one compiler and badly under another."""
    ends: dict[tuple[str, ...], set[bool]] = {}
    for result in results:
        case = (result.target, result.implementation, result.operation, result.optimisation)
        ends.setdefault(case, set()).add(result.status == Status.OK)
    return len({result.compiler for result in results}) > 1 and any(len(ended) > 1 for ended in ends.values())


def _between(counts: Sequence[int]) -> str:
    low, high = min(counts), max(counts)
    return number(low) if low == high else f"{number(low)} to {number(high)}"
