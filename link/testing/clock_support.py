"""A library that shifts the clock of the program that it is loaded into."""

from __future__ import annotations

import subprocess
import time
from datetime import datetime
from pathlib import Path

import pytest
from server_support import Server


@pytest.fixture(scope="session")
def shifted_clock(tmp_path_factory: pytest.TempPathFactory) -> Path:
    library = tmp_path_factory.mktemp("clock") / "shifted_clock.so"
    source = Path(__file__).parent / "shifted_clock.c"
    subprocess.run(
        ["cc", "-std=c99", "-Wall", "-Wextra", "-Werror", "-O2", "-shared", "-fPIC", "-o", str(library), str(source)],
        check=True,
    )
    return library


def start_at(
    server: Server, library: Path, moment: datetime, seconds_later: float = 0, more: Path | None = None
) -> None:
    """With a clock that stands there now. `more`: a file of eight bytes, seconds to be added, which may change
    meanwhile.
    """
    shift_s = round(moment.timestamp() + seconds_later - time.time())
    file = {"SHIFTED_CLOCK_FILE": str(more)} if more else {}
    server.start(env={"LD_PRELOAD": str(library), "SHIFTED_CLOCK_S": str(shift_s), "PATH": "/usr/bin:/bin", **file})
