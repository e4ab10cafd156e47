"""Which plots an experiment gets, and what each shows.

A *panel* is one question: target, operation, key and message size. Each metric says whether it has bars there
(`Metric.shown_in`), and which two are the axes of the plot of all levels. Each plot is drawn twice, for a wide page and
for a phone; report.css shows one of them.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from bancada.answers.best import at_best_level
from bancada.answers.ranking import fidelity_text, number, operation_order
from bancada.answers.report import svg
from bancada.answers.report.bars import Bar, BarPlot, draw_bars, is_logarithmic
from bancada.answers.report.input import Series, XYPlot
from bancada.answers.report.pareto import MARKERS, Dot, draw_pareto
from bancada.answers.report.sizes import Line, draw_sizes, sizes_plot
from bancada.answers.report.xy import draw_xy
from bancada.answers.words import (
    TIME_UNIT,
    key_text,
    least_associated,
    listing,
    plot_names,
    primitive_order,
    sentence,
    short_and_long,
    time_unit,
)
from bancada.measure.metric import Metric
from bancada.measure.read_metrics import Metrics
from bancada.model.result import Result
from bancada.model.status import Fidelity, Status

WIDE_PX, HALF_PX, NARROW_PX = 1080.0, 540.0, 350.0
# A single bar compares nothing.
_FEWEST_BARS = 2
# A table shows two dots better.
_FEWEST_DOTS = 3
# The part of a bar below which a whisker cannot be seen.
_VISIBLE = 0.03


_SHAPES = {
    "o": "M6 1a5 5 0 1 0 0 10a5 5 0 1 0 0-10z",
    "s": "M1.5 1.5h9v9h-9z",
    "^": "M6 1l5.5 10h-11z",
    "D": "M6 .5l5.5 5.5l-5.5 5.5l-5.5-5.5z",
    "v": "M6 11l5.5-10h-11z",
    "p": "M6 .8l5.3 3.9l-2 6.3h-6.6l-2-6.3z",
    "P": "M4 1h4v3h3v4h-3v3h-4v-3h-3v-4h3z",
    "X": "M3.2 .8l2.8 2.8l2.8-2.8l2.4 2.4l-2.8 2.8l2.8 2.8l-2.4 2.4l-2.8-2.8l-2.8 2.8l-2.4-2.4l2.8-2.8l-2.8-2.8z",
}


@dataclass(frozen=True)
class Key:
    """An entry of a figure's key: its text, the CSS variable of its colour, its marker."""

    text: str
    variable: str
    marker: str = "s"

    @property
    def shape(self) -> str:
        """The marker as an SVG path in a square of 12."""
        return _SHAPES[self.marker]


@dataclass(frozen=True)
class PlotView:
    """A figure of the page: the same plot for a wide page and for a narrow one, and as data. `id` is where in the page
    it is (addresses.py)."""

    title: str
    caption: str
    wide: str
    narrow: str
    data: XYPlot | BarPlot
    key: tuple[Key, ...] = ()
    full_width: bool = False
    id: str = ""


@dataclass(frozen=True)
class PanelView:
    id: str
    group: str
    choice: str
    title: str
    plots: tuple[PlotView, ...]


@dataclass(frozen=True)
class Palette:
    """One colour with one marker and one pattern for each candidate, the same on the whole page. More hues than eight
    are not told apart by every eye, so after eight the colours come again with other markers and with stripes."""

    order: tuple[str, ...]

    def index(self, candidate: str) -> int:
        return self.order.index(candidate)

    def colour(self, candidate: str) -> str:
        return svg.SERIES[self.index(candidate) % len(svg.SERIES)]

    def marker(self, candidate: str) -> str:
        index = self.index(candidate)
        return MARKERS[(index + index // len(svg.SERIES)) % len(MARKERS)]

    def pattern(self, candidate: str) -> int:
        return self.index(candidate) // len(svg.SERIES)

    def key(self, candidates: Iterable[str]) -> tuple[Key, ...]:
        chosen = sorted(set(candidates), key=self.index)
        return tuple(Key(name, f"--series-{self.index(name) % len(svg.SERIES)}", self.marker(name)) for name in chosen)


def panels(experiment: str, results: Sequence[Result], palette: Palette, metrics: Metrics) -> list[PanelView]:
    """The panels of an experiment, in the order in which people ask. A question without a figure has none."""
    groups: dict[tuple[str, str, str, str, int, int], list[Result]] = {}
    for result in least_associated(results):
        if result.status == Status.OK:
            key = (result.target, result.engine, result.primitive, result.operation, result.key_bits, result.size_bytes)
            groups.setdefault(key, []).append(result)
    order = _target_order(results)
    targets = {key[:2] for key in groups}
    shown = _shown_sizes(groups)
    views: list[PanelView] = []
    for key in sorted(
        groups, key=lambda key: (order[key[0]], key[1], primitive_order(key[2]), operation_order(key[3]), key[4:])
    ):
        target, engine, primitive, operation, key_bits, size_bytes = key
        alone = len({result.implementation for result in groups[key]}) < _FEWEST_BARS
        if alone or size_bytes not in shown[target, engine, primitive, operation]:
            continue
        many_sizes = len(shown[target, engine, primitive, operation]) > 1
        where = target + (f" ({engine})" if len({name for name in targets if name[0] == target}) > 1 else "")
        group = f"{where}: {operation}" if len(targets) > 1 else operation
        choice = ", ".join(
            part
            for part in (
                key_text(key_bits, {result.algorithm for result in groups[key]}),
                f"{number(size_bytes)}\N{NO-BREAK SPACE}B" if many_sizes else "",
            )
            if part
        )
        title = f"{operation}{', ' if choice else ''}{choice.replace(' bit', '-bit key')}"
        id = f"{experiment}-panel-{len(views)}"
        plots = _plots(id, groups[key], palette, metrics, f"{title} on {where}")
        if plots:
            views.append(
                PanelView(id, group, choice or "all", f"{title} on {where}" if len(targets) > 1 else title, plots)
            )
    return views


def size_plots(experiment: str, results: Sequence[Result], metrics: Metrics) -> list[PlotView]:
    """Each metric that asks for it, for each byte over message sizes: of all that was measured at three sizes or
    more."""
    return [view for metric in metrics.shown_in("by-size") for view in _size_plots_of(experiment, results, metric)]


def _size_plots_of(experiment: str, results: Sequence[Result], metric: Metric) -> list[PlotView]:
    groups: dict[tuple[str, str, str, str], list[Result]] = {}
    for result in least_associated(results):
        is_message = result.size_bytes and not result.is_keystream_block
        if result.status == Status.OK and is_message and metric.value(result) is not None:
            groups.setdefault((result.target, result.engine, result.primitive, result.operation), []).append(result)
    order = _target_order(results)
    views: list[PlotView] = []
    for key in sorted(
        groups, key=lambda key: (order[key[0]], key[1], primitive_order(key[2]), operation_order(key[3]))
    ):
        by_implementation: dict[tuple[str, int], list[Result]] = {}
        for result in at_best_level(groups[key], metric):
            by_implementation.setdefault((result.implementation, result.key_bits), []).append(result)
        members = {name: found for name, found in by_implementation.items() if len({r.size_bytes for r in found}) >= 3}
        if not members:
            continue
        names = plot_names(found[0] for found in members.values())
        lines = [
            Line(
                names[found[0].implementation],
                tuple(sorted((float(r.size_bytes), (metric.value(r) or 0) / r.size_bytes) for r in found)),
            )
            for found in members.values()
        ]
        title = f"{key[3]}: {metric.title} a byte by message size, {key[0]}"
        name = f"{experiment}-sizes-{metric.name}-{len(views)}"
        wide, narrow = (
            draw_sizes(lines, f"{metric.title} for each byte", width, f"{name}-{width:g}", title)
            for width in (HALF_PX, NARROW_PX)
        )
        every = [result for found in members.values() for result in found]
        caption = f"{_fidelity(every)} Each at its best level for {metric.title}."
        data = sizes_plot(lines, f"{metric.title} for each byte", title, caption)
        views.append(PlotView(title, caption, wide, narrow, data))
    return views


def xy_plots(owner: str, plots: Sequence[XYPlot]) -> tuple[PlotView, ...]:
    """Plots that a section asks for, drawn; `owner` makes their names unique in the page."""
    views = []
    for index, plot in enumerate(plots):
        name = f"{owner}-xy-{index}"
        label = f"{plot.title}: {plot.y_title} against {plot.x_title}. {plot.caption}"
        wide, narrow = (draw_xy(plot, width, f"{name}-{width:g}", label) for width in (HALF_PX, NARROW_PX))
        views.append(PlotView(plot.title, plot.caption, wide, narrow, plot))
    return tuple(views)


def _target_order(results: Sequence[Result]) -> dict[str, int]:
    """Targets in the order of the results, which is that of the report."""
    return {target: place for place, target in enumerate(dict.fromkeys(result.target for result in results))}


def _shown_sizes(groups: Iterable[tuple[str, str, str, str, int, int]]) -> dict[tuple[str, str, str, str], set[int]]:
    sizes: dict[tuple[str, str, str, str], set[int]] = {}
    for target, engine, primitive, operation, _, size_bytes in groups:
        sizes.setdefault((target, engine, primitive, operation), set()).add(size_bytes)
    return {key: short_and_long(known) for key, known in sizes.items()}


def _plots(
    id: str, results: Sequence[Result], palette: Palette, metrics: Metrics, question: str
) -> tuple[PlotView, ...]:
    plots = [
        *(_bars(id, results, palette, metric, metrics, question) for metric in metrics.shown_in("plot")),
        *(
            _pareto(id, results, palette, across, up, question)
            for across in metrics.shown_in("across")
            for up in metrics.shown_in("up")
        ),
    ]
    return tuple(plot for plot in plots if plot is not None)


def _bars(
    id: str, results: Sequence[Result], palette: Palette, metric: Metric, metrics: Metrics, question: str
) -> PlotView | None:
    """One bar for each implementation, the best first."""
    ranked = at_best_level(results, metric)
    if not ranked:
        return None
    names = plot_names(ranked)
    unit, scale = _unit(metric, [metric.value(result) or 0.0 for result in ranked])
    bars = []
    for result in ranked:
        figure = f"{number((metric.value(result) or 0.0) / scale)} {unit}".rstrip()
        bars.append(_bar(result, names[result.implementation], metric, figure, scale, palette))
    better = "less" if metric.less_is_better else "more"
    axis = f"{metric.axis_text(unit)}{', logarithmic' if is_logarithmic(bars) else ''} ({better} is better)"
    label = f"{sentence(metric.title)} by implementation, {question}. {metric.best}: {bars[0].name}, {bars[0].figure}."
    wide, narrow = (
        draw_bars(bars, axis, width, f"{id}-{metric.name}-{width:g}", label) for width in (HALF_PX, NARROW_PX)
    )
    key = tuple(Key(part.title, f"--part-{place}") for place, part in enumerate(metric.parts))
    caption = f"{_worth(metric, metrics, ranked)} Each at its best level for {metric.title}.{_whiskers(bars)}"
    parts = tuple(part.title for part in metric.parts)
    data = BarPlot(f"{sentence(metric.title)}: {question}", axis, tuple(bars), caption, parts)
    return PlotView(sentence(metric.title), caption, wide, narrow, data, key)


def _bar(result: Result, name: str, metric: Metric, figure: str, scale: float, palette: Palette) -> Bar:
    value = (metric.value(result) or 0.0) / scale
    hint = f"{name} {result.optimisation}: {figure}"
    if metric.parts:
        parts = [result.number(part.field) or 0.0 for part in metric.parts]
        words = ", ".join(f"{part.title} {number(size)}" for part, size in zip(metric.parts, parts, strict=True))
        return Bar(name, tuple(size / scale for size in parts), figure, svg.PARTS, f"{hint} ({words})")
    if metric.detail is not None:
        hint = f"{hint}, {metric.detail(result)}"
    colours = (palette.colour(result.candidate),)
    if metric.extent is None or not value:
        return Bar(name, (value,), figure, colours, hint, pattern=palette.pattern(result.candidate))
    low, high = _spread(result, metric)
    return Bar(name, (value,), figure, colours, hint, value * low, value * high, palette.pattern(result.candidate))


def _unit(metric: Metric, values: Sequence[float]) -> tuple[str, float]:
    """The unit of a plot, and how many of the metric's own units it has. A time gets the unit that needs few digits."""
    if metric.unit != TIME_UNIT:
        return metric.unit, 1.0
    return time_unit(sorted(values)[len(values) // 2])


def _whiskers(bars: Sequence[Bar]) -> str:
    if any((bar.high or 0) - (bar.low or 0) > _VISIBLE * bar.value for bar in bars):
        return " Whiskers, where they are wider than a dot: from the least to the most it may be."
    return ""


def _worth(metric: Metric, metrics: Metrics, results: Sequence[Result]) -> str:
    """The fidelity of the figures. Of a sum, the parts that the linker counts are exact with every engine."""
    counted = {figure.field for figure in metrics.figures if figure.counted}
    exact = [part.title for part in metric.parts if part.field in counted]
    others = [part.title for part in metric.parts if part.field not in counted]
    if not exact or _all_exact(results):
        return _fidelity(results)
    return f"{sentence(listing(exact))}: exact. {sentence(listing(others))}: {_fidelity(results, lower=True)}"


def _pareto(
    id: str, results: Sequence[Result], palette: Palette, across: Metric, up: Metric, question: str
) -> PlotView | None:
    """Every level of every implementation, by two metrics."""
    same: dict[tuple[str, float, float], list[Result]] = {}
    for result in results:
        x, y = across.value(result), up.value(result)
        if x is not None and y is not None:
            same.setdefault((result.implementation + result.candidate_version, x, y), []).append(result)
    if len(same) < _FEWEST_DOTS:
        return None
    known = [result for members in same.values() for result in members]
    best = {id_ for id_ in map(_identity, at_best_level(known, across))}
    levels = {
        result.implementation: len({key for key in same if key[0] == result.implementation + result.candidate_version})
        for result in known
    }
    names = plot_names(known)
    dots = []
    for (_, x, y), members in same.items():
        first = members[0]
        level = f" {first.optimisation}" if levels[first.implementation] > 1 else ""
        every = " ".join(sorted({result.optimisation for result in members}))
        figures = f"{number(x)} {across.unit}, {number(y)} {up.unit} of {up.title}"
        dots.append(
            Dot(
                name=names[first.implementation] + level,
                x=x,
                y=y,
                colour=palette.colour(first.candidate),
                marker=palette.marker(first.candidate),
                hint=f"{names[first.implementation]} {every}: {figures}",
                named=any(_identity(result) in best for result in members),
            )
        )
    title = f"{sentence(up.title)} against {across.title}"
    label = f"{title}, {question}: {len(dots)} implementations and levels; the table below has every figure."
    axes = (across.axis_text(across.unit), up.axis_text(up.unit))
    wide, narrow = (draw_pareto(dots, axes, width, f"{id}-pareto-{width:g}", label) for width in (WIDE_PX, NARROW_PX))
    sizes = "" if _all_exact(known) or up.timed else f"{sentence(up.title)}: exact. {sentence(across.title)}: "
    caption = (
        f"{sizes}{_fidelity(known, lower=bool(sizes))} Every level of every implementation; the dashed line joins "
        "those that none beats in both, named in bold. Left and down is better. "
        f"Others are named at their best level for {across.title}, where there is room; point at a dot for its name."
    )
    data = _pareto_data(dots, [members[0] for members in same.values()], axes, f"{title}: {question}", caption)
    return PlotView(title, caption, wide, narrow, data, palette.key(r.candidate for r in known), full_width=True)


def _pareto_data(
    dots: Sequence[Dot], results: Sequence[Result], axes: tuple[str, str], title: str, caption: str
) -> XYPlot:
    """One series for each candidate; `results` are those of the dots."""
    by_candidate: dict[str, list[Dot]] = {}
    for dot, result in zip(dots, results, strict=True):
        by_candidate.setdefault(result.candidate, []).append(dot)
    series = tuple(
        Series(name, tuple((dot.x, dot.y) for dot in found), joined=False, point_names=tuple(dot.hint for dot in found))
        for name, found in by_candidate.items()
    )
    return XYPlot(title, *axes, series, caption)


def _identity(result: Result) -> tuple[str, str, str, str]:
    return (result.engine, result.case, result.candidate_version, result.compiler + result.optimisation)


def _spread(result: Result, metric: Metric) -> tuple[float, float]:
    """Factors of the least and the most that a figure may be: of its inputs, widened by the error band."""
    value = metric.value(result) or 1.0
    band = 0.0 if result.fidelity == Fidelity.EXACT else (result.fidelity_band_percent or 0.0) / 100
    low, high = metric.extent(result) or (value, value) if metric.extent is not None else (value, value)
    return min(low / value, 1 - band), max(high / value, 1 + band)


def _all_exact(results: Iterable[Result]) -> bool:
    return all(result.fidelity == Fidelity.EXACT for result in results)


def _fidelity(results: Iterable[Result], *, lower: bool = False) -> str:
    text = " and ".join(sorted({fidelity_text(result) for result in results})) + "."
    return text if lower else sentence(text)
