"""What is concluded follows from the results, whichever way they point."""

from __future__ import annotations

import dataclasses

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
EXPERIMENT = LABORATORY.experiments["beaglebone"]
STUDY = study_of(EXPERIMENT)


def _evidence(results: list[Result]) -> Evidence:
    return Evidence(LABORATORY, EXPERIMENT, results, ())


def _packet(
    implementation: str, level: str, operation: str, cycles_per_byte: float, kib: int = 128, bits: int = 128
) -> Result:
    """On the BeagleBone Black at 1 GHz; "plain/rc6" is candidate `plain`'s RC6."""
    candidate, algorithm = implementation.split("/")
    cycles = round(cycles_per_byte * kib * 1024)
    return dataclasses.replace(
        example(),
        target="bbb",
        candidate=candidate,
        implementation=implementation,
        algorithm=algorithm,
        optimisation=level,
        operation=operation,
        key_bits=bits,
        size_bytes=kib * 1024,
        cycles_median=cycles,
        time_us=cycles / 1000,
        status=Status.OK,
    )


def _of_beaglebone(results: list[Result], claim: str) -> Finding:
    return next(found for found in findings_of(STUDY, _evidence(results)) if claim in found.claim)


def test_rc6_is_explained_where_it_decrypts_faster_and_plain_code_that_does_not_is_said() -> None:
    fast = [_packet("tatu/rc6", "-O2", "encrypt", 27), _packet("tatu/rc6", "-O2", "decrypt", 25)]
    found = _of_beaglebone(fast, "RC6 decrypts faster")
    assert found.verdict is Verdict.ANSWERED and "ROR" in found.why and "Without optimisation" not in found.why
    plain = [_packet("plain/rc6", "-O0", "encrypt", 250), _packet("plain/rc6", "-O0", "decrypt", 255)]
    found = _of_beaglebone(plain, "RC6 decrypts faster")
    assert found.verdict is Verdict.DOES_NOT_HOLD and "ROR" not in found.why
    two = [_packet("tomcrypt/rc6", "-O2", "encrypt", 25), _packet("tomcrypt/rc6", "-O2", "decrypt", 22)]
    found = _of_beaglebone([*fast, *plain, *two], "RC6 decrypts faster")
    assert (
        found.verdict is Verdict.ANSWERED
        and "2 of 3 implementations" in found.ours
        and "Without optimisation" in found.why
    )


@pytest.mark.parametrize(("largest", "verdict"), [(10.0, Verdict.HOLDS), (20.0, Verdict.HOLDS_IN_PART)])
def test_a_bend_in_the_line_is_seen(largest: float, verdict: Verdict) -> None:
    packets = [_packet("tatu/aes", "-O2", "encrypt", 10, kib) for kib in (128, 256, 512)]
    found = _of_beaglebone([*packets, _packet("tatu/aes", "-O2", "encrypt", largest, 1024)], "linearly")
    assert found.verdict is verdict


@pytest.mark.parametrize(("longer", "verdict"), [(10.1, Verdict.HOLDS), (14.0, Verdict.HOLDS_IN_PART)])
def test_the_key_matters_where_more_rounds_cost_more(longer: float, verdict: Verdict) -> None:
    results = [
        _packet("tatu/aes", "-O2", "encrypt", 10),
        _packet("tatu/aes", "-O2", "encrypt", longer, bits=256),
        _packet("tatu/rc6", "-O2", "encrypt", 20),
        _packet("tatu/rc6", "-O2", "encrypt", 20, bits=256),
    ]
    assert _of_beaglebone(results, "key's size").verdict is verdict


def test_how_much_slower_a_plain_program_is_comes_from_the_results() -> None:
    results = [
        _packet("tatu/aes", "-O2", "encrypt", 40),
        _packet("tatu/rc6", "-O2", "encrypt", 30),
        _packet("plain/aes", "-O0", "encrypt", 6840),
        _packet("plain/rc6", "-O0", "encrypt", 250),
    ]
    assert "takes 171 times as long" in _of_beaglebone(results, "8 to 10 times").why
    assert "plain" not in _of_beaglebone(results[:2], "8 to 10 times").why


def test_without_results_nothing_is_concluded() -> None:
    evidence = _evidence([])
    assert {found.verdict for found in findings_of(STUDY, evidence)} == {Verdict.NOT_MEASURED}
    assert STUDY.sections(evidence) == ()


@pytest.mark.parametrize(
    ("cycles_per_byte", "band_percent", "fewest", "most"),
    [(300, 30.0, 100, 100), (23, 30.0, 10, 90), (23, 0.5, 100, 100)],
)
def test_a_verdict_says_whether_the_bands_of_the_models_could_turn_it(
    cycles_per_byte: int, band_percent: float, fewest: int, most: int
) -> None:
    """RC6 at 20 cycles a byte for encryption: 300 for decryption is slower whatever the band; 23 is within 30 %, not
    within half a percent.
    """
    results = [
        dataclasses.replace(_packet("tatu/rc6", "-O2", operation, cost), fidelity_band_percent=band_percent)
        for operation, cost in (("encrypt", 20), ("decrypt", cycles_per_byte))
    ]
    found = next(f for f in findings_within_bands(STUDY, _evidence(results)) if "RC6 decrypts faster" in f.claim)
    assert found.verdict is Verdict.DOES_NOT_HOLD
    assert found.draws_alike is not None and fewest <= found.draws_alike <= most
    others = [f for f in findings_within_bands(STUDY, _evidence(results)) if f.verdict is Verdict.NOT_MEASURED]
    assert others and all(f.draws_alike is None for f in others)


def test_sizes_of_one_program_move_together() -> None:
    """Or every line would bend."""
    results = [
        dataclasses.replace(_packet("tatu/rc6", "-O2", "encrypt", 20, kib), fidelity_band_percent=30.0)
        for kib in (128, 256, 512)
    ]
    found = next(f for f in findings_within_bands(STUDY, _evidence(results)) if "linearly" in f.claim)
    assert (found.verdict, found.draws_alike) == (Verdict.HOLDS, 100)


def test_exact_figures_are_not_moved() -> None:
    results = [
        dataclasses.replace(_packet("tatu/rc6", "-O2", operation, 20), fidelity_band_percent=None)
        for operation in ("encrypt", "decrypt")
    ]
    assert all(f.draws_alike is None for f in findings_within_bands(STUDY, _evidence(results)))
