"""The survey's table: the study's libraries with its figures and with ours, then those of the registries; and what the
IV of a message costs."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from bancada.answers.published import rows_of
from bancada.answers.ranking import number
from bancada.answers.report.input import ExtraSection
from bancada.catalogue.experiment import Experiment
from bancada.measure.conformance import SP800_38A_PASSES
from bancada.model.result import Result
from bancada.model.status import Status
from bancada.plan.laboratory import Laboratory
from bancada.studies.observed import figures_of
from bancada.studies.study import Evidence

from .figures import message_cycles
from .observe import KIND, TARGET
from .survey import (
    BLOCK_CIPHER,
    DECRYPT,
    EMPTY_SKETCH_BYTES,
    ENCRYPT,
    KEY_BITS,
    Build,
    Surveyed,
    builds,
    cycles,
    flash_added,
    least_of,
    ram_besides_heap,
    ram_between_calls,
    ram_in_a_call,
    surveyed,
)

PUBLISHED = "published"
MEASURED_HERE = "measured here"
_NONE = "–"
# A key size that a library may have besides: the study's ArduinoAES256 has no other.
_OTHER_KEY_BITS = 256

_COLUMNS = (
    "Library",
    "Figures",
    "Keys and licence",
    "Embeds",
    "FIPS 197",
    "SP 800-38A",
    "Flash of the sketch, B: encrypt / decrypt / both",
    "Flash added, B: encrypt / decrypt / both",
    "RAM between calls, B",
    "RAM in a call, B",
    "Cycles: encrypt / decrypt / both",
    "Leaks",
)
_PARAGRAPHS = (
    "Each library of the study stands with its published figures, as far as the study's text gives them, and with ours "
    "where it was built (bancada run libraries --from-git). The other libraries come from registries. AES-128, or "
    "AES-256 where a library has nothing else.",
    f"Both definitions stand beside each other. A sketch is what the library adds and the {EMPTY_SKETCH_BYTES} B of an "
    "empty one. The study sampled its SRAM between calls, with the variables of sketch and core; ours between calls is "
    "static RAM and key context, in a call the deepest stack too, the larger of the two directions. Cycles include the "
    "key schedule on both sides. Ours are the least of a library's implementations and optimisation levels, each "
    "column for itself.",
    "Leaks: what bancada audit found on this device; a dash where it was not audited.",
)


def _figures(values: Sequence[float | int | None]) -> str:
    """Several figures in one cell, or a dash if there is none."""
    return (
        " / ".join(_NONE if value is None else number(value) for value in values)
        if any(value is not None for value in values)
        else _NONE
    )


def _published_row(experiment: Experiment, one: Surveyed) -> tuple[str, ...]:
    figures = {(row["library"], row["metric"], row["operation"]): float(row["value"]) for row in rows_of(experiment)}
    # published.csv has some libraries without their owner.
    names = (one.library, one.library.partition("/")[2])

    def of(metric: str, *operations: str) -> list[float | None]:
        return [
            next((figures[name, metric, each] for name in names if (name, metric, each) in figures), None)
            for each in operations
        ]

    sram = [value for value in of("sram", "mean", "both") if value is not None]
    embeds = one.embeds if one.embeds == "yes" else f"no: needs {number(sram[0])} B of SRAM"
    return (
        one.library,
        PUBLISHED,
        f"{one.key_bits} {one.modes}, {one.licence}",
        embeds,
        one.fips_197,
        one.sp800_38a,
        _figures(of("flash", "encrypt", "decrypt", "both")),
        _figures(of("flash-added", "encrypt", "decrypt", "both")),
        _figures(sram[:1]),
        _NONE,
        _figures(of("cycles", "encrypt", "decrypt", "both")),
        _NONE,
    )


def _first_reason(results: Sequence[Result], *statuses: Status) -> str | None:
    return next((result.reason for result in results if result.status in statuses), None)


def _leaks(results: Sequence[Result]) -> str:
    """The first leak that an audit found, or that it found none. A column has room for one place."""
    said = [result.audit for result in results if result.audit]
    return next((one.partition(";")[0] for one in said if one.startswith("leaks")), said[0] if said else _NONE)


def _measured_row(laboratory: Laboratory, candidate: str, every: Sequence[Result]) -> tuple[str, ...]:
    has_short_keys = any(result.key_bits == KEY_BITS and result.status is not Status.NOT_OFFERED for result in every)
    key_bits = KEY_BITS if has_short_keys else _OTHER_KEY_BITS
    results = [result for result in every if result.key_bits == key_bits]
    right = [result for result in results if result.status is Status.OK]
    entry = laboratory.candidates.get(candidate)
    name = f"{entry.title} {entry.version}" if entry else candidate
    ok_bits = sorted({result.key_bits for result in every if result.status is Status.OK})
    keys = " ".join(str(bits) for bits in ok_bits) or _NONE
    # The operation that every library offers: a missing decryption is not a reason for not fitting.
    encrypting = [] if right else [result for result in results if result.operation == "encrypt"]
    not_here = _first_reason(encrypting, Status.NOT_OFFERED, Status.DOES_NOT_BUILD, Status.DOES_NOT_FIT)
    # What was not fetched or did not answer says nothing of the library.
    unknown = _first_reason(encrypting, Status.FAILED)
    wrong = _first_reason(encrypting, Status.NOT_CONFORMANT)
    tested = next((result for result in right if result.conformance_total), None)
    vectors = (
        f"yes ({tested.conformance_passed} of {tested.conformance_total} vectors)"
        if tested
        else f"no: {wrong.partition(':')[0]}"  # which vector; what it gave stands among the eliminated
        if wrong
        else _NONE
    )
    embeds = (
        f"no: {not_here.partition(' (')[0]}"
        if not_here
        else "yes"
        if right or wrong
        else f"not known: {unknown}"
        if unknown
        else _NONE
    )
    iv = next((result.sp800_38a for result in right if result.sp800_38a), None)
    built = builds(right, key_bits)
    added = [least_of(built, flash_added(name)) for name in ("encrypt", "decrypt", "both")]
    return (
        name,
        MEASURED_HERE,
        f"{keys}, {entry.licence}" if entry else keys,
        embeds,
        vectors,
        "yes" if iv == SP800_38A_PASSES else iv or _NONE,
        _figures([None if value is None else value + EMPTY_SKETCH_BYTES for value in added]),
        _figures(added),
        _ram(built, ram_between_calls, is_in_a_call=False),
        _ram(built, ram_in_a_call, is_in_a_call=True),
        _figures([least_of(built, cycles(*names)) for names in (ENCRYPT, DECRYPT, (*ENCRYPT, *DECRYPT))]),
        _leaks(right),
    )


def _ram(built: Sequence[Build], whole: Callable[[Build], int | None], *, is_in_a_call: bool) -> str:
    """All of it, or all but the heap."""
    known = least_of(built, whole)
    besides = least_of(built, ram_besides_heap(is_in_a_call))
    return f"{number(besides)} and heap" if known is None and besides is not None else _figures([known])


def _survey(evidence: Evidence) -> tuple[ExtraSection, ...]:
    """One table. None where nothing was measured on the study's device."""
    experiment = evidence.experiment
    here: dict[str, list[Result]] = {}
    for result in evidence.results:
        if result.target == TARGET and result.algorithm == BLOCK_CIPHER:
            here.setdefault(result.candidate, []).append(result)
    if not here:
        return ()
    rows: list[tuple[str, ...]] = []
    study = surveyed(experiment.folder)
    for one in study:
        rows.append(_published_row(experiment, one))
        if one.candidate in here:
            rows.append(_measured_row(evidence.laboratory, one.candidate, here[one.candidate]))
    own = {one.candidate for one in study}
    others = (
        _measured_row(evidence.laboratory, candidate, found)
        for candidate, found in here.items()
        if candidate not in own
    )
    rows += sorted(others, key=lambda row: row[0].lower())
    return (
        ExtraSection(
            title=f"The survey: {PUBLISHED}, and {MEASURED_HERE}",
            paragraphs=_PARAGRAPHS,
            columns=_COLUMNS,
            rows=tuple(rows),
        ),
    )


_IV_TITLES = {"none": "none: ECB", "fixed": "fixed: a constant", "fresh": "fresh: a seeded generator"}


def _iv_row(name: str, figures: dict[str, Any]) -> tuple[str, ...]:
    return (
        _IV_TITLES[name],
        number(figures["flash_bytes"]),
        number(figures["ram_static_bytes"]),
        number(figures["seal_stack_bytes"]),
        number(figures["seal_cycles"]),
        number(figures["iv_cycles"]) if "iv_cycles" in figures else _NONE,
        f"{figures['seed_s']:.1f}" if "seed_s" in figures else _NONE,
        f"{figures['distinct_packets']} of {figures['messages']}",
    )


def _iv_programs(evidence: Evidence) -> tuple[ExtraSection, ...]:
    """Three programs that differ in the IV alone."""
    found = figures_of(evidence.observations, KIND)
    rows = tuple(_iv_row(name, found[name]) for name in _IV_TITLES if name in found)
    if not rows:
        return ()
    return (
        ExtraSection(
            title="CBC with a fresh IV: what it costs, and what a fixed one tells",
            paragraphs=(
                "Three programs send the same commands of 16 bytes, of which there are two. They differ in the IV "
                "alone. Flash and RAM are those of the whole program. A packet that comes twice tells who listens that "
                "a command came twice (SP 800-38A, appendix C).",
            ),
            columns=(
                "IV",
                "Flash, B",
                "Static RAM, B",
                "Stack, B",
                "Cycles of a message",
                "Cycles of an IV",
                "Seeding, s, once after reset",
                "Different packets",
            ),
            rows=rows,
        ),
    )


def _messages(evidence: Evidence) -> tuple[ExtraSection, ...]:
    """Cycles of a whole message by its length, with and without the making of its IV."""
    fresh = figures_of(evidence.observations, KIND).get("fresh")
    candidates = sorted({one.candidate for one in evidence.results})
    known = {name: found for name in candidates if (found := message_cycles(evidence.results, name))}
    if fresh is None or not known:
        return ()
    clock_mhz = evidence.laboratory.target(TARGET).clock_hz / 1e6
    rows = []
    for name, found in known.items():
        entry = evidence.laboratory.candidates.get(name)
        for size, counted in found.items():
            whole = counted + fresh["iv_cycles"]
            rows.append(
                (
                    entry.title if entry else name,
                    str(size),
                    number(counted),
                    number(whole),
                    number(whole / clock_mhz),
                    f"{100 * fresh['iv_cycles'] / whole:.0f} %",
                )
            )
    return (
        ExtraSection(
            title="A message in CBC, by its length",
            paragraphs=(
                "AES-128, key schedule and padding included; the IV is given, or made by the seeded generator of the "
                f"table above. Before the first message the generator is seeded once, in {fresh['seed_s']:.1f} s.",
            ),
            columns=(
                "Library",
                "Message, B",
                "Cycles, IV given",
                "Cycles, fresh IV",
                "µs, fresh IV",
                "Share of the IV",
            ),
            rows=tuple(rows),
        ),
    )


def sections(evidence: Evidence) -> tuple[ExtraSection, ...]:
    """The survey, the three programs, and messages by their length: each where there is something to tell."""
    return (*_survey(evidence), *_iv_programs(evidence), *_messages(evidence))
