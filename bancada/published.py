"""Puts our figures beside those of a study: rows of published.csv joined with results as experiment.toml says."""

from __future__ import annotations

import csv
from collections.abc import Iterable

from bancada.catalogue import Beside, Experiment
from bancada.errors import UserError
from bancada.ranking import display_name, ram_bytes
from bancada.records import PublishedFigure, Result, Status

_UNITS = {
    "cycles_median": "cycles",
    "cycles_per_byte": "cycles/B",
    "cycles_per_block": "cycles",
    "time_us": "µs",
    "time_ms": "ms",
    "flash_bytes": "B",
    "flash_both_bytes": "B",
    "stack_bytes": "B",
    "sram_bytes": "B",
    "initialisation_us": "µs",
}


def rows_of(experiment: Experiment) -> list[dict[str, str]]:
    """The rows of the experiment's published.csv; none if it has no such file."""
    path = experiment.folder / "published.csv"
    if not path.is_file():
        return []
    with path.open(newline="", encoding="utf-8") as file:
        return list(csv.DictReader(file))


def _value(found: list[Result], metric: str, row: dict[str, str]) -> float | None:
    """The metric of one operation of one build; `found` has its results, one for each size, smallest first."""
    if metric in ("cycles_per_byte", "cycles_per_block"):
        marginal = marginal_cycles(found)
        times = int(row["size_bytes"]) if metric == "cycles_per_block" else 1
        return None if marginal is None else marginal * times
    result = found[0]
    if metric == "time_ms":
        return None if result.time_us is None else result.time_us / 1000
    value = ram_bytes(result) if metric == "sram_bytes" else getattr(result, metric)
    return None if value is None else float(value)


def marginal_cycles(found: list[Result]) -> float | None:
    """What each byte more costs, from the two longest messages."""
    messages = [result for result in found if not result.is_keystream_block]
    if len(messages) < 2:
        return None
    shorter, longer = messages[-2:]
    if shorter.cycles_median is None or longer.cycles_median is None:
        return None
    return (longer.cycles_median - shorter.cycles_median) / (longer.size_bytes - shorter.size_bytes)


def filled(text: str, row: dict[str, str]) -> str:
    """`text` with each `{column}` replaced by the row's value."""
    for column, value in row.items():
        text = text.replace("{" + column + "}", value)
    return text


def _best(beside: Beside, row: dict[str, str], results: Iterable[Result]) -> tuple[float, Result] | None:
    """The least sum of the metric over the operations, among what has them all at one optimisation level."""
    wanted = {name: filled(value, row) for name, value in beside.ours.items()}
    operations = tuple(filled(name, row) for name in beside.operations)
    builds: dict[tuple[str, str, str, str], dict[str, list[Result]]] = {}
    for result in sorted(results, key=lambda result: (result.associated_bytes, result.size_bytes)):
        if result.status is Status.OK and all(str(getattr(result, name)) == value for name, value in wanted.items()):
            build = (result.target, result.implementation, result.compiler, result.optimisation)
            sizes = builds.setdefault(build, {}).setdefault(result.operation, [])
            if not sizes or sizes[0].associated_bytes == result.associated_bytes:
                sizes.append(result)
    found: list[tuple[float, str, Result]] = []
    for group in builds.values():
        values = [_value(group[name], beside.metric, row) if name in group else None for name in operations]
        if all(value is not None for value in values):
            total = sum(value for value in values if value is not None)
            last = group[operations[-1]][0]
            found.append((total, last.case, last))
    if not found:
        return None
    total, _, result = min(found, key=lambda item: item[:2])
    return total, result


def published_figures(experiment: Experiment, results: list[Result]) -> list[PublishedFigure]:
    """Every published figure that the experiment's TOML places, with ours beside it where there is one: of the experiment's own
    targets, since a study's figures are of its device and not of another that was run besides.

    UserError if experiment.toml names a column or field that does not exist.
    """
    figures = []
    results = [result for result in results if result.target in experiment.targets]
    for beside in experiment.beside:
        unknown = set(beside.ours) - set(Result.__dataclass_fields__)
        if unknown:
            raise UserError(f"{experiment.folder / 'experiment.toml'}: key 'beside.ours': no field {unknown.pop()!r}.")
        for row in rows_of(experiment):
            if any(row.get(column) != value for column, value in beside.row.items()):
                continue
            published = float(row["value"])
            best = _best(beside, row, results)
            ours = best[0] if best else None
            note = filled(beside.note, row)
            if best:
                note = f"{note} Ours: {display_name(best[1])}."
            figures.append(
                PublishedFigure(
                    experiment=experiment.name,
                    label=filled(beside.label, row),
                    metric=beside.metric,
                    unit=_UNITS[beside.metric],
                    published=published,
                    ours=ours,
                    ratio=ours / published if ours is not None else None,
                    fidelity=best[1].fidelity if best else None,
                    ours_case=best[1].case if best else None,
                    note=note,
                )
            )
    return figures
