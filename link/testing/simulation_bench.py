"""What the simulation's tests share: small configurations, runs, and what is read off them."""

from __future__ import annotations

import subprocess
from collections import Counter
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from sensorlink.air import Answer, run_air
from sensorlink.laboratory import air_simulator

PROBES = Path(__file__).resolve().parents[1] / "simulation" / "tests" / "simulation_firmware"
CLOCK_HZ = 16_000_000
FACTORY_PARAMETERS = "00001A1744"
WIRES = {"m0": "PB2", "m1": "PB3", "aux": "PB4", "from_module": "PB0", "to_module": "PB1"}

Event = dict[str, Any]


def air_program(*arguments: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run([str(air_simulator()), *arguments], capture_output=True, text=True, timeout=60)


def native(name: str, **settings: Any) -> dict[str, Any]:
    """A sender without firmware: by default a packet of 32 bytes every 5 s, the first at once."""
    return {
        "kind": "native",
        "name": name,
        "device": 1,
        "frame_bytes": 32,
        "start_s": 0,
        "period_s": 5,
        "first_s": 1,
        **settings,
    }


def listener(name: str = "listener", **settings: Any) -> dict[str, Any]:
    """A node that never sends."""
    return native(name, first_s=1e6, **settings)


def run(nodes: list[dict[str, Any]], duration_s: float, answer: Answer | None = None, **settings: Any) -> list[Event]:
    return list(run_air({"duration_s": duration_s, "seed": 1, "nodes": nodes, **settings}, answer))


def of(events: Iterable[Event], kind: str, node: str | None = None) -> list[Event]:
    return [event for event in events if event["event"] == kind and node in (None, event["node"])]


def summary_of(events: list[Event], node: str) -> dict[str, Any]:
    (found,) = [each for each in events[-1]["nodes"] if each["name"] == node]
    return dict(found)


def counters_on_air(events: Iterable[Event]) -> Counter[tuple[bytes, int]]:
    """How often each nonce was sent, cut-off transmissions included: (suite, epoch and device; counter).

    A frame's header without the type is its nonce, which a repetition could change without changing the counter. A
    reset in the middle of a byte on the module's line leaves packets without a whole header.
    """
    packets = [bytes.fromhex(event["bytes"]) for event in of(events, "transmit-begin")]
    frames = [packet for packet in packets if len(packet) >= 8]
    return Counter((frame[1:4], int.from_bytes(frame[4:8], "big")) for frame in frames)


def build(folder: Path, source: Path, *flags: str) -> Path:
    """One C file as firmware for the UNO."""
    elf = folder / f"{source.stem}.elf"
    command = ["avr-gcc", "-mmcu=atmega328p", f"-DF_CPU={CLOCK_HZ}UL", "-Os", "-std=c99", "-Wall", "-Wextra", "-Werror"]
    subprocess.run([*command, *flags, str(source), "-o", str(elf)], check=True)
    return elf


def firmware(name: str, elf: Path, **settings: Any) -> dict[str, Any]:
    module = {**WIRES, "parameters": settings.pop("parameters", FACTORY_PARAMETERS)}
    module["aux_rises"] = settings.pop("aux_rises", "at-end")
    return {"kind": "firmware", "name": name, "elf": str(elf), "module": module, **settings}
