"""Two simulated boards and an attacker on the simulated air, with loss, collisions and resets.

The boards run the example SerialRadio as it is, but for the reading: each takes the next number from its EEPROM, so
that a message that is accepted twice shows.
"""

from __future__ import annotations

import os
import re
from collections import Counter
from pathlib import Path
from typing import Any

import pytest
from simulation_bench import firmware, of, run

from tatulink.tests.host_library import ROOT, Device, Status
from tests.tatu.arduino_builder import ARDUINO, Builder

pytestmark = pytest.mark.long

TATULINK = ROOT / "tatulink"
KEY = bytes(range(60, 76))
# 9600 8N1, 4.8 kbit/s on the air, channel 23.
PARAMETERS = "00001B1744"
# A board that runs Arduino's core never sleeps, so that simulated seconds are dear.
DURATION_S = int(os.environ.get("TATULINK_TEST_SECONDS", "30"))

NUMBERED = """
static uint16_t nextNumber()
{
    uint16_t number;
    EEPROM.get(1000, number);
    number++;
    EEPROM.put(1000, number);
    return number;
}
"""


@pytest.fixture(scope="module")
def programs(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Path]:
    """The board's and the attacker's."""
    folder = tmp_path_factory.mktemp("boards")
    libraries = [ROOT / "tatu", TATULINK, *(ARDUINO / "libraries" / name for name in ("EEPROM", "SoftwareSerial"))]
    sketch = (TATULINK / "examples" / "SerialRadio" / "SerialRadio.ino").read_text()
    assert sketch.count("analogRead(A0)") == sketch.count("PERIOD_MS = 5000") == 1
    sketch = sketch.replace("PERIOD_MS = 5000", "PERIOD_MS = 700")
    board = folder / "board.ino"
    board.write_text(
        sketch.replace("static void sendReading()", f"{NUMBERED}\nstatic void sendReading()").replace(
            "analogRead(A0)", "nextNumber()"
        )
    )
    core = Builder("uno", folder / "core", folder / "objects").core()
    attacker = TATULINK / "tests" / "attacker" / "attacker.ino"
    return (
        Builder("uno", folder / "board", folder / "objects").build(board, libraries, core),
        Builder("uno", folder / "attacker", folder / "objects").build(attacker, libraries, core),
    )


def provisioned(folder: Path, number: int) -> dict[str, str]:
    """The EEPROM of a board with a key, as the sketch Provision leaves it, and numbers from 0 on."""
    device = Device(number)
    assert device.provision(number, KEY) is Status.OK
    path = folder / f"board-{number}.eeprom"
    path.write_bytes(bytes(device.eeprom)[:1000] + bytes([0xFF, 0xFF]) + bytes(22))
    return {"load": str(path), "save": str(path)}


def board(folder: Path, elf: Path, number: int, **settings: Any) -> dict[str, Any]:
    uart = {"file": str(folder / f"board-{number}.uart")}
    eeprom = provisioned(folder, number)
    ppm = {1: -2100, 2: 1700}[number]
    return firmware(f"board-{number}", elf, parameters=PARAMETERS, uart=uart, eeprom=eeprom, clock_ppm=ppm, **settings)


def lines(events: list[dict[str, Any]], node: str) -> list[str]:
    return b"".join(bytes.fromhex(event["bytes"]) for event in of(events, "uart", node)).decode().splitlines()


def readings(said: list[str], sender: int) -> list[int]:
    found = [re.fullmatch(r"device (\d+): (\d+)", line) for line in said]
    return [int(match[2]) for match in found if match and int(match[1]) == sender]


def test_two_boards_hear_each_other_and_not_the_attacker(tmp_path: Path, programs: tuple[Path, Path]) -> None:
    elf, attacking = programs
    nodes = [
        board(tmp_path, elf, 1),
        board(tmp_path, elf, 2),
        firmware("attacker", attacking, parameters=PARAMETERS, uart={"file": str(tmp_path / "attacker.uart")}),
    ]
    events = run(nodes, DURATION_S, air={"loss": 0.1})
    attacks = Counter(lines(events, "attacker"))
    assert min(attacks[kind] for kind in ("replay", "changed", "sender", "counter", "cut")) >= 5
    refused: Counter[str] = Counter()
    for number, other in ((1, 2), (2, 1)):
        said = lines(events, f"board-{number}")
        heard = readings(said, other)
        assert len(heard) == len(set(heard))
        # A number is of EEPROM, which was all ones: the first is 0.
        assert set(heard) <= set(range(len(of(events, "transmit-begin", f"board-{other}"))))
        assert len(heard) > 10
        refused.update(line for line in said if line.startswith("refused: "))
        assert {line for line in said if line.startswith("device")} == {f"device {other}: {n}" for n in heard}
    # Each kind of attack was heard and refused.
    for why in ("changed", "accepted before", "sent the packet itself"):
        assert any(why in line for line in refused), refused


def test_nothing_is_accepted_twice_through_resets(tmp_path: Path, programs: tuple[Path, Path]) -> None:
    """Each board is reset every 4 s, often in the middle of writing to EEPROM."""
    elf, attacking = programs
    resets = {"mean_interval_s": 4, "while_writing": 0.01}
    nodes = [
        board(tmp_path, elf, 1, resets=resets),
        board(tmp_path, elf, 2, resets=resets),
        firmware("attacker", attacking, parameters=PARAMETERS, uart={"file": str(tmp_path / "attacker.uart")}),
    ]
    events = run(nodes, DURATION_S, air={"loss": 0.1})
    packets = [bytes.fromhex(event["bytes"]) for event in of(events, "transmit-begin")]
    nonces: Counter[bytes] = Counter()
    for number in (1, 2):
        own = [bytes.fromhex(event["bytes"]) for event in of(events, "transmit-begin", f"board-{number}")]
        nonces.update(packet[:8] for packet in own if len(packet) == 18)
    assert len(packets) > 60
    assert max(nonces.values()) == 1
    for number, other in ((1, 2), (2, 1)):
        heard = readings(lines(events, f"board-{number}"), other)
        assert len(heard) == len(set(heard))
        assert len(heard) > 5
