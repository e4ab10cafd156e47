"""What a metric is: one file of bancada/measure/metrics/, or of the folder `metrics` in a folder of BANCADA_PATH,
says all of it.

Nothing else of the laboratory knows a metric's name. Tables, ranking, `pick`, `compare`, exports, the report, the
schema and the table of docs/reference/metrics.md are made from these records.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Literal

from bancada.catalogue.target import Target
from bancada.model.build import Build
from bancada.model.result import FigureValue, Result
from bancada.model.run import Region

# Where a metric appears besides the record and its provenance. HEADLINE: the first table of a target, and the levels
# that the report offers. STUDY: the table "best algorithm by metric". TABLE: a column of every table, an option of
# `pick --by`. PLOT: bars of its own. ACROSS and UP: the axes of the plot of every level of every implementation.
# BY-SIZE: a plot of the metric for each byte against the size of the message.
Place = Literal["headline", "study", "table", "plot", "across", "up", "by-size"]


@dataclass(frozen=True)
class Facts:
    """What is known of one case that passed conformance and was run.

    `regions` has one entry for each random input; `context_bytes` is the size of the key context, None where it is
    not known; `main_cycles` are those from reset to `main`, None where there are none.
    """

    operation: str
    key_bits: int
    size_bytes: int
    associated_bytes: int
    target: Target
    build: Build
    regions: tuple[Region, ...]
    context_bytes: int | None
    main_cycles: int | None


@dataclass(frozen=True)
class Figure:
    """One field of the record that a metric fills.

    `counted` figures come from the linker and are exact with every engine. The others have the fidelity of the
    result. `compared` figures are those that `bancada compare` holds against each other; one that `follows` another
    field is listed there only where the two change in different directions. `minimum` is the least value that the
    schema allows.
    """

    field: str
    title: str
    unit: str
    description: str
    kind: Literal["integer", "number", "string"] = "number"
    counted: bool = False
    compared: bool = True
    follows: str | None = None
    minimum: int = 0


@dataclass(frozen=True)
class AsPublished:
    """Another form in which studies publish this metric, as `beside.metric` of an experiment names it.

    `value` computes it from our results of one operation of one build, one for each message size, smallest first, and
    from the published row's `size_bytes` (0 where the row has none).
    """

    name: str
    title: str
    unit: str
    value: Callable[[Sequence[Result], int], float | None]


@dataclass(frozen=True)
class Part:
    """One of the fields that a metric is the sum of, and its name in plots."""

    field: str
    title: str


def _nothing(facts: Facts) -> Mapping[str, FigureValue]:
    return {}


@dataclass(frozen=True)
class Metric:
    """One metric. `name` is the name of its file.

    `definition` is its line in docs/reference/metrics.md; `in_short` says it on the report's page, and is the
    definition where it is empty. `derive` fills the fields of `figures` from one run, as a pure function of facts. `of`
    is the one value by which results are ranked; without it, the first of `figures`. `best`, `better` and `worse` are
    the words for it: fastest, faster, slower. A metric that is `timed` carries the error band of the model that made
    it; one that is not is exact. `order` is its place among the metrics.

    The rest says how it is shown. `axis` is the text at the axis of a plot, with `{unit}` where the unit may change.
    `parts` are drawn as the parts of a bar. `detail` is what the hint of a bar adds. `extent` gives the least and the
    most that the inputs gave: a whisker in plots, a tilde in tables. `as_time_us` is the same figure as a time, which
    the report's first table shows in front of it. `caveat` is a sentence for the report's text on the method.
    """

    name: str
    title: str
    unit: str
    definition: str
    figures: tuple[Figure, ...] = ()
    derive: Callable[[Facts], Mapping[str, FigureValue]] = _nothing
    of: Callable[[Result], float | None] | None = None
    in_short: str = ""
    less_is_better: bool = True
    timed: bool = True
    best: str = "Least"
    better: str = "Less"
    worse: str = "More"
    shown_in: frozenset[Place] = frozenset({"table"})
    order: int = 1000
    as_published: tuple[AsPublished, ...] = ()
    axis: str = ""
    parts: tuple[Part, ...] = ()
    detail: Callable[[Result], str] | None = None
    extent: Callable[[Result], tuple[float, float] | None] | None = None
    as_time_us: Callable[[Result], float | None] | None = None
    caveat: str = ""

    def axis_text(self, unit: str) -> str:
        """What stands at the axis of a plot whose figures are in `unit`."""
        return self.axis.format(unit=unit) if self.axis else ", ".join(part for part in (self.title, unit) if part)

    def value(self, result: Result) -> float | None:
        """The value by which results are ranked; None where it is not measured."""
        if self.of is not None:
            return self.of(result)
        return result.number(self.figures[0].field) if self.figures else None
