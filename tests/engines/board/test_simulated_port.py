"""`--port sim:` is a serial port with a simulated board: the whole path of a board, for whoever has none."""

from __future__ import annotations

import json
import sqlite3
from pathlib import Path

import pytest
import serial

from bancada.build.build import build
from bancada.campaign.board import board_at
from bancada.engines.board.simulated_port import SimulatedPort
from bancada.measure.device import open_device
from bancada.measure.laboratory import open_laboratory
from bancada.model.errors import UserError
from bancada.plan.everything_of import everything_of
from bancada.plan.plan import plan
from tests.laboratory_fixtures import Bancada

_EXPERIMENT = """
name = "one"
title = "One cipher"
question = "What does it cost?"
study = "None."
citation = ""
targets = ["uno"]
candidates = ["tatu"]
algorithms = ["speck64"]
operations = ["encrypt"]
key_bits = [128]
optimisations = ["-Os"]
samples = 16
"""


def test_a_campaign_runs_on_it_and_its_results_are_only_kept_on_demand(
    bancada: Bancada, added_root: Path, tmp_path: Path
) -> None:
    folder = added_root / "experiments" / "one"
    folder.mkdir(parents=True)
    (folder / "experiment.toml").write_text(_EXPERIMENT)
    kept = tmp_path / "kept.sqlite"
    done = bancada("run", "one", "--port", "sim:uno", "--store", str(kept))
    assert done.returncode == 0, done.stderr
    assert "Cycles by the timer of the board on sim:uno" in done.stdout
    records = [json.loads(row[0]) for row in sqlite3.connect(kept).execute("SELECT record FROM results")]
    assert records
    assert {(record["status"], record["engine"], record["fidelity"]) for record in records} == {
        ("ok", "board", "measured")
    }
    assert all(record["engine_version"].endswith("a simulated board") for record in records)
    own = tmp_path / "data" / "bancada" / "results.sqlite"
    before = own.exists()
    assert bancada("run", "one", "--port", "sim:uno").returncode == 0
    assert own.exists() == before, "a rehearsal writes to no store"


def test_it_is_a_serial_port_that_others_can_open_and_ends_with_the_campaign() -> None:
    laboratory = open_laboratory()
    target = laboratory.target("uno")
    experiment = everything_of(laboratory, laboratory.candidate("tatu"), "uno", "-Os")
    with board_at(laboratory, target, "sim:") as opened:
        on_board = opened.target("uno")
        firmware = next(work.firmware for work in plan(opened, experiment) if work.firmware)
        made = build(firmware)
        with open_device(firmware, made) as device:
            assert device.facts.clock_hz == target.clock_hz
            assert device.session.is_counting is False
        assert on_board.engine.version(on_board).endswith("a simulated board")
    port = SimulatedPort(target, "sim:uno")
    assert made.elf_path is not None
    port.put(target, made.elf_path)
    with serial.Serial(port.path, target.baud, timeout=0) as line:
        assert line.is_open
    port.stop()
    with pytest.raises(serial.SerialException):
        serial.Serial(port.path, target.baud)


@pytest.mark.parametrize(
    ("port", "name", "words"),
    [
        ("sim:mega2560", "uno", "is the board 'mega2560', --target says 'uno'"),
        ("sim:", "stm32f4", "'stm32f4' has no board with a serial port that could be simulated"),
    ],
)
def test_what_cannot_be_is_one_sentence(port: str, name: str, words: str) -> None:
    laboratory = open_laboratory()
    with pytest.raises(UserError, match=words), board_at(laboratory, laboratory.target(name), port):
        pass
