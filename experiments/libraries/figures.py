"""The figures that findings.toml judges: the study's own libraries, the others, and the programs that make an IV."""

from __future__ import annotations

import re
from collections.abc import Sequence
from math import pi, sqrt

from bancada.answers.ranking import number
from bancada.measure.conformance import SP800_38A_PASSES
from bancada.model.result import Result
from bancada.model.status import Status
from bancada.studies.claim import Figures
from bancada.studies.observed import figures_of
from bancada.studies.study import Evidence

from .observe import KIND, SEEDS_KIND, TARGET
from .survey import (
    BLOCK_CIPHER,
    DECRYPT,
    ENCRYPT,
    KEY_BITS,
    MESSAGE,
    Build,
    Surveyed,
    builds,
    cycles,
    flash_added,
    least,
    least_of,
    ram_between_calls,
    ram_in_a_call,
    surveyed,
)

_NEEDS_MORE_RAM = re.compile(r"needs .*?(\d+) B more RAM than the (\d+) B")
# As the Arduino IDE compiles, and so the study.
_OPTIMISATION = "-Os"
_DIRECTIONS = (("encrypt", ENCRYPT), ("decrypt", DECRYPT), ("both", (*ENCRYPT, *DECRYPT)))


def _of_the_study(evidence: Evidence) -> dict[str, list[Result]] | None:
    """The results of each of the study's libraries by its name there, compiled as the study did. None unless all were
    built here."""
    found = {
        one.library: [
            result
            for result in evidence.results
            if (result.candidate, result.algorithm, result.target, result.optimisation)
            == (one.candidate, BLOCK_CIPHER, TARGET, _OPTIMISATION)
        ]
        for one in surveyed(evidence.experiment.folder)
    }
    built = all(any(_was_built(result) for result in results) for results in found.values())
    return found if built else None


def _was_built(result: Result) -> bool:
    """Whether a compiler was called for it: a library that was not fetched has no flags."""
    return result.status is not Status.NOT_OFFERED and bool(result.flags)


def _conforming(evidence: Evidence) -> list[Surveyed]:
    """Those that the study compared: they embed, and it found them right."""
    return [one for one in surveyed(evidence.experiment.folder) if one.embeds == one.fips_197 == "yes"]


def _by_library(evidence: Evidence) -> dict[str, list[Build]] | None:
    """The builds with 128-bit keys of the libraries that the study compared."""
    study = _of_the_study(evidence)
    return None if study is None else {one.library: builds(study[one.library]) for one in _conforming(evidence)}


def _elsewhere(evidence: Evidence) -> list[Build]:
    """The builds of all libraries that are not the study's."""
    own = {one.candidate for one in surveyed(evidence.experiment.folder)}
    return builds(one for one in evidence.results if one.target == TARGET and one.candidate not in own)


def embedding(evidence: Evidence) -> Figures:
    """`embed` of `all` libraries fit; `needs` of the others in words; `first` and `second`, their
    shares of the UNO's RAM in percent, smallest first."""
    study = _of_the_study(evidence)
    if study is None:
        return None
    too_big: dict[str, tuple[int, int]] = {}
    for library, results in study.items():
        if any(result.status is Status.OK for result in results):
            continue
        said = [_NEEDS_MORE_RAM.search(result.reason or "") for result in results if result.key_bits == KEY_BITS]
        found = [(int(one.group(1)), int(one.group(2))) for one in said if one]
        if found:
            too_big[library] = min(found)
    needs = {library: more + there for library, (more, there) in too_big.items()}
    shares = sorted(100 * (more + there) / there for more, there in too_big.values())
    return {
        "all": len(study),
        "embed": len(study) - len(too_big),
        "needs": " and ".join(
            f"{library} needs {number(value)} B" for library, value in sorted(needs.items(), key=lambda x: x[1])
        ),
        "first": shares[0] if shares else 0.0,
        "second": shares[1] if len(shares) > 1 else 0.0,
    }


def conformance(evidence: Evidence) -> Figures:
    """`right` libraries with a right implementation of AES; `too_right` of them that the study found wrong, in words;
    `vectors`: the least that one of these ran."""
    study = _of_the_study(evidence)
    if study is None:
        return None
    right = {library: [one for one in found if one.status is Status.OK] for library, found in study.items()}
    right = {library: found for library, found in right.items() if found}
    unlike = [one.library for one in surveyed(evidence.experiment.folder) if one.fips_197 == "no"]
    unlike = [library for library in unlike if library in right]
    ran = [one.conformance_passed or 0 for library in unlike for one in right[library]]
    return {
        "right": len(right),
        "too_right": " and ".join(library for library in unlike) or "none",
        "vectors": min(ran, default=0),
    }


def fastest(evidence: Evidence) -> Figures:
    """AESLib's cycles `encrypt`, `decrypt`, `both`; `leads` if none of the study's is faster, of which the `next` is
    told; `best` of all other libraries, key schedule included, `who` it is, and how many `times` AESLib takes."""
    by_library = _by_library(evidence)
    if by_library is None:
        return None
    one_call = [
        build for build in by_library["DavyLandman/AESLib"] if any(one.variant == "one-call" for one in build.values())
    ]
    mine = {name: least_of(one_call, cycles(*operations)) for name, operations in _DIRECTIONS}
    rest = [found for library, found in by_library.items() if library != "DavyLandman/AESLib"]
    best, who = _best(_elsewhere(evidence), ENCRYPT)
    if None in mine.values() or not best:
        return None
    known = {name: value or 0 for name, value in mine.items()}
    others = [(known[name], least_of(found, cycles(*operations))) for name, operations in _DIRECTIONS for found in rest]
    return {
        **known,
        "leads": all(value is None or value > its for its, value in others),
        "next": least(least_of(found, cycles(*ENCRYPT)) for found in rest) or 0,
        "best": best,
        "who": who,
        "times": known["encrypt"] / best,
    }


def _best(found: Sequence[Build], operations: tuple[str, ...]) -> tuple[int, str]:
    counted = [(cycles(*operations)(build), build["encrypt"].implementation) for build in found if "encrypt" in build]
    known = [(value, name) for value, name in counted if value is not None]
    return min(known, default=(0, "none"))


def smallest(evidence: Evidence) -> Figures:
    """Flash that AES_128bit_Arduino adds: `encrypt`, `decrypt`, `both`; `leads` if none of the study's adds less for
    both, of which the `next` is told; `best` of all other libraries for both."""
    by_library = _by_library(evidence)
    if by_library is None:
        return None
    its = "beranm14/AES_128bit_Arduino"
    mine = {name: least_of(by_library[its], flash_added(name)) for name, _ in _DIRECTIONS}
    best = least_of(_elsewhere(evidence), flash_added("both"))
    if None in mine.values() or best is None:
        return None
    known = {name: value or 0 for name, value in mine.items()}
    rest = least(least_of(found, flash_added("both")) for library, found in by_library.items() if library != its)
    return {**known, "leads": rest is None or rest >= known["both"], "next": rest or 0, "best": best}


def least_ram(evidence: Evidence) -> Figures:
    """AESLib's `between` calls and `within` one, in bytes; the library with the least of each of the study's: `first`
    and `first_within`, with `least` and `least_within`."""
    by_library = _by_library(evidence)
    if by_library is None:
        return None
    between = {library: least_of(found, ram_between_calls) for library, found in by_library.items()}
    within = {library: least_of(found, ram_in_a_call) for library, found in by_library.items()}
    known = {library: value for library, value in between.items() if value is not None}
    deep = {library: value for library, value in within.items() if value is not None}
    mine = "DavyLandman/AESLib"
    if mine not in known or mine not in deep:
        return None
    return {
        "between": known[mine],
        "within": deep[mine],
        "least": min(known.values()),
        "least_within": min(deep.values()),
        "first": min(known, key=lambda library: known[library]),
        "first_within": min(deep, key=lambda library: deep[library]),
    }


def leaks(evidence: Evidence) -> Figures:
    """`varies`: the libraries, in words, whose cycles differ from one random input to another; how `many`."""
    study = _of_the_study(evidence)
    if study is None:
        return None
    found = {}
    for library, results in study.items():
        spread = [
            one
            for one in results
            if one.status is Status.OK and one.cycles_min is not None and one.cycles_max != one.cycles_min
        ]
        if spread:
            found[library] = max((one.cycles_max or 0) / (one.cycles_min or 1) - 1 for one in spread)
    return {
        "many": len(found),
        "varies": ", ".join(f"{library} by {share * 100:.0f} %" for library, share in found.items()) or "none",
    }


def fresh_iv_of_libraries(evidence: Evidence) -> Figures:
    """`makers`: how many of the study's libraries make a fresh IV; `seeds`: the IVs that random() has after
    randomSeed(analogRead()); `repeats`: the mean number of messages until one of them comes again."""
    study = _of_the_study(evidence)
    seeded = next(iter(figures_of(evidence.observations, SEEDS_KIND).values()), None)
    if study is None or seeded is None:
        return None
    makers = [name for name, found in study.items() if any(one.sp800_38a == SP800_38A_PASSES for one in found)]
    # The birthday problem: sqrt(pi n / 2) draws of n equally likely values until the first repetition.
    return {
        "makers": len(makers),
        "seeds": seeded["distinct_ivs"],
        "repeats": sqrt(pi * seeded["distinct_ivs"] / 2),
    }


def equal_commands(evidence: Evidence) -> Figures:
    """Different packets of `messages` messages with `commands` commands: in ECB (`none`), with a `fixed` IV, with a
    `fresh` one."""
    ivs = figures_of(evidence.observations, KIND)
    if set(ivs) != {"none", "fixed", "fresh"}:
        return None
    packets = {name: figures["distinct_packets"] for name, figures in ivs.items()}
    return {**packets, "messages": ivs["fresh"]["messages"], "commands": ivs["fresh"]["distinct_commands"]}


def fresh_iv_costs(evidence: Evidence) -> Figures:
    """Of a fresh IV over a fixed one: `flash` and `ram` in bytes, `iv_us` for each message, `seed_s` once, `share` of
    the cycles of a message of one block."""
    ivs = figures_of(evidence.observations, KIND)
    if set(ivs) != {"none", "fixed", "fresh"}:
        return None
    fresh, fixed = ivs["fresh"], ivs["fixed"]
    clock_mhz = evidence.laboratory.target(TARGET).clock_hz / 1e6
    return {
        "flash": fresh["flash_bytes"] - fixed["flash_bytes"],
        "ram": fresh["ram_static_bytes"] - fixed["ram_static_bytes"],
        "stack": fresh["seal_stack_bytes"] - fixed["seal_stack_bytes"],
        "iv_us": fresh["iv_cycles"] / clock_mhz,
        "iv_cycles": fresh["iv_cycles"],
        "seed_s": fresh["seed_s"],
        "message_cycles": fixed["seal_cycles"],
    }


def securino(evidence: Evidence) -> Figures:
    """Securino's `encrypt` and `decrypt` of one block in ms; how many `times` as long as the best of all others
    (`who`)."""
    study = _of_the_study(evidence)
    if study is None:
        return None
    its = builds(study["nilsonmori/securino"])
    encrypt, decrypt = (least_of(its, cycles(*operations)) for operations in (ENCRYPT, DECRYPT))
    best, who = _best(_elsewhere(evidence), ENCRYPT)
    if not (encrypt and decrypt and best):
        return None
    clock_khz = evidence.laboratory.target(TARGET).clock_hz / 1e3
    return {
        "encrypt_cycles": encrypt,
        "decrypt_cycles": decrypt,
        "encrypt_ms": encrypt / clock_khz,
        "decrypt_ms": decrypt / clock_khz,
        "best": best,
        "best_ms": best / clock_khz,
        "who": who,
        "times": encrypt / best,
    }


def message_cycles(results: Sequence[Result], candidate: str) -> dict[int, int]:
    """The least cycles of one message in CBC with 128-bit keys, by its length in bytes."""
    found: dict[int, int] = {}
    for one in results:
        is_one = (one.algorithm, one.operation, one.key_bits) == (MESSAGE, "encrypt", KEY_BITS)
        if is_one and one.candidate == candidate and one.target == TARGET and one.cycles_median is not None:
            found[one.size_bytes] = min(found.get(one.size_bytes, one.cycles_median), one.cycles_median)
    return dict(sorted(found.items()))
