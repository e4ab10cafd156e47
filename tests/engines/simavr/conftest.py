"""Fixtures of the engine's tests."""

from __future__ import annotations

import hashlib
import shutil
import subprocess
from pathlib import Path

import pytest

from bancada.catalogue.paths import cache_folder
from tests.engines.made_once import made_once

HERE = Path(__file__).resolve().parent
PACKAGE_FILES = ("package.json", "package-lock.json", ".npmrc")


@pytest.fixture(scope="session")
def avr8js() -> Path:
    """A folder in which npm has installed the second simulator, as the lock file says."""
    digest = hashlib.sha256(b"".join((HERE / name).read_bytes() for name in PACKAGE_FILES)).hexdigest()[:16]
    home = cache_folder() / "tests" / f"avr8js-{digest}"

    def make(fresh: Path) -> None:
        for name in PACKAGE_FILES:
            shutil.copy2(HERE / name, fresh / name)
        subprocess.run(["npm", "ci", "--silent"], cwd=fresh, check=True)

    return made_once(home, make)
