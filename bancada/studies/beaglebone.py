"""Study `beaglebone`: AES against RC6 on a Cortex-A8, packets of 128 to 1024 KB. What survives a good implementation?"""

from __future__ import annotations

from collections.abc import Sequence
from statistics import median

from bancada.ranking import number
from bancada.records import Finding, Observation, Result, Status, Verdict
from bancada.report.input import ExtraSection, Series, XYPlot
from bancada.studies.study import Study

_PLAIN = "plain"
_STUDY_LEVEL = "-O0"
_ALGORITHMS = ("aes", "rc6")
_KIB = 1024


def _ok(results: Sequence[Result], **wanted: object) -> list[Result]:
    return [
        result
        for result in results
        if result.status is Status.OK
        and result.time_us is not None
        and all(getattr(result, name) == value for name, value in wanted.items())
    ]


def _families(results: Sequence[Result]) -> dict[tuple[str, str, str, int], list[Result]]:
    """Results that differ in nothing but the packet's size, smallest first."""
    groups: dict[tuple[str, str, str, int], list[Result]] = {}
    for result in sorted(_ok(results), key=lambda result: result.size_bytes):
        groups.setdefault((result.implementation, result.optimisation, result.operation, result.key_bits), []).append(result)
    return {key: found for key, found in groups.items() if len(found) > 1}


def _line(points: Sequence[tuple[float, float]]) -> tuple[float, float, float]:
    """Least squares: (intercept, slope, largest deviation from the line as a part of the value)."""
    n = len(points)
    mean_x = sum(x for x, _ in points) / n
    mean_y = sum(y for _, y in points) / n
    slope = sum((x - mean_x) * (y - mean_y) for x, y in points) / sum((x - mean_x) ** 2 for x, _ in points)
    intercept = mean_y - slope * mean_x
    return intercept, slope, max(abs(intercept + slope * x - y) / y for x, y in points)


def _cycles_per_byte(result: Result) -> float:
    return (result.cycles_median or 0) / result.size_bytes


def _largest(results: Sequence[Result]) -> list[Result]:
    largest = max((result.size_bytes for result in results), default=0)
    return [result for result in results if result.size_bytes == largest]


def _fastest(results: Sequence[Result], algorithm: str, operation: str, key_bits: int = 128) -> Result | None:
    found = _largest(_ok(results, algorithm=algorithm, operation=operation, key_bits=key_bits))
    return min(found, key=lambda result: result.time_us or 0, default=None)


def _as_the_study(results: Sequence[Result], algorithm: str, operation: str, key_bits: int = 128) -> Result | None:
    found = _largest(
        _ok(results, candidate=_PLAIN, algorithm=algorithm, operation=operation, key_bits=key_bits, optimisation=_STUDY_LEVEL)
    )
    return found[0] if found else None


def _not_measured(claim: str, published: str) -> Finding:
    return Finding(claim, published, "no figure", Verdict.NOT_MEASURED, "The cases that answer it have no figures.")


def _linear(results: Sequence[Result]) -> Finding:
    claim, published = "Time grows linearly with the packet", "doubling the packet doubles the time"
    deviations = [
        _line([(result.size_bytes, result.time_us or 0.0) for result in found])[2] for found in _families(results).values()
    ]
    if not deviations:
        return _not_measured(claim, published)
    worst = max(deviations) * 100
    return Finding(
        claim, published,
        f"a straight line through the sizes misses no time by more than {worst:.2g} % ({len(deviations)} implementations, "
        "levels, directions and keys)",
        Verdict.HOLDS if worst < 5 else Verdict.HOLDS_IN_PART,
        "In ECB every block costs the same. What bends the line is what is done once for a packet, and memory: a packet that the level 2 cache of "
        "256 KB holds waits less, of which a slow program shows nothing.",
    )  # fmt: skip


def _key_size(results: Sequence[Result]) -> Finding:
    claim, published = "The key's size hardly matters", "about 1 % from 128 to 256 bits, AES and RC6"
    parts = []
    effects: dict[str, float] = {}
    for algorithm in _ALGORITHMS:
        short, long = (_fastest(results, algorithm, "encrypt", bits) for bits in (128, 256))
        if short is None or long is None:
            return _not_measured(claim, published)
        effects[algorithm] = ((long.time_us or 0) / (short.time_us or 1) - 1) * 100
        parts.append(f"{algorithm.upper()} {effects[algorithm]:+.2g} %")
        plain = [_as_the_study(results, algorithm, "encrypt", bits) for bits in (128, 256)]
        if plain[0] is not None and plain[1] is not None:
            parts[-1] += f" (plain: {((plain[1].time_us or 0) / (plain[0].time_us or 1) - 1) * 100:+.2g} %)"
    holds_for_aes = effects["aes"] < 5
    return Finding(
        claim, published, f"256 against 128 bits, fastest implementations: {', '.join(parts)}",
        Verdict.HOLDS if holds_for_aes else Verdict.HOLDS_IN_PART,
        "RC6 has 20 rounds for every key. AES has 10, 12 and 14, so a key of 256 bits must cost 40 % more; a program in which it "
        "does not spends its time elsewhere, or runs as many rounds for every key.",
    )  # fmt: skip


def _rc6_against_aes(results: Sequence[Result]) -> Finding:
    claim, published = "RC6 is 8 to 10 times as fast as AES", "7.2 to 9.1 times, 1024 KB"
    plain = [_as_the_study(results, algorithm, "encrypt") for algorithm in _ALGORITHMS]
    best = [_fastest(results, algorithm, "encrypt") for algorithm in _ALGORITHMS]
    if best[0] is None or best[1] is None:
        return _not_measured(claim, published)
    ratio = (best[0].time_us or 0) / (best[1].time_us or 1)
    ours = (
        f"{ratio:.2g} times between the fastest of each ({best[0].implementation} {number(_cycles_per_byte(best[0]))} cycles a "
        f"byte, {best[1].implementation} {number(_cycles_per_byte(best[1]))})"
    )
    slower = ""
    if plain[0] is not None and plain[1] is not None:
        times = (plain[0].time_us or 0) / (best[0].time_us or 1)
        slower = f", and the plain program without optimisation takes {number(round(times))} times as long as the fastest"
        plain_ratio = (plain[0].time_us or 0) / (plain[1].time_us or 1)
        ours += (
            f"; {plain_ratio:.2g} times between two plain programs without optimisation "
            f"({number(_cycles_per_byte(plain[0]))} and {number(_cycles_per_byte(plain[1]))} cycles a byte)"
        )
    return Finding(
        claim, published, ours, Verdict.HOLDS if ratio > 5 else Verdict.DOES_NOT_HOLD,
        f"The study compared two programs, not two algorithms: AES needs tables or bit-slicing to be fast{slower}; RC6 is fast as it is "
        "written down.",
    )  # fmt: skip


def _direction(results: Sequence[Result], algorithm: str) -> tuple[list[str], list[float]]:
    said, ratios = [], []
    for find, words in ((_as_the_study, "plain program, -O0"), (_fastest, "fastest")):
        forth, back = find(results, algorithm, "encrypt"), find(results, algorithm, "decrypt")
        if forth is not None and back is not None:
            ratios.append((back.time_us or 0) / (forth.time_us or 1))
            said.append(f"{words}: decryption takes {ratios[-1]:.3g} times as long")
    return said, ratios


def _aes_decrypts_slower(results: Sequence[Result]) -> Finding:
    claim, published = "AES decrypts slower than it encrypts", "1.18 times as long"
    said, ratios = _direction(results, "aes")
    if not ratios:
        return _not_measured(claim, published)
    return Finding(
        claim, published, "; ".join(said),
        Verdict.HOLDS if min(ratios) > 1.01 else Verdict.HOLDS_IN_PART if max(ratios) > 1.01 else Verdict.DOES_NOT_HOLD,
        "The inverse of MixColumns multiplies by 9, 11, 13 and 14 instead of 2 and 3 (FIPS 197, 5.1.3 and 5.3.3). Tables hide it; "
        "field arithmetic does not.",
    )  # fmt: skip


def _rc6_decrypts_faster(results: Sequence[Result]) -> Finding:
    claim, published = "RC6 decrypts faster than it encrypts; why could not be concluded", "0.97 times as long"
    said, ratios = _direction(results, "rc6")
    forths, backs = (_largest(_ok(results, algorithm="rc6", operation=operation, key_bits=128)) for operation in ("encrypt", "decrypt"))
    every = [
        (back.cycles_median or 0) / (forth.cycles_median or 1)
        for forth in forths
        for back in backs
        if (forth.implementation, forth.optimisation) == (back.implementation, back.optimisation)
    ]
    if not every:
        return _not_measured(claim, published)
    faster = sum(ratio < 1 for ratio in every)
    said.append(f"{faster} of {len(every)} implementations and levels decrypt faster, median {median(every):.3g}")
    why = (
        "A processor of Arm has one rotation by a register: to the right (`ROR`). RC6 rotates by the data twice a round, to the "
        "left when it encrypts and to the right when it decrypts (`A = ((A ^ t) <<< u) + S` against `C = ((C - S) >>> t) ^ u`), so "
        "encryption first subtracts each amount from 32 (`RSB`): 40 instructions more a block, each in front of the rotation that "
        "waits for it."
    )
    plain = [_as_the_study(results, "rc6", operation) for operation in ("encrypt", "decrypt")]
    if plain[0] is not None and plain[1] is not None and (plain[1].time_us or 0) >= (plain[0].time_us or 0):
        why += " Without optimisation the loads and stores around every step outweigh that in our plain program; the study's is not published."
    if faster * 2 <= len(every):
        return Finding(claim, published, "; ".join(said), Verdict.DOES_NOT_HOLD, "Most implementations measured do not decrypt faster.")
    return Finding(claim, published, "; ".join(said), Verdict.ANSWERED, why)


def findings(results: Sequence[Result], observations: Sequence[Observation]) -> tuple[Finding, ...]:
    """The study's conclusions in its order, and its open question."""
    return (
        _linear(results),
        _key_size(results),
        _rc6_against_aes(results),
        _aes_decrypts_slower(results),
        _rc6_decrypts_faster(results),
    )


def _fitted(results: Sequence[Result]) -> ExtraSection:
    """Cost once and cost of each byte, fitted to the sizes."""
    rows = []
    for (implementation, level, operation, key_bits), found in sorted(_families(results).items()):
        if key_bits != 128:
            continue
        intercept, slope, deviation = _line([(result.size_bytes, result.cycles_median or 0) for result in found])
        rows.append((f"{implementation} {level}", operation, number(round(slope, 2)), number(round(intercept)), f"{deviation * 100:.2g} %"))
    return ExtraSection(
        title="Linearity, as fitted numbers",
        paragraphs=("Cycles = once + each byte × size, least squares over the packets, 128-bit keys.",),
        columns=("Implementation", "Direction", "Cycles for each byte", "Cycles once", "Largest miss"),
        rows=tuple(rows),
    )


def _plot(results: Sequence[Result]) -> XYPlot | None:
    series = []
    for place, algorithm in enumerate(_ALGORITHMS):
        for kind, find in (("plain, -O0", _as_the_study), ("fastest", _fastest)):
            best = find(results, algorithm, "encrypt")
            if best is None:
                continue
            found = _families(results).get((best.implementation, best.optimisation, "encrypt", 128), [])
            points = tuple((result.size_bytes / _KIB, (result.time_us or 0) / 1000) for result in found)
            if points:
                name = f"{algorithm.upper()} {kind}: {best.implementation}"
                series.append(Series(name, points, colour=place, dashed=kind != "fastest", band_percent=best.fidelity_band_percent))
    if not series:
        return None
    bands = sorted({s.band_percent for s in series if s.band_percent})
    fidelity = f"Modelled ±{number(bands[-1])} %." if bands else "Exact."
    return XYPlot(
        "Time by packet", "packet, KiB", "time to encrypt, ms", tuple(series), f"{fidelity} 128-bit keys.",
        x_logarithmic=True, y_logarithmic=True, x_ticks_measured=True,
    )  # fmt: skip


def parts(results: Sequence[Result], observations: Sequence[Observation]) -> tuple[ExtraSection, ...]:
    """The fitted numbers and time against the packet's size."""
    plot = _plot(results)
    if plot is None:
        return ()
    return (ExtraSection(title="Good and plain programs", plots=(plot,)), _fitted(results))


BEAGLEBONE = Study(findings, parts)
