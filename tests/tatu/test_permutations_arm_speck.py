"""Speck-128 on many blocks is Speck-128 on each, on the Arm cores and on the host; on one block the designers' vectors
hold (test_block_ciphers.py)."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest

from tests.tatu.machines import CORES, HERE, STRICT, TATU_SRC, Machine, built, name_of

DRIVER = "speck_blocks_driver.c"
MODULES = ("speck", "common")


@pytest.mark.parametrize("machine", CORES, ids=name_of)
def test_many_blocks_are_one_each_on_arm(machine: Machine, tmp_path: Path) -> None:
    assert subprocess.run([built(machine, DRIVER, MODULES, tmp_path)], check=False).returncode == 0


def test_many_blocks_are_one_each_on_the_host(tmp_path: Path) -> None:
    files = [HERE / DRIVER, *(file for module in MODULES for file in sorted((TATU_SRC / module).rglob("*.c")))]
    program = tmp_path / "speck"
    sanitizers = ("-fsanitize=address,undefined", "-fno-sanitize-recover=all")
    subprocess.run(
        ["gcc", *STRICT, "-O1", *sanitizers, f"-I{TATU_SRC}", *map(str, files), "-o", str(program)], check=True
    )
    assert subprocess.run([program], check=False).returncode == 0
