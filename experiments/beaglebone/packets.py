"""Selects results of packets: by their question, the fastest, and those of a program like the study's."""

from __future__ import annotations

from collections.abc import Sequence

from bancada.model.result import Result
from bancada.model.status import Status
from bancada.plan.laboratory import Laboratory

_PLAIN = "plain"
_STUDY_LEVEL = "-O0"
# Makes its tables for each block, so that its time hardly depends on the key.
_ANEW = "plain-tables-anew"
# Plain programs that are not what the study's probably was.
_OTHERS = (_ANEW, "plain-no-tables")
BLOCK_BYTES = 16
ALGORITHMS = ("aes", "rc6")
TRIPLE_DES = "triple-des"
TITLES = {"aes": "AES", "rc6": "RC6", TRIPLE_DES: "3DES"}


def ok(results: Sequence[Result], **wanted: object) -> list[Result]:
    return [
        result
        for result in results
        if result.status is Status.OK
        and result.time_us is not None
        and all(getattr(result, name) == value for name, value in wanted.items())
    ]


def own_code(laboratory: Laboratory, results: Sequence[Result]) -> list[Result]:
    """The results without those of a ready-made library below the first of its levels: its code is the same."""
    known = laboratory.candidates
    ready_made = {name for name, candidate in known.items() if candidate.compiled}
    levels: dict[str, str] = {}
    for result in results:
        if result.candidate in ready_made:
            levels[result.candidate] = max(levels.get(result.candidate, ""), result.optimisation)
    return [result for result in results if levels.get(result.candidate, result.optimisation) == result.optimisation]


def is_as_the_study(result: Result) -> bool:
    """Whether a result is of a program like the study's: plain C, without optimisation."""
    return result.candidate == _PLAIN and result.optimisation == _STUDY_LEVEL


def families(results: Sequence[Result]) -> dict[tuple[str, str, str, int], list[Result]]:
    """Results that differ in nothing but the packet's size, smallest first."""
    groups: dict[tuple[str, str, str, int], list[Result]] = {}
    for result in sorted(ok(results), key=lambda result: result.size_bytes):
        groups.setdefault((result.implementation, result.optimisation, result.operation, result.key_bits), []).append(
            result
        )
    return {key: found for key, found in groups.items() if len(found) > 1}


def line(points: Sequence[tuple[float, float]]) -> tuple[float, float, float]:
    """Least squares: (intercept, slope, largest deviation from the line as a part of the value)."""
    n = len(points)
    mean_x = sum(x for x, _ in points) / n
    mean_y = sum(y for _, y in points) / n
    slope = sum((x - mean_x) * (y - mean_y) for x, y in points) / sum((x - mean_x) ** 2 for x, _ in points)
    intercept = mean_y - slope * mean_x
    return intercept, slope, max(abs(intercept + slope * x - y) / y for x, y in points)


def cycles_per_byte(result: Result) -> float:
    return (result.cycles_median or 0) / result.size_bytes


def largest(results: Sequence[Result]) -> list[Result]:
    largest = max((result.size_bytes for result in results), default=0)
    return [result for result in results if result.size_bytes == largest]


def fastest(results: Sequence[Result], algorithm: str, operation: str, key_bits: int = 128) -> Result | None:
    found = largest(ok(results, algorithm=algorithm, operation=operation, key_bits=key_bits))
    return min(found, key=lambda result: result.time_us or 0, default=None)


def least_key_bits(algorithm: str) -> int:
    """The size of key by which algorithms are compared; 3DES has one alone."""
    return 192 if algorithm == TRIPLE_DES else 128


def _plain(results: Sequence[Result], **wanted: object) -> list[Result]:
    return largest(ok(results, candidate=_PLAIN, optimisation=_STUDY_LEVEL, **wanted))


def as_the_study(results: Sequence[Result], algorithm: str, operation: str, key_bits: int = 128) -> Result | None:
    """The plain program without optimisation, at the largest packet that it has."""
    every = _plain(
        [one for one in results if one.variant not in _OTHERS],
        algorithm=algorithm,
        operation=operation,
        key_bits=key_bits,
    )
    return every[0] if every else None


def with_tables_anew(results: Sequence[Result], algorithm: str, operation: str, key_bits: int = 128) -> Result | None:
    """As `as_the_study`, with the AES that makes its tables for each block; RC6 takes a packet of the same size."""
    aes = _plain(results, variant=_ANEW, operation=operation, key_bits=key_bits)
    if not aes or algorithm == "aes":
        return aes[0] if aes else None
    return as_the_study(ok(results, size_bytes=aes[0].size_bytes), algorithm, operation, key_bits)
