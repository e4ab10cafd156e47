"""Runs a program from reset to its halt, and gives what it sent."""

from __future__ import annotations

import json
import subprocess
from dataclasses import dataclass
from pathlib import Path

from bancada.engines.simavr.session import runner


@dataclass(frozen=True)
class ProgramRun:
    """What the program sent by its UART, and why the engine stopped it: '' if it halted by itself."""

    sent: bytes
    fault: str


def run_program(mcu: str, clock_hz: int, elf: Path, limit_cycles: int) -> ProgramRun:
    """Runs an ELF file without input, for at most so many cycles. UserError if the engine cannot be built."""
    command = [str(runner()), "--mcu", mcu, "--frequency", str(clock_hz), "--max-cycles", str(limit_cycles)]
    done = subprocess.run([*command, str(elf)], stdin=subprocess.DEVNULL, capture_output=True, check=False)
    lines = done.stderr.decode(errors="replace").splitlines()
    events = [json.loads(line) for line in lines if line.startswith("{")]
    fault = next((event for event in events if event["event"] == "fault"), None)
    if fault is not None:
        return ProgramRun(done.stdout, f"{fault['reason']} at 0x{fault['pc']:04x}")
    is_halted = any(event["event"] == "halt" for event in events)
    return ProgramRun(done.stdout, "" if is_halted else (lines or ["the engine stopped without a word"])[-1])
