"""The project has one version, and every file that says it says the same."""

from __future__ import annotations

import json
import re
import tomllib
from pathlib import Path

from bancada import __version__
from bancada.catalogue.paths import data_root

ROOT = data_root()
CARGO = ("engines/simavr", "engines/simavr/audit", "engines/simavr/device", "tatu")


def _toml(path: Path, *keys: str) -> str:
    found = tomllib.loads(path.read_text())
    for key in keys:
        found = found[key]
    assert isinstance(found, str)
    return found


def versions() -> dict[str, str]:
    """What each file says. Tatu's other manifests are compared with its `library.json` in test_packages.py."""
    found = {f"{folder}/Cargo.toml": _toml(ROOT / folder / "Cargo.toml", "package", "version") for folder in CARGO}
    found["link/Cargo.toml"] = _toml(ROOT / "link" / "Cargo.toml", "workspace", "package", "version")
    found["pyproject.toml"] = _toml(ROOT / "pyproject.toml", "project", "version")
    found["candidates/tatu"] = _toml(ROOT / "candidates" / "tatu" / "candidate.toml", "version")
    for name in ("tatu/library.json", "tatulink/library.json", "codemeta.json", ".zenodo.json"):
        found[name] = json.loads((ROOT / name).read_text())["version"]
    for name, form in (
        ("tatulink/library.properties", r"(?m)^version=(.+)$"),
        ("CITATION.cff", r"(?m)^version: (.+)$"),
        ("CHANGELOG.md", r"(?m)^## (\S+)"),
    ):
        said = re.search(form, (ROOT / name).read_text())
        assert said is not None, name
        found[name] = said.group(1)
    return found


def test_every_file_says_the_same_version() -> None:
    assert {name: version for name, version in versions().items() if version != __version__} == {}
