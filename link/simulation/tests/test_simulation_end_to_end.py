"""Sensors and a gateway, their two ELF files unmodified, against the theory of time on air."""

from __future__ import annotations

import json
import select
import signal
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from sensorlink.air import packet_interval_in_theory_s
from sensorlink.eeprom import EepromRecord, image, records
from sensorlink.firmware import build_firmware
from sensorlink.gateway_stream import take_apart
from sensorlink.laboratory import UserError
from sensorlink.simulate import Outcome, Simulation, simulate, slots_in_a_period
from simulation_bench import counters_on_air, firmware, listener, of, run, summary_of

Bancada = Callable[..., "subprocess.CompletedProcess[str]"]


def went_well(outcome: Outcome) -> None:
    assert outcome.complaints == ()
    assert {node.fault for node in outcome.nodes} == {None}
    assert outcome.at_the_pi == outcome.delivered  # what the module gave the gateway, the gateway gave the Pi


def test_one_sensor_loses_nothing() -> None:
    outcome = simulate(Simulation(sensors=1, duration_s=300))
    went_well(outcome)
    assert 55 <= outcome.sent == outcome.delivered
    assert outcome.nodes[0].interval_s == pytest.approx(5, rel=0.05)
    # It sleeps most of the time, but for the transmission (8 %, and the line's) and the listening after it (12 %). It
    # is awake for a little.
    assert outcome.nodes[0].shares["power-down"] > 0.65
    assert outcome.nodes[0].shares["awake"] < 0.03


def test_four_that_draw_their_pauses_lose_as_the_theory_says() -> None:
    outcome = simulate(Simulation(sensors=4, duration_s=600))
    went_well(outcome)
    assert outcome.delivered_part == pytest.approx(0.64, abs=0.08)
    assert outcome.delivered_part_in_theory == pytest.approx(0.62, abs=0.005)


def test_four_in_slots_lose_nothing() -> None:
    outcome = simulate(Simulation(sensors=4, schedule="slots", duration_s=200))
    went_well(outcome)
    assert outcome.delivered_part is not None and outcome.delivered_part >= 0.99
    assert outcome.packets_per_s == pytest.approx(4 / 5, rel=0.04)


def test_as_many_slots_as_fit_lose_nothing() -> None:
    sensors = slots_in_a_period(Simulation(sensors=1))
    assert sensors == 11
    outcome = simulate(Simulation(sensors=sensors, schedule="slots", duration_s=120))
    went_well(outcome)
    assert outcome.delivered_part == 1


@pytest.mark.parametrize("native", [0, 3])
def test_identical_sensors_at_the_same_moment_deliver_nothing(native: int) -> None:
    outcome = simulate(Simulation(sensors=3, schedule="together", duration_s=60, native=native))
    assert outcome.sent >= 30
    assert outcome.delivered == 0


@pytest.mark.parametrize("air_rate", [1200, 2400, 4800])
def test_without_a_pause_the_rate_is_that_of_the_air(air_rate: int) -> None:
    outcome = simulate(Simulation(sensors=1, period_s=0, air_rate=air_rate, duration_s=30))
    went_well(outcome)
    assert outcome.delivered == outcome.sent
    interval_s = outcome.nodes[0].interval_s
    assert interval_s is not None
    # What the firmware adds does not depend on the air: it reads the clock, seals, waits for AUX.
    assert 0.009 < interval_s - packet_interval_in_theory_s(air_rate, 32) < 0.013
    if air_rate == 2400:
        assert interval_s == pytest.approx(packet_interval_in_theory_s(air_rate, 32), rel=0.05)


def test_the_timing_model_sends_when_the_firmware_does() -> None:
    """In slots both begin at the same moment of the period, to a millisecond."""
    begins: dict[str, list[float]] = {}

    def note(event: dict[str, Any]) -> None:
        if event["event"] == "transmit-begin":
            begins.setdefault(event["node"], []).append(event["time_us"] / 1e6 % 5)

    simulate(Simulation(sensors=2, schedule="slots", duration_s=60, native=1), note)
    by_firmware, by_model = (times[2:] for _, times in sorted(begins.items()))
    slot_s = 5 / slots_in_a_period(Simulation(sensors=2))
    assert [time_s + slot_s for time_s in by_firmware[:9]] == pytest.approx(by_model[:9], abs=0.002)


def test_a_simulation_repeats() -> None:
    simulation = Simulation(sensors=2, duration_s=30, rain_interval_s=3, reset_interval_s=5, loss=0.2)
    first: list[dict[str, Any]] = []
    again: list[dict[str, Any]] = []
    simulate(simulation, first.append)
    simulate(simulation, again.append)
    assert first == again
    other: list[dict[str, Any]] = []
    simulate(Simulation(**{**simulation.__dict__, "seed": 2}), other.append)
    assert first != other


@pytest.mark.parametrize(
    "settings", [{"parameters": "00001B0540"}, {"parameters": "12341A1744"}, {"aux_rises": "at-begin"}]
)
def test_the_sensor_sets_up_whatever_module_it_finds(tmp_path: Path, settings: dict[str, str]) -> None:
    """Another channel, air rate or address than it wants; and AUX as the manual has it, which rises when the air
    begins.
    """
    built = build_firmware(2400)
    eeprom = tmp_path / "sensor.bin"
    eeprom.write_bytes(image(EepromRecord(1, 1, 7, 0, bytes(16), 0, 0, 5, 0x17)))
    sensor = firmware(
        "sensor",
        built / "sensor.elf",
        eeprom={"load": str(eeprom)},
        clock={"unix_s": 1_767_225_600, "square_wave": "PD3"},
        **settings,
    )
    events = run([sensor, listener()], 40)
    assert of(events, "complaint") == []
    sent = of(events, "transmit-end", "sensor")
    assert len(sent) >= 6
    assert {tuple(event["delivered_to"]) for event in sent} == {("listener",)}


def test_no_counter_is_used_twice_whatever_resets_it() -> None:
    """Resets of every kind at random moments, and many in the middle of writing EEPROM."""
    events: list[dict[str, Any]] = []
    simulation = Simulation(sensors=2, period_s=1, duration_s=150, reset_interval_s=1.5, reset_while_writing=0.1)
    outcome = simulate(simulation, events.append)
    assert sum(node.resets for node in outcome.nodes) > 200
    assert sum(node["torn_writes"] for node in events[-1]["nodes"]) > 40
    used = counters_on_air(events)
    assert len(used) > 80
    assert max(used.values()) == 1
    for device in (1, 2):
        counters = [counter for (identity, counter) in used if identity[1:] == device.to_bytes(2, "big")]
        assert counters == sorted(counters)


def test_a_repeated_counter_would_be_noticed(tmp_path: Path) -> None:
    """Two sensors with one identity: what the test above must never see."""
    path = tmp_path / "image.bin"
    path.write_bytes(image(EepromRecord(1, 1, 5, 0, bytes(16), 0, 0, 1, 0x17)))
    elf = build_firmware(2400) / "sensor.elf"
    events = run([firmware(name, elf, eeprom={"load": str(path)}) for name in ("one", "two")], 10)
    assert max(counters_on_air(events).values()) == 2


def test_a_mark_is_written_for_each_256_frames(tmp_path: Path) -> None:
    """A mark for each 256 frames, each in the next record of the ring."""
    path = tmp_path / "sensor.bin"
    path.write_bytes(image(EepromRecord(1, 1, 5, 0, bytes(16), 0, 0, 0, 0x17)))
    simulate(Simulation(sensors=1, period_s=0, air_rate=4800, duration_s=75, eeprom_images=(path,)))
    found = records(path.read_bytes())
    assert [record.mark if record else None for record in found[:4]] == [0, 256, 512, None]


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        (["--sensors", "12", "--slots"], "12 slots do not fit into 5 s at 2400 bit/s: 11 do"),
        (["--air-rate", "9600"], "not documented"),
        (["--period", "0.5s"], "whole seconds"),
        (["--period", "300s"], "0 to 255"),
        (["--period", "soon"], "'soon' is not a duration"),
        (["--eeprom", "nowhere.bin", "--sensors", "1"], "no EEPROM image nowhere.bin"),
        (["--eeprom", "nowhere.bin", "--sensors", "2"], "1 EEPROM images for 2 sensors"),
        (["--period", "0", "--slots"], "there are no slots"),
        (["--rain", "0"], "tips of the rain gauge must be more than 0"),
        (["--duration", "0s"], "duration must be more than 0"),
        (["--native", "3"], "Of 2 sensors 3 cannot be"),
        (["--json", "no/such/folder/x.json", "--duration", "1s"], "cannot be written"),
    ],
)
def test_mistakes_get_one_sentence(bancada: Bancada, arguments: list[str], says: str) -> None:
    done = bancada("link", "simulate", *arguments)
    assert done.returncode == 2
    assert says in done.stderr
    assert "Traceback" not in done.stderr


def test_the_command_prints_the_outcome_and_writes_it(bancada: Bancada, tmp_path: Path) -> None:
    outcome_path, events_path = tmp_path / "outcome.json", tmp_path / "events.jsonl"
    done = bancada(
        *("link", "simulate", "--sensors", "3", "--native", "1", "--slots", "--duration", "30s", "--rain", "5s"),
        *("--json", str(outcome_path), "--events", str(events_path)),
    )
    assert done.returncode == 0, done.stderr
    said = " ".join(done.stdout.split())
    assert "the gateway and 2 sensors are firmware in simavr, 1 sensors a timing model" in said
    outcome = json.loads(outcome_path.read_text())
    assert outcome["delivered_part"] == outcome["delivered_part_in_theory"] == 1
    assert [node["kind"] for node in outcome["nodes"]] == ["firmware", "firmware", "native"]
    events = [json.loads(line) for line in events_path.read_text().splitlines()]
    assert len(of(events, "transmit-end")) == outcome["sent"] > 10
    assert summary_of(events, "sensor-1")["rain_pulses"] > 1


def test_the_gateways_port_is_a_terminal_until_ctrl_c(tmp_path: Path) -> None:
    link, outcome_path = tmp_path / "gateway", tmp_path / "outcome.json"
    command = [sys.executable, "-m", "bancada", "link", "simulate", "--sensors", "1", "--pty", "--pty-link", str(link)]
    process = subprocess.Popen([*command, "--json", str(outcome_path)], stdout=subprocess.PIPE, text=True)
    try:
        assert process.stdout is not None
        said = process.stdout.readline()
        assert said.startswith("The gateway's serial port is /dev/pts/")
        assert str(link.readlink()) in said
        with open(link, "rb", buffering=0) as port:
            stream = b""
            while not take_apart(stream).bursts:
                assert select.select([port], [], [], 60)[0], "nothing comes out of the gateway"
                stream += port.read(1000)
        process.send_signal(signal.SIGINT)
        rest, _ = process.communicate(timeout=60)
    finally:
        process.kill()
    assert process.returncode == 0
    assert "whole at the Pi" in rest
    assert not link.is_symlink()
    outcome = json.loads(outcome_path.read_text())
    assert outcome["delivered"] >= 1
    assert take_apart(stream).damaged == 0
    # In real time: no more device time than has passed on the wall.
    assert outcome["time_s"] <= outcome["wall_s"] + 0.01


def test_an_impossible_simulation_is_refused() -> None:
    with pytest.raises(UserError, match="never pause"):
        simulate(Simulation(sensors=2, period_s=0, native=1))
