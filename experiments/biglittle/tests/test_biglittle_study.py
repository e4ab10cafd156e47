"""What is concluded follows from the results, whichever way they point."""

from __future__ import annotations

import csv
import dataclasses
from pathlib import Path

import pytest

from bancada.measure.laboratory import open_laboratory
from bancada.model.finding import Finding, Verdict
from bancada.model.result import Result
from bancada.model.status import Status
from bancada.studies.found import study_of
from bancada.studies.study import Evidence
from bancada.studies.within_bands import findings_of, findings_within_bands
from tests.example_results import result as example

pytestmark = pytest.mark.quick

LABORATORY = open_laboratory()
EXPERIMENT = LABORATORY.experiments["biglittle"]
STUDY = study_of(EXPERIMENT)


def _evidence(results: list[Result]) -> Evidence:
    return Evidence(LABORATORY, EXPERIMENT, results, ())


def test_without_results_nothing_is_concluded() -> None:
    evidence = _evidence([])
    assert {found.verdict for found in findings_of(STUDY, evidence)} == {Verdict.NOT_MEASURED}
    assert STUDY.sections(evidence) == ()


def test_the_printed_voltage_is_beside_the_right_one_where_it_was_measured() -> None:
    def at(target: str, energy_uj: float) -> Result:
        return dataclasses.replace(
            example(),
            target=target,
            candidate="wolfssl",
            primitive="message",
            algorithm="message-sha-256",
            operation="send",
            optimisation="-O0",
            size_bytes=21,
            status=Status.OK,
            time_us=10.0,
            energy_uj=energy_uj,
        )

    def why(results: list[Result]) -> str:
        return next(found for found in findings_of(STUDY, _evidence(results)) if "higher clock" in found.claim).why

    both = [at("xu3-little@1000MHz", 10.0), at("xu3-little@1000MHz-1.89V", 27.5), at("xu3-little@600MHz", 8.0)]
    both += [dataclasses.replace(result, operation="receive") for result in both]
    assert "2.75 to 2.75 times the energy" in why(both)
    assert "1.8900" not in why([result for result in both if "1.89V" not in result.target])


def _message(target: str, algorithm: str, operation: str, time_us: float, energy_uj: float) -> Result:
    return dataclasses.replace(
        example(),
        target=target,
        candidate="wolfssl",
        primitive="message",
        implementation=f"wolfssl/{algorithm}",
        algorithm=algorithm,
        optimisation="-O0",
        operation=operation,
        size_bytes=21,
        time_us=time_us,
        energy_uj=energy_uj,
        status=Status.OK,
        fidelity_band_percent=10.0,
    )


def _finding(results: list[Result], claim: str, *, drawn: bool = False) -> Finding:
    judged = findings_within_bands if drawn else findings_of
    return next(one for one in judged(STUDY, _evidence(results)) if claim in one.claim)


_RSA, _ECDSA = "message-sha3-256+rsa-pkcs1", "message-sha3-256+ecdsa-secp256k1"


def _signed(target: str, time_us: float, energy_uj: float, rsa: float = 2.5) -> list[Result]:
    """Both signatures on a core; RSA takes `rsa` times as long as ECDSA, sender and receiver alike."""
    return [
        _message(target, algorithm, operation, time_us * times, energy_uj * times)
        for algorithm, times in ((_RSA, rsa), (_ECDSA, 1.0))
        for operation in ("send", "receive")
    ]


@pytest.mark.parametrize(
    ("rsa_us", "verdict"), [(200.0, Verdict.HOLDS), (900.0, Verdict.HOLDS_IN_PART), (20.0, Verdict.DOES_NOT_HOLD)]
)
def test_rsa_and_ecdsa_are_compared_as_sender_and_receiver_together(rsa_us: float, verdict: Verdict) -> None:
    """ECDSA takes 40 and 60 µs. Published: 2.5 times; 20 % of it are 2.0 to 3.0."""
    results = [
        _message("xu3-big@600MHz", _RSA, "send", rsa_us, rsa_us),
        _message("xu3-big@600MHz", _RSA, "receive", 50, 50),
        _message("xu3-big@600MHz", _ECDSA, "send", 40, 40),
        _message("xu3-big@600MHz", _ECDSA, "receive", 60, 60),
    ]
    found = _finding(results, "2.5 times")
    assert found.verdict is verdict
    assert f"{(rsa_us + 50) / 100:.2f}" in found.ours


@pytest.mark.parametrize(
    ("time", "energy", "verdict"),
    [
        (0.7, 3.0, Verdict.HOLDS),
        (0.8, 2.5, Verdict.HOLDS),
        (0.35, 3.0, Verdict.HOLDS_IN_PART),
        (0.7, 2.1, Verdict.HOLDS_IN_PART),
        (1.1, 3.0, Verdict.DOES_NOT_HOLD),
    ],
)
def test_an_a15_is_as_much_faster_as_was_published_or_the_claim_is_a_part(
    time: float, energy: float, verdict: Verdict
) -> None:
    results = [*_signed("xu3-little@600MHz", 100, 100), *_signed("xu3-big@600MHz", 100 * time, 100 * energy)]
    assert _finding(results, "30 % faster").verdict is verdict


def _hashes(little: tuple[float, float], big: tuple[float, float]) -> list[Result]:
    return [
        _message(target, f"message-{name}", operation, time_us, energy_uj)
        for target, (time_us, energy_uj) in (
            ("xu3-little@200MHz", little),
            ("xu3-little@600MHz", little),
            ("xu3-big@600MHz", big),
        )
        for name in ("sha-256", "sha3-256")
        for operation in ("send", "receive")
    ]


def test_calls_are_not_compared_with_whole_processes_however_near_they_are() -> None:
    """Equal times and a tenth of the energy: as published, and still of something else."""
    found = _finding(_hashes((10, 1), (10, 10)), "Hashing takes about as long", drawn=True)
    assert (found.verdict, found.draws_alike) == (Verdict.NOT_COMPARABLE, None)
    for claim in ("SHA-256 and SHA3-256 are alike", "Of hashes, SHA3-256"):
        assert _finding(_hashes((10, 1), (10, 10)), claim).verdict is Verdict.NOT_COMPARABLE


@pytest.mark.parametrize(
    ("little_uj", "verdict"), [(30.0, Verdict.HOLDS_IN_PART), (50.0, Verdict.UNDECIDED), (99.0, Verdict.UNDECIDED)]
)
def test_energies_of_two_cores_have_errors_of_their_own(little_uj: float, verdict: Verdict) -> None:
    """Half the energy is published; within both bands (10 %) and both errors of the power model half is 0.4 to 0.6
    only in some draws, and 0.99 is below 1 only in some.
    """
    results = [*_signed("xu3-little@600MHz", 100, little_uj), *_signed("xu3-big@600MHz", 100, 100)]
    found = _finding(results, "half of the energy", drawn=True)
    if little_uj == 50.0:
        assert found.verdict in (Verdict.HOLDS, Verdict.UNDECIDED)
        assert {said for said, _ in found.drawn} <= {Verdict.HOLDS, Verdict.HOLDS_IN_PART}
    else:
        assert found.verdict is verdict
    assert len(found.varied) == 2


def test_from_how_many_receivers_rsa_wins() -> None:
    """RSA signs in 700 µs and verifies in 20, ECDSA in 100 and 120: 600 more, 100 less each; six are even, and from
    the first that is not more on it is RSA's."""
    results = [
        _message("xu3-little@600MHz", algorithm, operation, time_us, 1)
        for algorithm, operation, time_us in (
            (_RSA, "send", 700),
            (_RSA, "receive", 20),
            (_ECDSA, "send", 100),
            (_ECDSA, "receive", 120),
        )
    ]
    found = _finding(results, "many receivers")
    assert found.verdict is Verdict.ANSWERED and "from 6 receivers on" in found.ours


def test_the_best_balance_is_the_point_nearest_to_the_origin() -> None:
    def cores(at_1400: float, at_1000: float) -> list[Result]:
        slow = _signed("xu3-little@600MHz", 100, 50)
        return [
            *slow,
            *_signed("xu3-little@1000MHz", 60, at_1000),
            *_signed("xu3-little@1400MHz", 40, at_1400),
            *_signed("xu3-big@1400MHz", 30, 200),
        ]

    claim = "best balance, closely followed"
    assert _finding(cores(40, 45), claim).verdict is Verdict.HOLDS
    assert _finding(cores(190, 45), claim).verdict is Verdict.DOES_NOT_HOLD


def test_published_csv_is_what_was_printed() -> None:
    """transcription.csv was made from the original a second time."""
    folder = Path(__file__).parent
    with (folder.parent / "published.csv").open(newline="", encoding="utf-8") as file:
        published = {
            ",".join(row[name] for name in ("comparison", "condition", "metric")): float(row["value"])
            for row in csv.DictReader(file)
        }
    with (folder / "transcription.csv").open(newline="", encoding="utf-8") as file:
        figures = (row["figure"].rpartition("=") for row in csv.DictReader(file))
        printed = {figure: float(value) for figure, _, value in figures}
    assert published == printed
    assert len(published) == 33
