"""The table of an experiment: rows for people, the same data for report.js, and the eliminated implementations."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from types import MappingProxyType

from bancada.answers.best import at_best_level
from bancada.answers.compiler_table import compiler_name
from bancada.answers.ranking import fidelity_text, number, operation_order
from bancada.answers.report.input import EarlierRun
from bancada.answers.words import algorithm_title, listing, primitive_order, sentence
from bancada.measure.metric import Metric
from bancada.measure.read_metrics import Metrics
from bancada.model.result import Result, fields_of
from bancada.model.status import Status

NOTHING = "–"


@dataclass(frozen=True)
class Column:
    """A column: the text that it shows, and the value that it sorts by (None where there is no figure)."""

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
    """A row of the table. Bit n of `best`: it is the level of its implementation that is best by metric n of the
    headline, or the study's level."""

    id: str
    best: int
    ok: bool
    status: str
    leak: str | None
    proved: str | None
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


_BEFORE = (
    _words("candidate", "Candidate", lambda result: result.candidate),
    _words("target", "Target", lambda result: result.target),
    _words("algorithm", "Algorithm", lambda result: algorithm_title(result.algorithm)),
    _words("variant", "Variant", lambda result: result.variant),
    _words("operation", "Operation", lambda result: result.operation),
    Column(
        "key_bits", "Key", "bit", True, lambda result: str(result.key_bits or NOTHING), lambda result: result.key_bits
    ),
    _numeric("size_bytes", "Size", "B", lambda result: result.size_bytes),
    _numeric("associated_bytes", "Associated", "B", lambda result: result.associated_bytes),
    _words("compiler", "Compiler", compiler_name),
    _words("optimisation", "Level", lambda result: result.optimisation),
)
_BEHIND = (
    Column("vectors", "Vectors", "", True, _vectors, lambda result: result.conformance_passed),
    _words("fidelity", "Fidelity", fidelity_text),
    _words("status", "Status", lambda result: str(result.status)),
)


def _columns(metrics: Metrics) -> tuple[Column, ...]:
    """What was measured, a column for each metric that tables show, and how it ended."""
    return (*_BEFORE, *(_metric_column(metric) for metric in metrics.shown_in("table")), *_BEHIND)


def _metric_column(metric: Metric) -> Column:
    unit = "" if metric.unit == metric.title else metric.unit

    def text(result: Result) -> str:
        """A tilde marks inputs of one size that gave different figures: time may depend on data."""
        value = metric.value(result)
        if value is None:
            return NOTHING
        extent = metric.extent(result) if metric.extent is not None else None
        return ("~" if extent is not None and extent[0] != extent[1] else "") + number(value)

    return Column(metric.name, sentence(metric.title), unit, True, text, metric.value)


# Columns that are left out where every row has the same value.
_ONLY_IF_THEY_VARY = frozenset({"target", "size_bytes", "associated_bytes", "key_bits", "compiler", "fidelity"})
_FILTERS = (
    "candidate",
    "target",
    "algorithm",
    "operation",
    "key_bits",
    "size_bytes",
    "associated_bytes",
    "variant",
    "compiler",
    "optimisation",
    "status",
)


def table(
    experiment: str,
    results: Sequence[Result],
    metrics: Metrics,
    earlier: Mapping[str, tuple[EarlierRun, ...]] = MappingProxyType({}),
    study_optimisation: str = "",
) -> TableView:
    """Every result, sorted as people ask; `best` marks what is shown before the reader wants all levels, which that of
    the study is too. `earlier` are earlier runs by case."""
    ordered = _ordered(results, metrics)
    columns = tuple(
        column
        for column in _columns(metrics)
        if column.name not in _ONLY_IF_THEY_VARY or len({column.sort(r) for r in ordered}) > 1
    )
    best = _best_levels(ordered, metrics, study_optimisation)
    rows = tuple(
        Row(
            f"{experiment}-{index}",
            best[index],
            result.status is Status.OK,
            str(result.status),
            result.audit if result.audit and result.audit.startswith("leaks") else None,
            result.proved,
            tuple(column.text(result) for column in columns),
        )
        for index, result in enumerate(ordered)
    )
    fidelity = listing(sorted({fidelity_text(result) for result in ordered}))
    return TableView(columns, tuple(_filters(ordered)), rows, fidelity, _data(ordered, columns, metrics, earlier))


def anchors(experiment: str, results: Sequence[Result], metrics: Metrics) -> dict[str, str]:
    """Where in the page each case of the experiment is."""
    return {result.case: f"{experiment}-{index}" for index, result in enumerate(_ordered(results, metrics))}


def eliminated(results: Sequence[Result]) -> list[Eliminated]:
    """The cases without figures, and why: whole implementations first, then single cases of others."""
    groups: dict[tuple[str, str, str, Status], list[Result]] = {}
    survivors = {(result.target, result.implementation) for result in results if result.status == Status.OK}
    for result in results:
        if result.status != Status.OK:
            groups.setdefault((result.target, result.candidate, result.implementation, result.status), []).append(
                result
            )
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


def _ordered(results: Sequence[Result], metrics: Metrics) -> list[Result]:
    """As people ask, the best by the headline's first metric first; targets stay in the order in which they come."""
    first = metrics.shown_in("headline")[0]
    targets = {target: place for place, target in enumerate(dict.fromkeys(result.target for result in results))}

    def order(result: Result) -> tuple[object, ...]:
        value = first.value(result)
        place = float("inf") if value is None else value if first.less_is_better else -value
        question = (primitive_order(result.primitive), operation_order(result.operation), result.key_bits)
        message = (result.size_bytes, result.associated_bytes)
        return (targets[result.target], *question, *message, place, result.implementation, result.optimisation)

    return sorted(results, key=order)


def _best_levels(ordered: Sequence[Result], metrics: Metrics, study_optimisation: str) -> list[int]:
    groups: dict[tuple[object, ...], list[int]] = {}
    for index, result in enumerate(ordered):
        key = (result.target, result.engine, result.candidate_version, result.implementation, result.operation)
        groups.setdefault((*key, result.key_bits, result.size_bytes, result.associated_bytes), []).append(index)
    every = (1 << len(metrics.shown_in("headline"))) - 1
    bits = [every if study_optimisation and one.optimisation == study_optimisation else 0 for one in ordered]
    for members in groups.values():
        for bit, metric in enumerate(metrics.shown_in("headline")):
            chosen = at_best_level([ordered[index] for index in members], metric)
            # An implementation that has no figure still has a row, which says why.
            index = next((index for index in members if chosen and ordered[index] is chosen[0]), members[0])
            bits[index] |= 1 << bit
    return bits


def _filters(ordered: Sequence[Result]) -> list[Filter]:
    found = []
    for column in (*_BEFORE, *_BEHIND):
        if column.name not in _FILTERS:
            continue
        options = {column.sort(result): column.text(result) for result in ordered}
        if len(options) > 1:
            values = sorted((str(value) for value in options), key=_option_order)
            texts = {str(value): text for value, text in options.items()}
            found.append(Filter(column.name, column.title, tuple((value, texts[value]) for value in values)))
    return found


def _option_order(value: str) -> tuple[float, tuple[int, str]]:
    """Numbers by size, operations in their usual order, other words by name."""
    return (float(value) if value.isdecimal() else 0.0, operation_order(value))


def _data(
    ordered: Sequence[Result],
    columns: Sequence[Column],
    metrics: Metrics,
    earlier: Mapping[str, tuple[EarlierRun, ...]],
) -> dict[str, object]:
    """The data of report.js: the values that columns sort and filter by, every field for provenance, and the titles of
    the figures."""
    by_name = {column.name: column for column in _columns(metrics)}
    names = dict.fromkeys([*(column.name for column in columns), *_FILTERS])
    fields = dict.fromkeys((*fields_of(ordered), *(figure.field for figure in metrics.figures)))
    return {
        "values": {name: _packed([by_name[name].sort(result) for result in ordered]) for name in names},
        "fields": {name: _packed([result.value(name) for result in ordered]) for name in fields},
        "figures": [[figure.field, sentence(figure.title), figure.unit] for figure in metrics.figures],
        "earlier": {
            str(index): [
                [run.date, run.status, [list(figure) for figure in run.figures]] for run in earlier[result.case]
            ]
            for index, result in enumerate(ordered)
            if result.case in earlier
        },
    }


def _packed(values: Sequence[object]) -> dict[str, list[object]]:
    """A column in compact form. Repeated values are kept once, because most of a record equals the next one."""
    distinct = list(dict.fromkeys(values))
    if len(distinct) > len(values) // 2:
        return {"each": list(values)}
    places = {value: place for place, value in enumerate(distinct)}
    return {"distinct": distinct, "at": [places[value] for value in values]}
