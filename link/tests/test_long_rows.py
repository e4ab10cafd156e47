"""The long tables run tests that are there, and judge the times that those print."""

from __future__ import annotations

import os
import runpy
import subprocess
import sys
from pathlib import Path

import pytest
from long_table import ROWS_FILE, Machine, Row, rate_line, read, slowness, tell

from link.tests import long, long_server
from link.tests.long_rows import ROWS
from link.tests.long_server import LINK, LONG, Long, cheap_enough, drained_in_time, fast_enough, run


def test_a_time_that_is_missing_or_too_long_is_a_miss() -> None:
    said = [
        "SQLite: 2 kills (seed 1), 9 frames: 0 lost; drained 0.4 s after the last frame",
        "PostgreSQL: the same; drained 4.9 s after",
    ]
    assert drained_in_time(said, 5)
    assert not drained_in_time(said, 4.8)
    assert not drained_in_time(["SQLite: 2 kills: 0 lost"], 5)


def test_a_rate_that_is_missing_or_too_low_is_a_miss() -> None:
    said = ["gateway: 9 frames in 1.00 s: 9000/s; processor time gateway 0.10 s: 90000/s on one core"]
    assert fast_enough(said, 20_000, slower=2.5) and not fast_enough(said, 20_000, slower=2.0)
    assert not fast_enough(said, 100_000, slower=50), "one core is one core however busy the machine"
    assert not fast_enough(
        [*said, "x: 9 frames in 9.00 s: 1/s; processor time y 1.00 s: 30000/s on one core"], 20_000, slower=2.5
    )
    assert not fast_enough(["3 passed"], 1, slower=1.0)


def test_a_frame_that_costs_too_much_or_nothing_known_is_a_miss() -> None:
    said = ["50000000 rows: 19.9 us of processor time a frame", "SQLite: 9 frames in 1.00 s"]
    assert cheap_enough(said, 20) and cheap_enough(said, 19.9) and not cheap_enough(said, 19.8)
    assert not cheap_enough(said[1:], 20)
    assert not cheap_enough([*said, "9 rows: 20.1 us of processor time a frame"], 20)


def test_what_throughput_prints_is_what_the_table_reads() -> None:
    said = rate_line("SQLite", 50_000, 2.0, {"server": 0.5, "PostgreSQL": 0.5})
    assert (
        said == "SQLite: 50000 frames in 2.00 s: 25000/s; "
        "processor time server 0.50 s + PostgreSQL 0.50 s: 50000/s on one core"
    )
    assert fast_enough([said], 25_000, slower=1.0) and not fast_enough([said], 25_001, slower=1.0)


@pytest.mark.parametrize("long", [*ROWS, *LONG], ids=lambda long: long.name)
def test_what_a_table_runs_is_there(long: Long) -> None:
    for test in long.tests:
        file, _, name = test.partition("::")
        assert f"def {name or 'test_'}" in (LINK / file).read_text()


def test_rows_of_one_kind_run(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    rows = (Long("timed", "", (), {}, most_cpu_us=20), Long("not timed", "", (), {}))
    monkeypatch.setattr(long_server, "run", lambda row: Row(row.name, "", "", True))
    for arguments, names in (
        ([], ["timed", "not timed"]),
        (["--timed"], ["timed"]),
        (["--untimed"], ["not timed"]),
    ):
        monkeypatch.setattr(sys, "argv", ["long_server.py", *arguments])
        assert long_server.print_table(rows, "") == 0
        assert [line.removeprefix("holds").strip() for line in capsys.readouterr().out.splitlines()] == names


def test_a_failed_or_silent_row_is_a_miss(tmp_path: Path) -> None:
    (tmp_path / "test_it.py").write_text(
        "def test_good():\n    print('drained 0.1 s after 1 kill: nothing lost')\ndef test_bad():\n    assert 0\n"
    )
    good, bad = (f"{tmp_path}/test_it.py::test_{name}" for name in ("good", "bad"))
    row = run(Long("", "", (good,), {}))
    assert row.holds and row.reached.startswith("drained 0.1 s after 1 kill: nothing lost; 1 passed (")
    assert not run(Long("", "", (good, bad), {})).holds
    assert not run(Long("", "", (good,), {}, drained_within_s=0.000_1)).holds


def test_the_whole_table_is_told_as_one(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    rows = [Row("one", "0 lost", "0 of 5 lost", True), Row("two", "5 s", "9.5 s", False)]
    monkeypatch.setenv(ROWS_FILE, str(tmp_path / "rows"))
    assert (tell(rows[:1]), tell(rows[1:])) == (0, 1)
    assert read(tmp_path / "rows") == rows
    said = capsys.readouterr().out.splitlines()
    assert [line.split()[0] for line in said] == ["holds", "MISSED"]


def test_a_part_that_breaks_off_is_a_miss(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(long, "LINK", tmp_path)
    (tmp_path / "broken.py").write_text("raise SystemExit(3)")
    (rows, _) = long.run(long.Part("broken.py"), tmp_path)
    assert [(row.holds, row.reached) for row in rows] == [(False, "ended with code 3 after 0 rows")]


# Holds only if the other one has begun before this one ends.
_WAITS = f"""
import json, os, sys, time
from pathlib import Path

me, other = Path(sys.argv[1]), Path(sys.argv[2])
me.touch()
end = time.monotonic() + 60
while not other.exists() and time.monotonic() < end:
    time.sleep(0.01)
row = dict(test=me.name, to_reach="the other one", reached="", holds=other.exists())
Path(os.environ["{ROWS_FILE}"]).write_text(json.dumps(row) + "\\n")
"""


def test_parts_that_keep_no_times_run_beside_each_other(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(long, "LINK", tmp_path)
    for name in ("one", "other"):
        (tmp_path / f"{name}.py").write_text(_WAITS)
    marks = (str(tmp_path / "mark-1"), str(tmp_path / "mark-2"))
    beside = (
        long.Part("one.py", marks, keeps_times=False),
        long.Part("other.py", marks[::-1], keeps_times=False),
    )
    found = long.run_all(beside, tmp_path)
    assert [(row.test, row.holds) for rows, _ in found for row in rows] == [("mark-1", True), ("mark-2", True)]


def test_every_part_is_there() -> None:
    parts = long.parts(1)
    assert all((long.LINK / part.script).is_file() for part in parts)
    assert len({part.name for part in parts}) == len(parts), "two parts would write one file of rows"


def test_the_simulation_runs_whole() -> None:
    run = [name for part in long.parts(1) if "long_simulation" in part.script for name in part.arguments[1:]]
    assert sorted(run) == sorted(runpy.run_path(str(LINK / "simulation/tests/long_simulation.py"))["PARTS"])


def test_a_busy_machine_is_noticed() -> None:
    with Machine() as machine:
        busy = [subprocess.Popen([sys.executable, "-c", "while True: pass"]) for _ in range(4 * (os.cpu_count() or 1))]
        try:
            assert any(float(machine.next_sample()) > 1.5 for _ in range(20))
        finally:
            for each in busy:
                each.kill()
                each.wait()


@pytest.mark.parametrize(("said", "slower"), [("", 1.0), ("3.0\n5.0\n", 4.0), ("0.9\n", 1.0), ("2.0\n1", 2.0)])
def test_the_mean_of_whole_samples_counts(said: str, slower: float) -> None:
    assert slowness(said) == slower
