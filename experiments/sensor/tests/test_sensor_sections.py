"""The parts that the study adds to the report."""

from __future__ import annotations

import dataclasses

import pytest

from bancada.answers.report.input import ExtraSection
from bancada.model.finding import Verdict
from bancada.model.status import Fidelity
from bancada.studies.study import Evidence
from experiments.sensor.tests.sensor_support import (
    EXPERIMENT,
    LABORATORY,
    STUDY,
    air,
    block,
    delivery,
    duty,
    findings_of_study,
    gateway_and_server,
    packet,
    paper,
    sections_of,
)


def test_without_results_nothing_is_concluded() -> None:
    assert {found.verdict for found in findings_of_study([], [])} == {Verdict.NOT_MEASURED}
    assert sections_of([]) == ()


def _parts() -> dict[str, ExtraSection]:
    observations = [
        paper("none", 3.4, None),
        paper("aes128", 3.39),
        duty(),
        delivery("free", 1, 1.0, 1.0),
        delivery("free", 8, 0.3, 0.3),
        delivery("jitter", 8, 0.3, 0.3),
        gateway_and_server(),
        packet("ECB", 2400),
        packet("HMAC", 80_000),
        air(),
    ]
    return {part.title: part for part in sections_of(observations)}


def test_every_part_is_there_and_every_plot_says_how_its_figures_were_come_by() -> None:
    found = _parts()
    assert list(found) == [
        "Table 1: the best algorithm by metric",
        "Whole devices, as the study built them",
        "What 3.4 packets/s rests on",
        "Energy and battery life, two ways",
        "Energy by algorithm (the study's figure 3)",
        "Battery life by algorithm",
        "Integrity, for each packet",
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


def test_energy_is_drawn_in_the_studys_units() -> None:
    """8,000 cycles are 500 µs; 12 V x 14 µA x 500 µs / 3600 s are 23.3 pWh."""
    plots = _parts()["Energy by algorithm (the study's figure 3)"].plots
    assert ["sender" in plot.title for plot in plots] == [True, False]
    for plot in plots:
        (series,) = plot.series
        assert series.name == "AES plain" and series.points == ((128.0, 12 * 14 * 500 / 3600),)


def test_energy_is_drawn_for_the_studys_own_library_too() -> None:
    """360 µs at 12 V and 14 µA are 16.8 pWh."""
    studys = dataclasses.replace(
        block("speck128", "tiny", "encrypt", 360.0), candidate=EXPERIMENT.candidates[0], optimisation="-Os"
    )
    parts = STUDY.sections(Evidence(LABORATORY, EXPERIMENT, [studys], []))
    (plot,) = next(part for part in parts if part.title.startswith("Energy by algorithm")).plots
    assert "the study's library" in plot.title and "sender" in plot.title
    (series,) = plot.series
    assert series.name == "Speck Tiny"
    assert series.points[0] == pytest.approx((128.0, 16.8))


def test_the_gateways_load_and_latency_have_their_error() -> None:
    """Awake 1 and 3 %: mean 2, deviation 1.414, error 1.96. Latency 40 and 50 ms: mean 45, error 9.8."""
    part = _parts()["Several sensors"]
    assert {row[5:8] for row in part.rows} == {("2.00 ± 1.96", "45.0 ± 9.8", "60")}
    load, latency = part.plots[1:]
    for plot, height, band in ((load, 2.0, 98.0), (latency, 45.0, 100 * 9.8 / 45)):
        points = {point for series in plot.series for point in series.points}
        assert points and all(y == pytest.approx(height) for _, y in points)
        assert {round(one.band_percent, 2) for one in plot.series if one.band_percent} == {round(band, 2)}


def test_integrity_is_told_with_the_time_on_the_air() -> None:
    """80,000 cycles are 5 ms, 5 V x 9.5 mA x 5 ms / 3600 s = 0.066 µWh; 48 bytes take 480 ms at 110 mA: 73 µWh."""
    rows = {row[0]: row for row in _parts()["Integrity, for each packet"].rows}
    assert [row[1] for row in rows.values()] == ["16", "48"]
    hashed = next(row for name, row in rows.items() if "HMAC" in name)
    assert hashed[2:10] == ("80\u202f000", "5.00", "480", "960", "0.066", "73", "4\u202f000", "400")
    assert hashed[10:] == ("yes", "yes") and rows["AES-128 in ECB, as published"][10:] == ("no", "no")
