"""The GitHub Action, without GitHub: a repository with two revisions, and the files that GitHub reads."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest
import yaml

from bancada.catalogue.paths import data_root

ACTION = data_root() / "action"
BUILD = "avr-gcc -mmcu=atmega328p -Os program.c -o program.elf"
PROGRAM = """
#include <stdint.h>
volatile uint8_t sink;
__attribute__((noinline)) void work(void) { %s for (uint8_t i = 0; i < %d; i++) sink += i; }
__attribute__((noinline)) void %s(void) { sink = 1; }
int main(void) { work(); %s(); for (;;) { } }
"""


def git(folder: Path, *arguments: str) -> None:
    subprocess.run(["git", "-c", "user.name=n", "-c", "user.email=e@x.example", *arguments], cwd=folder, check=True)


@pytest.fixture
def repository(tmp_path: Path) -> Path:
    folder = tmp_path / "repository"
    folder.mkdir()
    git(folder, "init", "-q")
    revision(folder, PROGRAM % ("", 20, "rest", "rest"))
    return folder


def revision(folder: Path, program: str) -> None:
    (folder / "program.c").write_text(program)
    git(folder, "add", "program.c")
    git(folder, "commit", "-qm", "a revision")


def act(folder: Path, base: str = "HEAD~1", **inputs: str) -> tuple[subprocess.CompletedProcess[str], str]:
    """What the action's second step does, and the job's summary."""
    summary, output = folder.parent / "summary.md", folder.parent / "output"
    environment = {
        **os.environ,
        "PYTHON": sys.executable,
        "RUNNER_TEMP": str(folder.parent),
        "GITHUB_STEP_SUMMARY": str(summary),
        "GITHUB_OUTPUT": str(output),
        "BUILD": BUILD,
        "ELF": "program.elf",
        "TARGET": "uno",
        "FUNCTIONS": "work\nrest\n",
        "BASE": base,
        "TOLERANCE_PERCENT": "0",
        **inputs,
    }
    command = [ACTION / "build_and_compare.sh"]
    done = subprocess.run(command, cwd=folder, env=environment, capture_output=True, text=True, check=False)
    return done, summary.read_text() if summary.exists() else ""


def cycles_of(summary: str, function: str) -> list[str]:
    [row] = [line for line in summary.splitlines() if line.startswith(f"| `{function}`")]
    return [cell.strip() for cell in row.split("|")[2:-1]]


def test_more_cycles_fail_and_the_tables_say_so(repository: Path) -> None:
    revision(repository, PROGRAM % ("", 21, "rest", "rest"))
    done, summary = act(repository)
    assert done.returncode == 1, done.stderr
    after, before, change, *_, verdict = cycles_of(summary, "work")
    # One turn of the loop: load, add, store, increment, compare, branch.
    assert 8 <= int(after) - int(before) <= 12
    assert change.startswith("+")
    assert verdict == "**worse**"
    assert cycles_of(summary, "rest")[2:3] == ["+0.00 %"]
    points = json.loads((repository.parent / "bancada-benchmark.json").read_text())
    assert {"name": "work", "unit": "cycles", "value": int(after)} in points
    assert "benchmark=" in (repository.parent / "output").read_text()
    assert act(repository, TOLERANCE_PERCENT="20")[0].returncode == 0
    listed = subprocess.run(["git", "worktree", "list"], cwd=repository, capture_output=True, text=True, check=True)
    assert listed.stdout.count("\n") == 1, "the base's files were left behind"


def test_fewer_cycles_and_new_functions_pass_but_none_may_vanish(repository: Path) -> None:
    revision(repository, PROGRAM % ("", 19, "other", "other"))
    done, summary = act(repository, FUNCTIONS="work\nother")
    assert done.returncode == 0, done.stderr
    assert cycles_of(summary, "other")[-1] == "new"
    assert act(repository, FUNCTIONS="work\nrest")[0].returncode == 1


def test_a_base_that_does_not_build_is_no_regression(repository: Path) -> None:
    revision(repository, "no program")
    revision(repository, PROGRAM % ("", 30, "rest", "rest"))
    done, summary = act(repository)
    assert done.returncode == 0, done.stderr
    assert "does not build" in done.stderr
    assert cycles_of(summary, "work")[-1] == "new"


def test_a_function_that_nobody_knows_is_one_clear_line(repository: Path) -> None:
    done, _ = act(repository, base="", FUNCTIONS="wrok")
    assert done.returncode == 2
    assert "nearest: work" in done.stderr


def test_the_action_hands_on_each_of_its_inputs() -> None:
    action = yaml.safe_load((ACTION / "action.yml").read_text())
    text = (ACTION / "action.yml").read_text()
    used = set(re.findall(r"\$\{\{ inputs\.([\w-]+) \}\}", text))
    assert used == set(action["inputs"])
    step = action["runs"]["steps"][-1]
    script = (ACTION / "build_and_compare.sh").read_text()
    assert all(re.search(rf"\${name}\b", script) for name in step["env"])
    shown = yaml.safe_load(re.findall(r"```\n(.*?)```", (ACTION / "README.md").read_text(), re.DOTALL)[0])
    assert set(shown["jobs"]["cost"]["steps"][-1]["with"]) <= set(action["inputs"])
