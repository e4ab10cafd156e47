"""The claims of a study, as data: experiments/<name>/findings.toml."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from types import ModuleType
from typing import Any

from pydantic import BaseModel, ConfigDict

from bancada.catalogue.toml_record import read_record
from bancada.model.errors import UserError
from bancada.model.finding import Finding, Verdict
from bancada.studies.expression import Expression, expression

# The figures of one claim by name, or None where the results that answer it are missing.
Figures = Mapping[str, Any] | None

_VERDICTS = {"answered": Verdict.ANSWERED, "holds": Verdict.HOLDS, "holds_in_part": Verdict.HOLDS_IN_PART}


class _Row(BaseModel):
    """One [[finding]] of findings.toml."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    claim: str
    published: str
    figures: str
    ours: str
    why: str
    why_not: str | None = None
    answered: str | None = None
    holds: str | None = None
    holds_in_part: str | None = None
    thresholds: dict[str, float] = {}


class _File(BaseModel):
    """findings.toml. `not_measured` is the reason for a claim whose figures are missing."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    not_measured: str
    finding: tuple[_Row, ...]


@dataclass(frozen=True)
class Claim:
    """One claim of a study, and how to judge it.

    `figures` computes our figures, by name, from the result of the study's `prepare`. The first expression of
    `verdicts` that is true of these figures and the `thresholds` gives the verdict; if none is, the claim does not
    hold. `ours`, `why` and `why_not` are sentences with {figure} or {figure:format} in them. `why_not` replaces `why`
    where the claim does not hold.
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

    def judged(self, prepared: Any) -> Finding:
        """The claim beside our figures. `prepared` is what the function `figures` takes.

        UserError, with the file and the claim, if an expression or a sentence needs a figure that does not exist.
        """
        found = self.figures(prepared)
        if found is None:
            return Finding(self.claim, self.published, "no figure", Verdict.NOT_MEASURED, self.not_measured)
        known = {**self.thresholds, **found}
        try:
            return self._with(known)
        except (KeyError, IndexError, TypeError, ValueError, ZeroDivisionError) as error:
            raise UserError(f"{self.source}: finding '{self.claim}': {type(error).__name__}: {error}.") from error

    def _with(self, known: Mapping[str, Any]) -> Finding:
        true = (verdict for verdict, judges in self.verdicts if judges.value(known))
        verdict = next(true, Verdict.DOES_NOT_HOLD)
        why = self.why_not if verdict is Verdict.DOES_NOT_HOLD else self.why
        return Finding(self.claim, self.published, self.ours.format(**known), verdict, why.format(**known))


def read_claims(path: Path, module: ModuleType) -> tuple[Claim, ...]:
    """The claims in a findings.toml, whose key `figures` names a function of `module`.

    UserError, with the file and the claim, for invalid TOML, a missing or unknown key, a function that `module` does
    not have, and an invalid expression.
    """
    file = read_record(path, _File)
    return tuple(_claim(path, row, module, file.not_measured) for row in file.finding)


def _claim(path: Path, row: _Row, module: ModuleType, not_measured: str) -> Claim:
    figures = getattr(module, row.figures, None)
    if not callable(figures):
        raise UserError(f"{path}: finding '{row.claim}': {module.__file__} has no function {row.figures}.")
    try:
        verdicts = tuple(
            (verdict, expression(text)) for key, verdict in _VERDICTS.items() if (text := getattr(row, key)) is not None
        )
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
        not_measured=not_measured,
        source=path,
    )
