"""The command line as its users meet it: answers, exit codes, and one clear sentence for every mistake."""

from __future__ import annotations

import json
import os
import signal
import sqlite3
import subprocess
import sys
from collections.abc import Callable
from functools import partial
from pathlib import Path

import pytest
from click.testing import CliRunner

from bancada.catalogue.paths import data_root
from bancada.commands.cli import cli
from tests.pairs import pairs

pytestmark = pytest.mark.long

Bancada = Callable[..., subprocess.CompletedProcess[str]]

SCHEMA = Path(__file__).resolve().parents[2] / "bancada" / "schema" / "result-4.schema.json"


def _mistake(done: subprocess.CompletedProcess[str], *words: str) -> None:
    """Exit code 2, one sentence on standard error that has all the words, no traceback."""
    assert done.returncode == 2, done.stderr
    assert done.stderr.startswith("bancada: ")
    assert "Traceback" not in done.stderr
    assert len(done.stderr.strip().splitlines()) == 1, done.stderr
    for word in words:
        assert word in done.stderr


@pytest.mark.parametrize(
    "command",
    ["doctor", "list", "run", "report", "export", "compare", "pick", "new", "check", "measure", "validate", "gem5"],
)
def test_every_command_has_help_with_an_example(command: str) -> None:
    done = CliRunner().invoke(cli, [command, "--help"])
    assert done.exit_code == 0
    assert f"Example: bancada {command}" in " ".join(done.stdout.split())


def test_a_mistyped_experiment_names_the_nearest(bancada: Bancada) -> None:
    _mistake(bancada("run", "libarries"), "no experiment 'libarries'", "did you mean 'libraries'")


def test_a_mistyped_target_names_the_nearest(bancada: Bancada) -> None:
    _mistake(bancada("run", "libraries", "--target", "unno"), "no target 'unno'", "did you mean 'uno'")


def test_a_mistyped_candidate_names_the_nearest(bancada: Bancada) -> None:
    _mistake(bancada("run", "libraries", "--candidate", "tinyaess"), "no candidate 'tinyaess'", "'tinyaes'")


@pytest.mark.parametrize(
    ("command", "value"),
    pairs(
        (
            ("run", "sensor", "--watts"),
            ("compare", "before.jsonl", "after.jsonl", "--tolerance"),
            ("measure", "program.elf", "--target", "bbb", "--function", "f", "--limit-seconds"),
            ("prove", "tatu/aes128", "--limit-seconds"),
        ),
        ("nan", "inf", "1e300", "-inf"),
    ),
)
def test_a_number_that_is_none_is_refused(bancada: Bancada, command: tuple[str, ...], value: str) -> None:
    _mistake(bancada(*command, value), f"'{command[-1]}'")


def test_a_mistyped_option_points_to_help(bancada: Bancada) -> None:
    _mistake(bancada("run", "libraries", "--jbos", "2"), "--jbos", "--help")


def test_a_missing_compiler_names_the_package(bancada: Bancada, tmp_path: Path) -> None:
    _mistake(bancada("run", "sensor", PATH=str(tmp_path)), "avr-gcc", "apt-get install gcc-avr")


def test_a_report_without_results_says_what_to_run(bancada: Bancada) -> None:
    _mistake(bancada("report"), "no results yet", "bancada run")


def test_pick_without_results_says_what_to_run(bancada: Bancada) -> None:
    _mistake(bancada("pick", "--target", "uno"), "no results for target 'uno'", "bancada run")


def test_compare_with_a_missing_file(bancada: Bancada) -> None:
    _mistake(bancada("compare", "a.jsonl", "b.jsonl"), "no file a.jsonl")


def test_compare_with_something_else(bancada: Bancada, tmp_path: Path) -> None:
    other = tmp_path / "notes.txt"
    other.write_text("hello\n")
    _mistake(bancada("compare", str(other), str(other)), "notes.txt, line 1", "not a result")


def test_a_toml_that_does_not_validate_names_file_key_and_reason(bancada: Bancada, tmp_path: Path) -> None:
    folder = tmp_path / "mine" / "targets" / "board"
    folder.mkdir(parents=True)
    ours = (data_root() / "targets" / "uno" / "target.toml").read_text()
    theirs = ours.replace('name = "uno"', 'name = "board"').replace("16_000_000", '"fast"')
    (folder / "target.toml").write_text(theirs)
    _mistake(bancada("list", BANCADA_PATH=str(tmp_path / "mine")), "target.toml", "clock_hz", "integer")


def test_a_toml_that_is_not_toml(bancada: Bancada, tmp_path: Path) -> None:
    folder = tmp_path / "mine" / "candidates" / "lib"
    folder.mkdir(parents=True)
    (folder / "candidate.toml").write_text("name = \n")
    done = bancada("list", BANCADA_PATH=str(tmp_path / "mine"))
    _mistake(done, "candidate.toml", "not valid TOML", "line 1")
    for name in ("tinyaes", "stm32f4", "records-arm"):
        assert name in done.stdout, "what can be read is listed nevertheless"


@pytest.mark.parametrize(
    ("content", "reason"),
    [(b'name = "\xff"\n', "not valid TOML"), (b'folder = "/"\n', "key 'folder'"), (None, "cannot be read")],
)
def test_a_toml_that_cannot_be_taken_at_all(
    bancada: Bancada, tmp_path: Path, content: bytes | None, reason: str
) -> None:
    path = tmp_path / "mine" / "candidates" / "lib" / "candidate.toml"
    path.parent.mkdir(parents=True)
    path.mkdir() if content is None else path.write_bytes(content)
    _mistake(bancada("list", BANCADA_PATH=str(tmp_path / "mine")), "candidate.toml", reason)


def test_a_folder_of_bancada_path_that_is_not_there(bancada: Bancada, tmp_path: Path) -> None:
    _mistake(bancada("list", BANCADA_PATH=str(tmp_path / "mien")), "BANCADA_PATH", "mien")


def test_a_cache_that_cannot_be_written(bancada: Bancada, tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    _mistake(bancada("run", "sensor", "--quick", BANCADA_CACHE=str(tmp_path / "file")), "file", "Not a directory")


def test_a_store_with_other_tables(bancada: Bancada, tmp_path: Path) -> None:
    with sqlite3.connect(tmp_path / "store.sqlite") as database:
        database.execute("CREATE TABLE results (something TEXT)")
    _mistake(bancada("export", "--store", str(tmp_path / "store.sqlite")), "store of results cannot be used")


def test_a_store_that_cannot_be_opened(bancada: Bancada, tmp_path: Path) -> None:
    not_a_store = tmp_path / "store.sqlite"
    not_a_store.write_bytes(b"this is not a database, whatever its name says" * 100)
    _mistake(bancada("export", "--store", str(not_a_store)), "store.sqlite", "cannot be opened")


def test_list_shows_what_there_is(bancada: Bancada) -> None:
    done = bancada("list")
    assert done.returncode == 0
    for name in ("uno", "mega2560", "tatu", "tinyaes", "libraries", "sensor"):
        assert name in done.stdout


_FLOW = """
name = "flow"
title = "What the study sensor measures, of one key"
question = "What do block ciphers cost?"
study = "None."
citation = "None."
targets = ["uno"]
candidates = ["tatu"]
algorithms = ["aes", "speck128"]
operations = ["set-key", "set-decrypt-key", "encrypt", "decrypt"]
key_bits = [128]
optimisations = ["-Os", "-O2"]
samples = 16
"""


def test_a_quick_run_then_export_pick_compare_and_report(bancada: Bancada, tmp_path: Path) -> None:
    """The whole flow, for one candidate: every line valid by the schema, every figure there, nothing run twice."""
    import jsonschema

    folder = tmp_path / "rooms"
    (folder / "experiments" / "flow").mkdir(parents=True)
    (folder / "experiments" / "flow" / "experiment.toml").write_text(_FLOW)
    bancada = partial(bancada, BANCADA_PATH=str(folder))
    first = bancada("run", "flow", "--quick", "--candidate", "tatu")
    assert first.returncode == 0, first.stdout + first.stderr
    exported = bancada("export", "--format", "jsonl")
    results = [json.loads(line) for line in exported.stdout.splitlines()]
    schema = json.loads(SCHEMA.read_text())
    for result in results:
        jsonschema.validate(result, schema)
        assert result["status"] == "ok", result["reason"]
        assert result["conformance_passed"] == result["conformance_total"] > 100
        assert result["fidelity"] == "exact"
        for figure in (
            "cycles_min",
            "time_us",
            "flash_bytes",
            "ram_context_bytes",
            "stack_bytes",
            "energy_uj",
            "initialisation_us",
        ):
            assert result[figure] is not None, (result["case"], figure)
    # (aes plain, ram, small, tiny; speck plain, small, tiny) x 4 operations
    assert len(results) == 7 * 4
    second = bancada("run", "flow", "--quick", "--candidate", "tatu")
    assert "0 run, 28 unchanged" in " ".join(second.stdout.split())

    picked = bancada(
        "pick", "--target", "uno", "--operation", "encrypt", "--key", "128", "--flash", "2K", "--ram", "300"
    )
    assert picked.returncode == 0
    assert "tatu" in picked.stdout

    before = tmp_path / "before.jsonl"
    before.write_text(exported.stdout)
    assert bancada("compare", str(before), str(before)).returncode == 0
    after = tmp_path / "after.jsonl"
    results[0]["cycles_min"] = results[0]["cycles_median"] = results[0]["cycles_max"] = results[0]["cycles_max"] + 1
    after.write_text("".join(json.dumps(result) + "\n" for result in results))
    assert bancada("compare", str(before), str(after)).returncode == 1
    assert bancada("compare", str(after), str(before)).returncode == 0

    drawn = bancada("report", "--output", "page/index.html")
    assert drawn.returncode == 0, drawn.stderr
    page = (tmp_path / "elsewhere" / "page" / "index.html").read_text()
    assert "speck128" in page.lower()
    assert len(page) < 3 << 20
    assert "up to date" in bancada("report", "--output", "page/index.html").stdout


def test_a_killed_run_keeps_what_it_finished_and_resumes(tmp_path: Path, little: str) -> None:
    """SIGKILL as soon as the first results are stored; the second run does only the rest, and nothing is damaged."""
    store = tmp_path / "results.sqlite"
    command = [sys.executable, "-m", "bancada", "run", "little", "--jobs", "1", "--store", str(store)]
    environment = {**os.environ, "BANCADA_PATH": little}
    process = subprocess.Popen(
        command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, env=environment, start_new_session=True
    )
    stored = 0
    while process.poll() is None and stored == 0:
        if store.exists():
            listed = subprocess.run(
                ["python3", "-c", _COUNT, str(store)], capture_output=True, text=True, env={"PATH": os.environ["PATH"]}
            )
            stored = int(listed.stdout or 0)
    assert process.poll() is None, "the run ended before it could be killed"
    os.killpg(process.pid, signal.SIGKILL)
    process.wait()
    again = subprocess.run(command, capture_output=True, text=True, env=environment)
    summary = " ".join(again.stdout.split())
    assert again.returncode == 0, summary
    unchanged = int(summary.split(" run, ")[1].split(" unchanged")[0])
    assert unchanged >= stored > 0


_COUNT = """
import sqlite3, sys
try:
    print(sqlite3.connect(f"file:{sys.argv[1]}?mode=ro", uri=True).execute("SELECT count(*) FROM results").fetchone()[0])
except sqlite3.OperationalError:
    print(0)
"""


def test_ctrl_c_stops_with_one_sentence(tmp_path: Path) -> None:
    store = tmp_path / "results.sqlite"
    command = [
        sys.executable,
        "-m",
        "bancada",
        "run",
        "libraries",
        "--quick",
        "--jobs",
        "1",
        "--store",
        str(store),
    ]
    process = subprocess.Popen(
        command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, start_new_session=True
    )
    while process.poll() is None and not store.exists():
        pass
    process.send_signal(signal.SIGINT)
    _, said = process.communicate()
    assert process.returncode == 130
    assert "resumes" in said
    assert "Traceback" not in said


def test_a_folder_of_bancada_path_may_be_relative(bancada: Bancada, tmp_path: Path) -> None:
    (tmp_path / "elsewhere").mkdir()
    assert bancada("new", "candidate", "mine", "--algorithm", "speck64", BANCADA_PATH=".").returncode == 0
    done = bancada("check", "mine", BANCADA_PATH=".")
    assert "WRONG" in done.stdout, "it builds, and does nothing yet"


def test_an_empty_address_of_a_scheduler_is_no_run_on_this_machine(bancada: Bancada) -> None:
    _mistake(
        bancada("run", "hashes", "--quick", "--candidate", "tatu", "--target", "uno", "--dask", ""),
        "No scheduler of dask answers",
    )
