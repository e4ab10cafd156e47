"""What is concluded of whole devices, the radio, batteries and several sensors."""

from __future__ import annotations

import dataclasses

import pytest

from bancada.model.finding import Observation, Verdict
from bancada.studies.study import Evidence
from bancada.studies.within_bands import findings_of, findings_within_bands
from experiments.sensor.tests.sensor_support import (
    EXPERIMENT,
    LABORATORY,
    STUDY,
    block,
    delivery,
    duty,
    finding,
    paper,
    sections_of,
)


def _programs(**least: int) -> list[Observation]:
    """Whole programs of six ciphers; `least` has those with another size than 1,000 bytes, '-' written '_'."""
    names = ("aes128", "aes128-small", "aes128-tiny", "speck128-128", "speck128-128-small", "speck128-128-tiny")
    found = []
    for name in names:
        size = least.get(name.replace("-", "_"), 1000)
        one = paper(name, 3.4)
        sizes = {key: size for key in one.figures if key.endswith("_bytes")}
        found.append(dataclasses.replace(one, figures={**one.figures, **sizes}))
    return [paper("none", 3.4, None), *found]


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
    assert finding("Sending: Speck Tiny 128 needs least flash", [], _programs(**least)).verdict is sending
    assert finding("Receiving: Speck 128, 192 and 256", [], _programs(**least)).verdict is receiving
    table = {part.title: part for part in sections_of(_programs(**least))}["Table 1: the best algorithm by metric"]
    assert table.rows[0] == (
        "sending",
        "published",
        "Speck 128",
        "Speck 128",
        "Speck Tiny 128",
        "Speck Tiny 128",
        "tie",
    )
    assert "Tiny" not in table.rows[3][5] and len(table.rows) == 4


@pytest.mark.parametrize(
    ("least", "second", "of_aes"),
    [
        ({"speck128_128_small": 900, "speck128_128_tiny": 800, "aes128_tiny": 950}, Verdict.HOLDS, Verdict.HOLDS),
        ({"aes128": 800, "aes128_small": 900}, Verdict.DOES_NOT_HOLD, Verdict.DOES_NOT_HOLD),
        ({"speck128_128_tiny": 800, "aes128_tiny": 900}, Verdict.HOLDS_IN_PART, Verdict.HOLDS),
    ],
)
def test_the_second_least_and_the_least_of_aes(least: dict[str, int], second: Verdict, of_aes: Verdict) -> None:
    """Equal sizes count once. In the last case two are smaller on the sender, and none that the study's decrypts."""
    found = finding("Speck Small 128 takes the second least", [], _programs(**least))
    assert found.verdict is second
    assert "sender, flash: " in found.ours and "receiver, SRAM: " in found.ours
    assert finding("Of AES, Tiny 128", [], _programs(**least)).verdict is of_aes


def test_a_tie_of_both_families_is_a_part_of_speck_needs_least() -> None:
    tie = _programs(speck128_128_tiny=900, aes128_tiny=900)
    assert finding("Sending: Speck Tiny 128 needs least SRAM", [], tie).verdict is Verdict.HOLDS_IN_PART


def test_packets_a_second_rest_on_what_is_assumed_of_the_radio() -> None:
    """By hand: 294.1 ms are 19.8 (line), 246.8 (air), 20 (wait) and 7.5. At 1.2 kbit/s 540.9 ms, 1.85/s; without the
    wait 274.1 ms, 3.65/s; AUX at the beginning leaves the air alone, 4.05/s.
    """
    papers = [paper("none", 3.4, None), paper("aes128", 3.39)]
    found = {one.claim: one for one in findings_within_bands(STUDY, Evidence(LABORATORY, EXPERIMENT, [], papers))}
    rate = found["A sensor sends 3.4 packets/s"]
    assert (rate.verdict, rate.unmoved) == (Verdict.UNDECIDED, Verdict.HOLDS)
    assert len(rate.made_by) == 3 and len(rate.varied) == 3
    assert found["Throughput is the same whatever the cipher"].draws_alike == 100
    assert found["A transmission takes 0.480 s"].made_by == ("air rate = 1200 bit/s gives holds",)
    rows = {
        row[0]: row for row in {part.title: part for part in sections_of(papers)}["What 3.4 packets/s rests on"].rows
    }
    assert rows["as assumed"][1:3] == ("294.1", "3.40")
    assert rows["air rate = 1200 bit/s"][1:3] == ("540.9", "1.85")
    assert rows["wait of the radio's driver behind each packet = 0 ms"][1:3] == ("274.1", "3.65")
    (aux,) = [row for name, row in rows.items() if "AUX" in name]
    assert aux[1:3] == ("246.8", "4.05")


def test_battery_life_both_ways() -> None:
    """By hand. Duty: 0.1 x 9.5 + 0.2 x 2.4 + 0.7 x 0.0042 + 0.5 x 110 + 0.5 x 0.004 + 0.17 = 56.605 mA, so 225 mAh
    last 3.97 h. Receiver: 0.02 x 9.5 + 0.98 x 2.4 + 13.5 + 0.17 = 16.212 mA, 13.9 h. The study: 675 mWh / 12 V x (14 µA
    x 0.48 s + 6 µA x 10 s) / 10.48 s = 8,835 h; 0.675 Wh / 72 µW are 9,375 h, in 578e6 x 8,766 events 6.66 µs each.
    """
    found = finding("CR2032", [], [duty()])
    assert found.verdict is Verdict.DOES_NOT_HOLD
    assert found.ours.startswith("4 hours (sender, 56.6 mA) and 14 hours (receiver, 16.2 mA")
    assert "1.0 years by the study's own currents" in found.ours and "6.66 and 4.90 µs" in found.why


def test_what_a_cipher_leaves_of_the_life_by_both_reckonings() -> None:
    """8,000 cycles are 500 µs: 6.66 of 500 µs are 1.33 %; correctly 500 µs every 5 s at 9.5 of 56.6 mA, 0.0017 %."""
    found = finding("A cipher leaves", [], [duty(), paper("none", 3.4, None), paper("aes128", 3.4)])
    assert found.verdict is Verdict.DOES_NOT_HOLD
    assert "99.9983 % is left" in found.ours and "1.33 % by the study's reckoning" in found.ours


def test_several_sensors_are_told_in_their_order() -> None:
    found = finding(
        "several sensors",
        [],
        [delivery("free", 8, 0.25, 0.3), delivery("free", 2, 0.86, 0.86), delivery("slots", 8, 1.0, None)],
    )
    assert found.verdict is Verdict.ANSWERED
    assert "clocks free: 2: 86 ± 0 %, 8: 25 ± 0 %; time slots: 8: 100 ± 0 %" in found.ours
    assert "awake 2.0 % of the time" in found.ours and "at most 60 ms" in found.ours


def test_delivery_is_a_sample_with_its_error() -> None:
    """Two runs with 0.2 and 0.3: mean 0.25, deviation 0.0707, error 1.96 x 0.0707 / 1.414 = 0.098."""
    observation = delivery("free", 8, 0.25, 0.3, (0.2, 0.3))
    assert "8: 25 ± 10 %" in finding("several sensors", [], [observation]).ours
    part = {part.title: part for part in sections_of([observation])}["Several sensors"]
    assert part.rows[0][3] == "25.0 % ± 9.8" and "sample" in part.plots[0].caption
    (whiskers,) = [one for one in part.plots[0].series if one.band_percent]
    assert whiskers.band_percent == pytest.approx(39.2)


def test_table_1_has_the_studys_library_alone_where_it_was_measured() -> None:
    """Speck Tiny ties with Small in RAM to send; it is left out to receive."""
    blocks = [
        dataclasses.replace(
            block("speck128", variant, operation, time_us),
            candidate=EXPERIMENT.candidates[0],
            optimisation="-Os",
            energy_uj=time_us / 20,
            flash_bytes=flash,
            ram_static_bytes=ram,
            ram_context_bytes=0,
            stack_bytes=0,
        )
        for variant, time_us, flash, ram in (
            ("plain", 160.0, 4000, 500),
            ("small", 540.0, 3000, 50),
            ("tiny", 540.0, 2000, 50),
        )
        for operation in ("encrypt", "decrypt")
    ]
    parts = STUDY.sections(Evidence(LABORATORY, EXPERIMENT, blocks, _programs()))
    rows = {part.title: part for part in parts}["Table 1: the best algorithm by metric"].rows
    alone = "the study's library alone"
    assert rows[2] == (
        "sending",
        alone,
        "Speck 128 (8 µJ)",
        "Speck 128 (160 µs)",
        "Speck Small 128, Speck Tiny 128 (50 B)",
        "Speck Tiny 128 (2\u202f000 B)",
        "–",
    )
    assert rows[5][:2] == ("receiving", alone)
    assert rows[5][5] == "Speck Small 128 (3\u202f000 B)"
    found = {
        one.claim: one.verdict
        for one in findings_of(STUDY, Evidence(LABORATORY, EXPERIMENT, blocks, []))
        if one.judged_for.startswith("the study's own library alone")
    }
    assert list(found.values()) == [Verdict.HOLDS, Verdict.HOLDS, Verdict.HOLDS_IN_PART, Verdict.HOLDS]


@pytest.mark.parametrize(
    ("back_us", "verdict"), [(144.0, Verdict.HOLDS), (250.0, Verdict.HOLDS_IN_PART), (20.0, Verdict.DOES_NOT_HOLD)]
)
def test_what_the_study_says_of_the_life_follows_from_its_reckoning(back_us: float, verdict: Verdict) -> None:
    """By hand: 4.90 of 144 µs are 3.40 %, as published; 6.66 of 166.5 µs are 4.0 %, printed as 0.04."""
    blocks = [
        dataclasses.replace(
            block("speck128", "plain", way, time_us), candidate=EXPERIMENT.candidates[0], optimisation="-Os"
        )
        for way, time_us in (("encrypt", 166.5), ("decrypt", back_us))
    ]
    evidence = Evidence(LABORATORY, EXPERIMENT, blocks, [])
    (found,) = [one for one in findings_of(STUDY, evidence) if one.judged_for.endswith("library and reckoning")]
    assert found.verdict is verdict
    assert "sender, 1.00 if" in found.ours
    (part,) = [part for part in STUDY.sections(evidence) if part.title.startswith("What a cipher leaves")]
    assert part.rows[0][:4] == ("Speck 128", "166.5", "4 %", "0.04 %")
    assert part.rows[0][6] == "3.4 %"
