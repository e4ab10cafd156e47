"""Tatu's SHA-256, SHA-3 and SHAKE on Arm, assembly and C: the host's tests, answered by programs for each core under QEMU."""

from __future__ import annotations

import subprocess
from dataclasses import replace
from pathlib import Path

import pytest
from hash_programs import Driver
from permutation_machines import MACHINES, TATU_SRC, Machine, built
from test_sha3 import (
    test_hash_every_length_whole_and_in_pieces,
    test_hash_known_answers,
    test_xof_every_length_whole_and_in_pieces,
    test_xof_known_answers,
    test_xof_known_outputs_of_many_lengths,
)
from test_sha3 import test_the_digest_may_be_written_over_the_message as test_the_sha3_digest_may_be_written_over_the_message
from test_sha256 import (
    test_every_length_whole_and_in_pieces,
    test_known_answers,
    test_the_digest_may_be_written_over_the_message,
)

MODULES = ("sha2", "sha3", "common")
BY_NAME = {machine.name: machine for machine in MACHINES}
# Thumb-2 called from A32, on processors that may have no NEON; and the C twins, where the assembly is now.
WITHOUT_NEON = replace(BY_NAME["cortex-a8-arm"], name="armv7-without-neon", flags=("-march=armv7-a", "-mfpu=vfpv3-d16", "-marm", "-O2"))
IN_C = tuple(
    replace(BY_NAME[name], name=f"{name}-in-c", flags=(*BY_NAME[name].flags, "-DTATU_PORTABLE"))
    for name in ("cortex-m0plus", "cortex-a8-arm", "cortex-a53")
)
# What each machine's compression function and permutation are made of.
ASSEMBLY = {
    "cortex-m0plus": "thumb1",
    "cortex-m3": "thumb2",
    "cortex-m4": "thumb2",
    "cortex-a8-arm": "neon",
    "cortex-a8-thumb": "neon",
    "armv7-without-neon": "thumb2",
    "cortex-a53": "aarch64",
}


@pytest.fixture(scope="module", params=(*MACHINES, WITHOUT_NEON, *IN_C), ids=lambda machine: machine.name)
def driver(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Driver:
    return Driver(built(request.param, "hash_driver.c", MODULES, tmp_path_factory.mktemp("arm")))


@pytest.mark.parametrize("machine", [*MACHINES, WITHOUT_NEON, *IN_C], ids=lambda machine: machine.name)
def test_the_assembly_of_the_machine_serves_and_no_other(machine: Machine, tmp_path: Path) -> None:
    serving = []
    for source in sorted((TATU_SRC / "sha2").glob("*_compress*.[cS]")) + sorted((TATU_SRC / "sha3").glob("keccak_permute*.[cS]")):
        made = tmp_path / f"{source.stem}.o"
        subprocess.run([machine.compiler, *machine.flags, f"-I{TATU_SRC}", "-c", str(source), "-o", str(made)], check=True)
        names = subprocess.run(["nm", "--defined-only", made], capture_output=True, text=True, check=True).stdout
        if " T tatu_internal_" in names:
            serving.append(source.stem)
    ending = f"_{ASSEMBLY[machine.name]}" if machine.name in ASSEMBLY else ""
    assert serving == [f"sha256_compress{ending}", f"keccak_permute{ending}"]
