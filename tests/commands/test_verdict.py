"""The exit code of `bancada run`: whose candidate is not conformant decides."""

from __future__ import annotations

import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest

from bancada.commands.verdict import verdict
from bancada.measure.laboratory import open_laboratory
from bancada.model.status import Status
from tests.example_results import result, withheld

Bancada = Callable[..., subprocess.CompletedProcess[str]]
# A library from a registry.
THEIRS = "tinyaes"

_EXPERIMENT = """
name = "mine"
title = "Mine"
question = "Is mine right?"
study = "None."
citation = "None."
targets = ["uno"]
candidates = ["mine"]
algorithms = ["speck64"]
operations = ["encrypt"]
key_bits = [128]
optimisations = ["-Os"]
samples = 16
"""


@pytest.mark.parametrize(
    ("candidate", "named", "is_right", "words"),
    [
        (THEIRS, False, True, f"2 results of {THEIRS} are not conformant, which is a finding"),
        (THEIRS, True, False, "the exit code is 1"),
        ("tatu", False, False, "2 results of tatu are not conformant: the exit code is 1"),
    ],
)
def test_whose_it_is_decides(candidate: str, named: bool, is_right: bool, words: str) -> None:
    wrong = [withheld(Status.NOT_CONFORMANT, "a vector", candidate=candidate)] * 2
    found, said = verdict([result(), *wrong], open_laboratory().candidates, named)
    assert found == is_right
    assert words in said


def test_nothing_is_said_where_all_is_well() -> None:
    candidates = open_laboratory().candidates
    assert verdict([result()], candidates, named=True) == (True, "")
    assert verdict([withheld(Status.FAILED, "it hangs", candidate=THEIRS)], candidates, named=False) == (False, "")


def test_ones_own_candidate_needs_no_option(bancada: Bancada, tmp_path: Path) -> None:
    """The folder that `new candidate` writes fails its vectors until it is filled in."""
    path = {"BANCADA_PATH": str(tmp_path)}
    made = bancada("new", "candidate", "mine", "--algorithm", "speck64", "--folder", str(tmp_path), **path)
    assert made.returncode == 0, made.stderr
    (tmp_path / "experiments" / "mine").mkdir(parents=True)
    (tmp_path / "experiments" / "mine" / "experiment.toml").write_text(_EXPERIMENT)
    ran = bancada("run", "mine", **path)
    assert ran.returncode == 1, ran.stdout + ran.stderr
    assert "of mine" in ran.stdout and "not conformant: the exit code is 1." in " ".join(ran.stdout.split())
