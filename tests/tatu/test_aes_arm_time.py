"""AES on Arm takes the same way whatever key and message; and which back end each Cortex-M gets."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest

from tests.tatu.aes_programs import AES_MACHINES
from tests.tatu.machines import TATU_SRC, Machine, built, name_of
from tests.tatu.ways import ways_taken

SECRETS = 64
CORTEX_M = [machine for machine in AES_MACHINES if machine.is_bare_metal]
# What each machine's rounds are made of.
ASSEMBLY = {"cortex-m0plus": "thumb1", "cortex-m3": "thumb2", "cortex-m4": "thumb2"}


@pytest.fixture(scope="module", params=AES_MACHINES, ids=name_of)
def machine(request: pytest.FixtureRequest) -> Machine:
    chosen: Machine = request.param
    return chosen


@pytest.fixture(scope="module")
def timed(machine: Machine, tmp_path_factory: pytest.TempPathFactory) -> Path:
    return built(machine, "aes_time_driver.c", ("aes", "common"), tmp_path_factory.mktemp("time")).with_suffix("")


@pytest.mark.parametrize("bits", [128, 192, 256])
def test_the_way_does_not_depend_on_key_or_message(machine: Machine, timed: Path, bits: int) -> None:
    """Key schedule, 13 blocks and one block, both directions: the same edges as often. NEON computes 13 blocks as
    eight and five padded to eight; Cortex-M computes them as six pairs and one. The variant ram may have tables."""
    assert ways_taken(machine, timed, f"measured_{bits}", SECRETS) == 1


def test_a_branch_on_a_bit_of_the_key_is_noticed(machine: Machine, timed: Path) -> None:
    assert ways_taken(machine, timed, "measured_leaky", SECRETS) == 2


@pytest.mark.parametrize("cortex_m", CORTEX_M, ids=name_of)
def test_the_assembly_of_the_machine_serves_and_no_other(cortex_m: Machine, tmp_path: Path) -> None:
    serving = []
    for source in sorted((TATU_SRC / "aes").rglob("aes_fixsliced_*crypt*.[cS]")):
        made = tmp_path / f"{source.stem}.o"
        subprocess.run(
            [cortex_m.compiler, *cortex_m.flags, f"-I{TATU_SRC}", "-c", str(source), "-o", str(made)], check=True
        )
        names = subprocess.run(["nm", "--defined-only", made], capture_output=True, text=True, check=True).stdout
        if " T tatu_internal_" in names:
            serving.append(source.stem)
    # ARMv6-M has only the rounds in assembly; C calls them.
    expected = {
        "thumb1": ["", "_thumb1"],
        "thumb2": ["_thumb2"],
        "": [""],
    }[ASSEMBLY.get(cortex_m.name.removesuffix("-tables"), "")]
    assert sorted(serving) == [f"aes_fixsliced_{way}{ending}" for way in ("decrypt", "encrypt") for ending in expected]
