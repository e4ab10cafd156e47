"""The figures that findings.toml judges, from the results of packets."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import pairwise

from bancada.answers.ranking import number
from bancada.model.result import Result
from bancada.studies.claim import Figures
from bancada.studies.spread import Spread
from bancada.studies.study import Evidence

from .packets import (
    ALGORITHMS,
    BLOCK_BYTES,
    as_the_study,
    cycles_per_byte,
    families,
    fastest,
    is_as_the_study,
    largest,
    line,
    ok,
    own_code,
)

_KEYS = (128, 192, 256)
_DIRECTIONS = ("encrypt", "decrypt")
_Find = Callable[[Sequence[Result], str, str, int], Result | None]
_WORDS = {"-O0": "without optimisation", "-O2": "with optimisation"}


def prepare(evidence: Evidence) -> Sequence[Result]:
    """The results, a ready-made library's once: the flags of the program that calls it change nothing in it."""
    return own_code(evidence.laboratory, evidence.results)


def _linearity(found: dict[tuple[str, str, str, int], list[Result]]) -> Figures:
    if not found:
        return None
    growths, misses = [], []
    for results in found.values():
        times = [(result.size_bytes, result.time_us or 0.0) for result in results]
        growths += [(after / before) * 2 / (large / small) for (small, before), (large, after) in pairwise(times)]
        misses.append(line(times)[2] * 100)
    return {"doubling": Spread(growths), "worst_percent": max(misses), "families": len(found)}


def linearity_plain(results: Sequence[Result]) -> Figures:
    """`doubling`: time of a packet over that of the packet of half the size, plain programs. `worst_percent`: the
    largest distance of a straight line through the sizes from a time. `families`: lines drawn."""
    every = families(results)
    return _linearity({key: found for key, found in every.items() if is_as_the_study(found[0])})


def linearity_best(results: Sequence[Result]) -> Figures:
    """As `linearity_plain`, of the fastest program of each algorithm, direction and key."""
    best = [fastest(results, algorithm, way, bits) for algorithm in ALGORITHMS for way in _DIRECTIONS for bits in _KEYS]
    wanted = {(one.implementation, one.optimisation, one.operation, one.key_bits) for one in best if one is not None}
    return _linearity({key: found for key, found in families(results).items() if key in wanted})


def _key_size(results: Sequence[Result], find: _Find) -> Figures:
    ratios: dict[str, Spread] = {}
    for algorithm in ALGORITHMS:
        found = []
        for way in _DIRECTIONS:
            short = find(results, algorithm, way, 128)
            for bits in _KEYS[1:]:
                long = find(results, algorithm, way, bits)
                if short is not None and long is not None:
                    found.append((long.time_us or 0) / (short.time_us or 1))
        if not found:
            return None
        ratios[algorithm] = Spread(found)
    return {**ratios, "every": Spread([one for found in ratios.values() for one in found])}


def key_size_plain(results: Sequence[Result]) -> Figures:
    """`aes` and `rc6`: time with 192 and 256 bits over 128, both directions, plain programs; `every`: all of them."""
    return _key_size(results, as_the_study)


def key_size_best(results: Sequence[Result]) -> Figures:
    """As `key_size_plain`, of the fastest programs."""
    return _key_size(results, fastest)


def _rc6_over_aes(results: Sequence[Result], find: _Find) -> Figures:
    ratios, said = [], ""
    for way in _DIRECTIONS:
        for bits in _KEYS:
            pair = [find(results, algorithm, way, bits) for algorithm in ALGORITHMS]
            if pair[0] is None or pair[1] is None:
                continue
            ratios.append((pair[0].time_us or 0) / (pair[1].time_us or 1))
            said = said or " and ".join(
                f"{one.implementation} {one.optimisation} {number(round(cycles_per_byte(one), 1))}"
                for one in pair
                if one is not None
            )
    return {"ratio": Spread(ratios), "programs": said} if ratios else None


def rc6_over_aes_plain(results: Sequence[Result]) -> Figures:
    """`ratio`: AES's time over RC6's, each direction and key, plain programs without optimisation. `programs`: which,
    with cycles a byte."""
    return _rc6_over_aes(results, as_the_study)


def rc6_over_aes_best(results: Sequence[Result]) -> Figures:
    """As `rc6_over_aes_plain`, of the fastest program of each. `slower`: how much slower plain AES is."""
    found = _rc6_over_aes(results, fastest)
    if found is None:
        return None
    plain, best = as_the_study(results, "aes", "encrypt", 128), fastest(results, "aes", "encrypt", 128)
    slower = ""
    if plain is not None and best is not None:
        times = (plain.time_us or 0) / (best.time_us or 1)
        slower = f" The plain AES without optimisation takes {number(round(times))} times as long as the fastest."
    return {**found, "slower": slower}


def _back_over_forth(results: Sequence[Result], find: _Find) -> Figures:
    ratios = []
    for bits in _KEYS:
        forth, back = find(results, "aes", "encrypt", bits), find(results, "aes", "decrypt", bits)
        if forth is not None and back is not None:
            ratios.append((back.time_us or 0) / (forth.time_us or 1))
    return {"ratio": Spread(ratios)} if ratios else None


def aes_directions_plain(results: Sequence[Result]) -> Figures:
    """`ratio`: AES's decryption over its encryption, each key, plain programs without optimisation."""
    return _back_over_forth(results, as_the_study)


def aes_directions_best(results: Sequence[Result]) -> Figures:
    """As `aes_directions_plain`, of the fastest program of each direction."""
    return _back_over_forth(results, fastest)


def rc6_pairs(results: Sequence[Result], level: str | None = None) -> list[tuple[Result, Result]]:
    """Encryption and decryption of the largest packet by one program, 128-bit key."""
    forths, backs = (
        {
            (one.implementation, one.optimisation): one
            for one in largest(ok(results, algorithm="rc6", operation=way, key_bits=128))
            if level is None or one.optimisation == level
        }
        for way in _DIRECTIONS
    )
    return [(forth, backs[program]) for program, forth in sorted(forths.items()) if program in backs]


def _rc6_directions(results: Sequence[Result], level: str) -> Figures:
    pairs = rc6_pairs(results, level)
    if not pairs:
        return None
    ratios = {forth.implementation: (back.cycles_median or 0) / (forth.cycles_median or 1) for forth, back in pairs}
    return {
        "ratio": Spread(tuple(ratios.values())),
        "faster": sum(value < 1 for value in ratios.values()),
        "every": len(ratios),
        "said": ", ".join(f"{name} {value:.3f}" for name, value in ratios.items()),
    }


def rc6_optimised(results: Sequence[Result]) -> Figures:
    """`ratio`: RC6's decryption over its encryption, of programs compiled with -O2; `faster` of `every` are below 1."""
    return _rc6_directions(results, "-O2")


def rc6_unoptimised(results: Sequence[Result]) -> Figures:
    """As `rc6_optimised`, compiled with -O0."""
    return _rc6_directions(results, "-O0")


def more_instructions(forth: Result, back: Result) -> float | None:
    """How many instructions more a block takes to encrypt than to decrypt: counted exactly, not modelled."""
    if forth.instructions_median is None or back.instructions_median is None:
        return None
    return (forth.instructions_median - back.instructions_median) / (forth.size_bytes / BLOCK_BYTES)


def rc6_why(results: Sequence[Result]) -> Figures:
    """Instructions that encryption of a block takes more than decryption: `optimised` and `unoptimised`, each the
    least and the most; `said`: each program."""
    more: dict[str, list[float]] = {}
    said = []
    for forth, back in rc6_pairs(results):
        value = more_instructions(forth, back)
        if value is not None:
            more.setdefault(forth.optimisation, []).append(value)
            said.append(f"{forth.implementation} {forth.optimisation} {value:+.1f}")
    if "-O2" not in more:
        return None
    unoptimised = Spread(more["-O0"]) if "-O0" in more else None
    return {
        "optimised": Spread(more["-O2"]),
        "unoptimised": "not measured" if unoptimised is None else f"{unoptimised:+.1f}",
        "said": ", ".join(said),
    }


def memory(results: Sequence[Result]) -> Figures:
    """`said`: code and context of the plain and of the fastest program of each algorithm."""
    said = []
    for algorithm in ALGORITHMS:
        for words, find in (("plain", as_the_study), ("fastest", fastest)):
            one = find(results, algorithm, "encrypt", 128)
            if one is not None and one.flash_bytes is not None and one.ram_context_bytes is not None:
                said.append(
                    f"{algorithm.upper()} {words} ({one.implementation}) {number(one.flash_bytes)} B of code and "
                    f"tables, {number(one.ram_context_bytes)} B of key context"
                )
    return {"said": "; ".join(said)} if said else None


def key_on_a_microcontroller(results: Sequence[Result]) -> Figures:
    """Nothing here runs on the predecessor's MSP430."""
    return None
