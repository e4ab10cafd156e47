"""The figures that findings.toml judges, from the results of packets."""

from __future__ import annotations

from collections.abc import Sequence
from statistics import median

from bancada.answers.ranking import number
from bancada.model.result import Result
from bancada.studies.claim import Figures

from .packets import ALGORITHMS, as_the_study, cycles_per_byte, families, fastest, largest, line, ok


def linearity(results: Sequence[Result]) -> Figures:
    """`worst_percent`: the largest distance of a straight line through the sizes from a time. `families`: lines
    drawn."""
    deviations = [
        line([(result.size_bytes, result.time_us or 0.0) for result in found])[2]
        for found in families(results).values()
    ]
    if not deviations:
        return None
    return {"worst_percent": max(deviations) * 100, "families": len(deviations)}


def key_size(results: Sequence[Result]) -> Figures:
    """`aes_percent`: the additional cost of 256 bits over 128, fastest implementations. `effects`: in words, plain
    programs too."""
    parts = []
    effects: dict[str, float] = {}
    for algorithm in ALGORITHMS:
        short, long = (fastest(results, algorithm, "encrypt", bits) for bits in (128, 256))
        if short is None or long is None:
            return None
        effects[algorithm] = ((long.time_us or 0) / (short.time_us or 1) - 1) * 100
        parts.append(f"{algorithm.upper()} {effects[algorithm]:+.2g} %")
        plain = [as_the_study(results, algorithm, "encrypt", bits) for bits in (128, 256)]
        if plain[0] is not None and plain[1] is not None:
            parts[-1] += f" (plain: {((plain[1].time_us or 0) / (plain[0].time_us or 1) - 1) * 100:+.2g} %)"
    return {"aes_percent": effects["aes"], "effects": ", ".join(parts)}


def rc6_against_aes(results: Sequence[Result]) -> Figures:
    """`ratio`: AES's time over RC6's, the fastest of each. `fastest` and `plain`: which programs, in words."""
    plain = [as_the_study(results, algorithm, "encrypt") for algorithm in ALGORITHMS]
    best = [fastest(results, algorithm, "encrypt") for algorithm in ALGORITHMS]
    if best[0] is None or best[1] is None:
        return None
    figures = {
        "ratio": (best[0].time_us or 0) / (best[1].time_us or 1),
        "fastest": f"{best[0].implementation} {number(cycles_per_byte(best[0]))} cycles a byte, "
        f"{best[1].implementation} {number(cycles_per_byte(best[1]))}",
        "plain": "",
        "slower": "",
    }
    if plain[0] is not None and plain[1] is not None:
        times = (plain[0].time_us or 0) / (best[0].time_us or 1)
        plain_ratio = (plain[0].time_us or 0) / (plain[1].time_us or 1)
        figures["slower"] = (
            f", and the plain program without optimisation takes {number(round(times))} times as long as the fastest"
        )
        figures["plain"] = (
            f"; {plain_ratio:.2g} times between two plain programs without optimisation "
            f"({number(cycles_per_byte(plain[0]))} and {number(cycles_per_byte(plain[1]))} cycles a byte)"
        )
    return figures


def _directions(results: Sequence[Result], algorithm: str) -> tuple[list[str], list[float]]:
    """Decryption over encryption, of the plain program and of the fastest: in words, and the ratios."""
    said, ratios = [], []
    for find, words in ((as_the_study, "plain program, -O0"), (fastest, "fastest")):
        forth, back = find(results, algorithm, "encrypt"), find(results, algorithm, "decrypt")
        if forth is not None and back is not None:
            ratios.append((back.time_us or 0) / (forth.time_us or 1))
            said.append(f"{words}: decryption takes {ratios[-1]:.3g} times as long")
    return said, ratios


def aes_directions(results: Sequence[Result]) -> Figures:
    """`ratios`: AES's decryption over its encryption; `said`: the same in words."""
    said, ratios = _directions(results, "aes")
    return {"ratios": ratios, "said": "; ".join(said)} if ratios else None


def rc6_directions(results: Sequence[Result]) -> Figures:
    """`faster`: how many of `every` implementations and levels decrypt RC6 faster than they encrypt it."""
    said, _ = _directions(results, "rc6")
    forths, backs = (
        largest(ok(results, algorithm="rc6", operation=operation, key_bits=128)) for operation in ("encrypt", "decrypt")
    )
    every = [
        (back.cycles_median or 0) / (forth.cycles_median or 1)
        for forth in forths
        for back in backs
        if (forth.implementation, forth.optimisation) == (back.implementation, back.optimisation)
    ]
    if not every:
        return None
    faster = sum(ratio < 1 for ratio in every)
    said.append(f"{faster} of {len(every)} implementations and levels decrypt faster, median {median(every):.3g}")
    plain = [as_the_study(results, "rc6", operation) for operation in ("encrypt", "decrypt")]
    unoptimised = ""
    if plain[0] is not None and plain[1] is not None and (plain[1].time_us or 0) >= (plain[0].time_us or 0):
        unoptimised = (
            " Without optimisation the loads and stores around every step outweigh that in our plain program; "
            "the study's is not published."
        )
    return {"faster": faster, "every": len(every), "said": "; ".join(said), "unoptimised": unoptimised}
