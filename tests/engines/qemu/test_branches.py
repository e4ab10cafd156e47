"""Every way from one block to another, against Unicorn; regions that begin and end inside a loop."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest

from bancada.build.symbols import symbols
from bancada.costing.profile import Profile
from bancada.engines.qemu.profiler import profile_program
from tests.engines.qemu.qemu_bench import PROGRAMS, Machine
from tests.engines.qemu.second_emulator import Whole, execute, trace_of

FUNCTIONS = (
    "many_callers",
    "through_registers",
    "through_a_table",
    "into_the_middle",
    "translated_again",
    "stack_found_again",
    "stack_told",
    "stack_of_a_large_frame",
    "there_and_back",
    "marked",
)

LOOPS = 10


@pytest.fixture(scope="session")
def branches(machine: Machine, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """programs/branches.c for no operating system, its instructions in memory that can be written."""
    made = tmp_path_factory.mktemp(machine.instruction_set) / "branches"
    flags = [
        "-O2",
        "-static",
        "-nostdlib",
        "-ffreestanding",
        "-Wl,-N",
        "-Wl,--build-id=none",
        "-Wall",
        "-Wextra",
        *machine.flags,
    ]
    subprocess.run([machine.compiler, *flags, str(PROGRAMS / "branches.c"), "-lgcc", "-o", str(made)], check=True)
    return made


@pytest.fixture(scope="session")
def whole(machine: Machine, branches: Path) -> Whole:
    return execute(machine, branches, FUNCTIONS)


@pytest.mark.parametrize("function", FUNCTIONS)
@pytest.mark.parametrize("with_stack", [False, True], ids=["", "stack"])
def test_every_step(machine: Machine, branches: Path, whole: Whole, function: str, with_stack: bool) -> None:
    [profile] = profile_program(branches, function=function, qemu=machine.qemu, stack=with_stack)
    ours, theirs = trace_of(profile), whole.traces[function]
    assert ours.executed == theirs.executed
    assert ours.steps == theirs.steps
    assert ours.stack_bytes == (theirs.stack_bytes if with_stack else 0)


def instructions(profile: Profile) -> int:
    return sum(trace_of(profile).executed.values())


def test_each_call_of_many_is_a_region_of_its_own(machine: Machine, branches: Path, whole: Whole) -> None:
    """The function is watched at its beginning and behind each of the five calls in turn."""
    address = symbols(branches).address("leaf")
    calls = whole.traces["many_callers"].executed[address]
    profiles = profile_program(branches, function="leaf", qemu=machine.qemu, calls=calls, stack=True)
    assert [
        sum(edge.times for edge in profile.edges if profile.blocks[edge.after].address == address)
        for profile in profiles
    ] == [1] * calls
    executed = {
        at: times
        for at, times in whole.traces["many_callers"].executed.items()
        if symbols(branches).function_at(at) == "leaf"
    }
    assert sum(map(instructions, profiles)) == sum(executed.values())


def test_a_region_ends_at_the_return_of_the_outermost_of_calls_from_one_place(
    machine: Machine, branches: Path, whole: Whole
) -> None:
    [profile] = profile_program(branches, function="pong", qemu=machine.qemu, stack=True)
    found = symbols(branches)
    ours, theirs = (
        {at: times for at, times in trace.executed.items() if found.function_at(at) == "pong"}
        for trace in (trace_of(profile), whole.traces["there_and_back"])
    )
    assert ours == theirs
    assert ours[found.address("pong")] == 7


def test_a_region_within_each_turn_of_a_loop(machine: Machine, branches: Path) -> None:
    profiles = profile_program(branches, begin="early", end="late", qemu=machine.qemu, calls=LOOPS)
    assert [instructions(profile) for profile in profiles] == [4] * LOOPS
    assert len(set(profiles)) == 1


def test_a_region_from_one_turn_of_a_loop_to_the_next(machine: Machine, branches: Path) -> None:
    profiles = profile_program(branches, begin="late", end="early", qemu=machine.qemu, first_call=3, calls=LOOPS - 3)
    assert [instructions(profile) for profile in profiles] == [3] * (LOOPS - 3)
