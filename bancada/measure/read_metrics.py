"""Finds the metrics: ours, and each `metrics/NAME.py` in a folder of BANCADA_PATH. The command line reads them once
and hands them down."""

from __future__ import annotations

import hashlib
import importlib
import importlib.util
import pkgutil
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from types import ModuleType

from bancada.catalogue.paths import room
from bancada.measure import metrics as ours
from bancada.measure.metric import AsPublished, Figure, Metric, Place
from bancada.model.errors import UserError, unknown_name
from bancada.model.result import FIELDS


@dataclass(frozen=True)
class Metrics:
    """Every metric, in their order. `outside_digest` is a hash of the files from outside, '' where there are none: it
    is part of what a result depends on. Ours are part of the laboratory's own code."""

    every: tuple[Metric, ...]
    outside_digest: str = ""

    def __iter__(self) -> Iterator[Metric]:
        return iter(self.every)

    def __getitem__(self, name: str) -> Metric:
        """The metric of that name. UserError if there is none."""
        for metric in self.every:
            if metric.name == name:
                return metric
        raise unknown_name("metric", name, (metric.name for metric in self.every))

    @property
    def figures(self) -> tuple[Figure, ...]:
        """The fields that the metrics fill."""
        return tuple(figure for metric in self.every for figure in metric.figures)

    @property
    def published_names(self) -> tuple[str, ...]:
        """What `beside.metric` of an experiment may say."""
        others = tuple(form.name for metric in self.every for form in metric.as_published)
        return (*(figure.field for figure in self.figures if figure.kind != "string"), *others)

    def shown_in(self, place: Place) -> tuple[Metric, ...]:
        """The metrics that appear there."""
        return tuple(metric for metric in self.every if place in metric.shown_in)

    def of_figure(self, field: str) -> Metric:
        """The metric that fills a field."""
        return next(metric for metric in self.every if any(figure.field == field for figure in metric.figures))

    def named_by_studies(self, name: str) -> Metric:
        """The metric that `published(name)` is a figure or a form of."""
        return next(
            metric
            for metric in self.every
            if name in (*(figure.field for figure in metric.figures), *(form.name for form in metric.as_published))
        )

    def published(self, name: str) -> AsPublished | Figure | None:
        """What a study's metric of that name is; None where there is none."""
        forms = {form.name: form for metric in self.every for form in metric.as_published}
        fields = {figure.field: figure for figure in self.figures if figure.kind != "string"}
        return forms.get(name) or fields.get(name)


def read_metrics() -> Metrics:
    """Reads every metric. UserError, with the file's name, for a metric from outside that does not load or is not
    valid."""
    found = [_ours(module.name) for module in pkgutil.iter_modules(ours.__path__)]
    digest = hashlib.sha256()
    files = [path for folder in room("metrics") for path in sorted(folder.glob("*.py"))]
    for path in files:
        if path.stem.startswith("_"):
            continue
        metric = _checked(_load(path), path)
        _refuse_a_second(metric, path, found)
        found.append(metric)
        digest.update(path.read_bytes())
    outside = digest.hexdigest() if any(not path.stem.startswith("_") for path in files) else ""
    return Metrics(tuple(sorted(found, key=lambda metric: (metric.order, metric.name))), outside)


def _ours(name: str) -> Metric:
    module = importlib.import_module(f"{ours.__name__}.{name}")
    metric = module.METRIC
    assert isinstance(metric, Metric) and metric.name == name, f"{module.__file__} must define METRIC, named '{name}'"
    return metric


def _load(path: Path) -> ModuleType:
    spec = importlib.util.spec_from_file_location(f"bancada_metric_{path.stem}", path)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    try:
        spec.loader.exec_module(module)
    except Exception as error:
        raise UserError(f"{path} adds the metric '{path.stem}', but does not load: {error}") from error
    return module


def _checked(module: ModuleType, path: Path) -> Metric:
    metric = getattr(module, "METRIC", None)
    if not isinstance(metric, Metric):
        raise UserError(
            f"{path} adds the metric '{path.stem}', but has no METRIC = Metric(...) (bancada.measure.metric)."
        )
    if metric.name != path.stem:
        raise UserError(f"{path}: METRIC is named '{metric.name}', its file '{path.stem}': give both the same name.")
    return metric


def _refuse_a_second(metric: Metric, path: Path, known: list[Metric]) -> None:
    if any(metric.name == other.name for other in known):
        raise UserError(f"{path}: there is a metric '{metric.name}' already; give this one another name.")
    fields = {figure.field for other in known for figure in other.figures} | set(FIELDS)
    for figure in metric.figures:
        if figure.field in fields:
            raise UserError(f"{path}: a result has a field '{figure.field}' already; name the figure otherwise.")
