"""`bancada measure` of Linux programs as people have them: shared libraries, loaded anywhere, input, threads."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

PROGRAM = Path(__file__).resolve().parent / "programs" / "other_people.c"
# How each target's programs are linked; Debian's libraries for 32-bit Arm have no start of a static-pie.
TARGETS = {"bbb": ("arm-linux-gnueabihf-gcc", "-marm"), "rpi3": ("aarch64-linux-gnu-gcc",)}
WAYS = {"static": ("-static",), "static-pie": ("-static-pie", "-fPIE"), "dynamic": ("-pie", "-fPIE")}
WAYS_OF = {"bbb": ("static", "dynamic"), "rpi3": ("static", "static-pie", "dynamic")}


@pytest.fixture(scope="module")
def programs(tmp_path_factory: pytest.TempPathFactory) -> dict[tuple[str, str], Path]:
    """The program for each target, linked each way."""
    folder = tmp_path_factory.mktemp("programs")
    made = {}
    for target, (compiler, *flags) in TARGETS.items():
        for way in WAYS_OF[target]:
            options = WAYS[way]
            path = made[target, way] = folder / f"{target}-{way}"
            subprocess.run([compiler, "-O2", *flags, *options, "-pthread", str(PROGRAM), "-o", str(path)], check=True)
    return made


def _measured(program: Path, target: str, *options: str, given: str = "7\n") -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "bancada.commands.cli", "measure", str(program), "--target", target, *options]
    return subprocess.run(command, input=given, capture_output=True, text=True, timeout=120)


def _facts(done: subprocess.CompletedProcess[str]) -> Any:
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)


@pytest.mark.parametrize("target", TARGETS)
def test_it_takes_as_long_however_it_is_loaded(target: str, programs: dict[tuple[str, str], Path]) -> None:
    """And it reads what is piped to the command: the loop has as many turns as the input says."""
    found = [
        _facts(_measured(programs[target, way], target, "--function", "adds", "--json")) for way in WAYS_OF[target]
    ]
    assert len({(one["calls"][0]["instructions"], one["calls"][0]["stack_bytes"]) for one in found}) == 1
    assert [block["function"] for one in found for block in one["hottest"][:1]] == ["adds"] * len(found)
    more = _facts(_measured(programs[target, "dynamic"], target, "--function", "adds", "--json", given="1007\n"))
    extra = more["calls"][0]["instructions"] - found[0]["calls"][0]["instructions"]
    assert extra % 1000 == 0 and 3 <= extra / 1000 <= 4


def test_two_functions_read_the_same_input(programs: dict[tuple[str, str], Path]) -> None:
    asked = ("--function", "adds", "--function", "calls_library", "--json")
    adds, calls_library = _facts(_measured(programs["rpi3", "dynamic"], "rpi3", *asked))
    assert adds["calls"] and calls_library["calls"]


def test_an_input_that_stays_open_delays_no_program_that_reads_nothing(tmp_path: Path) -> None:
    (tmp_path / "f.c").write_text("__attribute__((noipa)) void f(void) {} int main(void) { f(); return 0; }\n")
    program = tmp_path / "f"
    subprocess.run(["aarch64-linux-gnu-gcc", "-O2", "-static", tmp_path / "f.c", "-o", program], check=True)
    command = [sys.executable, "-m", "bancada.commands.cli", "measure", str(program), "--target", "rpi3"]
    with subprocess.Popen([*command, "--function", "f"], stdin=subprocess.PIPE, stdout=subprocess.PIPE) as process:
        assert process.stdout is not None
        said = process.stdout.read().decode()
    assert process.returncode == 0
    assert "A call below 50 cycles overlaps with the code around it" in said


@pytest.mark.parametrize(
    ("way", "options", "words"),
    [
        ("static", ("--function", "adds", "thread"), "started a second thread"),
        ("static", ("--function", "in_thread"), "ended and never reached in_thread"),
        ("dynamic", ("--function", "calls_library"), "calls code of a shared library, whose instruction set"),
    ],
)
def test_what_cannot_be_measured_is_one_sentence(
    way: str, options: tuple[str, ...], words: str, programs: dict[tuple[str, str], Path]
) -> None:
    done = _measured(programs["bbb", way], "bbb", *options)
    assert done.returncode == 2
    assert done.stdout == ""
    assert words in done.stderr
    assert len(done.stderr.splitlines()) == 1
