"""`bancada audit --experiment`: what was measured is audited once."""

from __future__ import annotations

import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest

from bancada.audit.store import read_audits

Bancada = Callable[..., subprocess.CompletedProcess[str]]

_EXPERIMENT = """
name = "mine"
title = "Two kinds of Speck"
question = "Do they leak?"
study = "None."
citation = ""
targets = ["uno"]
candidates = ["tatu"]
algorithms = ["speck64"]
operations = ["set-key", "encrypt"]
key_bits = [128]
optimisations = ["-Os"]
samples = 16
"""


@pytest.fixture
def path(tmp_path: Path) -> str:
    folder = tmp_path / "mine" / "experiments" / "mine"
    folder.mkdir(parents=True)
    (folder / "experiment.toml").write_text(_EXPERIMENT)
    return str(tmp_path / "mine")


def test_what_was_measured_is_audited_once_and_then_chosen_by(bancada: Bancada, path: str, tmp_path: Path) -> None:
    assert bancada("run", "mine", BANCADA_PATH=path).returncode == 0
    first = bancada("audit", "--experiment", "mine", BANCADA_PATH=path)
    assert first.returncode == 0, first.stderr
    [stored] = tmp_path.rglob("*.sqlite")
    audits = read_audits(stored)
    assert len(audits) >= 4
    assert {audit.verdict for audit in audits} == {"clean"}
    assert f"audit of mine: {len(audits)} clean, 0 leaks, 0 not audited" in first.stdout
    again = bancada("audit", "--experiment", "mine", BANCADA_PATH=path)
    assert f"(0 operations audited, {len(audits)} unchanged)" in again.stdout
    picked = bancada("pick", "--target", "uno", "--constant-time", BANCADA_PATH=path)
    assert "nothing fits" not in picked.stdout


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        ((), "Say what to audit and where"),
        (("tatu",), "Say what to audit and where"),
        (("tatu", "--experiment", "records"), "--experiment goes without an implementation"),
        (("--experiment", "recrods"), "did you mean 'records'?"),
    ],
)
def test_mistakes_are_one_sentence(bancada: Bancada, arguments: tuple[str, ...], said: str) -> None:
    done = bancada("audit", *arguments)
    assert done.returncode == 2
    assert said in done.stderr
    assert len(done.stderr.splitlines()) == 1
