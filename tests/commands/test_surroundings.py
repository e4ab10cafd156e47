"""What surrounds a command: no home, no PATH, a damaged store, another campaign at the same store. One sentence each,
exit code 2."""

from __future__ import annotations

import os
import pwd
import shutil
import sqlite3
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from subprocess import CompletedProcess

import pytest

from bancada.catalogue.paths import cache_folder, default_store, roots
from bancada.compilers.compilers import _folders
from bancada.model.errors import UserError
from bancada.store.store import Store
from tests.example_results import result as make_result
from tests.pairs import pairs

Bancada = Callable[..., CompletedProcess[str]]


def _mistake(done: CompletedProcess[str], *words: str) -> None:
    assert done.returncode == 2, done.stdout + done.stderr
    assert len(done.stderr.strip().splitlines()) == 1, done.stderr
    assert all(word in done.stderr for word in words), done.stderr


@pytest.fixture
def store(tmp_path: Path) -> Path:
    path = tmp_path / "good.sqlite"
    made = Store(path)
    for number in range(200):
        made.put("sensor", number, f"key {number}", make_result(number % 7))
    made.close()
    return path


_NO_STATUS = 'UPDATE results SET record = replace(record, \'"status": "ok"\', \'"status": "fine"\')'


@pytest.mark.parametrize(
    ("spoil", "command"),
    pairs(
        ("UPDATE results SET record = '{broken'", "UPDATE results SET record = '[]'", _NO_STATUS),
        (("export",), ("pick", "--target", "uno"), ("report", "--output", "page.html")),
    ),
)
def test_a_record_that_cannot_be_read_is_one_sentence(
    bancada: Bancada, store: Path, spoil: str, command: tuple[str, ...]
) -> None:
    with sqlite3.connect(store) as database:
        database.execute(spoil)
    _mistake(
        bancada(*command, "--store", str(store)), str(store), "holds a record that cannot be read", "use another file"
    )


@pytest.mark.parametrize("command", ["export", "report"])
def test_a_damaged_file_is_one_sentence(bancada: Bancada, store: Path, command: str) -> None:
    with sqlite3.connect(store) as database:
        database.execute("PRAGMA journal_mode=DELETE")
    database.close()
    data = bytearray(store.read_bytes())
    for place in range(8192, len(data), 3):
        data[place] ^= 0x55
    store.write_bytes(data)
    _mistake(bancada(command, "--store", str(store)), str(store), "malformed", "move the file away")
    _mistake(bancada("run", "sensor", "--quick", "--candidate", "tatu", "--store", str(store)), str(store), "malformed")
    store.write_bytes(data[: len(data) // 2])
    _mistake(bancada(command, "--store", str(store)), str(store), "malformed")


@pytest.mark.parametrize("command", [("export",), ("report",), ("pick", "--target", "uno")])
def test_a_misspelt_store_is_no_empty_one(bancada: Bancada, tmp_path: Path, command: tuple[str, ...]) -> None:
    path = tmp_path / "mispelt.sqlite"
    _mistake(bancada(*command, "--store", str(path)), f"There is no store {path}", "bancada run")
    assert not path.exists()


def test_a_store_in_a_folder_that_cannot_be_is_somewhere_else_s(bancada: Bancada, tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    _mistake(
        bancada("run", "sensor", "--store", str(tmp_path / "file" / "store.sqlite")),
        "cannot be opened",
        "name another with --store",
    )


_MAKES_A_STORE = """
import sys, threading
from pathlib import Path
from bancada.model.status import Status
from bancada.store.store import Store
sys.stdin.readline()
store = Store(Path(sys.argv[1]))
store.keys(["a"], Status.FAILED)
"""


def test_campaigns_that_make_the_same_store_at_once_wait_for_each_other(tmp_path: Path) -> None:
    """SQLite refuses at once, whatever its time limit, where two change the journal's kind."""
    for turn in range(3):
        command = [sys.executable, "-c", _MAKES_A_STORE, str(tmp_path / f"{turn}.sqlite")]
        started = [
            subprocess.Popen(command, stdin=subprocess.PIPE, stderr=subprocess.PIPE, text=True) for _ in range(4)
        ]
        for process in started:
            assert process.stdin is not None
            process.stdin.write("\n")
            process.stdin.flush()
        for process in started:
            _, said = process.communicate(timeout=200)
            assert process.returncode == 0, said


def test_a_store_that_somebody_has_for_a_moment_is_waited_for(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    refused = [sqlite3.OperationalError("database is locked")] * 3
    for error in refused:
        error.sqlite_errorcode = sqlite3.SQLITE_BUSY
    tried = []

    def change() -> None:
        tried.append(1)
        if refused:
            raise refused.pop()

    monkeypatch.setattr("bancada.store.store._BUSY_LOOK_S", 0.0)
    Store._retrying(change)
    assert len(tried) == 4
    monkeypatch.setattr("bancada.store.store.BUSY_S", 0.0)
    refused += [sqlite3.OperationalError("disk I/O error")]
    refused[0].sqlite_errorcode = sqlite3.SQLITE_IOERR
    with pytest.raises(sqlite3.OperationalError, match="I/O"):
        Store._retrying(change)


def test_two_campaigns_at_once_share_a_store(tmp_path: Path, little: str) -> None:
    path = tmp_path / "shared.sqlite"
    command = [sys.executable, "-m", "bancada", "run", "little", "--jobs", "1", "--store", str(path)]
    environment = {**os.environ, "BANCADA_PATH": little}
    both = [
        subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, env=environment)
        for _ in range(2)
    ]
    for process in both:
        output, said = process.communicate(timeout=500)
        assert process.returncode == 0, said
        assert "18 ok" in " ".join(output.split())
    assert len(Store(path).results("little")) == 18


@pytest.fixture
def homeless(monkeypatch: pytest.MonkeyPatch) -> None:
    """A user without HOME and without an entry in the system's list, as containers have them."""

    def nobody(number: int) -> pwd.struct_passwd:
        raise KeyError(number)

    monkeypatch.setattr(pwd, "getpwuid", nobody)
    for name in ("HOME", "XDG_DATA_HOME", "XDG_CACHE_HOME", "BANCADA_CACHE", "BANCADA_COMPILERS"):
        monkeypatch.delenv(name, raising=False)


def test_without_a_home_it_is_said_what_to_set(homeless: None, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    for ask in (default_store, cache_folder):
        with pytest.raises(
            UserError, match="^You have no home folder: HOME is not set, .* Set HOME; or set BANCADA_CACHE .* --store"
        ):
            ask()
    monkeypatch.setenv("BANCADA_PATH", "~/mine")
    with pytest.raises(UserError, match="no home folder"):
        roots()
    monkeypatch.setenv("BANCADA_CACHE", str(tmp_path / "cache"))
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "data"))
    assert cache_folder() == tmp_path / "cache"
    assert default_store() == tmp_path / "data" / "bancada" / "results.sqlite"


def test_without_a_home_compilers_are_still_found(homeless: None) -> None:
    assert [folder for folder in _folders() if str(folder) in os.environ["PATH"]]


def test_an_empty_path_is_not_the_folder_one_is_in(bancada: Bancada, tmp_path: Path) -> None:
    """No compiler at all; and a program of that name that lies about is not run."""
    here = tmp_path / "elsewhere"
    here.mkdir()
    trap = here / "avr-gcc"
    trap.write_text(f"#!/bin/sh\n/bin/echo ran > {tmp_path / 'ran'}\n")
    trap.chmod(0o755)
    assert shutil.which("avr-gcc", path=str(here)) is not None
    _mistake(
        bancada("run", "sensor", "--quick", "--candidate", "tatu", PATH=""),
        "'avr-gcc' is not installed",
        "apt-get install gcc-avr",
    )
    _mistake(bancada("check", "tatu", PATH=""), "'avr-gcc' is not installed")
    assert not (tmp_path / "ran").exists()


def test_spaces_and_other_letters_in_every_path(bancada: Bancada, tmp_path: Path, little: str) -> None:
    folder = tmp_path / "com espaço e acentuação"
    folder.mkdir()
    store = folder / "os meus números.sqlite"
    shutil.move(little, folder / "salões")
    environment = {"BANCADA_CACHE": str(folder / "o que é feito"), "BANCADA_PATH": str(folder / "salões")}
    engines = cache_folder() / "engines"
    shutil.copytree(engines, folder / "o que é feito" / "engines", ignore=shutil.ignore_patterns("*-build"))
    done = bancada("run", "little", "--store", str(store), **environment)
    assert done.returncode == 0 and "18 ok" in " ".join(done.stdout.split()), done.stdout + done.stderr
    done = bancada("report", "--store", str(store), "--output", str(folder / "relatório final.html"), **environment)
    assert done.returncode == 0 and (folder / "relatório final.html").is_file(), done.stderr


def test_a_command_without_arguments_says_what_there_is(bancada: Bancada) -> None:
    done = bancada()
    assert done.returncode == 2
    assert done.stderr.startswith("Usage: ")
    assert "Commands:" in done.stderr


def test_a_hint_follows_a_whole_sentence(bancada: Bancada) -> None:
    _mistake(
        bancada("pick", "--target", "uno", "--flash", "abc"),
        "'abc' is not a size; write 300 or 2K. Try: ",
        " pick --help",
    )


def test_a_report_that_cannot_be_written_leaves_nothing(bancada: Bancada, store: Path, tmp_path: Path) -> None:
    (tmp_path / "elsewhere" / "page.html").mkdir(parents=True)
    _mistake(
        bancada("report", "--store", str(store), "--output", "page.html"), "cannot be written to page.html", "--output"
    )
    assert not (tmp_path / "elsewhere" / "page.partial").exists()


def test_a_locale_without_a_letter_has_a_question_mark_there(bancada: Bancada, store: Path) -> None:
    shown = bancada("pick", "--target", "uno", "--store", str(store), PYTHONIOENCODING="ascii:strict")
    assert shown.returncode == 0, shown.stderr
    assert "1?000" in shown.stdout


@pytest.mark.parametrize("format", ["markdown", "junit", "jsonl"])
def test_a_file_for_programs_is_utf_8_in_every_locale(bancada: Bancada, store: Path, format: str) -> None:
    command = ("export", "--format", format, "--store", str(store))
    assert bancada(*command).stdout == bancada(*command, PYTHONIOENCODING="latin-1:strict").stdout != ""
