"""What is concluded of the ciphers follows from results, whichever way they point."""

from __future__ import annotations

import dataclasses

import pytest

from bancada.model.finding import Finding, Verdict
from bancada.model.result import Result
from bancada.studies.study import Evidence
from bancada.studies.within_bands import findings_of
from experiments.sensor.tests.sensor_support import (
    EXPERIMENT,
    LABORATORY,
    STUDY,
    block,
    finding,
    findings_of_study,
    paper,
)


@pytest.mark.parametrize(
    ("slowest", "verdict"),
    [(3.38, Verdict.HOLDS), (3.34, Verdict.HOLDS), (3.32, Verdict.DOES_NOT_HOLD), (1.7, Verdict.DOES_NOT_HOLD)],
)
def test_throughput_is_the_same_within_two_percent(slowest: float, verdict: Verdict) -> None:
    """Of 3.40 packets a second without a cipher: 3.332 is the limit."""
    found = finding(
        "Throughput is the same", [], [paper("none", 3.40), paper("aes128", 3.39), paper("speck128-plain", slowest)]
    )
    assert found.verdict is verdict
    assert f"{slowest:.2f} to 3.40 packets/s over 2 ciphers" in found.ours
    assert "the slowest cipher takes 0.5 ms" in found.why  # 8,000 cycles at 16 MHz


def test_throughput_needs_a_run_without_a_cipher_to_be_compared_with() -> None:
    assert (
        finding("Throughput is the same", [], [paper("aes128", 3.4), paper("speck128", 3.4)]).verdict
        is Verdict.NOT_MEASURED
    )
    assert finding("Throughput is the same", [], [paper("none", 3.4)]).verdict is Verdict.NOT_MEASURED


@pytest.mark.parametrize(("cycles", "verdict"), [(80_000, Verdict.HOLDS), (160_000, Verdict.DOES_NOT_HOLD)])
def test_initialisation_is_far_longer_than_a_cipher_of_5_ms_and_not_of_10(cycles: int, verdict: Verdict) -> None:
    found = finding("far longer", [], [paper("none", 3.4, None), paper("aes128", 3.4, cycles)])
    assert found.verdict is verdict
    assert f"the slowest cipher takes {cycles / 16_000:.1f} ms" in found.ours


_STUDYS = "the study's own library, compiled as by the Arduino IDE (-Os)"
_OURS = "Tatu, which has assembly"


def _judged(claim: str, judged_for: str, results: list[Result], first: str = "arduinolibs") -> Finding:
    """With a library before ours in the experiment, as the study's own is."""
    experiment = EXPERIMENT.model_copy(update={"candidates": (first, "tatu")})
    (found,) = [
        one
        for one in findings_of(STUDY, Evidence(LABORATORY, experiment, results, ()))
        if claim in one.claim and one.judged_for == judged_for
    ]
    return found


def _each(
    times_us: dict[tuple[str, str, str, int], float],
) -> list[tuple[str, list[Result]]]:
    """The same blocks by the study's library and by ours, each with what it is judged for."""
    ours = [block(*case[:3], time_us, case[3]) for case, time_us in times_us.items()]
    studys = [dataclasses.replace(one, candidate="arduinolibs") for one in ours]
    return [(_STUDYS, studys), (_OURS, ours)]


@pytest.mark.parametrize(
    ("aes", "verdict"),
    [(350.0, Verdict.HOLDS), (335.0, Verdict.HOLDS), (320.0, Verdict.HOLDS_IN_PART), (89.0, Verdict.DOES_NOT_HOLD)],
)
def test_the_headline_is_judged_for_the_studys_library_and_for_ours(aes: float, verdict: Verdict) -> None:
    """Speck takes 100 µs. Published: 3.5 times; 5 % of it are 3.325 to 3.675. Energy has no tolerance: it is lost."""
    times = {("speck128", "plain", "encrypt", bits): 100.0 for bits in (128, 192, 256)}
    times |= {("aes", "plain", "encrypt", bits): aes for bits in (128, 192, 256)}
    for judged_for, results in _each(times):
        assert _judged("Speck is faster than AES", judged_for, results).verdict is verdict
        other = _STUDYS if judged_for == _OURS else _OURS
        assert _judged("Speck is faster than AES", other, results).verdict is Verdict.NOT_MEASURED
        energies = [dataclasses.replace(one, energy_uj=one.time_us) for one in results]
        energy = _judged("Speck needs less energy", judged_for, energies).verdict
        assert energy is (Verdict.HOLDS if aes > 100 else Verdict.DOES_NOT_HOLD)


def test_the_studys_library_is_judged_at_the_level_of_the_arduino_ide() -> None:
    """With -O3 its AES is faster; the study did not compile it so."""
    times = {("speck128", "plain", "encrypt", bits): 100.0 for bits in (128, 192, 256)}
    times |= {("aes", "plain", "encrypt", bits): 350.0 for bits in (128, 192, 256)}
    (_, studys), _ = _each(times)
    faster = [dataclasses.replace(one, optimisation="-O3", time_us=(one.time_us or 0) / 2) for one in studys]
    assert _judged("Speck is faster than AES", _STUDYS, [*studys, *faster]).verdict is Verdict.HOLDS


def test_without_the_studys_library_ours_does_not_stand_in_for_it() -> None:
    times = {(name, "plain", "encrypt", bits): 100.0 for name in ("aes", "speck128") for bits in (128, 192, 256)}
    (_, _), (_, ours) = _each(times)
    assert _judged("Speck is faster than AES", _STUDYS, ours, first="tatu").verdict is Verdict.NOT_MEASURED


@pytest.mark.parametrize(
    ("small", "tiny", "verdict"),
    [(300.0, 310.0, Verdict.HOLDS), (200.0, 310.0, Verdict.HOLDS_IN_PART), (120.0, 300.0, Verdict.DOES_NOT_HOLD)],
)
def test_speck_small_and_tiny_against_plain(small: float, tiny: float, verdict: Verdict) -> None:
    times = {
        ("speck128", name, "encrypt", 128): time for name, time in (("plain", 100.0), ("small", small), ("tiny", tiny))
    }
    for judged_for, results in _each(times):
        found = _judged("three times", judged_for, results)
        assert found.verdict is verdict
        assert f"Small takes {small / 100:.2f} times as long, Tiny {tiny / 100:.2f}" in found.ours
        assert _judged("three times", judged_for, results[:2]).verdict is Verdict.NOT_MEASURED


@pytest.mark.parametrize(
    ("longest", "verdict"),
    [(106.0, Verdict.HOLDS), (109.0, Verdict.HOLDS_IN_PART), (112.0, Verdict.DOES_NOT_HOLD)],
)
def test_a_longer_key_costs_speck_little_below_a_tenth(longest: float, verdict: Verdict) -> None:
    times = {
        ("speck128", "plain", "encrypt", bits): time for bits, time in ((128, 100.0), (192, 103.0), (256, longest))
    }
    for judged_for, results in _each(times):
        found = _judged("longer key costs Speck", judged_for, results)
        assert found.verdict is verdict
        assert found.ours == f"+3.0 µs, +{longest - 100:.1f} µs on 100.0 µs"


@pytest.mark.parametrize(
    ("longest", "verdict"),
    [(141.0, Verdict.HOLDS), (125.0, Verdict.HOLDS_IN_PART), (100.0, Verdict.DOES_NOT_HOLD)],
)
def test_a_longer_key_costs_aes_its_rounds(longest: float, verdict: Verdict) -> None:
    times = {("aes", "plain", "encrypt", bits): time for bits, time in ((128, 100.0), (192, 121.0), (256, longest))}
    for judged_for, results in _each(times):
        assert _judged("longer key costs AES", judged_for, results).verdict is verdict


@pytest.mark.parametrize(("back", "verdict"), [(130.0, Verdict.HOLDS), (90.0, Verdict.HOLDS_IN_PART)])
def test_aes_decrypts_slower_or_not(back: float, verdict: Verdict) -> None:
    times = {
        ("aes", variant, operation, 128): time_us * (back / 100 if operation == "decrypt" else 1)
        for variant, time_us in (("plain", 100.0), ("small", 150.0), ("tiny", 200.0))
        for operation in ("encrypt", "decrypt")
    }
    for judged_for, results in _each(times):
        found = _judged("AES decrypts slower", judged_for, results)
        assert found.verdict is verdict
        assert f"{back / 100:.2f} times as long; Small 1.50, Tiny 2.00" in found.ours


@pytest.mark.parametrize(
    ("aes", "verdict"),
    [(350.0, Verdict.HOLDS), (100.5, Verdict.HOLDS_IN_PART)],
)
def test_the_order_of_energy_in_both_directions(aes: float, verdict: Verdict) -> None:
    """Speck takes 100, 101 and 102 µJ. AES with 128 bits comes behind all of them, or behind the first alone."""
    energies = {("speck128", "plain", bits): 100.0 + step for step, bits in enumerate((128, 192, 256))}
    energies |= {("aes", "plain", bits): aes + 50.0 * step for step, bits in enumerate((128, 192, 256))}
    energies |= {("speck128", "tiny", 128): 300.0}
    ours = [
        dataclasses.replace(block(name, variant, way, energy, bits), energy_uj=energy)
        for (name, variant, bits), energy in energies.items()
        for way in ("encrypt", "decrypt")
    ]
    for judged_for, results in [
        (_STUDYS, [dataclasses.replace(one, candidate="arduinolibs") for one in ours]),
        (_OURS, ours),
    ]:
        found = _judged("needs the least energy", judged_for, results)
        assert found.verdict is verdict
        assert "least of AES: AES 128" in found.ours and "Tiny" not in found.ours


def test_the_energy_of_a_block_by_the_studys_current_and_by_the_data_sheet() -> None:
    """By hand: 100 µs at 12 V and 14 µA are 16.8 nJ or 4.7 pWh; 4.75 µJ are 1,319 pWh."""
    result = dataclasses.replace(block("speck128", "plain", "encrypt", 100.0), energy_uj=4.75)
    said = {one.judged_for: one for one in findings_of_study([result], []) if "picowatt-hours" in one.claim}
    studys, sheet = said["Tatu, by the study's 12 V and 14 µA"], said["Tatu, by the data sheet's 5 V and 9.5 mA"]
    assert (studys.verdict, studys.ours) == (Verdict.HOLDS, "4.7 pWh for Speck-128")
    assert (sheet.verdict, sheet.ours) == (Verdict.DOES_NOT_HOLD, "1,319 pWh for Speck-128")
