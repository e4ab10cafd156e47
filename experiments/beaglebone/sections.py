"""Time against the packet's size, the two directions of RC6, memory, and the fitted numbers."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from bancada.answers.published import rows_of
from bancada.answers.ranking import number
from bancada.answers.report.input import ExtraSection, Series, XYPlot
from bancada.catalogue.experiment import Experiment
from bancada.model.result import Result
from bancada.studies.study import Evidence

from .figures import Prepared, counted_programs, prepare, rc6_pairs
from .packets import TITLES, as_the_study, families, fastest, least_key_bits, line, ok, with_tables_anew

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
        paragraphs=(
            "Cycles = once + each byte × size, least squares over the packets, 128-bit keys. What is done once comes "
            "out negative: the smallest packet fits the level 2 cache of 256 KB and waits less than the others.",
        ),
        columns=("Implementation", "Direction", "Cycles for each byte", "Cycles once", "Largest miss"),
        rows=tuple(rows),
    )


_PROGRAMS = (
    ("plain, -O0", as_the_study),
    ("tables anew, -O0", with_tables_anew),
    ("fastest", fastest),
)


def _drawn(results: Sequence[Result], operation: str) -> Iterator[Series]:
    for place, (algorithm, title) in enumerate(TITLES.items()):
        bits = least_key_bits(algorithm)
        for marker, (kind, find) in enumerate(_PROGRAMS):
            best = find(results, algorithm, operation, bits)
            if best is None or (find is with_tables_anew and algorithm != "aes"):
                continue
            every = families(results).get((best.implementation, best.optimisation, operation, bits), [best])
            yield Series(
                f"{title} {kind}: {best.implementation}",
                tuple((one.size_bytes / _KIB, (one.time_us or 0) / 1000) for one in every),
                colour=place,
                marker=marker,
                dashed=find is not fastest,
                band_percent=best.fidelity_band_percent,
            )


def _published(experiment: Experiment, operation: str) -> Iterator[Series]:
    """The study's own points, with a 128-bit key."""
    for place, algorithm in enumerate(TITLES):
        points = tuple(
            (int(row["size_bytes"]) / _KIB, float(row["value"]))
            for row in rows_of(experiment)
            if (row["algorithm"], row["operation"], row["key_bits"]) == (algorithm, operation, "128")
            and row["metric"] == "time"
        )
        if points:
            yield Series(f"{TITLES[algorithm]}, published", points, joined=False, colour=place, marker=len(_PROGRAMS))


def _plot(experiment: Experiment, results: Sequence[Result], operation: str) -> XYPlot | None:
    series = list(_drawn(results, operation))
    if not series:
        return None
    series += _published(experiment, operation)
    bands = sorted({s.band_percent for s in series if s.band_percent})
    fidelity = f"Modelled ±{number(bands[-1])} %." if bands else "Exact."
    return XYPlot(
        f"Time to {operation}, by packet",
        "packet, KiB",
        f"time to {operation}, ms",
        tuple(series),
        f"{fidelity} 128-bit keys, of 3DES 192. A single point: measured on the smallest packet alone.",
        x_logarithmic=True,
        y_logarithmic=True,
        x_ticks_measured=True,
    )


def _directions(prepared: Prepared) -> ExtraSection | None:
    """RC6's instructions are counted exactly; its cycles are modelled."""
    ratios = {
        (forth.implementation, forth.optimisation): (back.cycles_median or 0) / (forth.cycles_median or 1)
        for forth, back in rc6_pairs(prepared.results)
    }
    rows = []
    for one in counted_programs(prepared):
        ratio = ratios.get((one.program, one.level))
        numbers = (*one.instructions, *one.subtractions)
        rows.append(
            (
                one.program,
                one.level,
                *(number(round(value)) for value in numbers),
                "–" if ratio is None else f"{ratio:.3f}",
            )
        )
    if not rows:
        return None
    return ExtraSection(
        title="Why RC6 decrypts faster",
        paragraphs=(
            "Instructions of a block, 128-bit key, counted exactly; cycles modelled. A rotation to the left by a "
            "register is RSB and ROR on Arm, one to the right is ROR alone. RC6 rotates so twice in each of 20 rounds, "
            "to the left when it encrypts. Published: decryption over encryption 0.94 to 0.99.",
        ),
        columns=(
            "Program",
            "Level",
            "Encrypt, instructions",
            "Decrypt, instructions",
            "Encrypt, RSB",
            "Decrypt, RSB",
            "Decrypt ÷ encrypt, cycles",
        ),
        rows=tuple(rows),
    )


def _memory(results: Sequence[Result]) -> ExtraSection | None:
    programs: dict[str, Result] = {}
    for result in sorted(ok(results, operation="encrypt"), key=lambda one: one.size_bytes):
        if result.key_bits == least_key_bits(result.algorithm):
            programs[f"{result.implementation} {result.optimisation}"] = result
    rows = []
    for program, result in programs.items():
        cells = (result.flash_bytes, result.ram_static_bytes, result.ram_context_bytes, result.stack_bytes)
        if any(cell is not None for cell in cells):
            rows.append((program, *("–" if cell is None else number(cell) for cell in cells)))
    if not rows:
        return None
    return ExtraSection(
        title="Memory, which the study left for later",
        paragraphs=("Encryption only, 128-bit keys, of 3DES 192; the packet itself is not counted.",),
        columns=("Program", "Code and tables, B", "Static RAM, B", "Key context, B", "Stack, B"),
        rows=tuple(sorted(rows)),
    )


def sections(evidence: Evidence) -> tuple[ExtraSection, ...]:
    """The study's two figures, of plain and of fast programs; what it left open; a straight line through the sizes."""
    prepared = prepare(evidence)
    results = prepared.results
    plots = tuple(
        plot for way in ("encrypt", "decrypt") if (plot := _plot(evidence.experiment, results, way)) is not None
    )
    if not plots:
        return ()
    found = (
        ExtraSection(title="Good and plain programs", plots=plots),
        _directions(prepared),
        _memory(results),
        _fitted(results),
    )
    return tuple(part for part in found if part is not None)
