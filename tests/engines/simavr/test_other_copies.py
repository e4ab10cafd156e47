"""Two copies of the same crate that share cargo's target folder: each gets its own program."""

from __future__ import annotations

import os
import subprocess
from pathlib import Path

from bancada.engines.simavr.other_copies import forget_other_copies

MANIFEST = '[package]\nname = "copied"\nversion = "0.1.0"\nedition = "2021"\n'


def program(folder: Path, says: str, age_s: int, target: Path) -> str:
    """What the program of the crate in the folder says, whose files are so old."""
    files = {"Cargo.toml": MANIFEST, "src/main.rs": f'fn main() {{ println!("{says}"); }}\n'}
    for name, text in files.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
        os.utime(path, (path.stat().st_mtime - age_s,) * 2)
    forget_other_copies(folder, target)
    subprocess.run(
        ["cargo", "build", "--quiet", "--release", "--offline", "--target-dir", target], cwd=folder, check=True
    )
    return subprocess.run([target / "release" / "copied"], capture_output=True, text=True, check=True).stdout.strip()


def test_an_older_copy_has_its_own_program(tmp_path: Path) -> None:
    assert program(tmp_path / "one", "first", 0, tmp_path / "target") == "first"
    assert program(tmp_path / "other", "second", 7200, tmp_path / "target") == "second"
