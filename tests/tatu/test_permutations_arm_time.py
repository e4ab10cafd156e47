"""Ascon, ChaCha20-Poly1305, Speck and RC6 on Arm take the same way whatever key and message: the same blocks of
instructions, as often, one after the other."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.tatu.machines import CORES, Machine, built, name_of
from tests.tatu.ways import ways_taken

MESSAGES = 64
FUNCTIONS = (
    "ascon_encrypt",
    "ascon_decrypt",
    "ascon_hash",
    "chacha20_poly1305_encrypt",
    "chacha20_poly1305_decrypt",
    "speck",
    "rc6",
)


@pytest.fixture(scope="module", params=CORES, ids=name_of)
def machine(request: pytest.FixtureRequest) -> Machine:
    chosen: Machine = request.param
    return chosen


@pytest.fixture(scope="module")
def program(machine: Machine, tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("time")
    return built(
        machine, "permutation_time_driver.c", ("ascon", "chacha20", "poly1305", "speck", "rc6", "common"), folder
    ).with_suffix("")


@pytest.mark.parametrize("placed", ["aligned", "unaligned"])
@pytest.mark.parametrize("function", FUNCTIONS)
def test_the_way_does_not_depend_on_secrets(machine: Machine, program: Path, function: str, placed: str) -> None:
    assert ways_taken(machine, program, f"{function}_{placed}", MESSAGES) == 1


def test_a_branch_on_a_bit_of_the_key_is_noticed(machine: Machine, program: Path) -> None:
    assert ways_taken(machine, program, "planted_aligned", MESSAGES) == 2
