"""Regions by function: firmware without markers, cycles and stack that can be counted by hand."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest

from tests.engines.simavr.engine_bench import EXIT_FAULT, EXIT_OK, EXIT_USAGE, FIRMWARE, build, run

CALL, RCALL, ICALL, RET, PUSH, POP, RJMP = 4, 3, 3, 4, 2, 2, 2
LEAF = PUSH + POP + RET


@pytest.fixture(scope="module")
def elf(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return build(tmp_path_factory.mktemp("functions"), [FIRMWARE / "functions.S"])


@pytest.fixture(scope="module")
def marked(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return build(tmp_path_factory.mktemp("marked"), [FIRMWARE / "regions.S"])


def figures(elf: Path, *options: str) -> list[tuple[int, int]]:
    done = run(elf, "--uart", "none", *options)
    assert done.exit_code == EXIT_OK, done.events
    return [(region["cycles"], region["stack_bytes"]) for region in done.regions]


def test_a_call_is_counted_with_its_call_and_return_however_it_is_called(elf: Path) -> None:
    expected = [(CALL + LEAF, 3), (RCALL + LEAF, 3), (ICALL + LEAF, 3), (CALL + LEAF, 3)]
    assert figures(elf, "--function", "leaf", "--calls", "4") == expected


def test_calls_can_be_skipped(elf: Path) -> None:
    assert figures(elf, "--function", "leaf", "--first-call", "3") == [(ICALL + LEAF, 3)]


def test_recursion_is_inside_the_first_call(elf: Path) -> None:
    """DEC, BREQ not taken, RCALL, then DEC, BREQ taken, RET; RET. It is walked into, not called: no call instruction
    counts."""
    inner = RCALL + 1 + 2 + RET
    assert figures(elf, "--function", "recursive") == [(1 + 1 + inner + RET, 2)]


def test_a_function_that_is_jumped_to_ends_where_it_returns_to(elf: Path) -> None:
    assert figures(elf, "--function", "end_of_chain") == [(RCALL + LEAF + 1 + RET, 3)]
    whole = CALL + 1 + RJMP + RCALL + LEAF + 1 + RET
    assert figures(elf, "--function", "jumped_to_by") == [(whole, 2 + 3)]


@pytest.fixture(scope="module")
def entries(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return build(tmp_path_factory.mktemp("entries"), [FIRMWARE / "entries.S"])


def _pass(passes: int) -> int:
    """DEC and a branch, for each pass: 2 cycles if a loop's branch is taken, 1 the last time."""
    return passes * 1 + (passes - 1) * 2 + 1


LOOPS = [RCALL + _pass(passes) + RET for passes in (1, 2, 3)]
# Before the last pass: DEC, BREQ not taken, RCALL, and a RET on the way back; the last one's BREQ is taken.
RECURSES = [RCALL + (passes - 1) * (1 + 1 + RCALL + RET) + 1 + 2 + RET for passes in (1, 2, 3)]
TAIL = [(passes - 1) * (1 + 1 + RJMP) + 1 + 2 + RET for passes in (1, 2, 3)]
ENDS_IN_TAIL = [RCALL + 1 + RJMP + tail for tail in TAIL]
# CPI and BRNE taken; or CPI, BRNE not taken, LDI, the call of what calls it again, and RETI.
SHORT = RCALL + 1 + 2 + RET
INTERRUPTED = [RCALL + 1 + 1 + 1 + RCALL + SHORT + RET + RET, SHORT, SHORT]


@pytest.mark.parametrize(
    ("function", "expected"),
    [
        ("loops", LOOPS),
        ("recurses", RECURSES),
        ("ends_in_tail", ENDS_IN_TAIL),
        ("tail", TAIL),
        ("interrupted", INTERRUPTED),
    ],
)
def test_calls_are_counted_however_often_the_first_instruction_is_reached(
    entries: Path, function: str, expected: list[int]
) -> None:
    """All three calls at once, and each by its number, which skips those before it."""
    assert [cycles for cycles, _ in figures(entries, "--function", function, "--calls", "3")] == expected
    for number, cycles in enumerate(expected, start=1):
        assert figures(entries, "--function", function, "--first-call", str(number))[0][0] == cycles


def _tree(elf: Path, *options: str) -> list[tuple[str, int, int]]:
    """Each way to a function, with its own cycles and its calls."""
    nodes = run(elf, "--uart", "none", "--profile", "stacks", *options).only("profile")["stacks"]
    names: list[str] = []
    for node in nodes:
        names.append(node["name"] if node["parent"] is None else f"{names[node['parent']]};{node['name']}")
    return [(name, node["cycles"], node["calls"]) for name, node in zip(names, nodes, strict=True)]


def test_the_tree_says_who_called_whom(elf: Path, entries: Path) -> None:
    """The call of what is measured is the caller's, so it is in no node."""
    assert _tree(elf, "--function", "end_of_chain") == [
        ("end_of_chain", RCALL + 1 + RET, 1),
        ("end_of_chain;leaf", LEAF, 1),
    ]
    # A jump into another function takes the place of the one that jumped.
    assert _tree(elf, "--function", "jumped_to_by") == [
        ("jumped_to_by", 1 + RJMP, 1),
        ("end_of_chain", RCALL + 1 + RET, 1),
        ("end_of_chain;leaf", LEAF, 1),
    ]
    assert _tree(entries, "--function", "recurses", "--first-call", "3") == [
        ("recurses", 1 + 1 + RCALL + RET, 1),
        ("recurses;recurses", 1 + 1 + RCALL + RET, 1),
        ("recurses;recurses;recurses", 1 + 2 + RET, 1),
    ]
    # Several calls add up in one tree.
    assert _tree(entries, "--function", "loops", "--calls", "3") == [("loops", sum(LOOPS) - 3 * RCALL, 3)]


def test_main_itself_can_be_measured(tmp_path: Path) -> None:
    done = run(build(tmp_path, ["int main(void) { return 0; }\n"], "-Os"), "--uart", "none", "--function", "main")
    assert done.exit_code == EXIT_OK
    # CALL, LDI twice, RET
    assert [region["cycles"] for region in done.regions] == [CALL + 2 + RET]


def test_an_address_will_do_and_markers_are_not_regions_then(marked: Path) -> None:
    named = subprocess.run(["avr-nm", str(marked)], capture_output=True, text=True, check=True).stdout
    address = next(line.split()[0] for line in named.splitlines() if line.endswith(" outer"))
    inner = 3 * PUSH + 1 + 3 * POP + RET
    expected = [(CALL + 2 * PUSH + RCALL + inner + 2 * POP + RET, 2 + 2 + 2 + 3)]
    assert figures(marked, "--function", f"0x{address}") == expected


def test_a_profile_is_of_the_measured_calls_alone(elf: Path) -> None:
    done = run(elf, "--uart", "none", "--function", "end_of_chain", "--profile", "functions")
    costs = {cost["name"]: cost["cycles"] for cost in done.only("profile")["functions"]}
    assert costs == {"end_of_chain": RCALL + 1 + RET, "leaf": LEAF}


def test_too_few_calls_leave_the_regions_there_were(elf: Path) -> None:
    done = run(elf, "--uart", "none", "--function", "leaf", "--calls", "9")
    assert done.exit_code == EXIT_OK
    assert len(done.regions) == 4


@pytest.mark.parametrize(
    ("options", "words"),
    [
        (("--function", "nothing"), "has no function 'nothing'"),
        (("--function", "0x3"), "has no function '0x3'"),
        (("--calls", "2"), "--function, which is missing"),
        (("--function", "leaf", "--calls", "0"), "at least 1"),
    ],
)
def test_a_mistake_is_one_sentence(elf: Path, options: tuple[str, ...], words: str) -> None:
    done = run(elf, "--uart", "none", *options)
    assert done.exit_code == EXIT_USAGE
    assert words in done.stderr
    assert len(done.stderr.splitlines()) == 1


def test_a_program_that_never_calls_it_ends_at_the_limit(tmp_path: Path) -> None:
    elf = build(
        tmp_path, ['int main(void) { for (;;) __asm__ volatile("nop"); }\nvoid never(void);\nvoid never(void) {}\n']
    )
    done = run(elf, "--uart", "none", "--function", "never", limit_cycles=100_000)
    assert done.exit_code == EXIT_FAULT
    assert done.only("fault")["reason"] == "cycle limit"
