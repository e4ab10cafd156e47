"""What the report of the study `sensor` concludes follows from results and observations, whichever way they point."""

from __future__ import annotations

import csv
import dataclasses
import shutil
from pathlib import Path
from typing import Any

import pytest
from sensorlink.binaries import GATEWAY, SERVER, binary

from bancada.answers.report.input import ExtraSection
from bancada.measure.laboratory import open_laboratory
from bancada.model.finding import Finding, Observation, Verdict
from bancada.model.result import Result
from bancada.model.status import Fidelity, Status
from bancada.store.store import Store
from bancada.studies.found import study_of
from bancada.studies.study import Evidence
from bancada.studies.within_bands import findings_of, findings_within_bands
from experiments.sensor import observe, throughput
from tests.example_results import result as example

LABORATORY = open_laboratory()
EXPERIMENT = LABORATORY.experiments["sensor"]
STUDY = study_of(EXPERIMENT)


def _findings(results: list[Result], observations: list[Observation]) -> tuple[Finding, ...]:
    return findings_of(STUDY, Evidence(LABORATORY, EXPERIMENT, results, observations))


def _sections(observations: list[Observation]) -> tuple[ExtraSection, ...]:
    return STUDY.sections(Evidence(LABORATORY, EXPERIMENT, [], observations))


def _observation(kind: str, name: str, figures: dict[str, Any], **parameters: Any) -> Observation:
    fidelity = Fidelity.MEASURED if kind == "throughput" else Fidelity.EXACT
    return Observation(kind, name, fidelity, parameters, figures, "2026-11-21T07:00:00+00:00")


def _paper(name: str, packets_per_s: float, cycles: int | None = 8000) -> Observation:
    """A cipher on both devices, which are ready after 100 and 90 ms; with a cipher programs have 1,000 and 500 bytes
    more.
    """
    more = 0 if name == "none" else 1
    return _observation(
        "paper",
        name,
        {
            "packets_per_s": packets_per_s,
            "packets_per_s_in_theory": 3.5,
            "packet_ms": 1000 / packets_per_s,
            "line_ms": 19.8,
            "air_ms": {"2400": 246.8, "1200": 493.6},
            "delivered_part": 1.0,
            "sensor_ready_ms": 100.0,
            "gateway_ready_ms": 90.0,
            "encrypt_cycles": cycles,
            "decrypt_cycles": cycles,
            "sensor_set_key_cycles": cycles,
            "gateway_set_key_cycles": cycles,
            "sensor_flash_bytes": 10_000 + 1000 * more,
            "sensor_ram_static_bytes": 500,
            "gateway_flash_bytes": 8000 + 500 * more,
            "gateway_ram_static_bytes": 400,
        },
    )


def _duty() -> Observation:
    shares = {"awake": 0.1, "idle": 0.2, "power-down": 0.7}
    figures = {
        "shares": shares,
        "gateway_shares": {"awake": 0.02, "idle": 0.98},
        "transmitting_share": 0.5,
        "seal_share": 0.01,
        "seal_cycles": 32_000,
        "packets": 60,
        "time_on_air_ms": 360.0,
    }
    return _observation("duty", "sealed", figures, period_s=5)


def _delivery(
    schedule: str, sensors: int, part: float, in_theory: float | None, parts: tuple[float, ...] = ()
) -> Observation:
    figures = {
        "delivered_parts": list(parts or (part, part)),
        "gateway_awake_part": 0.02,
        "latency_median_ms": 45.0,
        "latency_most_ms": 60.0,
        "sensors": sensors,
        "sent": 1000,
        "delivered": round(1000 * part),
        "delivered_part": part,
        "delivered_part_in_theory": in_theory,
        "packets_per_s": 1.0,
        "firmware_sensors": min(2, sensors),
    }
    return _observation("delivery", f"{schedule} {sensors}", figures, schedule=schedule)


def _throughput(lost: int = 0) -> Observation:
    """The outbox has everything after 3 s, the database after 12 s."""
    figures = {
        "frames": 60_000,
        "outbox_s": 3.0,
        "database_s": 12.0,
        "outbox_s_least_and_most": [2.0, 3.5],
        "database_s_least_and_most": [11.0, 12.5],
        "gateway_frames_per_s": 20_000.0,
        "server_frames_per_s": 5000.0,
        "gateway_cpu_s": 0.6,
        "server_cpu_s": 2.4,
        "broker_cpu_s": 0.1,
        "lost": lost,
        "refused": 0,
    }
    return _observation(
        "throughput",
        throughput.NAME,
        figures,
        sensors=1000,
        frames=60_000,
        runs=3,
        database="SQLite",
        processor="Example CPU 9000",
        load_average_before=0.5,
    )


def _block(algorithm: str, variant: str, operation: str, time_us: float, bits: int = 128) -> Result:
    return dataclasses.replace(
        example(),
        algorithm=algorithm,
        variant=variant,
        operation=operation,
        key_bits=bits,
        time_us=time_us,
        status=Status.OK,
    )


def _finding(claim: str, results: list[Result], observations: list[Observation]) -> Finding:
    return next(found for found in _findings(results, observations) if claim in found.claim)


@pytest.mark.parametrize(
    ("slowest", "verdict"),
    [(3.38, Verdict.HOLDS), (3.34, Verdict.HOLDS), (3.32, Verdict.DOES_NOT_HOLD), (1.7, Verdict.DOES_NOT_HOLD)],
)
def test_throughput_is_the_same_within_two_percent(slowest: float, verdict: Verdict) -> None:
    """Of 3.40 packets a second without a cipher: 3.332 is the limit."""
    found = _finding(
        "Throughput is the same", [], [_paper("none", 3.40), _paper("aes128", 3.39), _paper("speck128-plain", slowest)]
    )
    assert found.verdict is verdict
    assert f"{slowest:.2f} to 3.40 packets/s over 2 ciphers" in found.ours
    assert "the slowest cipher takes 0.5 ms" in found.why  # 8,000 cycles at 16 MHz


def test_throughput_needs_a_run_without_a_cipher_to_be_compared_with() -> None:
    assert (
        _finding("Throughput is the same", [], [_paper("aes128", 3.4), _paper("speck128", 3.4)]).verdict
        is Verdict.NOT_MEASURED
    )
    assert _finding("Throughput is the same", [], [_paper("none", 3.4)]).verdict is Verdict.NOT_MEASURED


@pytest.mark.parametrize(("cycles", "verdict"), [(80_000, Verdict.HOLDS), (160_000, Verdict.DOES_NOT_HOLD)])
def test_initialisation_is_far_longer_than_a_cipher_of_5_ms_and_not_of_10(cycles: int, verdict: Verdict) -> None:
    found = _finding("far longer", [], [_paper("none", 3.4, None), _paper("aes128", 3.4, cycles)])
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
    ours = [_block(*case[:3], time_us, case[3]) for case, time_us in times_us.items()]
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


def _programs(**least: int) -> list[Observation]:
    """Whole programs of six ciphers; `least` has those with another size than 1,000 bytes, '-' written '_'."""
    names = ("aes128", "aes128-small", "aes128-tiny", "speck128-128", "speck128-128-small", "speck128-128-tiny")
    found = []
    for name in names:
        size = least.get(name.replace("-", "_"), 1000)
        paper = _paper(name, 3.4)
        sizes = {key: size for key in paper.figures if key.endswith("_bytes")}
        found.append(dataclasses.replace(paper, figures={**paper.figures, **sizes}))
    return [_paper("none", 3.4, None), *found]


@pytest.mark.parametrize(
    ("least", "sending", "receiving"),
    [
        ({"speck128_128_tiny": 900}, Verdict.HOLDS, Verdict.HOLDS),
        ({"speck128_128_small": 900}, Verdict.HOLDS_IN_PART, Verdict.HOLDS_IN_PART),
        ({"aes128_small": 900}, Verdict.DOES_NOT_HOLD, Verdict.DOES_NOT_HOLD),
    ],
)
def test_table_1_is_judged_by_whole_programs(least: dict[str, int], sending: Verdict, receiving: Verdict) -> None:
    """Speck's Tiny does not decrypt in the study: on the receiver the others tie, plain Speck among them."""
    assert _finding("Sending: Speck Tiny 128 needs least flash", [], _programs(**least)).verdict is sending
    assert _finding("Receiving: Speck 128, 192 and 256", [], _programs(**least)).verdict is receiving
    table = {part.title: part for part in _sections(_programs(**least))}["Table 1: the best algorithm by metric"]
    assert table.rows[0] == (
        "sending",
        "published",
        "Speck 128",
        "Speck 128",
        "Speck Tiny 128",
        "Speck Tiny 128",
        "tie",
    )
    assert "Tiny" not in table.rows[3][5]


def test_a_tie_of_both_families_is_a_part_of_speck_needs_least() -> None:
    tie = _programs(speck128_128_tiny=900, aes128_tiny=900)
    assert _finding("Sending: Speck Tiny 128 needs least SRAM", [], tie).verdict is Verdict.HOLDS_IN_PART


def test_packets_a_second_rest_on_what_is_assumed_of_the_radio() -> None:
    """By hand: 294.1 ms are 19.8 (line), 246.8 (air), 20 (wait) and 7.5. At 1.2 kbit/s 540.9 ms, 1.85/s; without the
    wait 274.1 ms, 3.65/s; AUX at the beginning leaves the air alone, 4.05/s.
    """
    papers = [_paper("none", 3.4, None), _paper("aes128", 3.39)]
    found = {one.claim: one for one in findings_within_bands(STUDY, Evidence(LABORATORY, EXPERIMENT, [], papers))}
    rate = found["A sensor sends 3.4 packets/s"]
    assert (rate.verdict, rate.unmoved) == (Verdict.UNDECIDED, Verdict.HOLDS)
    assert len(rate.made_by) == 3 and len(rate.varied) == 3
    assert found["Throughput is the same whatever the cipher"].draws_alike == 100
    assert found["A transmission takes 0.480 s"].made_by == ("air rate 1200 bit/s gives holds",)
    rows = {row[0]: row for row in {part.title: part for part in _sections(papers)}["What 3.4 packets/s rests on"].rows}
    assert rows["as assumed"][1:3] == ("294.1", "3.40")
    assert rows["air rate 1200 bit/s"][1:3] == ("540.9", "1.85")
    assert rows["wait of the radio's driver behind each packet 0 ms"][1:3] == ("274.1", "3.65")
    (aux,) = [row for name, row in rows.items() if "AUX" in name]
    assert aux[1:3] == ("246.8", "4.05")


def test_battery_life_both_ways() -> None:
    """By hand. Duty: 0.1 x 9.5 + 0.2 x 2.4 + 0.7 x 0.0042 + 0.5 x 110 + 0.5 x 0.004 + 0.17 = 56.605 mA, so 225 mAh
    last 3.97 h. Receiver: 0.02 x 9.5 + 0.98 x 2.4 + 13.5 + 0.17 = 16.212 mA, 13.9 h. The study: 675 mWh / 12 V x (14 µA
    x 0.48 s + 6 µA x 10 s) / 10.48 s = 8,835 h; 0.675 Wh / 72 µW are 9,375 h, in 578e6 x 8,766 events 6.66 µs each.
    """
    found = _finding("CR2032", [], [_duty()])
    assert found.verdict is Verdict.DOES_NOT_HOLD
    assert found.ours.startswith("4 hours (sender, 56.6 mA) and 14 hours (receiver, 16.2 mA")
    assert "1.0 years by the study's own currents" in found.ours and "6.66 and 4.90 µs" in found.why


def test_what_a_cipher_leaves_of_the_life_by_both_reckonings() -> None:
    """8,000 cycles are 500 µs: 6.66 of 500 µs are 1.33 %; correctly 500 µs every 5 s at 9.5 of 56.6 mA, 0.0017 %."""
    found = _finding("A cipher leaves", [], [_duty(), _paper("none", 3.4, None), _paper("aes128", 3.4)])
    assert found.verdict is Verdict.DOES_NOT_HOLD
    assert "99.9983 % is left" in found.ours and "1.33 % by the study's reckoning" in found.ours


def test_several_sensors_are_told_in_their_order() -> None:
    found = _finding(
        "several sensors",
        [],
        [_delivery("free", 8, 0.25, 0.3), _delivery("free", 2, 0.86, 0.86), _delivery("slots", 8, 1.0, None)],
    )
    assert found.verdict is Verdict.ANSWERED
    assert "clocks free: 2: 86 ± 0 %, 8: 25 ± 0 %; time slots: 8: 100 ± 0 %" in found.ours
    assert "awake 2.0 % of the time" in found.ours and "at most 60 ms" in found.ours


def test_delivery_is_a_sample_with_its_error() -> None:
    """Two runs with 0.2 and 0.3: mean 0.25, deviation 0.0707, error 1.96 x 0.0707 / 1.414 = 0.098."""
    observation = _delivery("free", 8, 0.25, 0.3, (0.2, 0.3))
    assert "8: 25 ± 10 %" in _finding("several sensors", [], [observation]).ours
    part = {part.title: part for part in _sections([observation])}["Several sensors"]
    assert part.rows[0][3] == "25.0 % ± 9.8" and "sample" in part.plots[0].caption
    (whiskers,) = [one for one in part.plots[0].series if one.band_percent]
    assert whiskers.band_percent == pytest.approx(39.2)


def test_without_results_nothing_is_concluded() -> None:
    assert {found.verdict for found in _findings([], [])} == {Verdict.NOT_MEASURED}
    assert _sections([]) == ()


def _parts() -> dict[str, ExtraSection]:
    observations = [
        _paper("none", 3.4, None),
        _paper("aes128", 3.39),
        _duty(),
        _delivery("free", 1, 1.0, 1.0),
        _delivery("free", 8, 0.3, 0.3),
        _delivery("jitter", 8, 0.3, 0.3),
        _throughput(),
    ]
    return {part.title: part for part in _sections(observations)}


def test_every_part_is_there_and_every_plot_says_how_its_figures_were_come_by() -> None:
    found = _parts()
    assert list(found) == [
        "Table 1: the best algorithm by metric",
        "Whole devices, as the study built them",
        "What 3.4 packets/s rests on",
        "Energy and battery life, two ways",
        "Battery life by algorithm",
        "Security margins, as the study cites them",
        "Several sensors",
        "Throughput of gateway and server",
    ]
    plots = [plot for part in found.values() for plot in part.plots]
    assert plots
    for plot in plots:
        assert any(fidelity in plot.caption.lower() for fidelity in Fidelity), plot.caption
    for part in found.values():
        assert all(len(row) == len(part.columns) for row in part.rows), part.title


def test_what_a_cipher_adds_is_beside_the_whole_program() -> None:
    rows = {row[0]: row for row in _parts()["Whole devices, as the study built them"].rows}
    assert rows["none"][3] == "10\u202f000" and rows["none"][1] == "–"
    assert (
        rows["aes-128"][1] == "500"
        and rows["aes-128"][3] == "11\u202f000 (+1000)"
        and rows["aes-128"][5] == "8\u202f500 (+500)"
    )


def test_throughput_of_gateway_and_server_is_beside_ten_thousand_sensors() -> None:
    """60,000 frames: 20,000/s in 3 s, 5,000/s in 12 s; ten thousand sensors make 2,000/s; 0.6 s are 10 µs, 2.4 s 40
    µs for each.
    """
    part = _parts()["Throughput of gateway and server"]
    assert [row[1:] for row in part.rows] == [
        ("3.00 (2.00 to 3.50)", "20\u202f000", "10.0", "0.60", "10.0"),
        ("12.00 (11.00 to 12.50)", "5\u202f000", "2.5", "2.40", "40.0"),
    ]
    said = part.paragraphs[0]
    assert (
        said.startswith("Measured on this machine (Example CPU 9000;")
        and "0 frames were lost" in said
        and "2\u202f000 frames/s" in said
    )
    assert "7 frames were lost" in _sections([_throughput(lost=7)])[0].paragraphs[0]


class _Observed:
    """Study `sensor`'s look at the throughput, with a store of its own; `programs` are said to be built, and stay as
    they are.
    """

    def __init__(self, folder: Path, monkeypatch: pytest.MonkeyPatch, programs: dict[str, Path]) -> None:
        self.store = Store(folder / "results.sqlite")
        self._experiment = open_laboratory().experiments["sensor"]
        monkeypatch.setattr(observe, "built", programs.get)

    def again(self) -> list[str]:
        said: list[str] = []
        observe._observe_throughput(self._experiment, self.store, said.append)
        return said

    def stored(self) -> list[Observation]:
        return self.store.observations("sensor")


def test_programs_that_are_not_built_are_not_built_for_a_report(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    observed = _Observed(tmp_path, monkeypatch, {})
    (said,) = observed.again()
    assert "left out" in said and "not built" in said and "bancada link demo" in said
    assert observed.stored() == []


def test_without_a_broker_it_is_left_out(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    observed = _Observed(tmp_path, monkeypatch, {GATEWAY: tmp_path / "gateway", SERVER: tmp_path / "server"})
    monkeypatch.setattr(shutil, "which", lambda name: None)
    (said,) = observed.again()
    assert "left out" in said and "apt-get install mosquitto" in said
    assert observed.stored() == []


def test_a_recording_goes_through_both_programs_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Really: fleet, daemon, mosquitto, server, database. Another build would be measured again, this one is not."""
    monkeypatch.setattr(throughput, "SENSORS", 20)
    monkeypatch.setattr(throughput, "FRAMES", 2000)
    programs = {GATEWAY: binary(GATEWAY), SERVER: binary(SERVER)}
    observed = _Observed(tmp_path, monkeypatch, programs)
    (said,) = observed.again()
    assert "2000 frames, 0 lost" in said
    (found,) = observed.stored()
    assert (found.kind, found.fidelity) == ("throughput", Fidelity.MEASURED)
    assert (found.figures["frames"], found.figures["lost"], found.figures["refused"]) == (2000, 0, 0)
    assert found.figures["server_frames_per_s"] == 2000 / found.figures["database_s"]
    assert found.figures["gateway_frames_per_s"] == 2000 / found.figures["outbox_s"]
    assert 0 < found.figures["outbox_s"] <= found.figures["database_s"]
    assert all(found.figures[f"{program}_cpu_s"] > 0 for program in ("gateway", "server", "broker"))
    assert "unchanged" in observed.again()[0]
    assert observed.stored() == [found]


def test_a_program_that_fails_is_said_and_nothing_stored(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    broken = tmp_path / "gateway"
    broken.write_text("#!/bin/sh\necho out of order >&2\nexit 1\n")
    broken.chmod(0o755)
    monkeypatch.setattr(throughput, "SENSORS", 20)
    observed = _Observed(tmp_path, monkeypatch, {GATEWAY: broken, SERVER: binary(SERVER)})
    (said,) = observed.again()
    assert "left out" in said and "gateway failed" in said and "out of order" in said
    assert observed.stored() == []


def test_the_published_files_are_what_was_printed() -> None:
    """transcription.csv was made from the original a second time."""
    folder = Path(__file__).parent
    keys = {
        "published.csv": ("algorithm", "variant", "operation", "key_bits", "metric"),
        "published-devices.csv": ("device", "subject", "metric"),
    }
    with (folder / "transcription.csv").open(newline="", encoding="utf-8") as file:
        transcribed = list(csv.DictReader(file))
    for name, columns in keys.items():
        with (folder.parent / name).open(newline="", encoding="utf-8") as file:
            published = {",".join(row[one] for one in columns): float(row["value"]) for row in csv.DictReader(file)}
        figures = (row["figure"].rpartition("=") for row in transcribed if row["file"] == name)
        printed = {figure: float(value) for figure, _, value in figures}
        assert published == printed, name
    with (folder.parent / "table1.csv").open(newline="", encoding="utf-8") as file:
        rows = [list(row.values()) for row in csv.DictReader(file)]
    table = [row["figure"].replace(": ", "; ", 1).split("; ") for row in transcribed if row["file"] == "table1.csv"]
    assert rows == table
