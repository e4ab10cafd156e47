"""Fixtures of the link's tests: a site with its authority, its broker and its gateway daemon."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest
from clock_support import shifted_clock  # noqa: F401
from fleet_support import fleet  # noqa: F401
from gateway_site import Site, running_site
from page_support import browser  # noqa: F401
from sensorlink.binaries import GATEWAY, binary
from server_support import farm, new_database, postgres  # noqa: F401


@pytest.fixture
def tmp_path() -> Iterator[Path]:
    """A folder that other accounts can pass through: the broker never runs as root, and must get to its own folder.

    pytest's own folder lies below one that each new run of pytest, of any user, closes to all but its owner.
    """
    with TemporaryDirectory(prefix="link-test-", ignore_cleanup_errors=True) as name:
        folder = Path(name).resolve()
        folder.chmod(0o711)
        yield folder


@pytest.fixture(scope="session")
def gateway_program() -> Path:
    """The daemon, built if necessary. BANCADA_LINK_GATEWAY names another build of it, for example one with a
    sanitiser.
    """
    return Path(os.environ.get("BANCADA_LINK_GATEWAY") or binary(GATEWAY))


@pytest.fixture
def site(tmp_path: Path, gateway_program: Path) -> Iterator[Site]:
    with running_site(tmp_path, gateway_program) as made:
        yield made


@pytest.fixture
def bancada(tmp_path: Path) -> Callable[..., subprocess.CompletedProcess[str]]:
    """Runs the command line as a user would, from an empty folder."""

    def run(*arguments: str) -> subprocess.CompletedProcess[str]:
        home = tmp_path / "elsewhere"
        home.mkdir(exist_ok=True)
        environment = {**os.environ, "XDG_DATA_HOME": str(tmp_path / "data")}
        return subprocess.run(
            [sys.executable, "-m", "bancada", *arguments],
            cwd=home,
            env=environment,
            capture_output=True,
            text=True,
            timeout=300,
        )

    return run
