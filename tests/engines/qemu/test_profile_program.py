"""`profile_program`: counts that arithmetic knows, regions by function and by markers, and what can go wrong."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest

from bancada.build.symbols import symbols
from bancada.costing.profile import ENTRY, Profile
from bancada.engines.qemu.profiler import profile_program
from bancada.model.errors import UserError
from tests.engines.qemu.qemu_bench import Machine


def entries(profile: Profile, elf: Path, function: str) -> int:
    """How often the function's first block was executed."""
    address = symbols(elf).address(function)
    return sum(edge.times for edge in profile.edges if profile.blocks[edge.after].address == address)


def most_executed(profile: Profile) -> int:
    return max(edge.times for edge in profile.edges if edge.before == edge.after)


def test_a_recursive_function_is_one_region_with_all_its_calls(machine: Machine, counted: Path) -> None:
    [profile] = profile_program(counted, function="fibonacci", qemu=machine.qemu)
    assert entries(profile, counted, "fibonacci") == 2 * 10946 - 1
    assert {block.instruction_set for block in profile.blocks} == {machine.instruction_set}


def test_calls_are_selected_by_number(machine: Machine, counted: Path) -> None:
    first, second = profile_program(counted, function="loop", qemu=machine.qemu, calls=2)
    assert (most_executed(first), most_executed(second)) == (1000 - 2, 7 - 2)
    [again] = profile_program(counted, function="loop", qemu=machine.qemu, first_call=2)
    assert again == second


def test_a_function_reached_by_a_jump_ends_where_the_jumping_one_returns_to(machine: Machine, counted: Path) -> None:
    [profile] = profile_program(counted, function="loop", first_call=3, qemu=machine.qemu)
    assert most_executed(profile) == 9 - 2
    assert entries(profile, counted, "jumps_to_loop") == entries(profile, counted, "main") == 0


def test_between_two_markers(machine: Machine, counted: Path) -> None:
    [profile] = profile_program(counted, begin="marker_begin", end="marker_end", qemu=machine.qemu)
    assert most_executed(profile) == 1000 - 2
    assert entries(profile, counted, "marker_begin") == 1
    assert entries(profile, counted, "marker_end") == 0
    assert [edge.times for edge in profile.edges if edge.before == ENTRY] == [1]


def test_a_marker_may_be_any_instruction(machine: Machine, counted: Path) -> None:
    """From the middle of a block to the middle of a block: what lies between is counted, no more."""
    start = symbols(counted).address("marker_begin")
    [whole] = profile_program(counted, begin="marker_begin", end="marker_end", qemu=machine.qemu)
    loop = next(whole.blocks[edge.after] for edge in whole.edges if edge.before == edge.after)
    last = loop.address + len(loop.code) - (4 if machine.instruction_set != "thumb" else 2)
    [part] = profile_program(counted, begin=start, end=last, qemu=machine.qemu)
    assert sum(edge.times for edge in part.edges) < 10
    assert all(last not in range(block.address, block.address + len(block.code)) for block in part.blocks)


def test_what_is_wrong_is_said(machine: Machine, counted: Path) -> None:
    with pytest.raises(UserError, match="did you mean 'fibonacci'"):
        profile_program(counted, function="fibonaci", qemu=machine.qemu)
    with pytest.raises(UserError, match="ended after 1 of the regions at marker_begin"):
        profile_program(counted, function="marker_begin", first_call=2, qemu=machine.qemu)
    with pytest.raises(
        UserError, match=r"crashed in crash \(Segmentation fault\) after 0 of the regions at loop .* signal 11"
    ):
        profile_program(counted, function="loop", arguments=["1"], qemu=machine.qemu)
    with pytest.raises(UserError, match=r"did not come to an end of loop within 0\.2 s; it was in hang"):
        profile_program(counted, function="loop", arguments=["2"], limit_s=0.2, qemu=machine.qemu)
    with pytest.raises(UserError, match="'qemu-nothing' is not installed"):
        profile_program(counted, function="loop", qemu="qemu-nothing")


def test_what_a_forked_child_does_is_not_the_parents(machine: Machine, tmp_path: Path) -> None:
    """Both go round the same loop; without memory of its own the child would write where the parent counts."""
    program = tmp_path / "forks"
    source = Path(__file__).resolve().parent / "programs" / "forks.c"
    subprocess.run([machine.compiler, "-Os", "-static", *machine.flags, str(source), "-o", str(program)], check=True)
    [profile] = profile_program(program, function="parent_and_child", qemu=machine.qemu)
    # A turn more or less, by where the compiler tests.
    assert abs(max(edge.times for edge in profile.edges) - 200_000) <= 2
