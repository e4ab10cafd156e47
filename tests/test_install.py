"""`pip install .` gives a `bancada` that needs no clone."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from bancada.paths import data_root


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
        [sys.executable, "-m", "bancada.cli", *arguments],
        cwd=folder,
        env={**os.environ, "PYTHONPATH": str(installed)},
        capture_output=True,
        text=True,
    )


def test_an_installed_bancada_lists_what_there_is_from_any_folder(installed: Path, tmp_path: Path) -> None:
    done = _bancada(installed, tmp_path, "list")
    assert done.returncode == 0, done.stderr
    assert "tatu" in done.stdout and "uno" in done.stdout and "sensor" in done.stdout


def test_an_installed_bancada_builds_and_measures_with_its_own_copy_of_everything(installed: Path, tmp_path: Path) -> None:
    where = subprocess.run(
        [sys.executable, "-c", "from bancada.paths import data_root; print(data_root())"],
        cwd=tmp_path,
        env={**os.environ, "PYTHONPATH": str(installed)},
        capture_output=True,
        text=True,
    )
    assert Path(where.stdout.strip()) == installed / "bancada" / "_data"
    store = tmp_path / "results.sqlite"
    done = _bancada(installed, tmp_path, "run", "hashes", "--quick", "--candidate", "tatu", "--store", str(store))
    assert done.returncode == 0, done.stdout + done.stderr
    assert "21 ok" in done.stdout
