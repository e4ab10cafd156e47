"""Compilers that do not work, and compilers that do not end."""

from __future__ import annotations

import os
import subprocess
import time
from pathlib import Path

import pytest

from bancada.compilers import compile as compiling
from bancada.compilers.compile import CompileError, compile_object, compiler_version
from bancada.model.errors import UserError
from tests.laboratory_fixtures import Bancada


def _program(folder: Path, name: str, text: str) -> Path:
    folder.mkdir(parents=True, exist_ok=True)
    path = folder / name
    path.write_text(f"#!/bin/sh\n{text}\n")
    path.chmod(0o755)
    return path


def test_a_compiler_whose_version_fails_is_one_sentence(bancada: Bancada, tmp_path: Path) -> None:
    _program(tmp_path / "tools", "avr-gcc", "echo 'avr-gcc: error while loading libmpc.so.3' >&2; exit 127")
    path = f"{tmp_path / 'tools'}{os.pathsep}{os.environ['PATH']}"
    done = bancada("run", "sensor", "--quick", PATH=path)
    words = " ".join(done.stderr.split())
    assert done.returncode == 2
    assert "The compiler 'avr-gcc' does not work: 'avr-gcc --version' ended with exit code 127" in words
    assert "libmpc.so.3" in words and "apt-get install --reinstall gcc-avr avr-libc" in words
    assert "Traceback" not in words


def test_a_compiler_that_says_nothing_does_not_work(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    _program(tmp_path, "silent-gcc", "exit 0")
    monkeypatch.setenv("PATH", f"{tmp_path}{os.pathsep}{os.environ['PATH']}")
    with pytest.raises(UserError, match="exit code 0 \\(it said nothing\\)"):
        compiler_version("silent-gcc", "some-package")


def test_a_compiler_that_hangs_is_ended_with_what_it_started(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The child keeps the pipes open, as cc1 does: a wait for them would take an hour."""
    monkeypatch.setenv("BANCADA_CACHE", str(tmp_path / "cache"))
    monkeypatch.setattr(compiling, "COMPILE_LIMIT_S", 1.0)
    child = tmp_path / "child"
    compiler = _program(tmp_path, "slow-gcc", f"sleep 3600 & echo $! > {child}; wait")
    source = tmp_path / "main.c"
    source.write_text("int main(void) { return 0; }\n")
    began = time.monotonic()
    with pytest.raises(CompileError, match=r"it did not end within 1 s: .*slow-gcc .*main\.c"):
        compile_object(str(compiler), "slow 1", (), source)
    assert time.monotonic() - began < 60
    state = subprocess.run(["ps", "-o", "stat=", "-p", child.read_text().strip()], capture_output=True, text=True)
    assert state.stdout.strip()[:1] in ("", "Z")
