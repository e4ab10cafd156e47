"""The link's folders keep to their rules: tests use helpers and no other tests, and one module meets the laboratory."""

from __future__ import annotations

import ast
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import pytest

pytestmark = pytest.mark.quick

LINK = Path(__file__).resolve().parents[1]


def imported(path: Path) -> Iterator[str]:
    """The modules that a file imports, wherever in it."""
    for node in ast.walk(ast.parse(path.read_text())):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        if isinstance(node, ast.ImportFrom) and node.module:
            yield node.module


def python_files() -> list[Path]:
    return [path for path in LINK.rglob("*.py") if "target" not in path.parts]


def test_no_module_imports_a_test() -> None:
    assert len(python_files()) > 60
    assert [(path.name, name) for path in python_files() for name in imported(path) if name.startswith("test_")] == []


def test_only_the_two_doors_meet_the_laboratory() -> None:
    uses = {
        path.relative_to(LINK).as_posix()
        for path in python_files()
        for name in imported(path)
        if name.split(".")[0] == "bancada"
    }
    assert uses == {"simulation/sensorlink/laboratory.py", "testing/laboratory_references.py"}


def test_module_names_of_tests_and_helpers_differ() -> None:
    """pytest's default import mode gives each of them its bare file name."""
    names = Counter(path.stem for path in python_files() if "sensorlink" not in path.parts)
    assert [name for name, count in names.items() if count > 1] == []
