"""Plots of costs: energy against time, and ratios against the clock."""

from __future__ import annotations

from bancada.answers.ranking import number
from bancada.answers.report.input import Series, XYPlot

from .costs import CORES, Cost, Costs, energy_of, time_of

# A cluster and an algorithm.
_Case = tuple[str, str]


def energy_plot(costs: Costs, algorithms: dict[str, str], title: str) -> XYPlot | None:
    """The study's figures 3 and 6: each algorithm on each core, a point for each clock."""
    series = []
    for place, (name, algorithm) in enumerate(algorithms.items()):
        for marker, (cluster, core) in enumerate(CORES.items()):
            points, names, band = [], [], 0.0
            for mhz in costs.frequencies(cluster):
                cost = costs.get(cluster, mhz, algorithm)
                if cost is not None and cost.energy_uj is not None:
                    points.append((cost.time_us, cost.energy_uj))
                    names.append(f"{name} on {core} at {mhz} MHz")
                    band = max(band, cost.band_percent)
            if points:
                series.append(
                    Series(
                        f"{name}, {core}",
                        tuple(points),
                        colour=place,
                        marker=marker,
                        dashed=cluster == "big",
                        band_percent=band or None,
                        point_names=tuple(names),
                    )
                )
    if not series:
        return None
    band = max(one.band_percent or 0.0 for one in series)
    return XYPlot(
        title,
        "time, sender and receiver, µs",
        "energy, µJ",
        tuple(series),
        f"Modelled ±{number(band)} % in time, shown as whiskers; energy by GemStone's model besides. Each dot is a "
        "clock, the lowest "
        "to the right. Left and down is better.",
        x_logarithmic=True,
        y_logarithmic=True,
    )


def relative_plot(costs: Costs, title: str, what: str, compared: dict[str, tuple[_Case, _Case]]) -> XYPlot | None:
    """Ratios of two (cluster, algorithm) at each clock that both have."""
    series = []
    band = 0.0
    for place, (name, (first, second)) in enumerate(compared.items()):
        for dashed, (value, words) in enumerate(((time_of, "time"), (energy_of, "energy"))):
            points = []
            for mhz in sorted({mhz for _, mhz in costs.points}):
                both = ((first[0], mhz, first[1]), (second[0], mhz, second[1]))
                ratios = costs.ratios([both], value)
                if ratios:
                    points.append((float(mhz), ratios[0]))
                    band = max(band, (costs.get(*both[0]) or Cost(0, 0, 0, 0, 0)).band_percent)
            if points:
                series.append(
                    Series(f"{name}, {words}", tuple(points), colour=place, dashed=bool(dashed), marker=dashed)
                )
    if not series:
        return None
    return XYPlot(
        title,
        "clock, MHz",
        what,
        tuple(series),
        f"Modelled ±{number(band)} %. Above 1: more of it.",
        x_logarithmic=False,
        x_ticks_measured=True,
        levels=(("equal", 1.0),),
    )
