"""Builds the Rust programs of `link/` when they are missing or stale, and says where they are."""

from __future__ import annotations

import fcntl
import hashlib
import os
import shutil
import subprocess
import sys
from functools import cache
from pathlib import Path

from sensorlink.laboratory import UserError, cache_folder, data_root, forget_other_copies

SERVER = "bancada-link-server"
GATEWAY = "bancada-link-gateway"

_SETUP_HINT = "Rust 1.85 or newer (rustup, or Debian's cargo-web) and a C compiler (apt-get install gcc libc6-dev)"
# Packages between two lines of progress.
_TELL_EVERY = 20
# What a build reads besides its sources: the page's files and what the programs say are embedded.
_SOURCES = (
    *("**/*.rs", "**/Cargo.toml", "Cargo.lock", ".cargo/config.toml"),
    *("server/src/**/*.sql", "server/page/*", "language/*.po"),
)


def _source_digest(folder: Path) -> str:
    digest = hashlib.sha256()
    paths = {path for pattern in _SOURCES for path in folder.glob(pattern) if path.is_file()}
    for path in sorted(path for path in paths if "target" not in path.relative_to(folder).parts):
        digest.update(path.relative_to(folder).as_posix().encode() + b"\0" + path.read_bytes() + b"\0")
    return digest.hexdigest()[:16]


def _installed() -> Path:
    return cache_folder() / "link" / f"programs-{_source_digest(data_root() / 'link')}"


def built(name: str) -> Path | None:
    """The executable `name` if this version's sources are built already, without building anything."""
    path = _installed() / name
    return path if path.is_file() else None


@cache
def binary(name: str) -> Path:
    """The executable `name` of the workspace `link/`, built from this version's sources if necessary.

    UserError if there is no Rust compiler or the build fails, with what to install.
    """
    source = data_root() / "link"
    installed = _installed()
    if (installed / name).is_file():
        return installed / name
    if shutil.which("cargo") is None:
        raise UserError(
            f"The link's programs are built with Rust's cargo, which is not installed; they need {_SETUP_HINT}."
        )
    target = cache_folder() / "link" / "build"
    target.mkdir(parents=True, exist_ok=True)
    # One build at a time: a second one that waits finds its work done.
    with (target / "bancada.lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        if not (installed / name).is_file():
            forget_other_copies(source, target)
            _build(source, target)
            _install(target / "release", installed)
    if not (installed / name).is_file():
        raise UserError(
            f"The workspace {source} builds no program '{name}'; this installation of Bancada is incomplete."
        )
    return installed / name


def _build(source: Path, target: Path) -> None:
    """Runs cargo, and says on standard error how far it is: it takes minutes, and silence looks like a program that
    hangs.
    """
    packages = (source / "Cargo.lock").read_text().count("[[package]]")
    print(
        f"Building the link's programs: at most {packages} packages, some minutes, once.", file=sys.stderr, flush=True
    )
    command = ["cargo", "build", "--release", "--locked", "--workspace", "--target-dir", str(target)]
    said: list[str] = []
    compiled = 0
    with subprocess.Popen(command, cwd=source, stderr=subprocess.PIPE, text=True, errors="replace") as process:
        assert process.stderr is not None
        for line in process.stderr:
            said.append(line.rstrip())
            if line.lstrip().startswith("Compiling "):
                compiled += 1
                if compiled % _TELL_EVERY == 0:
                    print(f"  {compiled} packages compiled", file=sys.stderr, flush=True)
    if process.returncode != 0:
        errors = [line for line in said if line.startswith("error")]
        reason = (errors or said[-1:] or ["no message"])[0].strip()
        raise UserError(f"The link's programs do not build ({reason}); they need {_SETUP_HINT}.")


def _install(release: Path, installed: Path) -> None:
    installed.mkdir(parents=True, exist_ok=True)
    for path in release.iterdir():
        if path.is_file() and os.access(path, os.X_OK) and not path.suffix:
            partial = installed / f".{path.name}.{os.getpid()}"
            shutil.copy2(path, partial)
            os.replace(partial, installed / path.name)
