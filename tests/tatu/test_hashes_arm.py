"""Which back end of SHA-256 and of Keccak each Arm core gets. What it computes: test_sha256.py and test_sha3.py."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest

from tests.tatu.hash_programs import IN_C, WITHOUT_NEON
from tests.tatu.machines import CORES, TATU_SRC, Machine, name_of

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


@pytest.mark.parametrize("machine", [*CORES, WITHOUT_NEON, *IN_C], ids=name_of)
def test_the_assembly_of_the_machine_serves_and_no_other(machine: Machine, tmp_path: Path) -> None:
    serving = []
    for source in sorted((TATU_SRC / "sha2").rglob("sha256_compress*.[cS]")) + sorted(
        (TATU_SRC / "sha3").rglob("keccak_permute*.[cS]")
    ):
        made = tmp_path / f"{source.stem}.o"
        subprocess.run(
            [machine.compiler, *machine.flags, f"-I{TATU_SRC}", "-c", str(source), "-o", str(made)], check=True
        )
        names = subprocess.run(["nm", "--defined-only", made], capture_output=True, text=True, check=True).stdout
        if " T tatu_internal_" in names:
            serving.append(source.stem)
    ending = f"_{ASSEMBLY[machine.name]}" if machine.name in ASSEMBLY else ""
    assert serving == [f"sha256_compress{ending}", f"keccak_permute{ending}"]
