"""Cargo in the workspace of the link's Rust programs."""

from __future__ import annotations

import os
import subprocess
from pathlib import Path

from sensorlink.laboratory import data_root

# Tests compile our own packages without optimisation, which takes a fifth of the time; the others are the programs'.
_OURS = ("bancada-link-gateway", "bancada-link-language", "bancada-link-server", "bancada-link-wire")
_QUICKLY = [word for name in _OURS for word in ("--config", f"profile.release.package.{name}.opt-level=0")]


def cargo(*arguments: str, target: Path, flags: list[str] | None = None) -> str:
    command = ["cargo", *arguments, "--release", "--locked", "--target-dir", str(target)]
    if arguments[0] == "test":
        command += _QUICKLY
    environment = {**os.environ, "RUSTFLAGS": " ".join(flags)} if flags else dict(os.environ)
    done = subprocess.run(command, cwd=data_root() / "link", env=environment, capture_output=True, text=True)
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout
