"""Tatu's ML-KEM on Arm takes the same way whatever the secrets: the same blocks of instructions, as often, one after
the other. Half of the ciphertexts are rejected."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.tatu.machines import CORES, Machine, built, name_of
from tests.tatu.ways import ways_taken

CALLS = 6


@pytest.fixture(scope="module", params=CORES, ids=name_of)
def machine(request: pytest.FixtureRequest) -> Machine:
    chosen: Machine = request.param
    return chosen


@pytest.fixture(scope="module")
def program(machine: Machine, tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("time")
    return built(machine, "ml_kem_time_driver.c", ("ml_kem", "sha3", "common"), folder).with_suffix("")


@pytest.mark.parametrize("operation", ["encapsulate", "decapsulate"])
def test_the_way_does_not_depend_on_the_secrets(machine: Machine, program: Path, operation: str) -> None:
    assert ways_taken(machine, program, operation, CALLS) == 1


def test_a_branch_on_a_bit_of_the_secret_is_noticed(machine: Machine, program: Path) -> None:
    assert ways_taken(machine, program, "leaky", CALLS) == 2
