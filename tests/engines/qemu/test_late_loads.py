"""Groups of loads that begin in a region of memory, against counts made by hand (programs/loads.S)."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest

from bancada.build.symbols import symbols
from bancada.costing.memory import LateRegion, Memory, memory_cycles
from bancada.costing.profile import CacheCounts, Profile
from bancada.engines.qemu.profiler import profile_program
from tests.engines.qemu.qemu_bench import PROGRAMS

LATE_BYTES = 64


@pytest.fixture(scope="module")
def loads(tmp_path_factory: pytest.TempPathFactory) -> Path:
    made = tmp_path_factory.mktemp("loads") / "loads"
    flags = ["-mthumb", "-nostdlib", "-static", "-Wl,--build-id=none"]
    subprocess.run(["arm-linux-gnueabihf-gcc", *flags, str(PROGRAMS / "loads.S"), "-o", str(made)], check=True)
    return made


def profile(loads: Path, function: str) -> tuple[Profile, Memory]:
    first = symbols(loads).address("late")
    region = LateRegion(
        name="sram3", first_address=first, last_address=first + LATE_BYTES - 1, first_load_cycles=2, source="a test"
    )
    memory = Memory(about="a test", late_region=(region,))
    [found] = profile_program(loads, function=function, qemu="qemu-arm", memory=memory)
    return found, memory


@pytest.mark.parametrize(
    ("function", "groups"),
    [
        ("alone", 2),
        ("one_behind_another", 1),
        ("address_from_the_load_before", 2),
        ("store_between", 2),
        ("only_stores", 0),
        ("several_at_once", 3),
        ("begins_elsewhere", 0),
        ("written_back", 3),
        ("in_a_loop", 10),
        ("not_executed", 1),
    ],
)
def test_groups_that_begin_in_the_region(loads: Path, function: str, groups: int) -> None:
    found, memory = profile(loads, function)
    assert found.caches == (CacheCounts("sram3", groups, groups),)
    assert memory_cycles(memory, found.caches) == 2 * groups
