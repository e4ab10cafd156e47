"""Cases with chosen columns, and observations, as tables."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence

from bancada.answers.paper.table import Cell, Column, Table
from bancada.answers.ranking import fidelity_text
from bancada.measure.metric import Figure
from bancada.measure.read_metrics import Metrics
from bancada.model.finding import Observation, PublishedFigure
from bancada.model.result import Result, fields_of
from bancada.model.status import Status


def cases_table(title: str, results: Sequence[Result], published: Sequence[PublishedFigure], metrics: Metrics) -> Table:
    """A row for each case that is ok, a column for each field of the record; `published` and `ratio` where a published
    figure stands beside a case. The fidelity is the note of a row."""
    beside = {one.ours_case: one for one in published if one.ours_case is not None}
    titles = {figure.field: figure for figure in metrics.figures}
    ok = [result for result in results if result.status is Status.OK]
    names = fields_of(ok)
    columns = [
        Column(name, _title(name, titles), numeric=any(isinstance(one.value(name), (int, float)) for one in ok))
        for name in names
    ]
    columns += [Column("published", "Published", numeric=True), Column("ratio", "Ours / published", numeric=True)]
    rows = []
    for result in ok:
        one = beside.get(result.case)
        ratio = None if one is None or one.ratio is None else round(one.ratio, 3)
        rows.append((*(_plain(result.value(name)) for name in names), None if one is None else one.published, ratio))
    return Table("cases", title, tuple(columns), tuple(rows), tuple(_sentence(fidelity_text(one)) for one in ok))


def _sentence(text: str) -> str:
    return f"{text[:1].upper()}{text[1:]}."


def _title(name: str, figures: Mapping[str, Figure]) -> str:
    figure = figures.get(name)
    if figure is None:
        return name.replace("_", " ").capitalize()
    unit = f" ({figure.unit})" if figure.unit and figure.unit != figure.title else ""
    return f"{figure.title[:1].upper()}{figure.title[1:]}{unit}"


def _plain(value: object) -> Cell:
    return value if value is None or isinstance(value, (int, float)) else str(value)


def observations_table(title: str, observations: Sequence[Observation]) -> Table:
    """A row for each number: a list of samples is as many rows, a group of figures has a dot in its names."""
    columns = (
        Column("kind", "Kind"),
        Column("name", "Name"),
        Column("fidelity", "Fidelity"),
        Column("date", "Date"),
        Column("parameters", "Parameters"),
        Column("figure", "Figure"),
        Column("sample", "Sample", numeric=True),
        Column("value", "Value", numeric=True),
    )
    rows: list[tuple[Cell, ...]] = []
    for one in observations:
        parameters = json.dumps(one.parameters, ensure_ascii=False, sort_keys=True)
        start = (one.kind, one.name, str(one.fidelity), one.date, parameters)
        rows += [(*start, name, sample, value) for name, sample, value in _numbers(one.figures, "")]
    return Table("observations", title, columns, tuple(rows))


def _numbers(figures: object, name: str) -> Iterator[tuple[str, int | None, Cell]]:
    if isinstance(figures, dict):
        for key, value in figures.items():
            yield from _numbers(value, f"{name}.{key}" if name else str(key))
    elif isinstance(figures, list):
        for place, value in enumerate(figures):
            yield name, place, _plain(value)
    else:
        yield name, None, _plain(figures)
