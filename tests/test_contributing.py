"""The recipes of CONTRIBUTING.md, as a stranger follows them: files in a folder of BANCADA_PATH, then commands."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

PAGE = Path(__file__).parents[1] / "CONTRIBUTING.md"
_RECIPE = re.compile(r"^## Add an? (.+?)\n(.*?)(?=^## |\Z)", re.MULTILINE | re.DOTALL)
_BLOCK = re.compile(r"^```(\w+)(?: (\S+))?\n(.*?)^```$", re.MULTILINE | re.DOTALL)

RECIPES = {name: _BLOCK.findall(text) for name, text in _RECIPE.findall(PAGE.read_text(encoding="utf-8"))}


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A folder of BANCADA_PATH."""
    root = tmp_path / "mine"
    root.mkdir()
    return root


def write(name: str, folder: Path) -> None:
    """Writes the files of a recipe into the folder."""
    for _, file, text in RECIPES[name]:
        if file:
            path = folder / file
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text, encoding="utf-8")


def follow(name: str, folder: Path) -> str:
    """Writes the files of a recipe into the folder, runs its commands there, and gives what they printed."""
    write(name, folder)
    printed = []
    for language, file, text in RECIPES[name]:
        if language == "sh" and not file:
            done = subprocess.run(
                ["bash", "-e", "-o", "pipefail", "-c", text],
                cwd=folder,
                env={
                    **os.environ,
                    "PATH": os.pathsep.join([str(Path(sys.executable).parent), os.environ["PATH"]]),
                    "COLUMNS": "200",
                    "BANCADA_PATH": str(folder),
                    "XDG_DATA_HOME": str(folder.parent / "data"),
                },
                capture_output=True,
                text=True,
                timeout=600,
                check=False,
            )
            assert done.returncode == 0, f"{text}\n{done.stdout}\n{done.stderr}"
            printed.append(done.stdout)
    return "".join(printed)


def test_the_page_has_a_recipe_for_each_thing() -> None:
    things = {"algorithm", "engine", "experiment", "export format", "metric", "primitive", "target"}
    assert set(RECIPES) == things | {"candidate", "study"}


def test_an_experiment(folder: Path) -> None:
    assert "tatu/speck64" in follow("experiment", folder)


def test_a_study(folder: Path) -> None:
    """Its claim is judged, its section is there, and the published figure stands beside ours."""
    lines = follow("study", folder).splitlines()
    assert lines[-3:] == [
        'fewer than 1,000 cycles <span class="chip verdict-holds">holds',
        "The published figure is of assembly, and so is ours.",
        "speck64-128, one block",
    ]


def test_a_candidate(folder: Path) -> None:
    assert "mycipher" in follow("candidate", folder)


def test_an_algorithm(folder: Path) -> None:
    assert "aes-ccm-8" in follow("algorithm", folder)


@pytest.mark.parametrize("thing", ["target", "engine", "metric", "export format"])
def test_a_thing_that_the_experiment_uses(thing: str, folder: Path) -> None:
    write("experiment", folder)
    assert follow(thing, folder).strip()
