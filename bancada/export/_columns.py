"""The columns of the formats that people read. The other formats carry every field."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from bancada.ranking import fidelity_text, number, ram_bytes, size_text
from bancada.records import Result

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


COLUMNS = (
    Column("Target", False, lambda result: result.target),
    Column("Candidate", False, lambda result: result.candidate),
    Column("Algorithm", False, lambda result: result.algorithm),
    Column("Variant", False, lambda result: result.variant),
    Column("Operation", False, lambda result: result.operation),
    Column("Key (bit)", True, lambda result: str(result.key_bits) if result.key_bits else NOTHING),
    Column("Size (B)", True, lambda result: size_text(result.size_bytes, result.associated_bytes).removesuffix(" B")),
    Column("Compiler", False, lambda result: f"{result.compiler} {result.optimisation}"),
    Column("Cycles", True, lambda result: _figure(result.cycles_median)),
    Column("Time (µs)", True, lambda result: _figure(result.time_us)),
    Column("Flash (B)", True, lambda result: _figure(result.flash_bytes)),
    Column("RAM (B)", True, lambda result: _figure(ram_bytes(result))),
    Column("Energy (µJ)", True, lambda result: _figure(result.energy_uj)),
    Column("Fidelity", False, fidelity_text),
    Column("Status", False, _status),
)
_AUDIT = Column("Audit", False, lambda result: result.audit or NOTHING)


def columns_of(results: Sequence[Result]) -> tuple[Column, ...]:
    """The columns, and one more where something was audited."""
    return (*COLUMNS, _AUDIT) if any(result.audit for result in results) else COLUMNS
