"""`bancada new target` and `bancada new experiment`: what they write works at once."""

from __future__ import annotations

import json
import subprocess
import tomllib
from collections.abc import Callable
from pathlib import Path

import pytest

Bancada = Callable[..., subprocess.CompletedProcess[str]]


def test_a_new_target_and_a_new_experiment_run_at_once(bancada: Bancada, tmp_path: Path) -> None:
    mine = str(tmp_path / "mine")
    made = bancada("new", "target", "uno-copy", "--like", "uno", "--folder", mine)
    assert made.returncode == 0, made.stderr
    assert f'export BANCADA_PATH="{mine}"' in made.stdout
    made = bancada(
        "new",
        "experiment",
        "mine",
        "--target",
        "uno-copy",
        "--algorithm",
        "speck64",
        "--folder",
        mine,
        BANCADA_PATH=mine,
    )
    assert made.returncode == 0, made.stderr
    ran = bancada("run", "mine", "--quick", "--store", str(tmp_path / "s.sqlite"), BANCADA_PATH=mine)
    assert ran.returncode == 0, ran.stdout + ran.stderr
    exported = bancada("export", "--store", str(tmp_path / "s.sqlite"), BANCADA_PATH=mine).stdout.splitlines()
    records = [json.loads(line) for line in exported]
    assert {record["target"] for record in records} == {"uno-copy"}
    assert {record["status"] for record in records} <= {"ok", "not-offered"}
    assert "encrypt" in {record["operation"] for record in records if record["status"] == "ok"}


def test_a_new_target_is_the_other_one_under_its_name(bancada: Bancada, tmp_path: Path) -> None:
    assert bancada("new", "target", "mine", "--like", "samd21", "--folder", str(tmp_path)).returncode == 0
    made = tomllib.loads((tmp_path / "targets" / "mine" / "target.toml").read_text())
    root = Path(__file__).parents[2]
    like = tomllib.loads((root / "targets" / "samd21" / "target.toml").read_text())
    assert made == like | {"name": "mine", "title": f"mine, made from {like['title']}"}


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (("target", "Mine"), "'Mine' cannot name a new target"),
        (("target", "uno"), "There is the target 'uno' already"),
        (("target", "mine", "--like", "unno"), "did you mean 'uno'?"),
        (("experiment", "libraries"), "There is the experiment 'libraries' already"),
        (("experiment", "mine", "--algorithm", "aess"), "did you mean 'aes'?"),
        (("experiment", "mine", "--candidate", "tatuu"), "did you mean 'tatu'?"),
    ],
)
def test_a_mistake_is_one_sentence_and_nothing_is_written(
    bancada: Bancada, tmp_path: Path, arguments: tuple[str, ...], words: str
) -> None:
    done = bancada("new", *arguments, "--folder", str(tmp_path / "new"))
    assert done.returncode == 2
    assert words in done.stderr
    assert len(done.stderr.splitlines()) == 1
    assert not (tmp_path / "new").exists()
