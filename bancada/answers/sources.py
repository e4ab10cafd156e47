"""The sources of an experiment's published figures: sources.toml beside published.csv."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date

from pydantic import BaseModel, ConfigDict, Field, HttpUrl, field_validator

from bancada.catalogue.experiment import Experiment
from bancada.catalogue.toml_record import read_record
from bancada.model.errors import UserError
from bancada.model.source import Source


class _Entry(BaseModel):
    """A table [[source]]. `of` are the rows that are from it: each table names columns and their values."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    key: str = Field(pattern=r"^[a-z0-9][a-z0-9-]*$")
    author: str = Field(min_length=1)
    title: str = Field(min_length=1)
    version: str
    address: HttpUrl
    date: str = Field(pattern=r"^\d{4}(-\d{2}(-\d{2})?)?$")
    note: str = ""
    of: tuple[dict[str, str], ...]

    @field_validator("date")
    @classmethod
    def _is_a_date(cls, value: str) -> str:
        date.fromisoformat((value + "-01-01")[:10])
        return value


class _File(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid")

    source: tuple[_Entry, ...]


def _file(experiment: Experiment) -> _File | None:
    path = experiment.folder / "sources.toml"
    return read_record(path, _File) if path.is_file() else None


def sources_of(experiment: Experiment) -> tuple[Source, ...]:
    """Every source of the experiment, in the file's order; none without the file. UserError for a wrong file."""
    file = _file(experiment)
    return tuple(_source(entry) for entry in file.source) if file else ()


def source_by_row(experiment: Experiment, rows: Sequence[dict[str, str]]) -> list[Source | None]:
    """For each row of published.csv its source: the first whose `of` names columns and values of the row. None without
    the file: then the experiment's citation is the source of every row.

    UserError, with the row, if the file names no source for it. A figure without a source is not a published figure.
    """
    file = _file(experiment)
    return [_of_row(experiment, file, row) for row in rows] if file else [None] * len(rows)


def _of_row(experiment: Experiment, file: _File, row: dict[str, str]) -> Source:
    for entry in file.source:
        if _names(entry.of, row):
            return _source(entry)
    raise UserError(
        f"{experiment.folder / 'sources.toml'} names no source for this row of published.csv: {_text(row)}. "
        "Name it, or take the row out: a figure without a source is not a published figure."
    )


def _names(of: Sequence[dict[str, str]], row: dict[str, str]) -> bool:
    return any(columns.items() <= row.items() for columns in of)


def _text(row: dict[str, str]) -> str:
    return ", ".join(f"{name} {value}" for name, value in row.items() if value)


def _source(entry: _Entry) -> Source:
    return Source(entry.key, entry.author, entry.title, entry.version, str(entry.address), entry.date, entry.note)
