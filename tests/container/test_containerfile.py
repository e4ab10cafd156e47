"""The Containerfile, as far as it can be checked without a registry of images. `make test-container` runs it."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

from tests.container.containerfile import KNOWN, read

pytestmark = pytest.mark.quick

ROOT = Path(__file__).resolve().parents[2]
INSTRUCTIONS = read(ROOT / "Containerfile")


def values(name: str) -> list[str]:
    return [instruction.value for instruction in INSTRUCTIONS if instruction.name == name]


def test_every_instruction_is_known_and_from_is_the_first() -> None:
    assert {instruction.name for instruction in INSTRUCTIONS} <= KNOWN
    assert INSTRUCTIONS[0].name == "FROM"
    [image] = values("FROM")
    # A whole name and a tag: podman has no default registry, and "latest" changes.
    assert re.fullmatch(r"docker\.io/library/debian:\d+-slim", image)


def test_set_up_knows_the_purpose() -> None:
    [purpose] = [value.partition("=")[2] for value in values("ARG")]
    assert f"\n{purpose} | " in (ROOT / "setup.sh").read_text() or f"\n{purpose})" in (ROOT / "setup.sh").read_text()
    [run] = values("RUN")
    assert "./setup.sh $PURPOSE" in run


def test_what_is_ignored_is_what_git_ignores() -> None:
    """A local environment or a build of this machine does not get into the image."""
    ignored = {line.removeprefix("**/") for line in (ROOT / ".containerignore").read_text().split()}
    of_git = {line.strip("/") for line in (ROOT / ".gitignore").read_text().split()}
    assert {".venv", "target", "__pycache__", "report", "build"} <= ignored & of_git
    assert ".git" in ignored


def test_the_entry_is_the_command() -> None:
    [entry], [default] = values("ENTRYPOINT"), values("CMD")
    assert json.loads(entry) == ["bancada"]
    assert json.loads(default) == ["--help"]
