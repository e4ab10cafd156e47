"""AES for Cortex-M, assembly and its twin in C, emulated: the same as OpenSSL's for every number of blocks, buffer and mode, in a way that no
secret changes."""

from __future__ import annotations

import subprocess
from dataclasses import replace
from pathlib import Path

import authentication_programs
import pytest
from cipher_programs import Driver
from permutation_machines import MACHINES, TATU_SRC, Machine, built
from test_aes_neon import (
    SECRETS,
    test_a_branch_on_a_bit_of_the_key_is_noticed,
    test_any_number_of_blocks_in_place_and_apart,
    test_cbc_and_ctr_of_long_messages,
    test_ccm_of_long_messages,
)
from ways import ways_taken

__all__ = [
    "test_a_branch_on_a_bit_of_the_key_is_noticed",
    "test_any_number_of_blocks_in_place_and_apart",
    "test_cbc_and_ctr_of_long_messages",
    "test_ccm_of_long_messages",
]

CORES = tuple(machine for machine in MACHINES if machine.is_bare_metal)
IN_C = tuple(
    replace(core, name=f"{core.name}-in-c", flags=(*core.flags, "-DTATU_PORTABLE")) for core in CORES if core.name != "cortex-m3"
)
# What each machine's rounds are made of.
ASSEMBLY = {"cortex-m0plus": "thumb1", "cortex-m3": "thumb2", "cortex-m4": "thumb2"}


@pytest.fixture(scope="module", params=(*CORES, *IN_C), ids=lambda machine: machine.name)
def machine(request: pytest.FixtureRequest) -> Machine:
    chosen: Machine = request.param
    return chosen


@pytest.fixture(scope="module")
def driver(machine: Machine, tmp_path_factory: pytest.TempPathFactory) -> Driver:
    modules = ("aes", "speck", "modes", "drbg", "entropy", "common")
    return Driver(built(machine, "cipher_driver.c", modules, tmp_path_factory.mktemp("aes")))


@pytest.fixture(scope="module")
def ccm(machine: Machine, tmp_path_factory: pytest.TempPathFactory) -> authentication_programs.Driver:
    modules = ("aes", "ccm", "cmac", "speck", "common")
    return authentication_programs.Driver(
        built(machine, "authentication_driver.c", modules, tmp_path_factory.mktemp("ccm"))
    )


@pytest.fixture(scope="module")
def timed(machine: Machine, tmp_path_factory: pytest.TempPathFactory) -> Path:
    return built(machine, "aes_time_driver.c", ("aes", "common"), tmp_path_factory.mktemp("time")).with_suffix("")


@pytest.mark.parametrize("bits", [128, 192, 256])
def test_the_way_does_not_depend_on_key_or_message(machine: Machine, timed: Path, bits: int) -> None:
    """Key schedule, 13 blocks (six pairs and one) and one block, both directions: the same edges as often."""
    assert ways_taken(machine, timed, f"measured_{bits}", SECRETS) == 1


def test_the_assembly_of_the_machine_serves_and_no_other(machine: Machine, tmp_path: Path) -> None:
    serving = []
    for source in sorted((TATU_SRC / "aes").glob("aes_fixsliced_*crypt*.[cS]")):
        made = tmp_path / f"{source.stem}.o"
        subprocess.run([machine.compiler, *machine.flags, f"-I{TATU_SRC}", "-c", str(source), "-o", str(made)], check=True)
        names = subprocess.run(["nm", "--defined-only", made], capture_output=True, text=True, check=True).stdout
        if " T tatu_internal_" in names:
            serving.append(source.stem)
    # ARMv6-M has only the rounds in assembly; C calls them.
    expected = {
        "thumb1": ["", "_thumb1"],
        "thumb2": ["_thumb2"],
        "": [""],
    }[ASSEMBLY.get(machine.name, "")]
    assert serving == [f"aes_fixsliced_{way}{ending}" for way in ("decrypt", "encrypt") for ending in expected]
