"""`pip install .` gives a `bancada` that needs no clone."""

from __future__ import annotations

import ast
import os
import subprocess
import sys
from pathlib import Path

import pytest

from bancada.catalogue.paths import data_root


@pytest.fixture(scope="module")
def installed(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with the wheel's contents, as pip installs them."""
    target = tmp_path_factory.mktemp("installed")
    subprocess.run(
        [sys.executable, "-m", "pip", "install", "--quiet", "--no-deps", "--target", str(target), str(data_root())],
        check=True,
    )
    return target


def _bancada(installed: Path, folder: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-m", "bancada", *arguments],
        cwd=folder,
        env={**os.environ, "PYTHONPATH": str(installed)},
        capture_output=True,
        text=True,
    )


def test_an_installed_bancada_lists_what_there_is_from_any_folder(installed: Path, tmp_path: Path) -> None:
    done = _bancada(installed, tmp_path, "list")
    assert done.returncode == 0, done.stderr
    assert "tatu" in done.stdout
    assert "uno" in done.stdout
    assert "sensor" in done.stdout


def test_an_installed_bancada_builds_and_measures_with_its_own_copy_of_everything(
    installed: Path, tmp_path: Path
) -> None:
    where = subprocess.run(
        [sys.executable, "-c", "from bancada.catalogue.paths import data_root; print(data_root())"],
        cwd=tmp_path,
        env={**os.environ, "PYTHONPATH": str(installed)},
        capture_output=True,
        text=True,
    )
    assert Path(where.stdout.strip()) == installed / "bancada" / "_data"
    store = tmp_path / "results.sqlite"
    done = _bancada(installed, tmp_path, "run", "hashes", "--quick", "--candidate", "tatu", "--store", str(store))
    assert done.returncode == 0, done.stdout + done.stderr
    assert "35 ok" in done.stdout


def test_an_installed_bancada_has_the_studies_with_their_findings(installed: Path, tmp_path: Path) -> None:
    loads = (
        "from bancada.measure.laboratory import open_laboratory\n"
        "from bancada.studies.found import study_of\n"
        "print({one.name: len(study_of(one).claims) for one in open_laboratory().experiments.values()})\n"
    )
    done = subprocess.run(
        [sys.executable, "-c", loads],
        cwd=tmp_path,
        env={**os.environ, "PYTHONPATH": str(installed)},
        capture_output=True,
        text=True,
    )
    assert done.returncode == 0, done.stderr
    claims = ast.literal_eval(done.stdout)
    assert claims["channel"] > 0 and claims["records"] == 0
    assert (installed / "bancada" / "_data" / "experiments" / "channel" / "programs" / "Makefile").is_file()
