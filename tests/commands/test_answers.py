"""What was measured, as the command line answers with it: pick, compare, export, report, store and list."""

from __future__ import annotations

import json
import os
import re
import sqlite3
import stat
import subprocess
import sys
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest

from bancada.audit.findings import Audit
from bancada.audit.store import store_audit
from bancada.catalogue.paths import data_root
from bancada.model.result import Result
from bancada.model.status import Status
from bancada.store.store import Store
from tests.example_results import result, withheld
from tests.outside import add

Bancada = Callable[..., subprocess.CompletedProcess[str]]


def _mistake(done: subprocess.CompletedProcess[str], *words: str) -> None:
    assert done.returncode == 2, done.stdout + done.stderr
    assert len(done.stderr.strip().splitlines()) == 1 and "Traceback" not in done.stderr, done.stderr
    assert all(word in done.stderr for word in words), done.stderr


def _aead(size_bytes: int, associated_bytes: int = 0) -> Result:
    named = {"primitive": "aead", "algorithm": "ascon-aead128", "implementation": "tatu/ascon"}
    made = result(9000 * size_bytes, size_bytes=size_bytes, associated_bytes=associated_bytes, **named)
    return replace(made, case=f"uno/tatu/ascon/encrypt/{size_bytes}+{associated_bytes}/avr-gcc-Os")


# What the README's first command leaves in the store, in small: block ciphers, AEADs with messages of several sizes,
# what is not offered.
EVERY = [
    result(2000, flash_bytes=1500),
    result(3000, flash_bytes=900, implementation="tatu/aes128/small", variant="small"),
    result(1000, flash_bytes=5000, candidate="big", implementation="big/aes128"),
    _aead(16),
    _aead(512),
    _aead(16, associated_bytes=8),
    withheld(Status.NOT_OFFERED, "offers no such key", candidate="none", implementation="none/aes", flags=""),
]


def _stored(path: Path, results: list[Result], experiment: str = "libraries") -> Path:
    store = Store(path)
    for place, one in enumerate(results):
        store.put(experiment, place, f"{experiment} {place}", one)
    store.close()
    return path


@pytest.fixture
def default_store(tmp_path: Path) -> Path:
    """The store that the commands of the fixture `bancada` read without --store."""
    return _stored(tmp_path / "data" / "bancada" / "results.sqlite", EVERY)


def _readmes_question() -> list[str]:
    readme = (data_root() / "README.md").read_text(encoding="utf-8")
    found = re.search(r"^bancada (pick .*)$", readme, re.MULTILINE)
    assert found is not None
    return found[1].split()


# pick


def test_the_readmes_first_question_is_answered_from_what_its_first_command_leaves(
    bancada: Bancada, default_store: Path
) -> None:
    done = bancada(*_readmes_question())
    assert done.returncode == 0, done.stderr
    assert "tatu aes-128" in done.stdout
    assert "5\u202f000 B is 2\u202f952 B over" in done.stdout
    assert "--primitive aead" in done.stdout
    assert "Do not offer it: none/aes." in done.stdout


def test_pick_takes_the_size_the_associated_data_and_the_primitive(bancada: Bancada, default_store: Path) -> None:
    options = ("--algorithm", "ascon-aead128", "--json")
    told = {
        size: json.loads(bancada("pick", "--target", "uno", "--size", size, *options).stdout) for size in ("16", "512")
    }
    assert [told[size]["fits"][0]["value"] for size in ("16", "512")] == [9000 * 16, 9000 * 512]
    with_data = json.loads(
        bancada("pick", "--target", "uno", "--associated", "8", "--primitive", "aead", "--json").stdout
    )
    assert [fit["result"]["associated_bytes"] for fit in with_data["fits"]] == [8]
    _mistake(bancada("pick", "--target", "uno", "--size", "17"), "--size can be 16")


def test_pick_constant_time_asks_the_stored_audits(bancada: Bancada, default_store: Path) -> None:
    clean = Audit("uno", "tatu/aes128", "encrypt", "-Os", "avr-gcc 5.4.0", "simulator", 4, (), None, None, "2026-11-22")
    store_audit(default_store, clean)
    told = json.loads(bancada("pick", "--target", "uno", "--constant-time", "--json").stdout)
    assert [fit["result"]["implementation"] for fit in told["fits"]] == ["tatu/aes128"]
    assert {miss["result"]["implementation"] for miss in told["misses"]} == {"tatu/aes128/small", "big/aes128"}


def test_pick_answers_for_a_target_that_this_shell_does_not_define(bancada: Bancada, tmp_path: Path) -> None:
    store = _stored(tmp_path / "own.sqlite", [result(target="myboard")])
    done = bancada("pick", "--target", "myboard", "--store", str(store))
    assert done.returncode == 0
    assert "tatu aes-128" in done.stdout


# compare


def test_compare_with_text_for_a_figure_names_the_line(bancada: Bancada, tmp_path: Path) -> None:
    path = tmp_path / "edited.jsonl"
    path.write_text(json.dumps(result().as_dict() | {"cycles_median": "fast"}) + "\n")
    _mistake(bancada("compare", str(path), str(path)), "edited.jsonl, line 1", "'cycles_median' is 'fast'")


def test_compare_counts_what_vanished_and_says_all_as_json(bancada: Bancada, tmp_path: Path) -> None:
    before, after = tmp_path / "before.jsonl", tmp_path / "after.jsonl"
    gone = result(operation="decrypt")
    before.write_text("".join(json.dumps(one.as_dict()) + "\n" for one in (result(2000), gone)))
    after.write_text(json.dumps(result(2001).as_dict()) + "\n")
    same = tmp_path / "same.jsonl"
    same.write_text(json.dumps(result(2000).as_dict()) + "\n")
    incomplete = bancada("compare", str(before), str(same))
    assert ("1 vanished" in incomplete.stdout, incomplete.returncode) == (True, 1)
    assert bancada("compare", str(before), str(same), "--partial").returncode == 0
    done = bancada("compare", str(before), str(after), "--json")
    told = json.loads(done.stdout)
    assert done.returncode == 1
    assert told["vanished"] == [gone.case]
    assert told["changes"][0]["after"] == 2001


# reading a store changes nothing


def test_reading_makes_no_store(bancada: Bancada, tmp_path: Path) -> None:
    assert bancada("export").stdout == ""
    assert "no results yet" in bancada("store", "list").stdout
    assert not (tmp_path / "data").exists()


@pytest.mark.parametrize(
    "command",
    [
        ("export",),
        ("pick", "--target", "uno"),
        ("report",),
        ("store", "list"),
        ("run", "hashes", "--quick"),
        ("audit", "tatu/aes128", "--target", "uno", "--operation", "encrypt", "--samples", "4"),
    ],
)
def test_another_programs_database_is_not_changed(bancada: Bancada, tmp_path: Path, command: tuple[str, ...]) -> None:
    path = tmp_path / "photos.sqlite"
    with sqlite3.connect(path) as database:
        database.execute("CREATE TABLE photos (name TEXT)")
    database.close()
    before = path.read_bytes()
    _mistake(bancada(*command, "--store", str(path)), str(path), "another program")
    assert path.read_bytes() == before
    assert list(tmp_path.glob("photos.sqlite-*")) == []


_READS = """
import sys
from pathlib import Path
from bancada.audit.store import read_audits
from bancada.store.store import Store
path = Path(sys.argv[1])
store = Store(path, to_read=True)
print(len(store.results()), len(read_audits(path)))
"""


def test_a_store_in_a_folder_that_cannot_be_written_is_read(tmp_path: Path) -> None:
    folder = tmp_path / "shared"
    store = _stored(folder / "results.sqlite", EVERY)
    os.chmod(store, 0o444)
    os.chmod(folder, 0o555)
    os.chmod(tmp_path, 0o755)
    # Root may write anywhere: it reads as nobody.
    command = [sys.executable, "-c", _READS, str(store)]
    if os.geteuid() == 0:
        command = ["setpriv", "--reuid=65534", "--regid=65534", "--clear-groups", *command]
        for part in store.parents:
            if part.stat().st_uid == 0 and not part.stat().st_mode & stat.S_IXOTH:
                os.chmod(part, part.stat().st_mode | stat.S_IXOTH)
    done = subprocess.run(
        command, capture_output=True, text=True, env={"PYTHONPATH": str(data_root()), "PATH": os.environ["PATH"]}
    )
    os.chmod(folder, 0o755)
    assert done.stdout.split() == [str(len(EVERY)), "0"], done.stderr


# nothing that was measured disappears


def test_results_of_an_experiment_that_is_not_defined_here_are_shown_and_it_is_said_why(
    bancada: Bancada, tmp_path: Path
) -> None:
    store = _stored(tmp_path / "own.sqlite", EVERY, experiment="mine")
    assert bancada("report", "--output", "page.html", "--store", str(store)).returncode == 0
    page = (tmp_path / "elsewhere" / "page.html").read_text()
    assert "is not defined here" in page
    assert "tatu" in page
    assert len(bancada("export", "--experiment", "mine", "--store", str(store)).stdout.splitlines()) == len(EVERY)
    listed = bancada("store", "list", "--store", str(store)).stdout
    assert "not defined here (BANCADA_PATH?): experiment 'mine'" in listed


def test_prune_forgets_what_it_is_told_and_nothing_without_yes(bancada: Bancada, tmp_path: Path) -> None:
    store = _stored(tmp_path / "own.sqlite", [*EVERY, result(target="nano")])
    arguments = ("store", "prune", "--target", "nano", "--store", str(store))
    assert "Would forget (with --yes) 1 result." in bancada(*arguments).stdout
    assert len(Store(store, to_read=True).results()) == len(EVERY) + 1
    assert "Forgot 1 result." in bancada(*arguments, "--yes").stdout
    assert "nano" not in {one.target for one in Store(store, to_read=True).results()}
    _mistake(bancada("store", "prune", "--store", str(store)), "Say what to forget")


def test_prune_unplanned_takes_what_the_experiment_does_not_plan(bancada: Bancada, tmp_path: Path) -> None:
    planned = result(implementation="tatu/aes128", compiler="x", optimisation="-Os")
    planned = replace(planned, case="uno/tatu/aes128/encrypt/16/avr-gcc-Os")
    store = _stored(tmp_path / "own.sqlite", [planned, result(implementation="tatu/renamed")])
    said = bancada("store", "prune", "--experiment", "libraries", "--unplanned", "--yes", "--store", str(store)).stdout
    assert "Forgot 1 result." in said
    assert [one.implementation for one in Store(store, to_read=True).results()] == ["tatu/aes128"]


@pytest.mark.parametrize("command", ["report", "export", "pick", "store", "list"])
def test_a_broken_candidate_beside_does_not_stop_what_shows_results(
    bancada: Bancada, tmp_path: Path, default_store: Path, command: str
) -> None:
    broken = tmp_path / "mine" / "candidates" / "half"
    broken.mkdir(parents=True)
    (broken / "candidate.toml").write_text("name = ")
    options = {"pick": ("--target", "uno"), "store": ("list",), "list": ("experiments",)}
    done = bancada(command, *options.get(command, ()), BANCADA_PATH=str(tmp_path / "mine"))
    assert done.returncode == (2 if command == "list" else 0), done.stderr
    assert done.stdout
    assert ("candidate.toml: not valid TOML" in done.stderr) == (command in ("report", "export", "list"))


# report --output


def test_a_device_is_written_through_and_never_replaced(tmp_path: Path, default_store: Path, bancada: Bancada) -> None:
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    with subprocess.Popen(["cat", str(pipe)], stdout=subprocess.PIPE, text=True) as reader:
        assert bancada("report", "--output", str(pipe)).returncode == 0
        assert reader.stdout is not None
        assert "<!doctype html>" in reader.stdout.read()
    assert stat.S_ISFIFO(pipe.lstat().st_mode)
    written = bancada("report", "--output", "/dev/stdout")  # a pipe, which has no path
    assert written.returncode == 0, written.stderr
    assert written.stdout.startswith("<!doctype html>")


def test_a_symbolic_link_is_followed_and_stays(tmp_path: Path, default_store: Path, bancada: Bancada) -> None:
    real = tmp_path / "served" / "index.html"
    real.parent.mkdir()
    link = tmp_path / "index.html"
    link.symlink_to(real)
    assert bancada("report", "--output", str(link)).returncode == 0
    assert link.is_symlink()
    assert "<!doctype html>" in real.read_text()


# tables and JSON


def test_a_table_that_is_piped_is_not_cut(bancada: Bancada, default_store: Path) -> None:
    done = bancada("list", "candidates")
    assert "…" not in done.stdout
    assert max(map(len, done.stdout.splitlines())) > 100
    assert "…" not in bancada("pick", "--target", "uno").stdout


@pytest.mark.parametrize(
    "kind", ["targets", "candidates", "implementations", "experiments", "engines", "metrics", "formats"]
)
def test_list_as_json(bancada: Bancada, kind: str) -> None:
    rows = json.loads(bancada("list", kind, "--json").stdout)[kind]
    assert rows
    assert all(all(isinstance(cell, str) for cell in row.values()) for row in rows)


def test_engines_are_listed_with_their_devices_and_one_from_outside(bancada: Bancada, tmp_path: Path) -> None:
    folder = tmp_path / "mine" / "engines" / "second"
    folder.mkdir(parents=True)
    (folder / "__init__.py").write_text(
        "from bancada.engines.simavr.engine import Simavr\n\n\n"
        'class Second(Simavr):\n    """The same simulator again."""\n\n    name = "second"\n\n\nENGINE = Second\n'
    )
    rows = json.loads(bancada("list", "engines", "--json", BANCADA_PATH=str(tmp_path / "mine")).stdout)["engines"]
    listed = {row["engine"]: row for row in rows}
    assert listed["second"]["is"] == "The same simulator again."
    assert listed["second"]["executes firmware for"] == ""
    assert listed["simavr"]["executes firmware for"] == "mega2560, uno"


def test_doctor_as_json(bancada: Bancada) -> None:
    findings = json.loads(bancada("doctor", "--json").stdout)
    assert "avr-gcc" in [finding["tool"] for finding in findings]


# from outside


def test_a_metric_and_a_format_from_outside_are_in_every_command(bancada: Bancada, tmp_path: Path) -> None:
    """One run on the UNO: listed, derived, stored, exported, picked by, compared and drawn, with no file of ours
    edited."""
    mine = str(add(tmp_path / "mine"))

    def run(*arguments: str) -> str:
        done = bancada(*arguments, BANCADA_PATH=mine)
        assert done.returncode == 0, done.stdout + done.stderr
        return done.stdout

    assert "throughput" in run("list", "metrics")
    assert "speeds" in run("list", "formats")
    run("run", "hashes", "--target", "uno", "--candidate", "tatu", "--quick")
    records = [json.loads(line) for line in run("export").splitlines()]
    for record in records:
        expected = record["size_bytes"] / record["time_us"] * 1e6
        assert record["throughput_bytes_per_s"] == pytest.approx(expected), record["case"]
    assert records
    assert run("export", "--format", "speeds").count("=") == len(records)
    assert "throughput_bytes_per_s" in json.loads(run("export", "--schema"))["properties"]
    size = str(records[0]["size_bytes"])
    question = ("pick", "--target", "uno", "--operation", records[0]["operation"], "--key", "0", "--size", size)
    told = json.loads(run(*question, "--by", "throughput", "--json"))
    values = [fit["value"] for fit in told["fits"]]
    assert values == sorted(values, reverse=True)
    assert len(values) > 1
    run("report", "--output", "page.html")
    page = (tmp_path / "elsewhere" / "page.html").read_text()
    assert "Bytes of message over the time of one call." in page
    assert 'data-column="throughput"' in page
    before = tmp_path / "before.jsonl"
    before.write_text("".join(json.dumps(record) + "\n" for record in records))
    slower = [record | {"throughput_bytes_per_s": record["throughput_bytes_per_s"] / 2} for record in records]
    after = tmp_path / "after.jsonl"
    after.write_text("".join(json.dumps(record) + "\n" for record in slower))
    done = bancada("compare", str(before), str(after), BANCADA_PATH=mine)
    assert done.returncode == 1
    assert "Less throughput" in done.stdout
    assert (
        bancada("compare", str(before), str(after)).returncode == 0
    )  # without the metric nobody holds it against anything
