"""The simulated air: runs the program `bancada-air`, and the theory that its results stand beside."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import tempfile
from collections.abc import Callable, Iterator
from functools import cache
from pathlib import Path
from typing import Any

from sensorlink.laboratory import UserError, air_simulator

# Rates whose modulation is documented; the module has others.
AIR_RATES = (300, 1200, 2400, 4800)

# From the last byte on the module's line to the packet on the air: docs/reference/link-simulation.md.
SILENT_BYTES = 3
LINE_BYTE_S = 10 / 9600

# The node whose serial port may be answered.
ANSWERED_NODE = "gateway"

_EXIT_USAGE = 2
_EXIT_FAULT = 3


@cache
def time_on_air_s(air_rate: int, user_bytes: int) -> float:
    """How long a packet of so many user bytes is on the air."""
    done = subprocess.run(
        [str(air_simulator()), "--time-on-air", str(air_rate), str(user_bytes)], capture_output=True, text=True
    )
    if done.returncode != 0:
        raise UserError(done.stderr.strip())
    return int(done.stdout) / 1e9


def delivered_in_theory(sensors: int, period_s: float, on_air_s: float) -> float:
    """The part of the packets of independent senders that no other one overlaps.

    Pure ALOHA without capture: each of the others sends once a period, and destroys a packet if it begins within one
    time on air before or after the packet's beginning.
    """
    return max(0.0, 1 - 2 * on_air_s / period_s) ** (sensors - 1)


def packet_interval_in_theory_s(air_rate: int, user_bytes: int) -> float:
    """The time from one packet to the next of a sender that never pauses: the line's bytes, the silence, the air."""
    return (user_bytes + SILENT_BYTES) * LINE_BYTE_S + time_on_air_s(air_rate, user_bytes)


# What a node's serial port gets after the node has sent something: given the event, the bytes.
Answer = Callable[[dict[str, Any]], bytes]


def run_air(configuration: dict[str, Any], answer: Answer | None = None) -> Iterator[dict[str, Any]]:
    """Runs a simulation and yields its events as they come, the summary last.

    `answer` answers the one node whose `uart` is "answered", in simulated time: the simulation waits for it.

    Ctrl-C ends the simulation, which then says its summary. UserError for a wrong configuration.
    """
    with tempfile.TemporaryDirectory(prefix="bancada-air-") as folder:
        path = Path(folder) / "configuration.json"
        path.write_text(json.dumps(configuration))
        with open(Path(folder) / "stderr", "w+b") as stderr:
            process = subprocess.Popen(
                [str(air_simulator()), str(path)],
                stdin=subprocess.DEVNULL if answer is None else subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=stderr,
                start_new_session=True,  # Ctrl-C is ours to handle
            )
            try:
                yield from _events(process, answer)
                process.wait()
            finally:
                process.kill()
                process.wait()
            if process.returncode not in (0, _EXIT_FAULT):
                stderr.seek(0)
                said = stderr.read().decode(errors="replace").strip().removeprefix("bancada-air: ")
                raise UserError(f"The simulation of the air failed: {said or f'exit code {process.returncode}'}.")


def _events(process: subprocess.Popen[bytes], answer: Answer | None) -> Iterator[dict[str, Any]]:
    assert process.stdout is not None
    while True:
        try:
            line = process.stdout.readline()
        except KeyboardInterrupt:
            os.kill(process.pid, signal.SIGTERM)
            continue
        if not line:
            return
        event = json.loads(line)
        if answer is not None and event["event"] == "uart" and event["node"] == ANSWERED_NODE:
            assert process.stdin is not None
            process.stdin.write(answer(event).hex().encode() + b"\n")
            process.stdin.flush()
        yield event
