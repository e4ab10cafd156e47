"""The emulated E22: its registers, the byte that tells how strongly a packet came, and listening before it talks."""

from __future__ import annotations

import math
import subprocess
from pathlib import Path
from typing import Any

import pytest
from firmware_host import FIRMWARE, record
from sensorlink.gateway_stream import take_apart
from simulation_bench import firmware, listener, native, of, run, summary_of

FACTORY = "00000062001703"
# 9600 8N1, 2400 bit/s, 22 dBm, channel 23, transparent; with and without listening before talking.
LISTENS, TALKS = "00000062001713", "00000062001703"


def collided(parameters: str) -> tuple[int, int]:
    """Of eight senders whose frames are due at times of chance, each 5 s: how many collided, and how many were sent."""
    nodes = [
        native(f"sender-{number}", device=number, module=parameters, jitter=0.25, start_s=0.1 * number)
        for number in range(8)
    ]
    events = run([*nodes, listener(module=parameters)], 300)
    summaries = [summary_of(events, node["name"]) for node in nodes]
    return sum(each["collided"] for each in summaries), sum(each["sent"] for each in summaries)


def test_who_listens_before_talking_collides_rarely() -> None:
    without, sent = collided(TALKS)
    with_listening, sent_too = collided(LISTENS)
    # Without it, about two thirds get through alone at this load (link-simulation.md).
    assert sent > 400 and 0.4 < without / sent < 0.85
    assert sent_too > 0.95 * sent and with_listening < without / 4


def test_an_e22_and_an_e32_do_not_hear_each_other() -> None:
    events = run([native("old", period_s=2), listener("new", module=LISTENS), listener("too")], 9)
    assert {name for event in of(events, "transmit-end") for name in event["delivered_to"]} == {"too"}


@pytest.mark.parametrize(("metres", "hears"), [(10, True), (1000, True), (20_000, True), (60_000, False)])
def test_strength_falls_with_the_distance(metres: float, hears: bool) -> None:
    events = run([native("one", at_m=[0, 0], period_s=2), listener(at_m=[0, metres])], 9)
    delivered = [event["delivered_to"] for event in of(events, "transmit-end")]
    assert len(delivered) >= 3
    assert all(names == (["listener"] if hears else []) for names in delivered)


@pytest.fixture(scope="module")
def programs(tmp_path_factory: pytest.TempPathFactory) -> Path:
    out = tmp_path_factory.mktemp("e22")
    command = ["make", "-j2", "-C", str(FIRMWARE), f"OUT={out}", "MODULE=E22", "programs"]
    subprocess.run(command, check=True, stdout=subprocess.DEVNULL)
    return out


def test_the_gateway_tells_how_strongly_it_received(programs: Path, tmp_path: Path) -> None:
    """Two sensors with E22 modules, near and far: the byte behind each frame is what the path loss makes of 22 dBm."""
    places_m = {1: 50.0, 2: 4000.0}
    stream = b""

    def sensor(device: int) -> dict[str, Any]:
        image = tmp_path / f"{device}.bin"
        image.write_bytes(record(device=device).ljust(1024, b"\xff"))
        return firmware(
            f"sensor-{device}",
            programs / "sensor.elf",
            parameters=FACTORY,
            eeprom={"load": str(image)},
            at_m=[places_m[device], 0],
            start_s=0.7 * device,
        )

    def hear(event: dict[str, Any]) -> bytes:
        nonlocal stream
        stream += bytes.fromhex(event["bytes"])
        return b""

    gateway = firmware("gateway", programs / "gateway.elf", parameters=FACTORY, uart="answered", at_m=[0, 0])
    events = run([sensor(1), sensor(2), gateway], 40, hear)
    assert of(events, "complaint") == [] and of(events, "fault") == []
    bursts = take_apart(stream[: stream.rfind(b"\0") + 1]).bursts
    found: dict[int, set[int]] = {}
    for burst in bursts:
        for at in range(0, len(burst) - 32, 33):
            frame, byte = burst[at : at + 32], burst[at + 32]
            assert frame[0] >> 4 == 1
            found.setdefault(int.from_bytes(frame[2:4], "big"), set()).add(byte - 256)
    assert found == {device: {round(22 - 25.2 - 27 * math.log10(metres))} for device, metres in places_m.items()}
