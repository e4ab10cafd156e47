"""Puts our figures beside those of a study: rows of published.csv joined with results as experiment.toml says."""

from __future__ import annotations

import csv
from collections.abc import Iterable
from dataclasses import dataclass

from bancada.answers.best import in_order
from bancada.answers.ranking import display_name
from bancada.answers.sources import source_by_row
from bancada.catalogue.experiment import Beside, Experiment
from bancada.measure.metric import AsPublished, Figure
from bancada.measure.read_metrics import Metrics
from bancada.model.errors import UserError, unknown_name
from bancada.model.finding import PublishedFigure
from bancada.model.result import FIELDS, Result
from bancada.model.status import Fidelity, Status


def rows_of(experiment: Experiment) -> list[dict[str, str]]:
    """The rows of the experiment's published.csv; none if it has no such file."""
    path = experiment.folder / "published.csv"
    if not path.is_file():
        return []
    with path.open(newline="", encoding="utf-8") as file:
        return list(csv.DictReader(file))


def _value(found: list[Result], metric: AsPublished | Figure, row: dict[str, str]) -> float | None:
    """The metric of one operation of one build; `found` has its results, one for each size, smallest first."""
    if isinstance(metric, AsPublished):
        size = row.get("size_bytes", "")
        return metric.value(found, int(size) if size.isdecimal() else 0)
    return found[0].number(metric.field)


def filled(text: str, row: dict[str, str]) -> str:
    """`text` with each `{column}` replaced by the row's value."""
    for column, value in row.items():
        text = text.replace("{" + column + "}", value)
    return text


@dataclass(frozen=True)
class _Ours:
    """Our figure, the case that stands for it, and the widest band of the calls that it is the sum of."""

    value: float
    result: Result
    band_percent: float | None


def _best(beside: Beside, metric: AsPublished | Figure, row: dict[str, str], results: Iterable[Result]) -> _Ours | None:
    """The least sum of the metric over the operations, among the builds that have all of them at one optimisation
    level."""
    wanted = {name: filled(value, row) for name, value in beside.ours.items()}
    operations = tuple(filled(name, row) for name in beside.operations)
    builds: dict[tuple[str, str, str, str], dict[str, list[Result]]] = {}
    for result in sorted(results, key=lambda result: (result.associated_bytes, result.size_bytes)):
        if result.status is Status.OK and all(str(result.value(name)) == value for name, value in wanted.items()):
            build = (result.target, result.implementation, result.compiler, result.optimisation)
            sizes = builds.setdefault(build, {}).setdefault(result.operation, [])
            if not sizes or sizes[0].associated_bytes == result.associated_bytes:
                sizes.append(result)
    found: list[_Ours] = []
    for group in builds.values():
        values = [_value(group[name], metric, row) if name in group else None for name in operations]
        if all(value is not None for value in values):
            bands = [group[name][0].fidelity_band_percent for name in operations]
            found.append(
                _Ours(
                    sum(value for value in values if value is not None),
                    group[operations[-1]][0],
                    max((band for band in bands if band is not None), default=None),
                )
            )
    ordered = in_order(found, lambda item: item.value, lambda item: item.result)
    return ordered[0] if ordered else None


def _metric_of(experiment: Experiment, beside: Beside, metrics: Metrics) -> AsPublished | Figure:
    """The metric of `beside.metric`, and the fields of `beside.ours`. UserError, with the file and the key, for one
    that does not exist."""
    where = experiment.folder / "experiment.toml"
    for name in beside.ours:
        if name not in FIELDS:
            raise UserError(f"{where}: key 'beside.ours': no field '{name}'.")
    metric = metrics.published(beside.metric)
    if metric is None:
        raise UserError(
            f"{where}: key 'beside.metric': {unknown_name('metric', beside.metric, metrics.published_names)}"
        )
    return metric


def published_figures(experiment: Experiment, results: list[Result], metrics: Metrics) -> list[PublishedFigure]:
    """Every published figure that the experiment's TOML places, with ours beside it where there is one: of the
    experiment's own targets, since a study's figures are of its device and not of another that was run besides.

    UserError if experiment.toml names a column or field that does not exist.
    """
    figures = []
    rows = rows_of(experiment)
    sources = source_by_row(experiment, rows)
    results = [result for result in results if result.target in experiment.targets]
    for beside in experiment.beside:
        metric = _metric_of(experiment, beside, metrics)
        is_timed = metrics.named_by_studies(beside.metric).timed
        for row, source in zip(rows, sources, strict=True):
            if any(row.get(column) != value for column, value in beside.row.items()):
                continue
            published = float(row["value"])
            best = _best(beside, metric, row, results)
            ours = best.value if best else None
            # Bytes that are counted have no band, whatever counts the cycles.
            fidelity = (best.result.fidelity if is_timed else Fidelity.EXACT) if best else None
            figures.append(
                PublishedFigure(
                    experiment=experiment.name,
                    label=filled(beside.label, row),
                    metric=beside.metric,
                    unit=metric.unit,
                    published=published,
                    ours=ours,
                    ratio=ours / published if ours is not None else None,
                    fidelity=fidelity,
                    ours_case=best.result.case if best else None,
                    note=filled(beside.note, row),
                    band_percent=best.band_percent if best and is_timed else None,
                    source=source,
                    ours_name=display_name(best.result) if best else "",
                )
            )
    return figures
