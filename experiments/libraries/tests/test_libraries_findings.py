"""The study's findings: each verdict from made-up results, and none where the study's libraries were not built."""

from __future__ import annotations

import csv
from collections.abc import Callable, Sequence
from dataclasses import replace

import pytest

from bancada.catalogue.paths import data_root
from bancada.measure.laboratory import open_laboratory
from bancada.model.finding import Finding, Observation, Verdict
from bancada.model.result import Result
from bancada.model.status import Fidelity, Status
from bancada.studies.study import Evidence
from experiments.libraries.study import STUDY
from tests.example_results import result as make_result

pytestmark = pytest.mark.quick

FOLDER = data_root() / "experiments" / "libraries"


def _library(candidate: str, encrypt: int, decrypt: int, **changes: object) -> list[Result]:
    name = f"{candidate}/aes128"
    shared = {"candidate": candidate, "implementation": name, "variant": "one-call", **changes}
    return [
        make_result(cycles, case=f"{name}/{operation}", operation=operation, **shared)
        for operation, cycles in (("set-key", 9), ("encrypt", encrypt), ("set-decrypt-key", 9), ("decrypt", decrypt))
    ]


def _too_big(candidate: str, more: int) -> list[Result]:
    reason = f"a program that calls only encrypt needs {more} B more RAM than the 2048 B there are (biggest: x 1 B)"
    return _library(candidate, 0, 0, status=Status.DOES_NOT_FIT, reason=reason)


_SMALL = {"flash_bytes": 1000, "flash_both_bytes": 1780}
_SMALLER = {"flash_bytes": 500, "flash_both_bytes": 900}


def _as_published() -> list[Result]:
    """Results with which every claim of the study holds that can."""
    found = _library("aeslib", 4567, 5192, ram_static_bytes=0, ram_context_bytes=16, stack_bytes=90)
    others = ("cryptoaes", "edogaldo", "arduinolibs", "microaes", "securino")
    for at, name in enumerate(others):
        large = {"flash_bytes": 3000, "flash_both_bytes": 4000, "ram_context_bytes": 200, "stack_bytes": 99}
        found += _library(name, 9000 + at, 9900 + at, **large)
    small = _library("aes128bit", 900_000, 990_000, ram_context_bytes=192, **_SMALL)
    found += [replace(one, flash_bytes=1170) if one.operation == "decrypt" else one for one in small]
    for name in ("spaniakos", "arduinoaes256"):
        found += _library(name, 1, 1, status=Status.NOT_CONFORMANT, reason="a vector")
    return (
        found
        + _too_big("vukelich", 2706 - 2048)
        + _too_big("ptolemy", 5365 - 2048)
        + _library("tatu", 2000, 2500, **_SMALLER)
    )


def _iv(name: str, **figures: object) -> Observation:
    shared = {"messages": 8, "distinct_commands": 2, "flash_bytes": 2000, "ram_static_bytes": 260}
    shared |= {"seal_cycles": 3000, "seal_stack_bytes": 50, "iv_cycles": 100}
    return Observation("iv", name, Fidelity.EXACT, {}, {**shared, **figures}, "2026-11-23")


_OBSERVED = (
    _iv("none", distinct_packets=2),
    _iv("fixed", distinct_packets=2),
    _iv("fresh", distinct_packets=8, flash_bytes=4500, iv_cycles=8000, seed_s=16.0),
    Observation("seeded-iv", "analogRead", Fidelity.EXACT, {}, {"seeds": 1023, "distinct_ivs": 1023}, "2026-11-23"),
)


def _judged(results: Sequence[Result], observations: Sequence[Observation] = _OBSERVED) -> dict[str, Finding]:
    laboratory = open_laboratory()
    evidence = STUDY.prepare(Evidence(laboratory, laboratory.experiments["libraries"], results, observations))
    judged = {}
    for claim in STUDY.claims:
        name = claim.figures.__name__
        judged[f"{name} of all" if name in judged else name] = claim.judged(evidence)
    return judged


def test_what_was_published_holds() -> None:
    found = {name: one.verdict for name, one in _judged(_as_published()).items()}
    assert found == {
        "embedding": Verdict.HOLDS,
        "conformance": Verdict.HOLDS,
        "fastest": Verdict.HOLDS,
        "fastest of all": Verdict.DOES_NOT_HOLD,
        "smallest": Verdict.HOLDS,
        "smallest of all": Verdict.DOES_NOT_HOLD,
        "least_ram": Verdict.HOLDS,
        "fresh_iv_of_libraries": Verdict.DOES_NOT_HOLD,
        "equal_commands": Verdict.HOLDS,
        "fresh_iv_costs": Verdict.ANSWERED,
        "securino": Verdict.ANSWERED,
        "leaks": Verdict.ANSWERED,
    }


def test_without_the_study_s_libraries_only_the_programs_are_judged() -> None:
    """As make report leaves it: nothing was fetched, or one library could not be."""
    registries = _judged(_library("tatu", 2000, 2500, variant="plain"))
    missing = [one for one in _as_published() if one.candidate != "microaes"]
    reason = "cannot be fetched: x"
    missing += _library("microaes", 0, 0, status=Status.FAILED, reason=reason, flags="")
    for judged in (registries, _judged(missing)):
        measured = {name for name, one in judged.items() if one.verdict is not Verdict.NOT_MEASURED}
        assert measured == {"equal_commands", "fresh_iv_costs"}
        assert "--from-git" in judged["embedding"].why


def _changed(candidate: str, change: Callable[[Result], Result]) -> list[Result]:
    return [change(one) if one.candidate == candidate else one for one in _as_published()]


def _slower(one: Result) -> Result:
    return replace(one, cycles_median=(one.cycles_median or 0) * 2)


@pytest.mark.parametrize(
    ("finding", "results", "verdict"),
    [
        (
            "embedding",
            _changed("ptolemy", lambda one: replace(one, reason=(one.reason or "").replace("3317", "2000"))),
            1,
        ),
        ("embedding", _changed("ptolemy", lambda one: replace(one, status=Status.OK)), 2),
        ("conformance", _changed("spaniakos", lambda one: replace(one, status=Status.OK)), 2),
        (
            "fastest",
            _changed("aeslib", lambda one: replace(one, cycles_median=round((one.cycles_median or 0) * 1.05))),
            1,
        ),
        ("fastest", _changed("aeslib", _slower), 2),
        ("smallest", _changed("aes128bit", lambda one: replace(one, flash_bytes=1500)), 1),
        ("least_ram", _changed("aeslib", lambda one: replace(one, stack_bytes=400)), 1),
        ("least_ram", _changed("aeslib", lambda one: replace(one, ram_context_bytes=400)), 2),
    ],
    ids=["share", "fits", "right", "off", "slower", "larger", "deeper", "wider"],
)
def test_what_is_otherwise_does_not_hold(finding: str, results: list[Result], verdict: int) -> None:
    judged = _judged(results)[finding]
    assert judged.verdict is (Verdict.HOLDS, Verdict.HOLDS_IN_PART, Verdict.DOES_NOT_HOLD)[verdict]


def test_a_library_that_makes_a_fresh_iv_is_counted() -> None:
    made = "library makes a fresh IV"
    results = _changed("securino", lambda one: replace(one, sp800_38a=made))
    assert _judged(results)["fresh_iv_of_libraries"].verdict is Verdict.HOLDS


def test_a_fixed_iv_that_hides_commands_would_be_told() -> None:
    observed = (_OBSERVED[0], _iv("fixed", distinct_packets=8), *_OBSERVED[2:])
    assert _judged(_as_published(), observed)["equal_commands"].verdict is Verdict.DOES_NOT_HOLD


def test_what_a_fresh_iv_costs_is_the_difference_of_two_programs() -> None:
    said = _judged(_as_published())["fresh_iv_costs"].ours
    assert "8,000 cycles (500 µs) a message, 2,500 B of flash" in said
    assert "16.0 s once after reset" in said


def test_the_spread_of_cycles_is_told_by_library() -> None:
    spread = _changed("securino", lambda one: replace(one, cycles_min=100, cycles_max=150))
    assert _judged(spread)["leaks"].ours == "1 of 11: nilsonmori/securino by 50 %"


def test_every_library_of_the_study_is_a_candidate_of_the_experiment() -> None:
    laboratory = open_laboratory()
    with (FOLDER / "survey.csv").open(newline="", encoding="utf-8") as file:
        rows = list(csv.DictReader(file))
    assert len(rows) == 11
    listed = laboratory.experiments["libraries"].candidates
    for row in rows:
        candidate = laboratory.candidates[row["candidate"]]
        assert row["candidate"] in listed
        assert candidate.source is not None
        assert candidate.source.model_dump()["address"] == f"https://github.com/{row['library']}"
