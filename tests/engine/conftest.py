"""Fixtures of the engine's tests."""

from __future__ import annotations

import hashlib
import os
import shutil
import subprocess
from pathlib import Path

import pytest

from bancada.paths import cache_folder

HERE = Path(__file__).resolve().parent
PACKAGE_FILES = ("package.json", "package-lock.json", ".npmrc")


@pytest.fixture(scope="session")
def avr8js() -> Path:
    """A folder in which npm has installed the second simulator, as the lock file says."""
    digest = hashlib.sha256(b"".join((HERE / name).read_bytes() for name in PACKAGE_FILES)).hexdigest()[:16]
    home = cache_folder() / "tests" / f"avr8js-{digest}"
    if not home.is_dir():
        fresh = home.with_name(f"{home.name}.{os.getpid()}")
        fresh.mkdir(parents=True)
        for name in PACKAGE_FILES:
            shutil.copy2(HERE / name, fresh / name)
        subprocess.run(["npm", "ci", "--silent"], cwd=fresh, check=True)
        fresh.rename(home)
    return home
