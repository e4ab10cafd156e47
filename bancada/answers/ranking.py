"""Rankings: the headline of a target, and the study's "best algorithm by metric" table. Also how names and figures are
written."""

from __future__ import annotations

from collections.abc import Container, Iterable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from bancada.answers.best import Best, best
from bancada.measure.metric import Metric
from bancada.measure.read_metrics import Metrics
from bancada.model.result import Result
from bancada.model.status import Fidelity

if TYPE_CHECKING:
    from rich.console import RenderableType

THIN_SPACE = "\N{NARROW NO-BREAK SPACE}"
ANY_ALGORITHM = "any algorithm"


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


_DIRECTIONS = {"encrypt": "sending", "decrypt": "receiving"}
_KEY_OPERATIONS = ("set-key", "set-decrypt-key")
# The usual order of operations. Others follow by name.
_OPERATIONS = ("encrypt", "decrypt", "set-key", "set-decrypt-key", "hash", "sign", "verify", "send", "receive")


def display_name(result: Result) -> str:
    """The name for people: `tatu aes-128 small`, `tatu sha-256`. `plain` is left out."""
    key = f"-{result.key_bits}" if result.key_bits else ""
    variant = "" if result.variant in ("", "plain") else f" {result.variant}"
    return f"{result.candidate} {result.algorithm}{key}{variant}"


def number(value: float) -> str:
    """A figure for people: thousands are separated, and only significant digits are shown."""
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
    """`exact`, or `modelled ±5 %`. Every figure is shown with it."""
    if result.fidelity == Fidelity.EXACT or result.fidelity_band_percent is None:
        return str(result.fidelity)
    return f"{result.fidelity} ±{result.fidelity_band_percent:g} %"


def fidelity_line(metrics: Iterable[Metric], results: Iterable[Result]) -> str:
    """As in "Cycles and time: exact.": how the figures that are neither bytes nor words were obtained. A metric that
    depends on something else too says so itself (`Metric.caveat`)."""
    shown = list(metrics)
    titles = [metric.title for metric in shown if metric.timed and not metric.caveat]
    timed = " and ".join(part for part in (", ".join(titles[:-1]), *titles[-1:]) if part)
    known = sorted({fidelity_text(result) for result in results})
    caveats = [metric.caveat for metric in shown if metric.caveat]
    return " ".join([f"{timed[:1].upper()}{timed[1:]}: {' and '.join(known)}." if timed and known else "", *caveats])


def operation_order(operation: str) -> tuple[int, str]:
    known = operation in _OPERATIONS
    return (_OPERATIONS.index(operation) if known else len(_OPERATIONS), operation)


def advisable(results: Iterable[Result], not_advised: Container[str]) -> list[Result]:
    """The results without the candidates that are only there for comparison, which nobody should use."""
    return [result for result in results if result.candidate not in not_advised]


def headline(
    results: Iterable[Result], target: str, metrics: Metrics, algorithm: str | None = None
) -> list[HeadlineRow]:
    """For a target: fastest, smallest flash, least RAM, for each operation, key size and message size.

    Without `algorithm`, the best of any algorithm of the same primitive. Rows come in the order in which
    people ask: encrypt, decrypt, set-key, each by key size.
    """
    groups: dict[tuple[str, str, int, int, int], list[Result]] = {}
    for result in results:
        if result.target == target and algorithm in (None, result.algorithm):
            message = (result.size_bytes, result.associated_bytes)
            groups.setdefault((result.primitive, result.operation, result.key_bits, *message), []).append(result)
    rows = []
    for key in sorted(groups, key=lambda key: (key[0], operation_order(key[1]), key[2:])):
        primitive, operation, key_bits, size_bytes, associated_bytes = key
        found = _bests(groups[key], metrics.shown_in("headline"))
        if found:
            row = HeadlineRow(target, primitive, algorithm, operation, key_bits, size_bytes, associated_bytes, found)
            rows.append(row)
    return rows


def study_table(results: Iterable[Result], metrics: Metrics) -> list[StudyRow]:
    """The study's Table 1 for any results: which algorithm, variant and key is best by which metric.

    Setting a key is left out, as in the study: the table is about the cost of every message.
    """
    groups: dict[tuple[str, str, str, int, int], list[Result]] = {}
    for result in results:
        if result.operation not in _KEY_OPERATIONS:
            message = (result.size_bytes, result.associated_bytes)
            groups.setdefault((result.target, result.primitive, result.operation, *message), []).append(result)
    rows = []
    for key in sorted(groups, key=lambda key: (key[:2], operation_order(key[2]), key[3:])):
        target, primitive, operation, size_bytes, associated_bytes = key
        found = _bests(groups[key], metrics.shown_in("study"))
        if found:
            direction = _DIRECTIONS.get(operation, operation)
            rows.append(StudyRow(target, primitive, operation, direction, size_bytes, associated_bytes, found))
    return rows


def render_headline(rows: Sequence[HeadlineRow], metrics: Metrics) -> RenderableType:
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
    for metric in metrics.shown_in("headline"):
        table.add_column(metric.best.lower())
    for row in rows:
        several = len(sizes[row.primitive, row.operation]) > 1
        size = size_text(row.size_bytes, row.associated_bytes) if several else ""
        cells = [cell_text(row.best.get(metric.name)) for metric in metrics.shown_in("headline")]
        table.add_row(row.operation, str(row.key_bits or ""), size, *cells)
    winners = [winner for row in rows for found in row.best.values() for winner in found.winners]
    table.caption = fidelity_line(metrics.shown_in("headline"), winners) or None
    return table


def cell_text(found: Best | None) -> str:
    """One answer in one line: the implementation, its figure, and whether others are as good."""
    if found is None:
        return "not measured"
    first = found.winners[0]
    text = f"{display_name(first)}: {number(found.value)} {found.metric.unit}"
    if found.tie:
        text += f" (tie with {len(found.winners) - 1} more)"
    elif found.inseparable:
        text += f" (within the error band: {len(found.inseparable)} more)"
    return text


def _bests(results: Sequence[Result], metrics: Iterable[Metric]) -> dict[str, Best]:
    found = {metric.name: best(results, metric) for metric in metrics}
    return {name: answer for name, answer in found.items() if answer is not None}
