"""Something that the tests' cache keeps: the first process makes it, the others wait for it."""

from __future__ import annotations

import shutil
from collections.abc import Callable
from pathlib import Path

from bancada.catalogue.only_one import only_one


def made_once(home: Path, make: Callable[[Path], None]) -> Path:
    """The folder `home`. If it does not exist, `make` fills an empty folder, which then gets that name: nothing half
    made is ever there, whatever ends the making."""
    with only_one(home.with_name(f"{home.name}.lock")):
        if not home.is_dir():
            fresh = home.with_name(f"{home.name}.fresh")
            shutil.rmtree(fresh, ignore_errors=True)  # left behind by a process that was killed
            fresh.mkdir(parents=True)
            make(fresh)
            fresh.rename(home)
    return home
