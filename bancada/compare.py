"""What changed between two sets of results: faster, slower, larger, smaller, and what no longer works.

A figure that counts (bytes of an image, cycles of an exact engine) has no noise: any increase is a
regression. A modelled or measured one has some, and is a regression only beyond the tolerance.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from bancada.compiler_table import compiler_name
from bancada.errors import UserError, unknown_name
from bancada.ranking import number
from bancada.records import Fidelity, Result, Status

if TYPE_CHECKING:
    from rich.console import RenderableType

# Times and energies are computed in floating point; a difference below this is of the arithmetic, not of the code.
_ROUNDING = 1e-9


@dataclass(frozen=True)
class Figure:
    """A field that is compared. `counted` ones are exact whatever the engine: they come from the linker."""

    field: str
    title: str
    unit: str
    kind: str
    counted: bool
    value: Callable[[Result], float | None]


FIGURES = (
    Figure("cycles_median", "cycles", "cycles", "time", False, lambda result: result.cycles_median),
    Figure("cycles_max", "cycles, worst input", "cycles", "time", False, lambda result: result.cycles_max),
    Figure("initialisation_us", "initialisation", "µs", "time", False, lambda result: result.initialisation_us),
    Figure("energy_uj", "energy", "µJ", "energy", False, lambda result: result.energy_uj),
    Figure("flash_bytes", "flash", "B", "size", True, lambda result: result.flash_bytes),
    Figure("flash_both_bytes", "flash, both directions", "B", "size", True, lambda result: result.flash_both_bytes),
    Figure("ram_static_bytes", "static RAM", "B", "size", True, lambda result: result.ram_static_bytes),
    Figure("ram_context_bytes", "context", "B", "size", True, lambda result: result.ram_context_bytes),
    Figure("stack_bytes", "stack", "B", "size", False, lambda result: result.stack_bytes),
)
# These follow the median: they are listed only where they go another way than it did.
_FOLLOWERS = frozenset({"cycles_max", "energy_uj"})


@dataclass(frozen=True)
class Change:
    """One figure of one case, before and after. `tolerated`: worse, but not by more than the tolerance."""

    case: str
    figure: Figure
    before: float
    after: float
    tolerated: bool

    @property
    def worse(self) -> bool:
        return self.after > self.before

    @property
    def percent(self) -> float | None:
        return None if self.before == 0 else (self.after / self.before - 1) * 100


@dataclass(frozen=True)
class StatusChange:
    """A case that works no longer, works now, or fails in another way."""

    case: str
    before: Status
    after: Status
    reason: str | None

    @property
    def worse(self) -> bool:
        return self.before == Status.OK


@dataclass(frozen=True)
class Comparison:
    """All differences. Cases that only one side has are listed and judge nothing: `compared` says how many are in both.

    `compilers` are pairs, before and after, where a case was compiled by another one.
    """

    changes: tuple[Change, ...]
    status_changes: tuple[StatusChange, ...]
    appeared: tuple[str, ...]
    vanished: tuple[str, ...]
    compared: int
    unchanged: int
    tolerance_percent: float
    compilers: tuple[tuple[str, str], ...] = ()

    @property
    def faster(self) -> tuple[Change, ...]:
        return self._of("time", worse=False)

    @property
    def slower(self) -> tuple[Change, ...]:
        return self._of("time", worse=True)

    @property
    def smaller(self) -> tuple[Change, ...]:
        return self._of("size", worse=False)

    @property
    def larger(self) -> tuple[Change, ...]:
        return self._of("size", worse=True)

    @property
    def less_energy(self) -> tuple[Change, ...]:
        return self._of("energy", worse=False)

    @property
    def more_energy(self) -> tuple[Change, ...]:
        return self._of("energy", worse=True)

    @property
    def regressed(self) -> bool:
        lost = any(change.worse for change in self.status_changes)
        return lost or any(change.worse and not change.tolerated for change in self.changes)

    def _of(self, kind: str, *, worse: bool) -> tuple[Change, ...]:
        return tuple(change for change in self.changes if change.figure.kind == kind and change.worse == worse)


def compare(before: Iterable[Result], after: Iterable[Result], tolerance_percent: float = 0.0) -> Comparison:
    """What changed from `before` to `after`, case by case.

    A case is the same on both sides if its name and its engine are. Where a side holds a case more than once
    (another experiment, an older run), its newest counts.
    """
    old, new = _newest(before), _newest(after)
    changes: list[Change] = []
    status_changes: list[StatusChange] = []
    unchanged = 0
    common = [key for key in old if key in new]
    for key in common:
        was, now = old[key], new[key]
        if was.status != now.status:
            status_changes.append(StatusChange(now.case, was.status, now.status, now.reason))
            continue
        found = _changes(was, now, tolerance_percent)
        changes.extend(found)
        unchanged += not found
    changes.sort(key=lambda change: -abs(change.percent if change.percent is not None else float("inf")))
    return Comparison(
        changes=tuple(changes),
        status_changes=tuple(sorted(status_changes, key=lambda change: (not change.worse, change.case))),
        appeared=tuple(sorted(new[key].case for key in new if key not in old)),
        vanished=tuple(sorted(old[key].case for key in old if key not in new)),
        compared=len(common),
        unchanged=unchanged,
        tolerance_percent=tolerance_percent,
        compilers=tuple(dict.fromkeys((old[key].compiler, new[key].compiler) for key in common if old[key].compiler != new[key].compiler)),
    )


def of_compiler(results: Iterable[Result], wanted: str) -> list[Result]:
    """The results of one compiler, their cases named without it, so that they can be held against another's. UserError if it has none."""
    found = []
    known = set()
    for result in results:
        rest, _, build = result.case.rpartition("/")
        name = build.removesuffix(result.optimisation)
        known |= {name, compiler_name(result)}
        if wanted in (name, compiler_name(result)):
            found.append(replace(result, case=f"{rest}/{result.optimisation.removeprefix('-')}"))
    if not found:
        raise unknown_name("result of a compiler", wanted, known) if known else UserError("There are no results to compare.")
    return found


def render_comparison(comparison: Comparison) -> RenderableType:
    """The comparison for a console: one table for each kind of change, worst first, then one sentence."""
    from rich.console import Group  # rich is slow to import, and only the console needs it
    from rich.text import Text

    parts: list[RenderableType] = []
    if comparison.status_changes:
        parts.append(_status_table(comparison.status_changes))
    for title, style, changes in (
        ("Slower", "red", comparison.slower),
        ("Larger", "red", comparison.larger),
        ("More energy", "red", comparison.more_energy),
        ("Faster", "green", comparison.faster),
        ("Smaller", "green", comparison.smaller),
        ("Less energy", "green", comparison.less_energy),
    ):
        if changes:
            parts.append(_change_table(title, style, changes))
    for title, cases in (("Appeared", comparison.appeared), ("Vanished", comparison.vanished)):
        if cases:
            parts.append(Text(f"{title} ({len(cases)}):\n" + "\n".join(f"  {case}" for case in cases)))
    for before, after in comparison.compilers:
        parts.append(Text(f"Compiled by {before} before, by {after} after."))
    parts.append(Text(_verdict(comparison), style="bold red" if comparison.regressed else "bold"))
    return Group(*parts)


def _newest(results: Iterable[Result]) -> dict[tuple[str, str], Result]:
    newest: dict[tuple[str, str], Result] = {}
    for result in results:
        key = (result.engine, result.case)
        if key not in newest or result.date >= newest[key].date:
            newest[key] = result
    return newest


def _changes(was: Result, now: Result, tolerance_percent: float) -> list[Change]:
    found: list[Change] = []
    exact = was.fidelity == now.fidelity == Fidelity.EXACT
    direction = 0
    for figure in FIGURES:
        before, after = figure.value(was), figure.value(now)
        if before is None or after is None or abs(after - before) <= _ROUNDING * abs(before):
            continue
        if figure.field in _FOLLOWERS and direction == _sign(after - before):
            continue
        if figure.field == "cycles_median":
            direction = _sign(after - before)
        allowed = 0.0 if exact or figure.counted else abs(before) * tolerance_percent / 100
        found.append(Change(now.case, figure, before, after, tolerated=0 < after - before <= allowed))
    return found


def _sign(value: float) -> int:
    return (value > 0) - (value < 0)


def _status_table(changes: Iterable[StatusChange]) -> RenderableType:
    from rich.table import Table
    from rich.text import Text

    table = Table(title="Status", title_justify="left")
    for column in ("case", "before", "after", "reason"):
        table.add_column(column)
    for change in changes:
        after = Text(change.after, style="red" if change.worse else "green" if change.after == Status.OK else "")
        table.add_row(Text(change.case), change.before, after, Text(change.reason or ""))
    return table


def _change_table(title: str, style: str, changes: Iterable[Change]) -> RenderableType:
    from rich.table import Table
    from rich.text import Text

    table = Table(title=title, title_justify="left")
    table.add_column("case")
    table.add_column("figure")
    for column in ("before", "after", "change"):
        table.add_column(column, justify="right")
    for change in changes:
        percent = "from nothing" if change.percent is None else f"{change.percent:+.2f} %"
        note = " (tolerated)" if change.tolerated else ""
        unit = change.figure.unit
        table.add_row(
            Text(change.case),
            change.figure.title,
            f"{number(change.before)} {unit}",
            f"{number(change.after)} {unit}",
            Text(percent + note, style="" if change.tolerated else style),
        )
    return table


def _verdict(comparison: Comparison) -> str:
    if comparison.compared == 0:
        return "Nothing to compare: no case is in both."
    cases = "case" if comparison.compared == 1 else "cases"
    counts = f"{comparison.compared} {cases} in both, {comparison.unchanged} unchanged"
    if comparison.regressed:
        return f"Regression: {counts}."
    tolerated = sum(change.tolerated for change in comparison.changes)
    within = f", {tolerated} worse within the tolerance of {number(comparison.tolerance_percent)} %" if tolerated else ""
    return f"No regression: {counts}{within}."
