"""The laboratory knows no experiment's name: an experiment owns what is true of it alone."""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator
from pathlib import Path

import pytest

import bancada
from bancada.catalogue.paths import data_root
from bancada.primitives import read_primitives

pytestmark = pytest.mark.quick

PACKAGE = Path(bancada.__file__).parent
NAMES = frozenset(path.parent.name for path in (data_root() / "experiments").glob("*/experiment.toml"))

# Names that are also other things, which a string of the laboratory may be: a primitive, and the plural of library.
ALSO_OTHER_THINGS = frozenset(read_primitives()) | {"libraries"}


def named(text: str, names: Iterable[str]) -> Iterator[str]:
    """The experiments that a source names: as a string of its own, as "study `name`", in a path or in a command."""
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, ast.Constant) and isinstance(node.value, str):
            for name in names:
                said = (
                    *(f"{kind} `{name}`" for kind in ("study", "studies", "experiment")),
                    *(f"{before}{name}" for before in ("experiments/", "bancada run ", "--experiment ")),
                )
                is_name = node.value == name and name not in ALSO_OTHER_THINGS
                if is_name or any(words in node.value.lower() for words in said):
                    yield name


def test_no_file_of_the_laboratory_names_an_experiment() -> None:
    found = {}
    for path in PACKAGE.rglob("*.py"):
        file = path.relative_to(PACKAGE).as_posix()
        if file.startswith("_data/"):
            continue
        if here := set(named(path.read_text(encoding="utf-8"), NAMES)):
            found[file] = here
    assert not found


def test_a_name_is_found() -> None:
    assert {"channel", "records-arm"} <= NAMES
    assert list(named('if section.name == "channel":\n    pass\n', NAMES)) == ["channel"]
    assert list(named('"""Study `records-arm`."""\n', NAMES)) == ["records-arm"]
    assert list(named("message = 'write: bancada run sensor'\n", NAMES)) == ["sensor"]
    assert list(named("message = 'the sensor has a channel'\n", NAMES)) == []


def test_no_experiment_imports_another() -> None:
    for path in (data_root() / "experiments").rglob("*.py"):
        experiment = path.relative_to(data_root() / "experiments").parts[0]
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.ImportFrom) and node.module and node.module.startswith("experiments."):
                assert node.module.split(".")[1] == experiment, f"{path} imports {node.module}"
            assert not (isinstance(node, ast.ImportFrom) and node.level > 1), f"{path} reaches out of its folder"
