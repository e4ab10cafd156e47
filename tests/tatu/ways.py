"""The ways that calls of a function take through the code, emulated: what must not depend on a secret."""

from __future__ import annotations

from pathlib import Path

from bancada.costing.profile import ENTRY
from bancada.engines.qemu.profiler import profile_program
from tests.tatu.machines import Machine


def ways_taken(machine: Machine, program: Path, function: str, calls: int) -> int:
    """How many different ways the calls took: blocks of instructions, the edges between them, and how often."""
    qemu, *options = machine.emulator
    cpu = options[1] if options else None
    profiles = profile_program(program, function=function, calls=calls, qemu=qemu, cpu=cpu)
    assert len(profiles) == calls
    ways = set()
    for profile in profiles:
        block = {number: (block.address, block.code) for number, block in enumerate(profile.blocks)} | {ENTRY: (0, b"")}
        ways.add(frozenset((block[edge.before], block[edge.after], edge.times) for edge in profile.edges))
    return len(ways)
