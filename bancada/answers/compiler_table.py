"""The effect of the compiler: the same implementation, operation and level with each compiler."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass
from typing import TYPE_CHECKING

from bancada.answers.ranking import number
from bancada.model.result import Result
from bancada.model.status import Status

if TYPE_CHECKING:
    from rich.console import RenderableType


def compiler_name(result: Result) -> str:
    """The compiler with its version, short: `avr-gcc 5.4.0`, `clang 14.0.6`."""
    name = re.sub(r"-O\w+$", "", result.case.rpartition("/")[2].removesuffix(result.optimisation))
    if re.search(r"-\d", name):
        return re.sub(r"-(?=\d)", " ", name, count=1)
    found = re.search(r"\d+(\.\d+)+", re.sub(r"\(.*?\)", "", result.compiler.removeprefix(name)))
    return f"{name} {found[0]}" if found else name


@dataclass(frozen=True)
class Moved:
    """One operation of an implementation at one level: cycles by compiler, None where it has no figure there and `why`
    says so."""

    target: str
    implementation: str
    operation: str
    size_bytes: int
    associated_bytes: int
    optimisation: str
    cycles: dict[str, int | None]
    why: dict[str, Status]

    @property
    def slowest_by_fastest(self) -> float | None:
        """The cycles with the slowest compiler divided by those with the fastest. None with fewer than two figures."""
        known = [cycles for cycles in self.cycles.values() if cycles]
        return max(known) / min(known) if len(known) > 1 else None


def what_compilers_move(results: Iterable[Result]) -> list[Moved]:
    """A row for everything that was compiled by more than one compiler, in the order of the results.

    A case that no compiler saw (not offered, or its sources could not be fetched) is left out: it has no compiler
    version.
    """
    rows: dict[tuple[str, str, str, int, int, str], dict[str, Result]] = {}
    for result in results:
        if not result.flags:
            continue
        key = (
            result.target,
            result.implementation,
            result.operation,
            result.size_bytes,
            result.associated_bytes,
            result.optimisation,
        )
        rows.setdefault(key, {})[compiler_name(result)] = result
    return [
        Moved(
            *key,
            cycles={name: result.cycles_median for name, result in by.items()},
            why={name: result.status for name, result in by.items() if result.status is not Status.OK},
        )
        for key, by in rows.items()
        if len(by) > 1 and any(result.cycles_median for result in by.values())
    ]


def render_compilers(moved: list[Moved]) -> RenderableType:
    """The rows for a console: cycles by compiler, the fastest marked, and how far the slowest is behind it."""
    from rich.table import Table
    from rich.text import Text

    names = list(dict.fromkeys(name for row in moved for name in row.cycles))
    table = Table(title="What the compiler moves: cycles by compiler", title_justify="left")
    for column in ("target", "implementation", "operation"):
        table.add_column(column)
    for name in names:
        table.add_column(name, justify="right")
    table.add_column("slowest/fastest", justify="right")
    for row in moved:
        known = [cycles for cycles in row.cycles.values() if cycles]
        cells = []
        for name in names:
            cycles = row.cycles.get(name)
            text = number(cycles) if cycles else str(row.why.get(name, "-"))
            cells.append(Text(text, style="green" if cycles == min(known) else "" if cycles else "yellow"))
        ratio = row.slowest_by_fastest
        size = str(row.size_bytes) + (f"+{row.associated_bytes}" if row.associated_bytes else "")
        operation = f"{row.operation} {size} {row.optimisation}"
        table.add_row(row.target, row.implementation, operation, *cells, f"{ratio:.2f}" if ratio else "-")
    return table
