"""The same cases under every compiler of the machine: which are found, what a case is called, what comes of one that
cannot."""

from __future__ import annotations

import os
import shutil
from collections.abc import Callable, Iterator
from pathlib import Path
from subprocess import CompletedProcess

import pytest

from bancada.answers.compare import compare, of_compiler
from bancada.answers.compiler_table import compiler_name, what_compilers_move
from bancada.build.build import build
from bancada.catalogue.paths import data_root
from bancada.compilers import compilers
from bancada.compilers.compilers import choose, compiler_of, compilers_of
from bancada.measure.check import check
from bancada.measure.laboratory import open_laboratory
from bancada.measure.read_metrics import read_metrics
from bancada.model.errors import UserError
from bancada.model.status import Status
from bancada.plan.plan import plan
from bancada.store.store import Store

pytestmark = pytest.mark.long

UNO = open_laboratory().targets["uno"]
BBB = open_laboratory().targets["bbb"]

Bancada = Callable[..., CompletedProcess[str]]


def _program(path: Path, version: str, machine: str = "avr", otherwise: str = 'exec avr-gcc "$@" -O1') -> None:
    path.write_text(
        f'#!/bin/sh\ncase "$1" in\n--version) echo "{version}" ;;\n-dumpmachine) echo {machine} ;;\n*) {otherwise}'
        " ;;\nesac\n"
    )
    path.chmod(0o755)


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """A folder of compilers: another version of avr-gcc, the same version again, one for another machine, one that
    fails."""
    found = tmp_path / "bin"
    found.mkdir()
    own = compiler_of(UNO)
    assert own is not None
    _program(found / "avr-gcc-9", "avr-gcc-9 (Test) 9.8.7")
    _program(found / "avr-gcc-5", own.version.replace("avr-gcc", "avr-gcc-5", 1))
    _program(found / "avr-gcc-3", "avr-gcc-3 (Test) 3.0.0", machine="arm-none-eabi")
    _program(
        found / "avr-gcc-2", "avr-gcc-2 (Test) 2.0.0", otherwise="echo 'x.c:1:2: error: too old for this' >&2; exit 1"
    )
    (found / "avr-gcc-1").write_text("no program")
    monkeypatch.setenv("BANCADA_COMPILERS", str(found))
    compilers.compilers_of.cache_clear()
    yield found
    compilers.compilers_of.cache_clear()


def test_every_version_is_found_once_the_targets_own_first(folder: Path) -> None:
    names = [compiler.name for compiler in compilers_of(UNO)]
    assert names[0] == "avr-gcc"
    assert [name for name in names if name in ("avr-gcc-9.8.7", "avr-gcc-2.0.0")] == ["avr-gcc-2.0.0", "avr-gcc-9.8.7"]
    assert not any("3.0.0" in name for name in names), "it compiles for another machine"
    assert len({compiler.version for compiler in compilers_of(UNO)}) == len(names), "the same compiler twice"
    nine = compiler_of(UNO, "avr-gcc-9.8.7")
    assert nine is not None
    assert nine.version == "avr-gcc (Test) 9.8.7"
    assert nine.command == (str(folder / "avr-gcc-9"),)
    assert compiler_of(UNO, str(folder / "avr-gcc-9")) == nine, "by its path"
    assert compiler_of(BBB, "avr-gcc-9.8.7") is None


def test_the_compiler_is_in_the_names_of_cases_and_what_cannot_be_is_a_row(folder: Path) -> None:
    experiment = open_laboratory().experiments["libraries"]
    workloads = plan(open_laboratory(), experiment, ("uno", "bbb"), ("tatu",), True, ("avr-gcc-9.8.7", "avr-gcc"))
    cases = [case for workload in workloads for case in workload.cases]
    builds = {
        (
            case.target.name,
            case.name.rpartition("/")[2],
            case.refusal is not None and "does not compile for bbb" in case.refusal.reason,
        )
        for case in cases
    }
    assert {(target, name) for target, name, _ in builds if target == "uno"} == {
        ("uno", "avr-gcc-Os"),
        ("uno", "avr-gcc-9.8.7-Os"),
    }
    assert {(name, why) for target, name, why in builds if target == "bbb"} == {
        ("avr-gcc-9.8.7-Os", True),
        ("avr-gcc-Os", True),
    }
    assert len({case.name for case in cases}) == len(cases)


def test_one_that_cannot_compile_a_case_says_so_itself(folder: Path) -> None:
    workloads = plan(
        open_laboratory(), open_laboratory().experiments["libraries"], ("uno",), ("tatu",), True, ("avr-gcc-2.0.0",)
    )
    firmware = next(workload.firmware for workload in workloads if workload.firmware)
    made = build(firmware)
    assert made.status is Status.DOES_NOT_BUILD
    assert made.reason is not None
    assert "too old for this" in made.reason
    assert made.compiler_version == "avr-gcc (Test) 2.0.0"


@pytest.fixture
def speck(added_root: Path) -> str:
    """A candidate with one implementation, so that clang is asked once: Tatu's Speck, which is C where the compiler is
    not gcc."""
    folder = added_root / "candidates" / "clangs"
    folder.mkdir(parents=True)
    for header in ("paste.h", "one_key.h"):
        shutil.copy2(data_root() / "candidates" / "tatu" / header, folder / header)
    (folder / "candidate.toml").write_text(f"""
name = "clangs"
title = "Tatu's Speck"
version = "0"
licence = "MIT"
about = "For a test."
root = "{data_root() / "tatu" / "src"}"

[[implementation]]
name = "speck64"
primitive = "block-cipher"
algorithm = "speck64"
variant = ["plain"]
key_bits = [128]
block_bytes = 8
adapter = "one_key.h"
sources = ["speck/**/*.[cS]", "common/**/*.[cS]"]
include = ["."]
adapter_defines = ["TATU_HEADER=<tatu/speck.h>", "TATU_NAME=tatu_speck64_128"]
operations = ["set-key", "encrypt", "decrypt"]
""")
    return "clangs"


@pytest.mark.parametrize("target", ["uno", "samd21", pytest.param("bbb", marks=pytest.mark.slow), "rpi3"])
def test_clang_compiles_for_every_kind_of_target_and_gcc_links(target: str, speck: str) -> None:
    entry = open_laboratory().targets[target]
    clang = next(compiler for compiler in compilers_of(entry) if compiler.name.startswith("clang-"))
    assert clang.linker == entry.toolchain.compiler
    assert f"linked by {entry.toolchain.compiler}" in clang.version
    [checked] = check(open_laboratory(), speck, target, compilers=(clang.name,))
    assert checked.status is Status.OK, checked.reason
    assert checked.implementation == f"{speck}/speck64 by {clang.name}"


@pytest.mark.parametrize(
    ("wanted", "words"),
    [
        ("avr-gcc-9.8.8", "did you mean 'avr-gcc-9.8.7'?"),
        ("/nowhere/avr-gcc", "There is no compiler at /nowhere/avr-gcc"),
        ("cc", "cc does not compile for uno; what does: bancada list compilers"),
        ("", "--compiler has no name"),
    ],
)
def test_a_compiler_that_is_not_there_is_one_sentence(folder: Path, wanted: str, words: str) -> None:
    with pytest.raises(UserError, match=r"^[^\n]*$") as raised:
        choose([UNO], (wanted,), UNO)
    assert words in str(raised.value)


def test_a_compiler_in_this_folder_is_not_the_one_on_path(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    _program(folder / "avr-gcc", "avr-gcc (Test) 7.7.7")
    monkeypatch.chdir(folder)
    found = compiler_of(UNO, "./avr-gcc")
    assert found is not None
    assert found.version == "avr-gcc (Test) 7.7.7"
    assert choose([UNO], ("./avr-gcc-9",), UNO) == ("./avr-gcc-9",), "not on PATH at all"


def test_one_compiler_by_several_names_is_one(folder: Path) -> None:
    assert choose([UNO], ("avr-gcc-9.8.7", str(folder / "avr-gcc-9"), "avr-gcc", str(folder / "avr-gcc-5")), UNO) == (
        "avr-gcc-9.8.7",
        "avr-gcc",
    )


def test_two_compilers_whose_results_would_have_one_name_are_refused(folder: Path) -> None:
    _program(folder / "avr-gcc-8", "avr-gcc (Another) 9.8.7")
    with pytest.raises(UserError, match="would both be called avr-gcc-9.8.7: name their folders in BANCADA_COMPILERS"):
        choose([UNO], (str(folder / "avr-gcc-8"), str(folder / "avr-gcc-9")), UNO)


def test_a_run_under_two_compilers_says_what_they_move(folder: Path, bancada: Bancada, tmp_path: Path) -> None:
    experiment = tmp_path / "more" / "experiments" / "two" / "experiment.toml"
    experiment.parent.mkdir(parents=True)
    experiment.write_text(
        'name = "two"\ntitle = "Two"\nquestion = "?"\nstudy = ""\ncitation = ""\ntargets = ["uno"]\ncandidates ='
        ' ["plain"]\nalgorithms = ["rc6"]\noperations = ["set-key", "encrypt"]\nkey_bits = [128]\noptimisations ='
        ' ["-Os"]\nsamples = 16\n'
    )
    more = {"BANCADA_PATH": str(tmp_path / "more"), "COLUMNS": "200"}
    store = str(tmp_path / "two.sqlite")
    done = bancada("run", "two", "--compiler", "avr-gcc", "--compiler", "avr-gcc-9.8.7", "--store", store, **more)
    assert done.returncode == 0, done.stderr
    assert "What the compiler moves" in done.stdout
    assert "avr-gcc 9.8.7" in done.stdout

    results = Store(Path(store)).results("two")
    assert {compiler_name(one).split()[1] for one in results} >= {"9.8.7"}
    assert len(results) == 4
    [moved] = [one for one in what_compilers_move(results) if one.operation == "encrypt"]
    assert None not in moved.cycles.values()
    known = [cycles for cycles in moved.cycles.values() if cycles]
    assert moved.slowest_by_fastest == max(known) / min(known) > 1

    # The experiment as it stands forgets nothing that --compiler added.
    assert bancada("run", "two", "--store", store, **more).returncode == 0
    assert len(Store(Path(store)).results("two")) == 4

    held = compare(of_compiler(results, "avr-gcc"), of_compiler(results, "avr-gcc-9.8.7"), read_metrics())
    assert held.compared == 2
    assert [pair[1] for pair in held.compilers] == ["avr-gcc (Test) 9.8.7"]
    shown = bancada("compare", store, store, "--compilers", "avr-gcc", "avr-gcc-9.8.7", **more)
    assert "by avr-gcc (Test) 9.8.7 after" in shown.stdout, shown.stderr
    wrong = bancada("compare", store, store, "--compilers", "avr-gcc", "avr-gcc-9.8", **more)
    assert wrong.returncode == 2
    assert "did you mean 'avr-gcc-9.8.7'?" in wrong.stderr


def test_list_compilers_names_each_with_its_targets(folder: Path, bancada: Bancada) -> None:
    done = bancada("list", "compilers", COLUMNS="400")
    [line] = [line for line in done.stdout.splitlines() if "avr-gcc-9.8.7" in line]
    assert "uno" in line
    assert "mega2560" in line
    assert str(folder / "avr-gcc-9") in line
    assert shutil.which("avr-gcc")
    assert os.environ["BANCADA_COMPILERS"] == str(folder)
