"""The columns of the formats that people read. The other formats carry every field."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from bancada.answers.ranking import fidelity_text, number, size_text
from bancada.measure.metric import Metric
from bancada.measure.read_metrics import Metrics
from bancada.model.result import Result

NOTHING = "–"


@dataclass(frozen=True)
class Column:
    title: str
    numeric: bool
    text: Callable[[Result], str]


def _figure(value: float | None) -> str:
    return NOTHING if value is None else number(value)


def _status(result: Result) -> str:
    return f"{result.status}: {result.reason}" if result.reason else str(result.status)


_BEFORE = (
    Column("Target", False, lambda result: result.target),
    Column("Candidate", False, lambda result: result.candidate),
    Column("Algorithm", False, lambda result: result.algorithm),
    Column("Variant", False, lambda result: result.variant),
    Column("Operation", False, lambda result: result.operation),
    Column("Key (bit)", True, lambda result: str(result.key_bits) if result.key_bits else NOTHING),
    Column("Size (B)", True, lambda result: size_text(result.size_bytes, result.associated_bytes).removesuffix(" B")),
    Column("Compiler", False, lambda result: f"{result.compiler} {result.optimisation}"),
)
_BEHIND = (
    Column("Fidelity", False, fidelity_text),
    Column("Status", False, _status),
)
_AUDIT = Column("Audit", False, lambda result: result.audit or NOTHING)
_PROVED = Column("Proved", False, lambda result: result.proved or NOTHING)


def _column(metric: Metric) -> Column:
    title = metric.title[:1].upper() + metric.title[1:]
    unit = f" ({metric.unit})" if metric.unit and metric.unit != metric.title else ""
    return Column(title + unit, True, lambda result: _figure(metric.value(result)))


def columns_of(results: Sequence[Result], metrics: Metrics) -> tuple[Column, ...]:
    """The columns: what was measured, one for each metric that tables show, how it ended, and one more each where
    something was audited or proved."""
    audit = (_AUDIT,) if any(result.audit for result in results) else ()
    proved = (_PROVED,) if any(result.proved for result in results) else ()
    return (*_BEFORE, *(_column(metric) for metric in metrics.shown_in("table")), *_BEHIND, *audit, *proved)
