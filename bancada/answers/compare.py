"""What changed between two sets of results: faster, slower, larger, smaller, and cases that no longer work.

Each metric says which of its figures are compared, and how (bancada.measure.metric). A figure that counts (bytes of an
image, cycles of an exact engine) has no noise: any change for the worse is a regression. A modelled or measured one has
some, and is a regression only beyond the tolerance.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from bancada.answers.compiler_table import compiler_name
from bancada.answers.ranking import fidelity_text, number
from bancada.measure.metric import Figure, Metric
from bancada.measure.read_metrics import Metrics
from bancada.model.errors import UserError, unknown_name
from bancada.model.result import Result
from bancada.model.status import Fidelity, Status

if TYPE_CHECKING:
    from rich.console import RenderableType

# Times and energies are computed in floating point; a smaller difference comes from the arithmetic, not from the code.
_ROUNDING = 1e-9


@dataclass(frozen=True)
class Change:
    """One figure of one case, before and after. `tolerated`: worse, but not by more than the tolerance. `fidelity`: how
    both figures were obtained, with the band of modelled ones."""

    case: str
    metric: Metric
    figure: Figure
    before: float
    after: float
    tolerated: bool
    fidelity: str

    @property
    def worse(self) -> bool:
        return (self.after > self.before) == self.metric.less_is_better

    @property
    def word(self) -> str:
        """The word for the change: faster, larger."""
        return self.metric.worse if self.worse else self.metric.better

    @property
    def percent(self) -> float | None:
        return None if self.before == 0 else (self.after / self.before - 1) * 100


@dataclass(frozen=True)
class StatusChange:
    """A case that no longer works, works now, or fails in another way."""

    case: str
    before: Status
    after: Status
    reason: str | None

    @property
    def worse(self) -> bool:
        return self.before == Status.OK


@dataclass(frozen=True)
class Comparison:
    """All differences. `compared` says how many cases are in both. Cases that only one side has are listed and counted.
    Those that appeared decide nothing; those that vanished make the comparison incomplete unless it is `partial`.

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
    partial: bool = False

    @property
    def incomplete(self) -> bool:
        """Whether a case that should be there is not."""
        return bool(self.vanished) and not self.partial

    @property
    def regressed(self) -> bool:
        lost = any(change.worse for change in self.status_changes)
        return lost or any(change.worse and not change.tolerated for change in self.changes)

    def called(self, word: str) -> tuple[Change, ...]:
        """The changes of one kind, by its word: faster, slower, smaller, larger, less energy, more energy."""
        return tuple(change for change in self.changes if change.word.lower() == word.lower())


def compare(
    before: Iterable[Result],
    after: Iterable[Result],
    metrics: Metrics,
    tolerance_percent: float = 0.0,
    *,
    partial: bool = False,
) -> Comparison:
    """What changed from `before` to `after`, case by case.

    A case is the same on both sides if its name and its engine are. Where a side holds a case more than once
    (another experiment, an older run), its newest counts. `partial` says that `after` need not have all of `before`.
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
        found = _changes(was, now, metrics, tolerance_percent)
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
        compilers=tuple(
            dict.fromkeys(
                (old[key].compiler, new[key].compiler) for key in common if old[key].compiler != new[key].compiler
            )
        ),
        partial=partial,
    )


def of_compiler(results: Iterable[Result], wanted: str) -> list[Result]:
    """The results of one compiler. Their cases are named without it, so that they can be compared with another
    compiler's. UserError if it has none."""
    found = []
    known = set()
    for result in results:
        rest, _, build = result.case.rpartition("/")
        name = build.removesuffix(result.optimisation)
        known |= {name, compiler_name(result)}
        if wanted in (name, compiler_name(result)):
            found.append(replace(result, case=f"{rest}/{result.optimisation.removeprefix('-')}"))
    if not found:
        raise (
            unknown_name("result of a compiler", wanted, known)
            if known
            else UserError("There are no results to compare.")
        )
    return found


def render_comparison(comparison: Comparison) -> RenderableType:
    """The comparison for a console: one table for each kind of change, worst first, then one sentence."""
    from rich.console import Group  # rich is slow to import, and only the console needs it
    from rich.text import Text

    parts: list[RenderableType] = []
    if comparison.status_changes:
        parts.append(_status_table(comparison.status_changes))
    kinds: dict[tuple[bool, str], list[Change]] = {}
    for change in comparison.changes:
        kinds.setdefault((not change.worse, change.word), []).append(change)
    for is_better, word in sorted(kinds, key=lambda kind: (kind[0], min(c.metric.order for c in kinds[kind]))):
        parts.append(_change_table(word, "green" if is_better else "red", kinds[is_better, word]))
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


def _changes(was: Result, now: Result, metrics: Metrics, tolerance_percent: float) -> list[Change]:
    found: list[Change] = []
    exact = was.fidelity == now.fidelity == Fidelity.EXACT
    directions: dict[str, int] = {}
    for metric in metrics:
        for figure in metric.figures:
            before, after = was.number(figure.field), now.number(figure.field)
            if not figure.compared or before is None or after is None or abs(after - before) <= _ROUNDING * abs(before):
                continue
            directions[figure.field] = _sign(after - before)
            if figure.follows is not None and directions.get(figure.follows) == directions[figure.field]:
                continue
            allowed = 0.0 if exact or figure.counted else abs(before) * tolerance_percent / 100
            change = Change(now.case, metric, figure, before, after, False, _fidelity(was, now, metric))
            found.append(replace(change, tolerated=change.worse and abs(after - before) <= allowed))
    return found


def _fidelity(was: Result, now: Result, metric: Metric) -> str:
    """Bytes are counted, whatever made the cycles."""
    if not metric.timed:
        return str(Fidelity.EXACT)
    before, after = fidelity_text(was), fidelity_text(now)
    return after if before == after else f"{before} before, {after} after"


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
    table.add_column("fidelity")
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
            change.fidelity,
        )
    return table


def _verdict(comparison: Comparison) -> str:
    if comparison.compared == 0:
        return "Nothing to compare: no case is in both."
    cases = "case" if comparison.compared == 1 else "cases"
    counts = f"{comparison.compared} {cases} in both, {comparison.unchanged} unchanged"
    if comparison.vanished:
        counts += f", {len(comparison.vanished)} vanished"
    if comparison.appeared:
        counts += f", {len(comparison.appeared)} appeared"
    if comparison.regressed:
        return f"Regression: {counts}."
    if comparison.incomplete:
        return f"Incomplete: {counts}. With --partial, cases that vanished decide nothing."
    tolerated = sum(change.tolerated for change in comparison.changes)
    within = (
        f", {tolerated} worse within the tolerance of {number(comparison.tolerance_percent)} %" if tolerated else ""
    )
    return f"No regression: {counts}{within}."


def comparison_as_dict(comparison: Comparison) -> dict[str, Any]:
    """The comparison as plain JSON values."""
    return {
        "regressed": comparison.regressed,
        "incomplete": comparison.incomplete,
        "compared": comparison.compared,
        "unchanged": comparison.unchanged,
        "tolerance_percent": comparison.tolerance_percent,
        "changes": [
            {
                "case": change.case,
                "metric": change.metric.name,
                "field": change.figure.field,
                "unit": change.figure.unit,
                "before": change.before,
                "after": change.after,
                "percent": change.percent,
                "worse": change.worse,
                "tolerated": change.tolerated,
                "fidelity": change.fidelity,
            }
            for change in comparison.changes
        ],
        "status_changes": [
            {"case": change.case, "before": change.before, "after": change.after, "reason": change.reason}
            for change in comparison.status_changes
        ],
        "appeared": list(comparison.appeared),
        "vanished": list(comparison.vanished),
        "compilers": [list(pair) for pair in comparison.compilers],
    }
