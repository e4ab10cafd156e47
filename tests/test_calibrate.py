"""`bancada calibrate`: a board that counts as the simulator does, and one that does not."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from board_bench import Bench
from click.testing import CliRunner

from bancada import calibrate as module
from bancada.calibrate import calibrate
from bancada.cli import cli
from bancada.engines.board import BoardSession
from bancada.errors import UserError


@pytest.fixture
def bench(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Bench]:
    with Bench(tmp_path / "bench") as found:
        monkeypatch.setenv("PATH", found.path)
        monkeypatch.setenv("COLUMNS", "150")
        yield found


def test_simulated_and_measured_are_equal_to_the_cycle(bench: Bench) -> None:
    done = CliRunner().invoke(cli, ["calibrate", "--target", "uno", "--port", bench.port])
    assert done.exit_code == 0, done.output
    rows = re.findall(r"│ (tatu\S+ [a-z-]+)[^│]*│ +(\S[^│]*?) +│ +(\S[^│]*?) +│ +(\S+) +│", done.output)
    assert len(rows) >= 20 and bench.written == 7
    assert all(simulated == measured and difference == "0" for _, simulated, measured, difference in rows)
    cycles = {name: int(simulated) for name, simulated, *_ in rows if simulated.isdigit()}
    assert cycles["tatu/sha256 hash"] > 1 << 16, "one of them outlasts the timer's sixteen bits"
    assert re.search(r"All [0-9]+ calls take the same number of cycles", done.output)
    assert bench.complaints == []


def test_a_single_cycle_more_is_a_difference(bench: Bench, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "_IMPLEMENTATIONS", ("tatu/speck128-128",))
    bench.faults.stolen_cycles = 1
    done = CliRunner().invoke(cli, ["calibrate", "--target", "uno", "--port", bench.port])
    assert done.exit_code == 1, done.output
    rows = re.findall(r"│ tatu/speck128-128 (\S+), 16 B +│ +([0-9]+) +│ +([0-9]+) +│ +(\S+) +│", done.output)
    assert {name for name, *_ in rows} == {"set-key", "set-decrypt-key", "encrypt", "decrypt"}
    assert all(int(measured) - int(simulated) == 1 and difference == "+1" for _, simulated, measured, difference in rows)
    assert "16 of 16 calls differ" in done.output


def test_a_board_that_fails_is_no_measure(bench: Bench, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "_IMPLEMENTATIONS", ("tatu/speck128-128",))
    monkeypatch.setattr(BoardSession, "longest_wait_s", 2.0)
    bench.faults.reset_at = {4}
    with pytest.raises(UserError, match="tatu/speck128-128 on the board: The device (restarted|did not answer)"):
        list(calibrate("uno", bench.port))
