"""Makes the wheels: bancada, and each engine for each machine that can be compiled for.

Usage: python -m wheels.make_wheels FOLDER [--only-here]. The wheels of earlier runs in FOLDER are deleted. A
machine that cannot be compiled for is named, with the reason; the exit code is 1 if it is this one.
"""

from __future__ import annotations

import argparse
import hashlib
import os
import platform
import sys
from pathlib import Path

from bancada.catalogue.paths import data_root
from bancada.model.errors import UserError
from wheels import bancada_wheel, engine_qemu, engine_simavr
from wheels.archive import write_wheel
from wheels.machine import MACHINES, machine

_ENGINES = (engine_simavr, engine_qemu)


def make_wheels(folder: Path, scratch: Path, machines: list[str]) -> int:
    """Makes every wheel in the folder. Gives the exit code."""
    folder.mkdir(parents=True, exist_ok=True)
    for earlier in folder.glob("bancada*.whl"):
        earlier.unlink()
    scratch.mkdir(parents=True, exist_ok=True)
    repository = data_root()
    made = [bancada_wheel.make(repository, folder, scratch, [engine.NAME for engine in _ENGINES])]
    is_whole = True
    for name in machines:
        try:
            compiled_for = machine(name, scratch)
        except UserError as error:
            print(f"wheels: no engines for {name}: {error}", file=sys.stderr)
            is_whole = is_whole and name != platform.machine()
            continue
        made += [write_wheel(engine.make(repository, compiled_for, scratch), folder) for engine in _ENGINES]
    for path in made:
        digest = hashlib.sha256(path.read_bytes()).hexdigest()
        print(f"wheels: {path.name}, {path.stat().st_size} bytes, SHA-256 {digest}")
    return 0 if is_whole else 1


def main() -> int:
    """The command line."""
    parser = argparse.ArgumentParser(prog="python -m wheels.make_wheels")
    parser.add_argument("folder", type=Path)
    parser.add_argument("--only-here", action="store_true", help="no other machine than this one")
    asked = parser.parse_args()
    # Every file in a wheel has one time.
    os.environ.setdefault("SOURCE_DATE_EPOCH", "1577836800")
    here = platform.machine()
    scratch = data_root() / "build" / "wheels"
    return make_wheels(asked.folder.absolute(), scratch, [here] if asked.only_here else [here, *_others(here)])


def _others(here: str) -> list[str]:
    return [name for name in MACHINES if name != here]


if __name__ == "__main__":
    sys.exit(main())
