"""The first screen: who is best at what on a target, and how that was found out."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from bancada.ranking import HEADLINE_METRICS, Best, HeadlineRow, fidelity_text, headline, number
from bancada.records import Fidelity, Result, Status
from bancada.report.input import TargetFacts
from bancada.report.words import (
    algorithm_title,
    bytes_text,
    count_text,
    frequency_text,
    least_associated,
    listing,
    primitive_order,
    primitive_title,
    short_and_long,
    short_name,
    time_text,
)

_SHOWN_TIES = 2


@dataclass(frozen=True)
class Winner:
    name: str
    level: str
    anchor: str | None


@dataclass(frozen=True)
class Cell:
    """One answer: a figure, what it is in another unit, and who reaches it."""

    figure: str
    also: str
    winners: tuple[Winner, ...]
    more: str


@dataclass(frozen=True)
class AnswerRow:
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
    """What may be chosen above the table: any algorithm of a class, or a single one."""

    id: str
    primitive: str
    title: str
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


def answer(results: Sequence[Result], target: str, facts: TargetFacts | None, anchors: dict[str, str]) -> AnswerView:
    """The answer for one target. `anchors` says where in the page the provenance of a case is."""
    here = [result for result in results if result.target == target]
    choices: list[Choice] = []
    primitives = sorted({result.primitive for result in here}, key=primitive_order)
    for primitive in primitives:
        of_class = [result for result in least_associated(here) if result.primitive == primitive]
        algorithms = sorted({result.algorithm for result in of_class if result.status == Status.OK})
        class_title = primitive_title(primitive)
        if len(algorithms) > 1:
            choices.append(_choice(class_title, f"any {class_title}", headline(of_class, target), anchors, len(choices)))
        for algorithm in algorithms:
            rows = headline(of_class, target, algorithm)
            choices.append(_choice(class_title, algorithm_title(algorithm), rows, anchors, len(choices)))
    ok = [result for result in here if result.status == Status.OK]
    fidelities = sorted({fidelity_text(result) for result in ok})
    return AnswerView(
        target=target,
        title=facts.title if facts else target,
        about=_about(facts) if facts else "",
        choices=tuple(choice for choice in choices if choice.groups),
        fidelity=listing(fidelities) if fidelities else "no figures",
        fidelity_words=" ".join(_fidelity_words(ok)),
        method=tuple(_method(here, ok)),
        facts=tuple((fact.label, fact.value, fact.source) for fact in facts.facts) if facts else (),
    )


def _choice(primitive: str, title: str, rows: Sequence[HeadlineRow], anchors: dict[str, str], index: int) -> Choice:
    sizes: dict[str, set[int]] = {}
    for row in rows:
        sizes.setdefault(row.operation, set()).add(row.size_bytes)
    groups: dict[str, list[AnswerRow]] = {}
    for row in rows:
        known = short_and_long(sizes[row.operation])
        if row.size_bytes not in known:
            continue
        parts = [f"{row.key_bits} bit" if row.key_bits else "", f"{number(row.size_bytes)} B" if len(known) > 1 else ""]
        question = ", ".join(part for part in parts if part) or "any"
        winners = [result for best in row.best.values() for result in best.winners]
        fidelity = listing(sorted({fidelity_text(result) for result in winners}))
        cells = tuple(_cell(row.best.get(name), anchors) for name in HEADLINE_METRICS)
        groups.setdefault(row.operation, []).append(AnswerRow(question, fidelity, cells))
    return Choice(f"{index}", primitive, title, tuple(AnswerGroup(name, tuple(members)) for name, members in groups.items()))


def _cell(best: Best | None, anchors: dict[str, str]) -> Cell | None:
    if best is None:
        return None
    first = best.winners[0]
    figure, also = f"{number(best.value)} {best.metric.unit}", ""
    if best.metric.name == "cycles" and first.time_us is not None:
        figure, also = time_text(first.time_us), figure
    names: dict[str, Winner] = {}
    for result in best.winners:
        name = short_name(result)
        names.setdefault(name, Winner(name, result.optimisation, anchors.get(result.case)))
    shown = tuple(names.values())[:_SHOWN_TIES]
    rest = len(names) - len(shown)
    more = f"and {rest} more" if rest else ""
    if best.inseparable:
        more = f"{more}; " if more else ""
        more += f"{count_text(len(best.inseparable), 'other is', 'others are')} within the error band"
    return Cell(figure, also, shown, more)


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
            bands = sorted({result.fidelity_band_percent for result in members if result.fidelity_band_percent is not None})
            band = f" (±{bands[-1]:g} %)" if bands else ""
            words.append(
                f"{engines} counted what was executed; a cost table of the core made cycles of it, "
                f"with an error{band} known from published silicon figures."
            )
        else:
            words.append(f"The device's own counter was read by {engines}; raw samples vary.")
    return words


def _method(here: Sequence[Result], ok: Sequence[Result]) -> list[str]:
    implementations = {(result.candidate, result.implementation) for result in here}
    passed = {(result.candidate, result.implementation) for result in ok}
    items = [
        f"{count_text(len({name for name, _ in implementations}), 'library', 'libraries')}, "
        f"{count_text(len(implementations), 'implementation')}, {count_text(len(here), 'case')}. "
        + (
            f"All are correct and fit{', if not under every compiler' if _depends_on_the_compiler(here) else ''}."
            if len(passed) == len(implementations)
            else f"{count_text(len(implementations - passed), 'implementation was', 'implementations were')} eliminated."
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
    if any(result.energy_uj is not None for result in ok):
        items.append("Energy is voltage times current times time: as good as the data sheet's current, no better.")
    return items


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
