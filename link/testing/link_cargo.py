"""Cargo in the workspace of the link's Rust programs."""

from __future__ import annotations

import os
import subprocess
from pathlib import Path

from sensorlink.laboratory import data_root


def cargo(*arguments: str, target: Path, flags: list[str] | None = None) -> str:
    command = ["cargo", *arguments, "--release", "--locked", "--target-dir", str(target)]
    environment = {**os.environ, "RUSTFLAGS": " ".join(flags)} if flags else dict(os.environ)
    done = subprocess.run(command, cwd=data_root() / "link", env=environment, capture_output=True, text=True)
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout
