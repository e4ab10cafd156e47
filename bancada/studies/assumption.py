"""What a study's figures rest on and nobody measured, as data: the tables [[assumption]] of findings.toml."""

from __future__ import annotations

import random
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Annotated, Self

from pydantic import BaseModel, ConfigDict, Field, model_validator

from bancada.catalogue.toml_record import read_record, read_toml


class Assumption(BaseModel):
    """One assumption: the value that our figures take, and what it could be as well.

    That is a range from the first to the last of `range`, drawn evenly, or evenly in its logarithm; or one of
    `choices`. `why` says where value and range come from.
    """

    model_config = ConfigDict(extra="forbid", frozen=True)

    name: str = Field(pattern="^[a-z][a-z0-9_]*$")
    what: str
    unit: str = ""
    value: float
    range: tuple[float, float] | None = None
    choices: tuple[float, ...] = ()
    logarithmic: bool = False
    why: str

    @model_validator(mode="after")
    def _has_a_range_or_choices(self) -> Self:
        if (self.range is None) == (not self.choices):
            raise ValueError(f"assumption '{self.name}' has either a 'range' or 'choices'")
        if self.range is not None and not self.range[0] <= self.value <= self.range[1]:
            raise ValueError(f"assumption '{self.name}': its value is not in its range")
        if self.choices and self.value not in self.choices:
            raise ValueError(f"assumption '{self.name}': its value is none of its choices")
        if self.logarithmic and (self.range is None or self.range[0] <= 0):
            raise ValueError(f"assumption '{self.name}': a logarithmic range is greater than 0")
        return self

    @property
    def ends(self) -> tuple[float, ...]:
        """The ends of the range, or every choice, without the value itself."""
        return tuple(one for one in (self.range or self.choices) if one != self.value)

    @property
    def said(self) -> str:
        """What may vary, and how far, in words."""
        if self.range is not None:
            least, most = self.range
            return f"{self.what}, {least:g} to {most:g}{self._unit}"
        return f"{self.what}, {' or '.join(f'{one:g}' for one in self.choices)}{self._unit}"

    def at(self, value: float) -> str:
        """The assumption at one value, in words."""
        return f"{self.what} = {value:g}{self._unit}"

    def part(self, part: float) -> float:
        """The value at a `part` of the range, from 0 at its beginning to 1 at its end."""
        if self.range is None:
            return self.choices[min(int(part * len(self.choices)), len(self.choices) - 1)]
        least, most = self.range
        if self.logarithmic:
            return float(least * (most / least) ** part)
        return least + part * (most - least)

    @property
    def _unit(self) -> str:
        return f" {self.unit}" if self.unit else ""


class _File(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True)

    assumption: Annotated[tuple[Assumption, ...], Field(default=())]


def read_assumptions(path: Path) -> tuple[Assumption, ...]:
    """The assumptions in a findings.toml. UserError, with the file and the key, for one that is not valid."""
    if "assumption" not in read_toml(path):
        return ()
    return read_record(path, _Whole).assumption


class _Whole(_File):
    """findings.toml with its other tables, which bancada.studies.claim reads."""

    model_config = ConfigDict(extra="ignore", frozen=True)


def as_assumed(assumptions: Sequence[Assumption], drawn: Mapping[str, float] | None = None) -> dict[str, float]:
    """Every assumption's value by name; those of `drawn` instead where it has them."""
    return {one.name: one.value for one in assumptions} | dict(drawn or {})


def drawn(assumptions: Sequence[Assumption], draw: int, draws: int) -> dict[str, float]:
    """The values of one draw.

    The draws divide each range evenly, both ends included, in an order of each assumption's own (Latin hypercube):
    so no part of a range is left out by chance. The same number of a draw always gives the same values.
    """
    values = {}
    for one in assumptions:
        order = list(range(draws))
        random.Random(f"assumption {one.name}").shuffle(order)
        values[one.name] = one.part(order[draw] / max(1, draws - 1))
    return values
