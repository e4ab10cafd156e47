"""Which plots an experiment gets, and what each shows.

A *panel* is one question: target, operation, key and message size. It has up to three figures: time, flash against
cycles, RAM. Each is drawn twice, for a wide page and for a phone; report.css shows one of them.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from bancada.ranking import METRICS, at_best_level, fidelity_text, number, operation_order, ram_bytes
from bancada.records import Fidelity, Result, Status
from bancada.report import svg
from bancada.report.bars import Bar, draw_bars, is_logarithmic
from bancada.report.input import XYPlot
from bancada.report.pareto import MARKERS, Dot, draw_pareto
from bancada.report.sizes import Line, draw_sizes
from bancada.report.words import least_associated, plot_names, primitive_order, sentence, short_and_long, time_unit
from bancada.report.xy import draw_xy

WIDE_PX, HALF_PX, NARROW_PX = 1080.0, 540.0, 350.0
# One bar compares nothing.
_FEWEST_BARS = 2
# Two dots are said better by a table.
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
    """An entry of a figure's key: what it stands for, the CSS variable of its colour, its marker."""

    text: str
    variable: str
    marker: str = "s"

    @property
    def shape(self) -> str:
        """The marker as an SVG path in a square of 12."""
        return _SHAPES[self.marker]


@dataclass(frozen=True)
class PlotView:
    """A figure of the page: the same plot for a wide page and for a narrow one."""

    title: str
    caption: str
    wide: str
    narrow: str
    key: tuple[Key, ...] = ()
    full_width: bool = False


@dataclass(frozen=True)
class PanelView:
    id: str
    group: str
    choice: str
    title: str
    plots: tuple[PlotView, ...]


@dataclass(frozen=True)
class Palette:
    """One colour and one marker for each candidate, the same on the whole page."""

    order: tuple[str, ...]

    def index(self, candidate: str) -> int:
        return self.order.index(candidate)

    def colour(self, candidate: str) -> str:
        return svg.SERIES[self.index(candidate) % len(svg.SERIES)]

    def marker(self, candidate: str) -> str:
        # After eight candidates colours come again, with another marker.
        index = self.index(candidate)
        return MARKERS[(index + index // len(svg.SERIES)) % len(MARKERS)]

    def key(self, candidates: Iterable[str]) -> tuple[Key, ...]:
        chosen = sorted(set(candidates), key=self.index)
        return tuple(
            Key(name, f"--series-{self.index(name) % len(svg.SERIES)}", self.marker(name)) for name in chosen
        )


def panels(experiment: str, results: Sequence[Result], palette: Palette) -> list[PanelView]:
    """The panels of an experiment, in the order in which people ask; none for what nobody has a figure of."""
    groups: dict[tuple[str, str, str, str, int, int], list[Result]] = {}
    for result in least_associated(results):
        if result.status == Status.OK:
            key = (result.target, result.engine, result.primitive, result.operation, result.key_bits, result.size_bytes)
            groups.setdefault(key, []).append(result)
    order = _target_order(results)
    targets = {key[:2] for key in groups}
    shown = _shown_sizes(groups)
    views: list[PanelView] = []
    for key in sorted(groups, key=lambda key: (order[key[0]], key[1], primitive_order(key[2]), operation_order(key[3]), key[4:])):
        target, engine, primitive, operation, key_bits, size_bytes = key
        alone = len({result.implementation for result in groups[key]}) < _FEWEST_BARS
        if alone or size_bytes not in shown[target, engine, primitive, operation]:
            continue
        many_sizes = len(shown[target, engine, primitive, operation]) > 1
        where = target + (f" ({engine})" if len({name for name in targets if name[0] == target}) > 1 else "")
        group = f"{where}: {operation}" if len(targets) > 1 else operation
        choice = ", ".join(
            part for part in (f"{key_bits} bit" if key_bits else "", f"{number(size_bytes)}\N{NO-BREAK SPACE}B" if many_sizes else "") if part
        )
        title = f"{operation}{', ' if choice else ''}{choice.replace(' bit', '-bit key')}"
        id = f"{experiment}-panel-{len(views)}"
        plots = _plots(id, groups[key], palette, f"{title} on {where}")
        if plots:
            views.append(PanelView(id, group, choice or "all", f"{title} on {where}" if len(targets) > 1 else title, plots))
    return views


def size_plots(experiment: str, results: Sequence[Result]) -> list[PlotView]:
    """Cycles a byte over message sizes, for whatever was measured at three sizes or more."""
    groups: dict[tuple[str, str, str, str], list[Result]] = {}
    for result in least_associated(results):
        if result.status == Status.OK and result.size_bytes and not result.is_keystream_block and result.cycles_median is not None:
            groups.setdefault((result.target, result.engine, result.primitive, result.operation), []).append(result)
    order = _target_order(results)
    views: list[PlotView] = []
    for key in sorted(groups, key=lambda key: (order[key[0]], key[1], primitive_order(key[2]), operation_order(key[3]))):
        by_implementation: dict[tuple[str, int], list[Result]] = {}
        for result in at_best_level(groups[key], METRICS["cycles"]):
            by_implementation.setdefault((result.implementation, result.key_bits), []).append(result)
        members = {name: found for name, found in by_implementation.items() if len({r.size_bytes for r in found}) >= 3}
        if not members:
            continue
        names = plot_names(found[0] for found in members.values())
        lines = [
            Line(
                names[found[0].implementation],
                tuple(sorted((float(r.size_bytes), (r.cycles_median or 0) / r.size_bytes) for r in found)),
            )
            for found in members.values()
        ]
        title = f"{key[3]}: cycles a byte by message size, {key[0]}"
        name = f"{experiment}-sizes-{len(views)}"
        wide, narrow = (draw_sizes(lines, width, f"{name}-{width:g}", title) for width in (HALF_PX, NARROW_PX))
        every = [result for found in members.values() for result in found]
        views.append(PlotView(title, f"{_fidelity(every)} Each at its fastest level.", wide, narrow))
    return views


def xy_plots(owner: str, plots: Sequence[XYPlot]) -> tuple[PlotView, ...]:
    """Plots that a section asks for, drawn; `owner` makes their names unique in the page."""
    views = []
    for index, plot in enumerate(plots):
        name = f"{owner}-xy-{index}"
        label = f"{plot.title}: {plot.y_title} against {plot.x_title}. {plot.caption}"
        wide, narrow = (draw_xy(plot, width, f"{name}-{width:g}", label) for width in (HALF_PX, NARROW_PX))
        views.append(PlotView(plot.title, plot.caption, wide, narrow))
    return tuple(views)


def _target_order(results: Sequence[Result]) -> dict[str, int]:
    """Targets in the order of the results, which is that of the report."""
    return {target: place for place, target in enumerate(dict.fromkeys(result.target for result in results))}


def _shown_sizes(groups: Iterable[tuple[str, str, str, str, int, int]]) -> dict[tuple[str, str, str, str], set[int]]:
    sizes: dict[tuple[str, str, str, str], set[int]] = {}
    for target, engine, primitive, operation, _, size_bytes in groups:
        sizes.setdefault((target, engine, primitive, operation), set()).add(size_bytes)
    return {key: short_and_long(known) for key, known in sizes.items()}


def _plots(id: str, results: Sequence[Result], palette: Palette, question: str) -> tuple[PlotView, ...]:
    plots = (
        _time(id, results, palette, question),
        _ram(id, results, question),
        _pareto(id, results, palette, question),
    )
    return tuple(plot for plot in plots if plot is not None)


def _time(id: str, results: Sequence[Result], palette: Palette, question: str) -> PlotView | None:
    ranked = at_best_level(results, METRICS["time"])
    if not ranked:
        return None
    names = plot_names(ranked)
    unit, scale = _time_unit([result.time_us or 0.0 for result in ranked])
    bars = []
    for result in ranked:
        time = (result.time_us or 0.0) / scale
        low, high = _spread(result)
        figure = f"{number(time)} {unit}"
        name = names[result.implementation]
        hint = f"{name} {result.optimisation}: {number(result.cycles_median or 0)} cycles, {figure}"
        colours = (palette.colour(result.candidate),)
        bars.append(Bar(name, (time,), figure, colours, hint, time * low, time * high))
    logarithmic = is_logarithmic(bars)
    axis = f"time for one call, {unit}{', logarithmic' if logarithmic else ''} (less is better)"
    label = f"Time by implementation, {question}. Fastest: {bars[0].name}, {bars[0].figure}."
    wide, narrow = (draw_bars(bars, axis, width, f"{id}-time-{width:g}", label) for width in (HALF_PX, NARROW_PX))
    whiskers = (
        " Whiskers, where they are wider than a dot: from the least to the most it may be."
        if any((bar.high or 0) - (bar.low or 0) > _VISIBLE * bar.value for bar in bars)
        else ""
    )
    caption = f"{_fidelity(ranked)} Each at its fastest level.{whiskers}"
    return PlotView("Time", caption, wide, narrow)


def _ram(id: str, results: Sequence[Result], question: str) -> PlotView | None:
    ranked = at_best_level(results, METRICS["ram"])
    if not ranked:
        return None
    names = plot_names(ranked)
    bars = []
    for result in ranked:
        name = names[result.implementation]
        parts = (result.ram_context_bytes or 0, result.ram_static_bytes or 0, result.stack_bytes or 0)
        total = f"{number(ram_bytes(result) or 0)} B"
        words = ", ".join(f"{kind} {number(part)}" for kind, part in zip(("context", "static", "stack"), parts, strict=True))
        hint = f"{name} {result.optimisation}: {total} ({words})"
        bars.append(Bar(name, tuple(map(float, parts)), total, svg.PARTS, hint))
    label = f"RAM by implementation, {question}. Least: {bars[0].name}, {bars[0].figure}."
    axis = "RAM in use during one call, bytes (less is better)"
    wide, narrow = (draw_bars(bars, axis, width, f"{id}-ram-{width:g}", label) for width in (HALF_PX, NARROW_PX))
    key = (Key("key context", "--part-0"), Key("static", "--part-1"), Key("stack", "--part-2"))
    sizes = "" if _all_exact(ranked) else "Context and static RAM: exact. Stack: "
    caption = f"{sizes}{_fidelity(ranked, lower=bool(sizes))} Each at its level of least RAM."
    return PlotView("RAM", caption, wide, narrow, key)


def _pareto(id: str, results: Sequence[Result], palette: Palette, question: str) -> PlotView | None:
    known = [result for result in results if result.cycles_median is not None and result.flash_bytes is not None]
    same: dict[tuple[str, int, int], list[Result]] = {}
    for result in known:
        key = (result.implementation + result.candidate_version, result.cycles_median or 0, result.flash_bytes or 0)
        same.setdefault(key, []).append(result)
    if len(same) < _FEWEST_DOTS:
        return None
    fastest = {id_ for id_ in map(_identity, at_best_level(known, METRICS["cycles"]))}
    levels = {result.implementation: len({key for key in same if key[0] == result.implementation + result.candidate_version})
              for result in known}
    names = plot_names(known)
    dots = []
    for (_, cycles, flash), members in same.items():
        first = members[0]
        level = f" {first.optimisation}" if levels[first.implementation] > 1 else ""
        every = " ".join(sorted({result.optimisation for result in members}))
        dots.append(
            Dot(
                name=names[first.implementation] + level,
                cycles=cycles,
                flash=flash,
                colour=palette.colour(first.candidate),
                marker=palette.marker(first.candidate),
                hint=f"{names[first.implementation]} {every}: {number(cycles)} cycles, {number(flash)} B of flash",
                named=any(_identity(result) in fastest for result in members),
            )
        )
    label = f"Flash against cycles, {question}: {len(dots)} implementations and levels; the table below has every figure."
    wide, narrow = (draw_pareto(dots, width, f"{id}-pareto-{width:g}", label) for width in (WIDE_PX, NARROW_PX))
    sizes = "" if _all_exact(known) else "Flash: exact. Cycles: "
    caption = (
        f"{sizes}{_fidelity(known, lower=bool(sizes))} Every level of every implementation; the dashed line joins "
        "those that none beats in both, named in bold. Left and down is better. "
        "Others are named at their fastest level, where there is room; point at a dot for its name."
    )
    return PlotView("Flash against cycles", caption, wide, narrow, palette.key(r.candidate for r in known), full_width=True)


def _identity(result: Result) -> tuple[str, str, str, str]:
    return (result.engine, result.case, result.candidate_version, result.compiler + result.optimisation)


def _time_unit(times_us: Sequence[float]) -> tuple[str, float]:
    """The unit in which the middle of the figures has few digits."""
    middle = sorted(times_us)[len(times_us) // 2]
    return time_unit(middle)


def _spread(result: Result) -> tuple[float, float]:
    """Factors of the least and the most that the time may be: samples, widened by the error band."""
    median = result.cycles_median or 1
    band = 0.0 if result.fidelity == Fidelity.EXACT else (result.fidelity_band_percent or 0.0) / 100
    low = (result.cycles_min if result.cycles_min is not None else median) / median
    high = (result.cycles_max if result.cycles_max is not None else median) / median
    return min(low, 1 - band), max(high, 1 + band)


def _all_exact(results: Iterable[Result]) -> bool:
    return all(result.fidelity == Fidelity.EXACT for result in results)


def _fidelity(results: Iterable[Result], *, lower: bool = False) -> str:
    text = " and ".join(sorted({fidelity_text(result) for result in results})) + "."
    return text if lower else sentence(text)
