"""Sealed messages: the package's own test, with sanitizers."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest

from tests.tatu.compiled import compiled, sources_of
from tests.tatu.machines import SANITIZERS, STRICT, TATU_SRC

PROGRAM = TATU_SRC.parent / "tests" / "test_sealed.c"


@pytest.mark.parametrize("compiler", ["gcc", "clang"])
def test_every_length_and_no_undefined_behaviour(tmp_path: Path, compiler: str) -> None:
    library = sources_of(("ascon", "common", "sealed"), "*.c")
    program = compiled(tmp_path / "sealed", compiler, (*STRICT, *SANITIZERS), PROGRAM, library)
    done = subprocess.run([program], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
