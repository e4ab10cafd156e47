"""`bancada run --port`: a campaign on a board, its results beside the simulator's, unplugged in the middle and
resumed."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from bancada.answers.board_section import without_boards
from bancada.catalogue.paths import data_root
from bancada.commands.assemble import assemble
from bancada.measure.laboratory import open_laboratory
from bancada.measure.read_metrics import read_metrics
from bancada.model.result import Result
from bancada.model.status import Fidelity, Status
from bancada.store.store import Store
from tests.board_bench import Bench

_TIMEOUT_S = 500

Bancada = Callable[..., "subprocess.Popen[str]"]


@pytest.fixture
def bench(tmp_path: Path) -> Iterator[Bench]:
    with Bench(tmp_path / "bench") as found:
        yield found


@pytest.fixture
def reduced(added_root: Path) -> Path:
    """The experiment `sensor` with one algorithm, one key and one level: three firmwares, all that --port does."""
    folder = added_root / "experiments" / "reduced"
    folder.mkdir(parents=True)
    text = (data_root() / "experiments" / "sensor" / "experiment.toml").read_text()
    text = text.partition("[[beside]]")[0].replace('name = "sensor"', 'name = "reduced"')
    for key, value in (
        ("algorithms", '["speck128"]'),
        ("key_bits", "[128]"),
        ("optimisations", '["-Os"]'),
        ("samples", "16"),
    ):
        text, times = re.subn(rf"^{key} = .*$", f"{key} = {value}", text, flags=re.MULTILINE)
        assert times == 1, key
    (folder / "experiment.toml").write_text(text)
    return folder


@pytest.fixture
def start(bench: Bench, tmp_path: Path) -> Bancada:
    def run(*arguments: str) -> subprocess.Popen[str]:
        return subprocess.Popen(
            [sys.executable, "-m", "bancada", *arguments, "--store", str(tmp_path / "store.sqlite")],
            env={**os.environ, "PATH": bench.path, "COLUMNS": "200"},
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        )

    return run


def ended(process: subprocess.Popen[str]) -> tuple[int, str, str]:
    try:
        output, errors = process.communicate(timeout=_TIMEOUT_S)
    finally:
        process.kill()
    return process.returncode, output, errors


def stored(tmp_path: Path) -> list[Result]:
    return Store(tmp_path / "store.sqlite").results("reduced")


def test_a_campaign_on_a_board_beside_the_simulators(
    bench: Bench, reduced: Path, start: Bancada, tmp_path: Path
) -> None:
    assert ended(start("run", "reduced"))[0] == 0
    simulated = stored(tmp_path)
    code, output, errors = ended(start("run", "reduced", "--target", "uno", "--port", bench.port, "--jobs", "2"))
    assert (code, errors) == (0, "")
    assert "stack and initialisation are not measured there" in output
    both = {result.case: result for result in stored(tmp_path)}
    assert without_boards(both.values()) == simulated, "nothing of the simulator's was overwritten"
    assert {result.status for result in simulated} == {Status.OK}
    assert len(both) == 2 * len(simulated)
    for counted in simulated:
        measured = both[f"board:{counted.case}"]
        assert (measured.status, measured.engine, measured.fidelity) == (Status.OK, "board", Fidelity.MEASURED)
        assert (measured.cycles_min, measured.cycles_median, measured.cycles_max) == (
            counted.cycles_min,
            counted.cycles_median,
            counted.cycles_max,
        )
        assert (measured.elf_sha256, measured.flash_bytes) == (counted.elf_sha256, counted.flash_bytes)
        assert (measured.stack_bytes, measured.initialisation_us) == (None, None)
    samples = {found.name: found.figures for found in Store(tmp_path / "store.sqlite").observations("reduced")}
    assert len(samples) == len(simulated)
    for name, figures in samples.items():
        assert len(figures["timer_cycles"]) == len(figures["cycles"]) == 16
        assert min(figures["timer_cycles"]) > max(figures["cycles"]) - 1
        assert both[name].cycles_max == max(figures["cycles"])

    flashed = bench.written
    again = ended(start("run", "reduced", "--target", "uno", "--port", bench.port))
    assert again[0] == 0
    assert f"(0 run, {len(simulated)} unchanged)" in again[1]
    assert bench.written == flashed, "what is known is not measured again"
    assert ended(start("run", "reduced"))[0] == 0
    assert len(stored(tmp_path)) == len(both), "the simulator's campaign leaves the board's results where they are"

    section = next(
        section
        for section in assemble(open_laboratory(), Store(tmp_path / "store.sqlite"), read_metrics()).experiments
        if section.name == "reduced"
    )
    assert {result.engine for result in section.results} == {"simavr"}
    (part,) = [part for part in section.parts if part.title == "Measured on a board"]
    assert len(part.rows) == len(simulated)
    assert part.red_rows == ()
    assert {row[part.columns.index("Difference")] for row in part.rows} == {"0"}


def test_an_unplugged_board_stops_the_campaign_and_the_same_command_resumes_it(
    bench: Bench, reduced: Path, start: Bancada, tmp_path: Path
) -> None:
    command = ("run", "reduced", "--target", "uno", "--port", bench.port)
    unplugs_at_its_third_flashing = {"times": 0}

    def watch(arguments: list[str]) -> tuple[int, str] | None:
        unplugs_at_its_third_flashing["times"] += arguments[arguments.index("-U") + 1].startswith("flash:w")
        if unplugs_at_its_third_flashing["times"] == 3:
            bench.faults.unplug_at = bench.frames + 20
        return None

    bench.faults.avrdude = watch
    code, _, errors = ended(start(*command))
    assert code == 2
    assert re.fullmatch(
        r"bancada: The board on \S+ went away[^\n]*; every finished case is stored, and the same command resumes\.\n",
        errors,
    ), errors
    finished = stored(tmp_path)
    assert {result.status for result in finished} == {Status.OK}
    assert len(finished) == 8, "the cases of two firmwares, and not one marked as failed"

    code, _, errors = ended(start(*command))
    assert code == 2
    assert errors.startswith(f"bancada: There is no port {bench.port}; ")
    assert errors.count("\n") == 1

    bench.faults.avrdude = lambda arguments: None
    bench.plug_in()
    code, output, errors = ended(start(*command))
    assert (code, errors) == (0, "")
    assert "(4 run, 8 unchanged)" in output
    assert {result.status for result in stored(tmp_path)} == {Status.OK}


def test_a_reset_fails_its_cases_which_the_same_command_tries_again(
    bench: Bench, reduced: Path, start: Bancada, tmp_path: Path
) -> None:
    command = ("run", "reduced", "--target", "uno", "--port", bench.port)

    def reset_in_the_first(arguments: list[str]) -> tuple[int, str] | None:
        if arguments[arguments.index("-U") + 1].startswith("flash:w") and not bench.faults.reset_at:
            bench.faults.reset_at = {bench.frames + 30}
        return None

    bench.faults.avrdude = reset_in_the_first
    code, output, errors = ended(start(*command))
    assert (code, errors) == (1, "")
    failed = [result for result in stored(tmp_path) if result.status is not Status.OK]
    assert len(failed) == 4
    assert len({result.implementation for result in failed}) == 1
    assert all(
        result.status is Status.FAILED and "restarted in the middle of the run" in (result.reason or "")
        for result in failed
    )
    code, output, _ = ended(start(*command))
    assert code == 0
    assert "(4 run, 8 unchanged)" in output
