"""The table of an experiment: rows for people, the same data for report.js, and who was eliminated."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

from bancada.compiler_table import compiler_name
from bancada.ranking import METRICS, at_best_level, fidelity_text, number, operation_order, ram_bytes
from bancada.records import Result, Status
from bancada.report.words import algorithm_title, listing, primitive_order

NOTHING = "–"
# Bit n of a row's `best`: it is the level of its implementation that is best by LEVELS[n].
LEVELS = ("cycles", "flash", "ram")


@dataclass(frozen=True)
class Column:
    """A column: what it shows, and by what it sorts (None where there is no figure)."""

    name: str
    title: str
    unit: str
    numeric: bool
    text: Callable[[Result], str]
    sort: Callable[[Result], float | str | None]


@dataclass(frozen=True)
class Filter:
    name: str
    title: str
    options: tuple[tuple[str, str], ...]


@dataclass(frozen=True)
class Row:
    id: str
    best: int
    ok: bool
    leak: str | None
    cells: tuple[str, ...]


@dataclass(frozen=True)
class Eliminated:
    """Implementations, or a part of their cases, without figures: why, and for which cases if not for all."""

    name: str
    status: str
    reasons: tuple[str, ...]
    where: str
    whole: bool


@dataclass(frozen=True)
class TableView:
    columns: tuple[Column, ...]
    filters: tuple[Filter, ...]
    rows: tuple[Row, ...]
    fidelity: str
    data: dict[str, object]


def _figure(value: Callable[[Result], float | None]) -> Callable[[Result], str]:
    def text(result: Result) -> str:
        figure = value(result)
        return NOTHING if figure is None else number(figure)

    return text


def _numeric(name: str, title: str, unit: str, value: Callable[[Result], float | None]) -> Column:
    return Column(name, title, unit, True, _figure(value), value)


def _words(name: str, title: str, value: Callable[[Result], str]) -> Column:
    return Column(name, title, "", False, value, value)


def _vectors(result: Result) -> str:
    if result.conformance_total is None:
        return NOTHING
    return f"{number(result.conformance_passed or 0)}/{number(result.conformance_total)}"


def _cycles(result: Result) -> str:
    """The median; a tilde where inputs of one size took different times, which is worth knowing of a cipher."""
    if result.cycles_median is None:
        return NOTHING
    return ("" if result.cycles_min == result.cycles_max else "~") + number(result.cycles_median)


_COLUMNS = (
    _words("candidate", "Candidate", lambda result: result.candidate),
    _words("target", "Target", lambda result: result.target),
    _words("algorithm", "Algorithm", lambda result: algorithm_title(result.algorithm)),
    _words("variant", "Variant", lambda result: result.variant),
    _words("operation", "Operation", lambda result: result.operation),
    Column("key_bits", "Key", "bit", True, lambda result: str(result.key_bits or NOTHING), lambda result: result.key_bits),
    _numeric("size_bytes", "Size", "B", lambda result: result.size_bytes),
    _numeric("associated_bytes", "Associated", "B", lambda result: result.associated_bytes),
    _words("compiler", "Compiler", compiler_name),
    _words("optimisation", "Level", lambda result: result.optimisation),
    Column("cycles", "Cycles", "", True, _cycles, lambda result: result.cycles_median),
    _numeric("time", "Time", "µs", lambda result: result.time_us),
    _numeric("flash", "Flash", "B", lambda result: result.flash_bytes),
    _numeric("ram", "RAM", "B", ram_bytes),
    _numeric("energy", "Energy", "µJ", lambda result: result.energy_uj),
    Column("vectors", "Vectors", "", True, _vectors, lambda result: result.conformance_passed),
    _words("fidelity", "Fidelity", fidelity_text),
    _words("status", "Status", lambda result: str(result.status)),
)
# Columns that say nothing where every row has the same.
_ONLY_IF_THEY_VARY = frozenset({"target", "size_bytes", "associated_bytes", "key_bits", "compiler", "fidelity"})
_FILTERS = (
    "candidate", "target", "algorithm", "operation", "key_bits", "size_bytes", "associated_bytes", "variant", "compiler",
    "optimisation", "status",
)


def table(experiment: str, results: Sequence[Result]) -> TableView:
    """Every result, sorted as people ask; `best` marks what is shown before the reader wants all levels."""
    ordered = _ordered(results)
    columns = tuple(
        column for column in _COLUMNS if column.name not in _ONLY_IF_THEY_VARY or len({column.sort(r) for r in ordered}) > 1
    )
    best = _best_levels(ordered)
    rows = tuple(
        Row(
            f"{experiment}-{index}",
            best[index],
            result.status == Status.OK,
            result.audit if result.audit and result.audit.startswith("leaks") else None,
            tuple(column.text(result) for column in columns),
        )
        for index, result in enumerate(ordered)
    )
    fidelity = listing(sorted({fidelity_text(result) for result in ordered}))
    return TableView(columns, tuple(_filters(ordered)), rows, fidelity, _data(ordered, columns))


def anchors(experiment: str, results: Sequence[Result]) -> dict[str, str]:
    """Where in the page each case of the experiment is."""
    return {result.case: f"{experiment}-{index}" for index, result in enumerate(_ordered(results))}


def eliminated(results: Sequence[Result]) -> list[Eliminated]:
    """Who is not in the figures, and why: whole implementations first, then single cases of others."""
    groups: dict[tuple[str, str, str, Status], list[Result]] = {}
    survivors = {(result.target, result.implementation) for result in results if result.status == Status.OK}
    for result in results:
        if result.status != Status.OK:
            groups.setdefault((result.target, result.candidate, result.implementation, result.status), []).append(result)
    cases = Counter((result.target, result.implementation) for result in results)
    several_targets = len({result.target for result in results}) > 1
    compilers = {compiler_name(result) for result in results}
    alike: dict[Eliminated, list[str]] = {}
    for (target, _, implementation, status), members in groups.items():
        reasons = tuple(dict.fromkeys(result.reason or "No reason was recorded." for result in members))
        whole = (target, implementation) not in survivors
        name = f"{implementation} on {target}" if several_targets else implementation
        where = "" if len(members) == cases[target, implementation] else _where(members, compilers)
        alike.setdefault(Eliminated("", str(status), reasons, where, whole), []).append(name)
    found = [replace(item, name=listing(sorted(names))) for item, names in alike.items()]
    return sorted(found, key=lambda item: (not item.whole, item.name))


def _where(members: Sequence[Result], compilers: set[str]) -> str:
    by = {compiler_name(result) for result in members}
    under = f" under {listing(sorted(by))}" if by != compilers else ""
    operations = sorted({result.operation for result in members}, key=operation_order)
    levels = listing(sorted({result.optimisation for result in members}))
    return f"{listing(operations)} at {levels}{under}"


def _ordered(results: Sequence[Result]) -> list[Result]:
    """As people ask, and the fastest first; targets stay in the order in which they come."""
    targets = {target: place for place, target in enumerate(dict.fromkeys(result.target for result in results))}

    def order(result: Result) -> tuple[object, ...]:
        cycles = result.cycles_median if result.cycles_median is not None else float("inf")
        question = (primitive_order(result.primitive), operation_order(result.operation), result.key_bits)
        message = (result.size_bytes, result.associated_bytes)
        return (targets[result.target], *question, *message, cycles, result.implementation, result.optimisation)

    return sorted(results, key=order)


def _best_levels(ordered: Sequence[Result]) -> list[int]:
    groups: dict[tuple[object, ...], list[int]] = {}
    for index, result in enumerate(ordered):
        key = (result.target, result.engine, result.candidate_version, result.implementation, result.operation)
        groups.setdefault((*key, result.key_bits, result.size_bytes, result.associated_bytes), []).append(index)
    bits = [0] * len(ordered)
    for members in groups.values():
        for bit, name in enumerate(LEVELS):
            chosen = at_best_level([ordered[index] for index in members], METRICS[name])
            # An implementation that has no figure still has a row, which says why.
            index = next((index for index in members if chosen and ordered[index] is chosen[0]), members[0])
            bits[index] |= 1 << bit
    return bits


def _filters(ordered: Sequence[Result]) -> list[Filter]:
    found = []
    for column in _COLUMNS:
        if column.name not in _FILTERS:
            continue
        options = {column.sort(result): column.text(result) for result in ordered}
        if len(options) > 1:
            values = sorted((str(value) for value in options), key=_option_order)
            texts = {str(value): text for value, text in options.items()}
            found.append(Filter(column.name, column.title, tuple((value, texts[value]) for value in values)))
    return found


def _option_order(value: str) -> tuple[float, tuple[int, str]]:
    """Numbers by size, operations as people think of them, other words by name."""
    return (float(value) if value.isdecimal() else 0.0, operation_order(value))


def _data(ordered: Sequence[Result], columns: Sequence[Column]) -> dict[str, object]:
    """What report.js needs: what each column sorts and filters by, and every field for provenance."""
    by_name = {column.name: column for column in _COLUMNS}
    names = dict.fromkeys([*(column.name for column in columns), *_FILTERS])
    return {
        "values": {name: _packed([by_name[name].sort(result) for result in ordered]) for name in names},
        "fields": {name: _packed([getattr(result, name) for result in ordered]) for name in Result.__dataclass_fields__},
    }


def _packed(values: Sequence[object]) -> dict[str, list[object]]:
    """A column, its distinct values kept once where they come again: most of a record is the same in the next one."""
    distinct = list(dict.fromkeys(values))
    if len(distinct) > len(values) // 2:
        return {"each": list(values)}
    places = {value: place for place, value in enumerate(distinct)}
    return {"distinct": distinct, "at": [places[value] for value in values]}
