"""How fast gateway daemon and server are: what is told, and what is measured."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest
from sensorlink.binaries import GATEWAY, SERVER, binary

from bancada.measure.laboratory import open_laboratory
from bancada.model.finding import Observation
from bancada.model.status import Fidelity
from bancada.store.store import Store
from experiments.sensor import observe, throughput
from experiments.sensor.tests.sensor_support import (
    gateway_and_server,
    sections_of,
)


def test_throughput_of_gateway_and_server_is_beside_ten_thousand_sensors() -> None:
    """60,000 frames: 20,000/s in 3 s, 5,000/s in 12 s; ten thousand sensors make 2,000/s; 0.6 s are 10 µs, 2.4 s 40
    µs for each.
    """
    (part,) = sections_of([gateway_and_server()])
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
    assert "7 frames were lost" in sections_of([gateway_and_server(lost=7)])[0].paragraphs[0]


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
