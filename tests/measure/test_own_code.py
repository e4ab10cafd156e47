"""The laboratory's own code is a part of every result's key: any byte that can change a figure changes the key."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

import bancada
from bancada.engines.found import read_engines
from bancada.measure.own_code import BUILDING_ROOMS, MEASURING_ROOMS, added_code, code_digest

pytestmark = pytest.mark.quick

PACKAGE = Path(bancada.__file__).parent

# What plans, builds, runs and derives. The rest stores, compares and draws what was measured.
_CANNOT_CHANGE_A_FIGURE = {
    "store",
    "campaign",
    "answers",
    "studies",
    "audit",
    "validate",
    "calibrate",
    "formulas",
    "entropy",
    "prove",
    "commands",
    "language",
    "schema",
    "__pycache__",
}


_ENGINE = """from bancada.engines.simavr.engine import Simavr


class Mine(Simavr):
    name = "mine"


ENGINE = Mine
"""


def test_every_room_either_is_in_the_key_or_cannot_change_a_figure() -> None:
    rooms = {path.name for path in PACKAGE.iterdir() if path.is_dir()}
    assert rooms - _CANNOT_CHANGE_A_FIGURE == {*MEASURING_ROOMS, *BUILDING_ROOMS}


def test_one_changed_byte_of_any_file_changes_the_digest(tmp_path: Path) -> None:
    copy = tmp_path / "bancada"
    for room in MEASURING_ROOMS:
        shutil.copytree(PACKAGE / room, copy / room, ignore=shutil.ignore_patterns("__pycache__"))
    before = {room: code_digest((room,), copy) for room in MEASURING_ROOMS}
    whole = code_digest(MEASURING_ROOMS, copy)
    files = [path for path in sorted(copy.rglob("*")) if path.is_file()]
    assert len(files) > 150
    for path in files:
        room, content = path.relative_to(copy).parts[0], path.read_bytes()
        path.write_bytes(content[:-1] + bytes([content[-1] ^ 1]) if content else b"x")
        assert code_digest((room,), copy) != before[room], path
        path.write_bytes(content)
    assert code_digest(MEASURING_ROOMS, copy) == whole


def test_a_file_that_is_renamed_or_added_changes_the_digest(tmp_path: Path) -> None:
    shutil.copytree(PACKAGE / "measure", tmp_path / "measure", ignore=shutil.ignore_patterns("__pycache__"))
    before = code_digest(("measure",), tmp_path)
    (tmp_path / "measure" / "run.py").rename(tmp_path / "measure" / "ran.py")
    renamed = code_digest(("measure",), tmp_path)
    (tmp_path / "measure" / "more.py").write_text("")
    assert len({before, renamed, code_digest(("measure",), tmp_path)}) == 3


def test_an_engine_from_outside_counts_with_its_folder(added_root: Path) -> None:
    folder = added_root / "engines" / "mine"
    folder.mkdir(parents=True)
    (folder / "__init__.py").write_text(_ENGINE)
    engines = read_engines()
    assert added_code(engines["simavr"]) == ""
    before = added_code(engines["mine"])
    (folder / "table.py").write_text("CYCLES = 2\n")
    assert before
    assert added_code(engines["mine"]) != before
