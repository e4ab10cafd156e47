"""The fitted numbers, and time against the packet's size."""

from __future__ import annotations

from collections.abc import Sequence

from bancada.answers.ranking import number
from bancada.answers.report.input import ExtraSection, Series, XYPlot
from bancada.model.result import Result
from bancada.studies.study import Evidence

from .packets import ALGORITHMS, as_the_study, families, fastest, line

_KIB = 1024


def _fitted(results: Sequence[Result]) -> ExtraSection:
    """Cost once and cost of each byte, fitted to the sizes."""
    rows = []
    for (implementation, level, operation, key_bits), found in sorted(families(results).items()):
        if key_bits != 128:
            continue
        intercept, slope, deviation = line([(result.size_bytes, result.cycles_median or 0) for result in found])
        rows.append(
            (
                f"{implementation} {level}",
                operation,
                number(round(slope, 2)),
                number(round(intercept)),
                f"{deviation * 100:.2g} %",
            )
        )
    return ExtraSection(
        title="Linearity, as fitted numbers",
        paragraphs=("Cycles = once + each byte × size, least squares over the packets, 128-bit keys.",),
        columns=("Implementation", "Direction", "Cycles for each byte", "Cycles once", "Largest miss"),
        rows=tuple(rows),
    )


def _plot(results: Sequence[Result]) -> XYPlot | None:
    series = []
    for place, algorithm in enumerate(ALGORITHMS):
        for kind, find in (("plain, -O0", as_the_study), ("fastest", fastest)):
            best = find(results, algorithm, "encrypt")
            if best is None:
                continue
            found = families(results).get((best.implementation, best.optimisation, "encrypt", 128), [])
            points = tuple((result.size_bytes / _KIB, (result.time_us or 0) / 1000) for result in found)
            if points:
                name = f"{algorithm.upper()} {kind}: {best.implementation}"
                series.append(
                    Series(
                        name, points, colour=place, dashed=kind != "fastest", band_percent=best.fidelity_band_percent
                    )
                )
    if not series:
        return None
    bands = sorted({s.band_percent for s in series if s.band_percent})
    fidelity = f"Modelled ±{number(bands[-1])} %." if bands else "Exact."
    return XYPlot(
        "Time by packet",
        "packet, KiB",
        "time to encrypt, ms",
        tuple(series),
        f"{fidelity} 128-bit keys.",
        x_logarithmic=True,
        y_logarithmic=True,
        x_ticks_measured=True,
    )


def sections(evidence: Evidence) -> tuple[ExtraSection, ...]:
    """Time by packet of plain and of fast programs, and a straight line through the sizes of each."""
    plot = _plot(evidence.results)
    if plot is None:
        return ()
    return (ExtraSection(title="Good and plain programs", plots=(plot,)), _fitted(evidence.results))
