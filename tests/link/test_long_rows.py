"""The long tables run tests that are there, and judge the times that those print."""

from __future__ import annotations

from pathlib import Path

import pytest
from long_rows import ROWS
from long_server import LONG, Long, drained_in_time, run


def test_a_time_that_is_missing_or_too_long_is_a_miss() -> None:
    said = ["SQLite: 2 kills (seed 1), 9 frames: 0 lost; drained 0.4 s after the last frame", "PostgreSQL: the same; drained 4.9 s after"]
    assert drained_in_time(said, 5)
    assert not drained_in_time(said, 4.8)
    assert not drained_in_time(["SQLite: 2 kills: 0 lost"], 5)


@pytest.mark.parametrize("long", [*ROWS, *LONG], ids=lambda long: long.name)
def test_what_a_table_runs_is_there(long: Long) -> None:
    for test in long.tests:
        file, _, name = test.partition("::")
        assert f"def {name or 'test_'}" in (Path(__file__).parent / file).read_text()


def test_a_failed_or_silent_row_is_a_miss(tmp_path: Path) -> None:
    (tmp_path / "test_it.py").write_text("def test_good():\n    print('drained 0.1 s after 1 kill: 1')\ndef test_bad():\n    assert 0\n")
    good, bad = (f"{tmp_path}/test_it.py::test_{name}" for name in ("good", "bad"))
    assert run(Long("", "", (good,), {}))[0]
    assert not run(Long("", "", (good, bad), {}))[0]
    assert not run(Long("", "", (good,), {}, drained_within_s=0.05))[0]
