"""What the report of the study `sensor` concludes follows from results and observations, whichever way they point."""

from __future__ import annotations

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
from bancada.studies.within_bands import findings_of
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
        "transmitting_share": 0.5,
        "seal_share": 0.01,
        "seal_cycles": 32_000,
        "packets": 60,
        "time_on_air_ms": 360.0,
    }
    return _observation("duty", "sealed", figures, period_s=5)


def _delivery(schedule: str, sensors: int, part: float, in_theory: float | None) -> Observation:
    figures = {
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
    found = _finding("Initialisation", [], [_paper("none", 3.4, None), _paper("aes128", 3.4, cycles)])
    assert found.verdict is verdict
    assert f"the slowest cipher takes {cycles / 16_000:.1f} ms" in found.ours


@pytest.mark.parametrize(
    ("small", "tiny", "verdict"),
    [(300.0, 310.0, Verdict.HOLDS), (200.0, 310.0, Verdict.HOLDS_IN_PART), (120.0, 300.0, Verdict.DOES_NOT_HOLD)],
)
def test_speck_small_and_tiny_against_plain(small: float, tiny: float, verdict: Verdict) -> None:
    results = [
        _block("speck128", variant, "encrypt", time_us)
        for variant, time_us in (("plain", 100.0), ("small", small), ("tiny", tiny))
    ]
    found = _finding("three times", results, [])
    assert found.verdict is verdict
    assert f"Small takes {small / 100:.2f} times as long, Tiny {tiny / 100:.2f}" in found.ours
    assert _finding("three times", results[:2], []).verdict is Verdict.NOT_MEASURED


@pytest.mark.parametrize(("longest", "verdict"), [(106.0, Verdict.HOLDS), (112.0, Verdict.DOES_NOT_HOLD)])
def test_a_longer_key_costs_speck_little_below_a_tenth(longest: float, verdict: Verdict) -> None:
    results = [
        _block("speck128", "plain", "encrypt", time_us, bits)
        for bits, time_us in ((128, 100.0), (192, 103.0), (256, longest))
    ]
    found = _finding("longer key", results, [])
    assert found.verdict is verdict
    assert found.ours == f"+3.0 µs, +{longest - 100:.1f} µs on 100.0 µs"


@pytest.mark.parametrize(("back", "verdict"), [(130.0, Verdict.HOLDS), (90.0, Verdict.HOLDS_IN_PART)])
def test_aes_decrypts_slower_or_not(back: float, verdict: Verdict) -> None:
    results = [
        _block("aes", variant, operation, time_us * (back / 100 if operation == "decrypt" else 1))
        for variant, time_us in (("plain", 100.0), ("small", 150.0), ("tiny", 200.0))
        for operation in ("encrypt", "decrypt")
    ]
    found = _finding("AES decrypts slower", results, [])
    assert found.verdict is verdict
    assert f"{back / 100:.2f} to {back / 100:.2f} times as long; Small 1.50, Tiny 2.00" in found.ours


def test_battery_life_both_ways() -> None:
    """By hand. Duty: 0.1 x 9.5 + 0.2 x 2.4 + 0.7 x 0.0042 + 0.5 x 110 + 0.5 x 0.004 + 0.17 = 56.605 mA, so 225 mAh
    last 3.97 h, and 0.01 x 9.5 mA are 0.168 % of it. The study: 675 mWh / 12 V x (14 µA x 0.48 s + 6 µA x 10 s) /
    10.48 s = 8,835 h.
    """
    found = _finding("CR2032", [], [_duty()])
    assert found.ours.startswith("4 hours at 56.6 mA") and "0.168 %" in found.ours
    assert "give 1.0 years" in found.why


def test_several_sensors_are_told_in_their_order() -> None:
    found = _finding(
        "several sensors",
        [],
        [_delivery("free", 8, 0.25, 0.3), _delivery("free", 2, 0.86, 0.86), _delivery("slots", 8, 1.0, None)],
    )
    assert found.verdict is Verdict.ANSWERED
    assert "clocks free: 2: 86 %, 8: 25 %; time slots: 8: 100 %" in found.ours


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
        "Whole devices, as the study built them",
        "Energy and battery life, two ways",
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
