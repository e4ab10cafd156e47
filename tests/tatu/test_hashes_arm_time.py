"""Tatu's hashes on Arm take the same way whatever the message: the same blocks of instructions, as often, one after the other."""

from __future__ import annotations

from pathlib import Path

import pytest
from permutation_machines import MACHINES, Machine, built

from bancada.costing.profile import ENTRY
from bancada.engines.qemu import profile_program

MESSAGES = 64


@pytest.fixture(scope="module", params=MACHINES, ids=lambda machine: machine.name)
def machine(request: pytest.FixtureRequest) -> Machine:
    chosen: Machine = request.param
    return chosen


@pytest.fixture(scope="module")
def program(machine: Machine, tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("time")
    built(machine, "hash_time_driver.c", ("sha2", "sha3", "common"), folder)
    return folder / machine.name


@pytest.mark.parametrize("placed", ["aligned", "unaligned"])
@pytest.mark.parametrize("algorithm", ["sha256", "sha3_256"])
def test_the_way_does_not_depend_on_the_message(machine: Machine, program: Path, algorithm: str, placed: str) -> None:
    qemu, *options = machine.emulator
    cpu = options[1] if options else None
    profiles = profile_program(program, function=f"{algorithm}_{placed}", calls=MESSAGES, qemu=qemu, cpu=cpu)
    assert len(profiles) == MESSAGES
    ways = set()
    for profile in profiles:
        block = {number: (block.address, block.code) for number, block in enumerate(profile.blocks)} | {ENTRY: (0, b"")}
        ways.add(frozenset((block[edge.before], block[edge.after], edge.times) for edge in profile.edges))
    assert len(ways) == 1
