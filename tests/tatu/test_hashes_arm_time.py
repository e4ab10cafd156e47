"""Tatu's hashes on Arm take the same way whatever the message: the same blocks of instructions, as often, one after the
other."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.tatu.machines import CORES, Machine, built, name_of
from tests.tatu.ways import ways_taken

MESSAGES = 64


@pytest.fixture(scope="module", params=CORES, ids=name_of)
def machine(request: pytest.FixtureRequest) -> Machine:
    chosen: Machine = request.param
    return chosen


@pytest.fixture(scope="module")
def program(machine: Machine, tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("time")
    return built(machine, "hash_time_driver.c", ("sha2", "sha3", "common"), folder).with_suffix("")


@pytest.mark.parametrize("placed", ["aligned", "unaligned"])
@pytest.mark.parametrize("algorithm", ["sha256", "sha3_256"])
def test_the_way_does_not_depend_on_the_message(machine: Machine, program: Path, algorithm: str, placed: str) -> None:
    assert ways_taken(machine, program, f"{algorithm}_{placed}", MESSAGES) == 1


def test_a_branch_on_a_bit_of_the_message_is_noticed(machine: Machine, program: Path) -> None:
    assert ways_taken(machine, program, "leaky_aligned", MESSAGES) == 2
