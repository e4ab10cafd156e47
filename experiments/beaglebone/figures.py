"""The figures that findings.toml judges, from the results of packets."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise

from bancada.answers.ranking import number
from bancada.model.result import Result
from bancada.studies.claim import Figures
from bancada.studies.spread import Spread
from bancada.studies.study import Evidence

from .observe import KIND
from .packets import (
    ALGORITHMS,
    TITLES,
    TRIPLE_DES,
    as_the_study,
    cycles_per_byte,
    families,
    fastest,
    is_as_the_study,
    largest,
    least_key_bits,
    line,
    ok,
    own_code,
    with_tables_anew,
)

# By the data, in a block: two in each of 20 rounds.
_ROTATIONS = 40
_KEYS = (128, 192, 256)
_DIRECTIONS = ("encrypt", "decrypt")
_Find = Callable[[Sequence[Result], str, str, int], Result | None]


@dataclass(frozen=True)
class Prepared:
    """The results, and the instructions of RC6 by implementation, level and operation, counted in a block."""

    results: Sequence[Result]
    counts: Mapping[tuple[str, str, str], Mapping[str, float]]


def prepare(evidence: Evidence) -> Prepared:
    """What all figures are computed from. A ready-made library is in it once: the flags of the program that calls it
    change nothing in it."""
    results = own_code(evidence.laboratory, evidence.results)
    programs = {(one.implementation, one.optimisation) for one in results}
    counts = {
        (one.parameters["implementation"], one.parameters["optimisation"], one.parameters["operation"]): one.figures
        for one in evidence.observations
        if one.kind == KIND and (one.parameters["implementation"], one.parameters["optimisation"]) in programs
    }
    return Prepared(results, counts)


def _linearity(found: dict[tuple[str, str, str, int], list[Result]]) -> Figures:
    if not found:
        return None
    growths, misses = [], []
    for results in found.values():
        times = [(result.size_bytes, result.time_us or 0.0) for result in results]
        growths += [(after / before) * 2 / (large / small) for (small, before), (large, after) in pairwise(times)]
        misses.append(line(times)[2] * 100)
    return {"doubling": Spread(growths), "worst_percent": max(misses), "families": len(found)}


def linearity_plain(prepared: Prepared) -> Figures:
    """`doubling`: time of a packet over that of the packet of half the size, plain programs. `worst_percent`: the
    largest distance of a straight line through the sizes from a time. `families`: lines drawn."""
    every = families(prepared.results)
    return _linearity({key: found for key, found in every.items() if is_as_the_study(found[0])})


def linearity_best(prepared: Prepared) -> Figures:
    """As `linearity_plain`, of the fastest program of each algorithm, direction and key."""
    best = [
        fastest(prepared.results, algorithm, way, bits)
        for algorithm in ALGORITHMS
        for way in _DIRECTIONS
        for bits in _KEYS
    ]
    wanted = {(one.implementation, one.optimisation, one.operation, one.key_bits) for one in best if one is not None}
    return _linearity({key: found for key, found in families(prepared.results).items() if key in wanted})


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


def key_size_plain(prepared: Prepared) -> Figures:
    """`aes` and `rc6`: time with 192 and 256 bits over 128, both directions, plain programs; `every`: all of them."""
    return _key_size(prepared.results, as_the_study)


def key_size_best(prepared: Prepared) -> Figures:
    """As `key_size_plain`, of the fastest programs."""
    return _key_size(prepared.results, fastest)


def key_size_anew(prepared: Prepared) -> Figures:
    """As `key_size_plain`, of a plain AES that makes its tables for each block; `cycles_per_byte` of its encryption."""
    found = _key_size(prepared.results, with_tables_anew)
    short = with_tables_anew(prepared.results, "aes", "encrypt")
    return None if found is None or short is None else {**found, "cycles_per_byte": cycles_per_byte(short)}


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


def rc6_over_aes_plain(prepared: Prepared) -> Figures:
    """`ratio`: AES's time over RC6's, each direction and key, plain programs without optimisation. `programs`: which,
    with cycles a byte."""
    return _rc6_over_aes(prepared.results, as_the_study)


def rc6_over_aes_anew(prepared: Prepared) -> Figures:
    """As `rc6_over_aes_plain`, of an AES that makes its tables for each block."""
    return _rc6_over_aes(prepared.results, with_tables_anew)


def rc6_over_aes_best(prepared: Prepared) -> Figures:
    """As `rc6_over_aes_plain`, of the fastest program of each. `slower`: how much slower plain AES is."""
    found = _rc6_over_aes(prepared.results, fastest)
    if found is None:
        return None
    plain, best = (
        as_the_study(prepared.results, "aes", "encrypt", 128),
        fastest(prepared.results, "aes", "encrypt", 128),
    )
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


def aes_directions_plain(prepared: Prepared) -> Figures:
    """`ratio`: AES's decryption over its encryption, each key, plain programs without optimisation."""
    return _back_over_forth(prepared.results, as_the_study)


def aes_directions_anew(prepared: Prepared) -> Figures:
    """As `aes_directions_plain`, of a program that makes its tables for each block."""
    return _back_over_forth(prepared.results, with_tables_anew)


def aes_directions_best(prepared: Prepared) -> Figures:
    """As `aes_directions_plain`, of the fastest program of each direction."""
    return _back_over_forth(prepared.results, fastest)


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


def rc6_optimised(prepared: Prepared) -> Figures:
    """`ratio`: RC6's decryption over its encryption, of programs compiled with -O2; `faster` of `every` are below 1."""
    return _rc6_directions(prepared.results, "-O2")


def rc6_unoptimised(prepared: Prepared) -> Figures:
    """As `rc6_optimised`, compiled with -O0; `more`: how many execute more instructions to decrypt, in words."""
    found = _rc6_directions(prepared.results, "-O0")
    if found is None:
        return None
    counted = [one for one in counted_programs(prepared) if one.level == "-O0"]
    more = sum(back > forth for forth, back in (one.instructions for one in counted))
    said = f"{more} of {len(counted)} programs execute more instructions to decrypt than to encrypt, counted exactly. "
    return {**found, "more": said if counted else ""}


@dataclass(frozen=True)
class Counted:
    """One RC6 program: instructions of a block, and its subtractions from a number (RSB), which encryption needs for
    each rotation to the left by a register."""

    program: str
    level: str
    instructions: tuple[float, float]
    subtractions: tuple[float, float]

    @property
    def more_subtractions(self) -> float:
        """Of encryption, over decryption."""
        return self.subtractions[0] - self.subtractions[1]


def counted_programs(prepared: Prepared) -> list[Counted]:
    """Every program that was counted in both directions."""
    found = []
    for program, level in sorted({key[:2] for key in prepared.counts}):
        both = [prepared.counts.get((program, level, way)) for way in _DIRECTIONS]
        if both[0] is not None and both[1] is not None:
            instructions, subtractions = (
                (both[0][name], both[1][name]) for name in ("instructions_per_block", "subtractions_from_per_block")
            )
            found.append(Counted(program, level, instructions, subtractions))
    return found


def rc6_why(prepared: Prepared) -> Figures:
    """`forty`: how many of `every` optimised programs subtract 40 times more in a block to encrypt than to decrypt;
    `optimised` and `unoptimised`: the subtractions of each program, in words."""
    found = counted_programs(prepared)
    said = {
        level: ", ".join(
            f"{one.program} {one.subtractions[0]:.0f} and {one.subtractions[1]:.0f}"
            for one in found
            if one.level == level
        )
        for level in ("-O2", "-O0")
    }
    best = [one for one in found if one.level == "-O2"]
    if not best:
        return None
    forty = sum(round(one.more_subtractions) == _ROTATIONS for one in best)
    return {"forty": forty, "every": len(best), "optimised": said["-O2"], "unoptimised": said["-O0"] or "not counted"}


def _over_both(results: Sequence[Result], find: _Find) -> Figures:
    ratios: dict[str, list[float]] = {algorithm: [] for algorithm in ALGORITHMS}
    for way in _DIRECTIONS:
        slow = find(results, TRIPLE_DES, way, least_key_bits(TRIPLE_DES))
        if slow is None:
            continue
        of_the_size = ok(results, size_bytes=slow.size_bytes)
        for algorithm, found in ratios.items():
            one = find(of_the_size, algorithm, way, 128)
            if one is not None:
                found.append((slow.time_us or 0) / (one.time_us or 1))
    return {algorithm: Spread(found) for algorithm, found in ratios.items()} if all(ratios.values()) else None


def triple_des_plain(prepared: Prepared) -> Figures:
    """`aes` and `rc6`: 3DES's time over theirs, both directions, 128-bit keys, plain programs."""
    return _over_both(prepared.results, as_the_study)


def triple_des_best(prepared: Prepared) -> Figures:
    """As `triple_des_plain`, of the fastest programs."""
    return _over_both(prepared.results, fastest)


def memory(prepared: Prepared) -> Figures:
    """`said`: code and context of the plain and of the fastest program of each algorithm."""
    said = []
    for algorithm, title in TITLES.items():
        for words, find in (("plain", as_the_study), ("fastest", fastest)):
            one = find(prepared.results, algorithm, "encrypt", least_key_bits(algorithm))
            if one is not None and one.flash_bytes is not None and one.ram_context_bytes is not None:
                said.append(
                    f"{title} {words} ({one.implementation}) {number(one.flash_bytes)} B of code and "
                    f"tables, {number(one.ram_context_bytes)} B of key context"
                )
    return {"said": "; ".join(said)} if said else None


def key_on_a_microcontroller(prepared: Prepared) -> Figures:
    """Nothing here runs on the predecessor's MSP430."""
    return None
