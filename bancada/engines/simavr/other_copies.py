"""Makes cargo build what is in this copy of the sources."""

from __future__ import annotations

import shutil
import tomllib
from pathlib import Path


def forget_other_copies(sources: Path, target: Path) -> None:
    """Before a build: cargo forgets what it knows of the packages in the folder `sources` in its target folder.

    cargo knows a package by its place in the workspace, wherever that is. It takes what another copy of the sources
    built for this one's, if this one's files are older. Packages from a registry are kept: they take the time.
    """
    for manifest in sources.rglob("Cargo.toml"):
        name = tomllib.loads(manifest.read_text()).get("package", {}).get("name")
        if name is not None:
            for known in target.glob(f"*/.fingerprint/{name}-*"):
                shutil.rmtree(known, ignore_errors=True)
