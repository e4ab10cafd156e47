"""The survey's table: eleven libraries with the study's figures, and those of the registries with ours."""

from __future__ import annotations

import csv
from collections.abc import Sequence

from bancada.answers.published import rows_of
from bancada.answers.ranking import number
from bancada.answers.report.input import ExtraSection
from bancada.catalogue.experiment import Experiment
from bancada.measure.conformance import SP800_38A_PASSES
from bancada.model.result import Result
from bancada.model.status import Status
from bancada.plan.laboratory import Laboratory
from bancada.studies.study import Evidence

PUBLISHED = "published"
MEASURED_HERE = "measured here"
_NONE = "–"
_KEY_BITS = 128

_COLUMNS = (
    "Library",
    "Figures",
    "Keys and licence",
    "Embeds",
    "FIPS 197",
    "SP 800-38A",
    "Flash, B: encrypt / decrypt / both",
    "SRAM, B",
    "Cycles: encrypt / decrypt / both",
)
_PARAGRAPHS = (
    "The study's libraries stand with its own figures, as far as its text gives them: they are in no registry and were "
    "not built "
    "again. The registries' libraries were built, checked and measured on the same device here. AES-128.",
    "Published flash is a whole sketch (an empty one is 450 B), ours what the library adds; published SRAM was sampled "
    "between "
    "calls, ours is static RAM, context and deepest stack of one call, the larger of the two directions. Cycles "
    "include the key "
    "schedule on both sides. Ours are the least of a library's implementations and optimisation levels, each column "
    "for itself.",
)


def _figures(values: Sequence[float | int | None]) -> str:
    """Several figures in one cell, or a dash if there is none."""
    return (
        " / ".join(_NONE if value is None else number(value) for value in values)
        if any(value is not None for value in values)
        else _NONE
    )


def _published_rows(experiment: Experiment) -> list[tuple[str, ...]]:
    with (experiment.folder / "survey.csv").open(newline="", encoding="utf-8") as file:
        libraries = list(csv.DictReader(file))
    figures = {(row["library"], row["metric"], row["operation"]): float(row["value"]) for row in rows_of(experiment)}

    def of(library: str, metric: str, *operations: str) -> list[float | None]:
        # published.csv has some libraries without their owner.
        names = (library, library.partition("/")[2])
        return [
            next((figures[name, metric, one] for name in names if (name, metric, one) in figures), None)
            for one in operations
        ]

    rows: list[tuple[str, ...]] = []
    for library in libraries:
        name = library["library"]
        sram = [value for value in of(name, "sram", "mean", "both") if value is not None]
        embeds = library["embeds"] if library["embeds"] == "yes" else f"no: needs {number(sram[0])} B of SRAM"
        rows.append(
            (
                name,
                PUBLISHED,
                f"{library['key_bits']} {library['modes']}, {library['licence']}",
                embeds,
                library["fips_197"],
                library["sp800_38a"],
                _figures(of(name, "flash", "encrypt", "decrypt", "both")),
                _figures(sram[:1]),
                _figures(of(name, "cycles", "encrypt", "decrypt", "both")),
            )
        )
    return rows


def _least(values: Sequence[int | None]) -> int | None:
    return min((value for value in values if value is not None), default=None)


def _cycles(results: Sequence[Result]) -> tuple[int | None, int | None, int | None]:
    """Encrypt, decrypt and both, each with its key schedule: the least of one build."""
    builds: dict[tuple[str, str, str], dict[str, int]] = {}
    for result in results:
        if result.cycles_median is not None:
            builds.setdefault((result.implementation, result.compiler, result.optimisation), {})[result.operation] = (
                result.cycles_median
            )

    def least(*operations: str) -> int | None:
        return _least(
            [
                sum(found[one] for one in operations)
                for found in builds.values()
                if all(one in found for one in operations)
            ]
        )

    return (
        least("set-key", "encrypt"),
        least("set-decrypt-key", "decrypt"),
        least("set-key", "encrypt", "set-decrypt-key", "decrypt"),
    )


def _first_reason(results: Sequence[Result], *statuses: Status) -> str | None:
    return next((result.reason for result in results if result.status in statuses), None)


def _sram(results: Sequence[Result]) -> int | None:
    """The larger of both directions, at the build where that is least. Unknown where one direction is unknown."""
    builds: dict[tuple[str, str, str], list[int | None]] = {}
    for result in results:
        if result.operation in ("encrypt", "decrypt"):
            builds.setdefault((result.implementation, result.compiler, result.optimisation), []).append(
                result.ram_bytes
            )
    whole = [[value for value in found if value is not None] for found in builds.values() if None not in found]
    return _least([max(found) for found in whole if found])


def _measured_row(laboratory: Laboratory, candidate: str, every: Sequence[Result]) -> tuple[str, ...]:
    results = [result for result in every if result.key_bits == _KEY_BITS]
    right = [result for result in results if result.status is Status.OK]
    entry = laboratory.candidates.get(candidate)
    name = f"{entry.title} {entry.version}" if entry else candidate
    ok_bits = sorted({result.key_bits for result in every if result.status is Status.OK})
    keys = " ".join(str(bits) for bits in ok_bits) or _NONE
    # The operation that every library offers: a missing decryption is not a reason for not fitting.
    encrypting = [] if right else [result for result in results if result.operation == "encrypt"]
    not_here = _first_reason(encrypting, Status.NOT_OFFERED, Status.DOES_NOT_BUILD, Status.DOES_NOT_FIT)
    wrong = _first_reason(encrypting, Status.NOT_CONFORMANT, Status.FAILED)
    tested = next((result for result in right if result.conformance_total), None)
    vectors = (
        f"yes ({tested.conformance_passed} of {tested.conformance_total} vectors)"
        if tested
        else f"no: {wrong}"
        if wrong
        else _NONE
    )
    iv = next((result.sp800_38a for result in right if result.sp800_38a), None)
    flash = [[result.flash_bytes for result in right if result.operation == one] for one in ("encrypt", "decrypt")]
    return (
        name,
        MEASURED_HERE,
        f"{keys}, {entry.licence}" if entry else keys,
        f"no: {not_here}" if not_here else "yes" if right or wrong else _NONE,
        vectors,
        "yes" if iv == SP800_38A_PASSES else iv or _NONE,
        _figures([*(_least(values) for values in flash), _least([result.flash_both_bytes for result in right])]),
        _figures([_sram(right)]),
        _figures(_cycles(right)),
    )


def sections(evidence: Evidence) -> tuple[ExtraSection, ...]:
    """One table. None where nothing was measured on the study's device."""
    experiment = evidence.experiment
    (target,) = experiment.targets
    here: dict[str, list[Result]] = {}
    for result in evidence.results:
        if result.target == target and result.algorithm == "aes":
            here.setdefault(result.candidate, []).append(result)
    if not here:
        return ()
    measured = sorted(
        (_measured_row(evidence.laboratory, candidate, found) for candidate, found in here.items()),
        key=lambda row: row[0].lower(),
    )
    return (
        ExtraSection(
            title=f"The survey: {PUBLISHED}, and {MEASURED_HERE}",
            paragraphs=_PARAGRAPHS,
            columns=_COLUMNS,
            rows=(*_published_rows(experiment), *measured),
        ),
    )
