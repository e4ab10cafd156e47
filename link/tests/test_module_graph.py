"""The Rust programs' modules use one another one way: a reader who begins at the bottom never needs what is above."""

from __future__ import annotations

import re
from graphlib import CycleError, TopologicalSorter
from pathlib import Path

import pytest
from sensorlink.laboratory import data_root

pytestmark = pytest.mark.quick

# `crate::a::b`, `super::{a, b::c}`: what a path begins with.
_PATH = re.compile(r"\b(crate|super)::(\{[^}]*\}|\w+)")
_FIRST_NAMES = re.compile(r"(?:^|[{,]\s*)(\w+)")


def code_of(path: Path) -> str:
    """Without comments and the tests at its end, which may use whatever they like."""
    text = path.read_text().split("#[cfg(test)]")[0]
    return "\n".join(line for line in text.splitlines() if not line.lstrip().startswith("//"))


def graph(source: Path) -> dict[str, set[str]]:
    """Of each module, by its path below `source` without `.rs` (`page` for page/mod.rs), the modules that it uses."""
    modules = {
        path.relative_to(source).with_suffix("").as_posix().removesuffix("/mod"): path
        for path in source.rglob("*.rs")
        if not path.stem.endswith("_tests")
    }
    uses: dict[str, set[str]] = {}
    for name, path in modules.items():
        code, parent = code_of(path), name.rpartition("/")[0]
        found = set()
        for base, names in _PATH.findall(code):
            for first in _FIRST_NAMES.findall(names):
                inside = "" if base == "crate" else parent
                wanted = f"{inside}/{first}".strip("/")
                # What is no module is something of the parent itself.
                found.add(wanted if wanted in modules else inside)
        if path.name == "mod.rs":
            found |= {f"{name}/{child}" for child in re.findall(r"\b(\w+)::", code) if f"{name}/{child}" in modules}
        uses[name] = {module for module in found if module in modules and module != name}
    return uses


@pytest.mark.parametrize("program", ["gateway", "language", "server", "wire"])
def test_modules_use_one_another_one_way(program: str) -> None:
    uses = graph(data_root() / "link" / program / "src")
    assert sum(map(len, uses.values())) >= len(uses) // 2, "the graph was not found"
    try:
        TopologicalSorter(uses).prepare()
    except CycleError as circle:
        pytest.fail(f"modules of {program} in a circle: {' uses '.join(reversed(circle.args[1]))}")
