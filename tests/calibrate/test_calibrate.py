"""`bancada calibrate`: a board that counts as the simulator does, and one that does not."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest
from click.testing import CliRunner

from bancada.build.build import build
from bancada.calibrate import calibrate as module
from bancada.calibrate.calibrate import calibrate
from bancada.commands.command_line import cli
from bancada.engines.board.session import BoardSession
from bancada.measure.laboratory import open_laboratory
from bancada.model.errors import UserError
from tests.board_bench import Bench


@pytest.fixture
def bench(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Bench]:
    with Bench(tmp_path / "bench") as found:
        monkeypatch.setenv("PATH", found.path)
        monkeypatch.setenv("COLUMNS", "150")
        yield found


def _calibrate_with_speck_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "_fixed_set", lambda laboratory: ((laboratory.candidate("tatu"), ("speck128-128",)),))


def test_simulated_and_measured_are_equal_to_the_cycle(bench: Bench) -> None:
    done = CliRunner().invoke(cli, ["calibrate", "--target", "uno", "--port", bench.port])
    assert done.exit_code == 0, done.output
    rows = re.findall(
        r"^(tatu\S+ [a-z-]+)(?:, [0-9]+ B)? +([0-9]+(?: to [0-9]+)?) +([0-9]+(?: to [0-9]+)?) +(\S+)$",
        done.output,
        re.MULTILINE,
    )
    assert len(rows) >= 20
    assert bench.written == 7
    assert all(simulated == measured and difference == "0" for _, simulated, measured, difference in rows)
    cycles = {name: int(simulated) for name, simulated, *_ in rows if simulated.isdigit()}
    assert cycles["tatu/sha256 hash"] > 1 << 16, "one of them outlasts the timer's sixteen bits"
    assert re.search(r"All [0-9]+ calls take the same number of cycles", done.output)
    assert bench.complaints == []


def test_a_single_cycle_more_is_a_difference(bench: Bench, monkeypatch: pytest.MonkeyPatch) -> None:
    _calibrate_with_speck_alone(monkeypatch)
    bench.faults.stolen_cycles = 1
    done = CliRunner().invoke(cli, ["calibrate", "--target", "uno", "--port", bench.port])
    assert done.exit_code == 1, done.output
    rows = re.findall(r"^tatu/speck128-128 (\S+), 16 B +([0-9]+) +([0-9]+) +(\S+)$", done.output, re.MULTILINE)
    assert {name for name, *_ in rows} == {"set-key", "set-decrypt-key", "encrypt", "decrypt"}
    assert all(
        int(measured) - int(simulated) == 1 and difference == "+1" for _, simulated, measured, difference in rows
    )
    assert "16 of 16 calls differ" in done.output


def test_a_board_that_fails_is_no_measure(bench: Bench, monkeypatch: pytest.MonkeyPatch) -> None:
    _calibrate_with_speck_alone(monkeypatch)
    monkeypatch.setattr(BoardSession, "longest_wait_s", 2.0)
    bench.faults.reset_at = {4}
    with pytest.raises(UserError, match="tatu/speck128-128 on the board: The device (restarted|did not answer)"):
        list(calibrate(open_laboratory(), open_laboratory().targets["uno"], bench.port))


def test_rows_are_printed_as_they_come(bench: Bench, monkeypatch: pytest.MonkeyPatch) -> None:
    """Whoever waits sees the first before the board is asked for the second; what goes wrong later loses none."""
    _calibrate_with_speck_alone(monkeypatch)
    printed: list[tuple[str, int]] = []
    monkeypatch.setattr("click.secho", lambda row, **style: printed.append((row, bench.frames)))
    done = CliRunner().invoke(cli, ["calibrate", "--target", "uno", "--port", bench.port])
    assert done.exit_code == 0, done.output
    assert len(printed) == 4
    frames = [seen for _, seen in printed]
    assert frames == sorted(set(frames)), "between two rows the board answers"


def test_nothing_that_could_be_calibrated_is_said(bench: Bench, monkeypatch: pytest.MonkeyPatch) -> None:
    """Not: All 0 calls take the same number of cycles."""
    _calibrate_with_speck_alone(monkeypatch)
    nothing_fits = {
        name: "a program that calls it needs 9 B more flash than there are"
        for name in ("set-key", "encrypt", "set-decrypt-key", "decrypt")
    }
    monkeypatch.setattr(module, "build", lambda firmware: replace(build(firmware), operation_reason=nothing_fits))
    done = CliRunner().invoke(cli, ["calibrate", "--target", "uno", "--port", bench.port])
    assert isinstance(done.exception, UserError)
    assert "All 0" not in done.output
    assert str(done.exception) == (
        "Nothing could be calibrated: the target 'uno' has room for no operation of the fixed set: "
        "set-key does not fit (a program that calls it needs 9 B more flash than there are)."
    )
