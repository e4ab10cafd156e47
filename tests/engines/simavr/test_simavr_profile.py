"""Profiles: where the cycles of the regions went."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.engines.simavr.engine_bench import FIRMWARE, Run, build, run

SOURCE = """
#include "markers.h"
.global main
.global twice
.global thrice
.type twice, @function
.type thrice, @function
main:
    load_markers
    call twice          ; before the region: not in the profile
    region_begins
    rcall thrice
    rcall twice
    region_ends
    call thrice
    halt
thrice:
    rcall twice
    rcall twice
    nop
    ret
twice:
    nop
    nop
    ret
"""
NOP, RCALL, RET = 1, 3, 4


@pytest.fixture(scope="module")
def elf(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("profile")
    source = folder / "profile.S"
    source.write_text(SOURCE)
    return build(folder, [source])


def profile(elf: Path, mode: str) -> tuple[Run, dict[str, dict[str, int]]]:
    done = run(elf, "--profile", mode)
    functions = {
        row["name"]: {"cycles": row["cycles"], "calls": row["calls"]} for row in done.only("profile")["functions"]
    }
    return done, functions


def test_functions_have_their_own_cycles_and_calls(elf: Path) -> None:
    done, functions = profile(elf, "functions")
    assert functions == {
        "main": {"cycles": 2 * RCALL, "calls": 0},
        "thrice": {"cycles": 2 * RCALL + NOP + RET, "calls": 1},
        "twice": {"cycles": 3 * (2 * NOP + RET), "calls": 3},
    }
    assert done.only("profile")["addresses"] == []
    assert sum(row["cycles"] for row in functions.values()) == done.only("region")["region_cycles"]


def test_addresses_add_up_to_their_functions(elf: Path) -> None:
    done, functions = profile(elf, "addresses")
    addresses = done.only("profile")["addresses"]
    assert [row["address"] for row in addresses] == sorted(row["address"] for row in addresses)
    for name, function in functions.items():
        assert sum(row["cycles"] for row in addresses if row["symbol"] == name) == function["cycles"]
    assert sum(row["count"] for row in addresses) == done.only("region")["instructions"]


def test_a_profile_changes_no_figure(elf: Path) -> None:
    assert profile(elf, "addresses")[0].regions == run(elf).regions


def test_a_profile_comes_out_at_the_end_of_the_input_too(tmp_path: Path) -> None:
    done = run(build(tmp_path, [FIRMWARE / "echo.c"], "-DUSES_MARKER"), "--profile", "functions", given=b"abc")
    assert done.only("profile")["functions"] == []
