"""bancada-engine-simavr: the programs of engines/simavr, linked whole, so that they need no library of the machine."""

from __future__ import annotations

import os
import shutil
import subprocess
from pathlib import Path

from bancada import __version__
from bancada.engines.simavr.session import program_folders
from wheels.archive import Wheel
from wheels.machine import Machine
from wheels.portable import tags

NAME = "bancada-engine-simavr"
_PACKAGE = "bancada_engine_simavr"

_DESCRIPTION = """\
The engine `simavr` of bancada: it runs AVR firmware and counts every cycle.

The programs are built from `engines/simavr` of bancada's sources and are under the GNU General Public License, version
3 or later. Linked into them: simavr (GPL-3.0-or-later, by the crate simavr-ffi), libelf of elfutils (LGPL-3.0-or-later
or GPL-2.0-or-later), zlib (Zlib), zstd (BSD-3-Clause) and the GNU C library (LGPL-2.1-or-later), unchanged, as Debian
packages them. The folder `source` in this package is the source of our own part, with the versions of the crates.
"""


def make(repository: Path, machine: Machine, scratch: Path) -> Wheel:
    """Compiles every program and packs it. UserError or CalledProcessError if one does not compile."""
    source = _at_a_fixed_place(repository / "engines" / "simavr")
    files: dict[str, bytes] = {f"{_PACKAGE}/__init__.py": b'"""Programs of the engine simavr."""\n'}
    programs = []
    for folder, name, crate in program_folders(source):
        made = _compiled(source, crate, name, machine, scratch)
        files[f"{_PACKAGE}/{folder}/{name}"] = made.read_bytes()
        programs.append((f"{_PACKAGE}/{folder}/{name}", made))
    for path in _tracked(source):
        files[f"{_PACKAGE}/source/{path.relative_to(source).as_posix()}"] = path.read_bytes()
    return Wheel(
        name=NAME,
        version=__version__,
        tags=tags([path for _, path in programs], machine.name),
        metadata={
            "Summary": "Runs AVR firmware and counts every cycle, for bancada",
            "License-Expression": "GPL-3.0-or-later",
            "Requires-Python": ">=3.11",
            "Description-Content-Type": "text/markdown",
        },
        description=_DESCRIPTION,
        files=files,
        programs=frozenset(name for name, _ in programs),
        licences={"LICENSE": (source / "LICENSE").read_bytes()},
    )


def _at_a_fixed_place(source: Path) -> Path:
    """A copy of the sources in a folder that has the same name on every machine: cargo names a crate that is outside a
    workspace by where it lies, and orders code by these names."""
    fixed = Path("/tmp/bancada-engine-simavr")
    shutil.rmtree(fixed, ignore_errors=True)
    for path in _tracked(source):
        (fixed / path.relative_to(source)).parent.mkdir(parents=True, exist_ok=True)
        shutil.copy2(path, fixed / path.relative_to(source))
    return fixed


def _tracked(source: Path) -> list[Path]:
    """The sources, without what building them left."""
    return sorted(path for path in source.rglob("*") if path.is_file() and "target" not in path.parts)


def _compiled(source: Path, crate: Path, name: str, machine: Machine, scratch: Path) -> Path:
    target = scratch / f"cargo-{machine.name}"
    cargo = os.environ.get("CARGO_HOME", str(Path.home() / ".cargo"))
    # Where sources and objects lie must not show in the programs (wheels/README.md).
    remapped = (
        f"--remap-path-prefix={place}={shown}"
        for place, shown in ((cargo, "/cargo"), (target, "/target"), (source.resolve(), "/source"))
    )
    flags = ("-Ctarget-feature=+crt-static", "-Cstrip=symbols", "-Clink-arg=-Wl,--build-id=none", *remapped)
    environment = {
        **os.environ,
        **machine.environment,
        "CARGO_ENCODED_RUSTFLAGS": "\x1f".join(flags),
        "CARGO_PROFILE_RELEASE_DEBUG": "0",
    }
    for unwanted in ("MAKEFLAGS", "MFLAGS", "RUSTFLAGS", "CFLAGS"):  # simavr's own Makefile must not hear of them
        environment.pop(unwanted, None)
    command = ["cargo", "build", "--release", "--locked", "--quiet", "--target", machine.triple, "--bin", name]
    subprocess.run([*command, "--target-dir", str(target)], cwd=crate, env=environment, check=True)
    made = scratch / f"{name}-{machine.name}"
    shutil.copy2(target / machine.triple / "release" / name, made)
    return made
