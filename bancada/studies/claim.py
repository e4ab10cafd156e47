"""The claims of a study, as data: experiments/<name>/findings.toml."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from types import ModuleType
from typing import Annotated, Any

from pydantic import BaseModel, ConfigDict, Field

from bancada.catalogue.toml_record import read_record
from bancada.model.errors import UserError
from bancada.model.finding import Finding, Verdict
from bancada.studies.assumption import Assumption
from bancada.studies.expression import Expression, expression

# The figures of one claim by name, or None where the results that answer it are missing.
Figures = Mapping[str, Any] | None

# In the order in which they are tried.
_VERDICTS = {
    "not_comparable": Verdict.NOT_COMPARABLE,
    "answered": Verdict.ANSWERED,
    "holds": Verdict.HOLDS,
    "holds_in_part": Verdict.HOLDS_IN_PART,
}


def _plain(value: float) -> str:
    """Without an exponent: 578000000 as 578,000,000."""
    return f"{value:,.0f}" if abs(value) >= 1e5 else f"{value:g}"


class Within(BaseModel):
    """A published figure, and how far ours may be from it for the claim to hold: [finding.within.NAME].

    `published` is one number, or the least and the most of several. `tolerance_percent` is of the published figure;
    every value of our figure NAME must be so near. `what` names the figure for people.
    """

    model_config = ConfigDict(extra="forbid", frozen=True)

    published: float | tuple[float, float]
    tolerance_percent: Annotated[float, Field(ge=0)]
    what: str = ""

    def has(self, ours: Any) -> bool:
        """Whether our figure, or each of its values, is within the tolerance."""
        least, most = self._ends
        part = self.tolerance_percent / 100
        values = ours if isinstance(ours, (tuple, list)) else (ours,)
        return all(least - abs(least) * part <= value <= most + abs(most) * part for value in values)

    def said(self, name: str) -> str:
        """In words: "energy 3 ±20 %"."""
        least, most = self._ends
        numbers = _plain(least) if least == most else f"{_plain(least)} to {_plain(most)}"
        return f"{self.what or name.replace('_', ' ')} {numbers} ±{self.tolerance_percent:g} %"

    @property
    def _ends(self) -> tuple[float, float]:
        return self.published if isinstance(self.published, tuple) else (self.published, self.published)


class _Row(BaseModel):
    """One [[finding]] of findings.toml."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    claim: str
    published: str
    figures: str
    ours: str
    why: str
    why_not: str | None = None
    not_measured: str | None = None
    judged_for: str = ""
    not_comparable: str | None = None
    answered: str | None = None
    holds: str | None = None
    holds_in_part: str | None = None
    within: dict[str, Within] = {}
    thresholds: dict[str, float] = {}
    rests_on: tuple[str, ...] = ()


class _File(BaseModel):
    """findings.toml. `not_measured` is the reason for a claim whose figures are missing and that has none itself."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    not_measured: str
    assumption: tuple[Assumption, ...] = ()
    finding: tuple[_Row, ...]


@dataclass(frozen=True)
class Claim:
    """One claim of a study, and how to judge it.

    `figures` computes our figures, by name, from the result of the study's `prepare`. The first expression of
    `verdicts` that is true of these figures and the `thresholds` gives the verdict; if none is, the claim does not
    hold. It holds only if each figure of `within` is as near to the published one as that says, too. `ours`, `why` and
    `why_not` are sentences with {figure} or {figure:format} in them. `why_not` replaces `why` where the claim does not
    hold. `judged_for` says which programs this judgement compares. `rests_on` are the assumptions that the figures
    take.
    """

    claim: str
    published: str
    figures: Callable[[Any], Figures]
    ours: str
    verdicts: tuple[tuple[Verdict, Expression], ...]
    thresholds: Mapping[str, float]
    why: str
    why_not: str
    not_measured: str
    source: Path
    judged_for: str = ""
    within: Mapping[str, Within] = field(default_factory=dict)
    rests_on: tuple[Assumption, ...] = ()

    def judged(self, prepared: Any) -> Finding:
        """The claim beside our figures. `prepared` is what the function `figures` takes.

        UserError, with the file and the claim, if an expression or a sentence needs a figure that does not exist.
        """
        found = self.figures(prepared)
        if found is None:
            return self._finding("no figure", Verdict.NOT_MEASURED, self.not_measured)
        known = {**self.thresholds, **found}
        try:
            return self._with(known)
        except (KeyError, IndexError, TypeError, ValueError, ZeroDivisionError) as error:
            raise UserError(f"{self.source}: finding '{self.claim}': {type(error).__name__}: {error}.") from error

    def _with(self, known: Mapping[str, Any]) -> Finding:
        true = (verdict for verdict, judges in self.verdicts if judges.value(known) and self._may(verdict, known))
        verdict = next(true, Verdict.DOES_NOT_HOLD)
        why = self.why_not if verdict is Verdict.DOES_NOT_HOLD else self.why
        return self._finding(self.ours.format(**known), verdict, why.format(**known))

    def _may(self, verdict: Verdict, known: Mapping[str, Any]) -> bool:
        """A claim does not hold at a distance from the published figure."""
        return verdict is not Verdict.HOLDS or all(one.has(known[name]) for name, one in self.within.items())

    def _finding(self, ours: str, verdict: Verdict, why: str) -> Finding:
        within = "; ".join(one.said(name) for name, one in self.within.items())
        return Finding(self.claim, self.published, ours, verdict, why, judged_for=self.judged_for, within=within)


def read_claims(path: Path, *modules: ModuleType) -> tuple[Claim, ...]:
    """The claims in a findings.toml, whose key `figures` names a function of one of the modules.

    UserError, with the file and the claim, for invalid TOML, a missing or unknown key, a function that no module has or
    that several define, and an invalid expression.
    """
    file = read_record(path, _File)
    return tuple(_claim(path, row, modules, file) for row in file.finding)


def _claim(path: Path, row: _Row, modules: tuple[ModuleType, ...], file: _File) -> Claim:
    found = {id(one): one for module in modules if callable(one := getattr(module, row.figures, None))}
    places = " or ".join(str(module.__file__) for module in modules)
    if not found:
        said = f"{places} has no function" if len(modules) == 1 else f"there is, in {places}, no function"
        raise UserError(f"{path}: finding '{row.claim}': {said} {row.figures}.")
    if len(found) > 1:
        raise UserError(f"{path}: finding '{row.claim}': more than one of {places} has a function {row.figures}.")
    [figures] = found.values()
    assumed = {one.name: one for one in file.assumption}
    for name in row.rests_on:
        if name not in assumed:
            raise UserError(f"{path}: finding '{row.claim}': key 'rests_on': there is no assumption '{name}'.")
    # Where nothing but the published figures decides, it is enough to be near them.
    asked: dict[str, str] = ({"holds": "True"} if row.within else {}) | {
        key: text for key in _VERDICTS if (text := getattr(row, key)) is not None
    }
    try:
        verdicts = tuple((_VERDICTS[key], expression(asked[key])) for key in _VERDICTS if key in asked)
    except ValueError as error:
        raise UserError(f"{path}: finding '{row.claim}': {error}.") from error
    if not verdicts:
        raise UserError(f"{path}: finding '{row.claim}': one of {', '.join(_VERDICTS)} is needed.")
    return Claim(
        claim=row.claim,
        published=row.published,
        figures=figures,
        ours=row.ours,
        verdicts=verdicts,
        thresholds=row.thresholds,
        why=row.why,
        why_not=row.why if row.why_not is None else row.why_not,
        not_measured=file.not_measured if row.not_measured is None else row.not_measured,
        source=path,
        judged_for=row.judged_for,
        within=row.within,
        rests_on=tuple(assumed[name] for name in row.rests_on),
    )
