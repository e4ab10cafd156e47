"""What is concluded follows from the results, whichever way they point."""

from __future__ import annotations

import dataclasses

import pytest

from bancada.measure.laboratory import open_laboratory
from bancada.model.finding import Verdict
from bancada.model.result import Result
from bancada.model.status import Status
from bancada.studies.found import study_of
from bancada.studies.study import Evidence
from bancada.studies.within_bands import findings_of
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


@pytest.mark.parametrize(
    ("rsa_us", "verdict"), [(150.0, Verdict.HOLDS), (900.0, Verdict.HOLDS_IN_PART), (20.0, Verdict.DOES_NOT_HOLD)]
)
def test_rsa_and_ecdsa_are_compared_as_sender_and_receiver_together(rsa_us: float, verdict: Verdict) -> None:
    """ECDSA takes 40 and 60 µs."""
    rsa, ecdsa = "message-sha3-256+rsa-pkcs1", "message-sha3-256+ecdsa-secp256k1"
    results = [
        _message("xu3-big@600MHz", rsa, "send", rsa_us, rsa_us),
        _message("xu3-big@600MHz", rsa, "receive", 50, 50),
        _message("xu3-big@600MHz", ecdsa, "send", 40, 40),
        _message("xu3-big@600MHz", ecdsa, "receive", 60, 60),
    ]
    found = next(one for one in findings_of(STUDY, _evidence(results)) if "2.5 times" in one.claim)
    assert found.verdict is verdict
    assert f"{(rsa_us + 50) / 100:.2f}" in found.ours
