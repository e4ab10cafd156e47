"""Firmware that goes wrong ends the run, with the reason and the place."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from tests.engines.simavr.engine_bench import EXIT_FAULT, LIMIT_CYCLES, build, run

INSIDE = "MARK(MARKER_BEGIN);"
OUTSIDE = ""

PROGRAM = """
#include "markers.h"
#include <stdint.h>
uint8_t data[1500];
volatile uint8_t depth;
%s
int main(void) { %s go(); MARK(MARKER_HALT); return data[depth]; }
"""

RECURSE = "__attribute__((noinline)) void go(void) { depth++; go(); depth++; }"
BIG_FRAME = """__attribute__((noinline)) void go(void) {
    volatile uint8_t frame[700];
    frame[0] = depth;
    depth = frame[0];
}"""
# More than the stack pointer can go down: it comes out above the RAM.
HUGE_FRAME = BIG_FRAME.replace("[700]", "[9000]")
JUMP = "__attribute__((noinline)) void go(void) { ((void (*)(void))%s)(); }"
OPCODE = '__attribute__((noinline)) void go(void) { __asm__ volatile(".word %#x"); }'


def fault_of(folder: Path, code: str, prologue: str, limit_cycles: int = LIMIT_CYCLES) -> dict[str, Any]:
    elf = build(folder, [PROGRAM % (code, prologue)], "-fno-optimize-sibling-calls")
    done = run(elf, limit_cycles=limit_cycles)
    assert done.exit_code == EXIT_FAULT
    assert done.events[-1]["event"] == "fault"
    return done.events[-1]


@pytest.mark.parametrize("prologue", [INSIDE, OUTSIDE], ids=["inside a region", "outside"])
@pytest.mark.parametrize("code", [RECURSE, BIG_FRAME, HUGE_FRAME], ids=["recursion", "big frame", "huge frame"])
def test_a_stack_that_grows_into_data(tmp_path: Path, prologue: str, code: str) -> None:
    fault = fault_of(tmp_path, code, prologue)
    assert (fault["reason"], fault["symbol"]) == ("stack overflow", "go")


def test_a_stack_that_just_fits_is_no_fault(tmp_path: Path) -> None:
    """2048 bytes of RAM, of which `data` and a return address to main and one to go leave no byte unused."""
    program = '#include "markers.h"\nchar data[2048 - 2 - 2 %s];\nvoid go(void);\n__asm__("go: ret");\n'
    program += "int main(void) { go(); data[0] = 0; MARK(MARKER_HALT); return 0; }"
    (tmp_path / "fits").mkdir()
    (tmp_path / "over").mkdir()
    assert run(build(tmp_path / "fits", [program % ""])).events[-1]["event"] == "halt"
    assert run(build(tmp_path / "over", [program % "+ 1"])).events[-1]["reason"] == "stack overflow"


# 0x0001 reserved; 0x9204 XCH and 0x940b DES: XMEGA only; 0xff0f: SBRS with the unused bit set.
@pytest.mark.parametrize("prologue", [INSIDE, OUTSIDE], ids=["inside a region", "outside"])
@pytest.mark.parametrize("opcode", [0x0001, 0x9204, 0x940B])
def test_an_opcode_that_does_not_exist(tmp_path: Path, prologue: str, opcode: int) -> None:
    fault = fault_of(tmp_path, OPCODE % opcode, prologue)
    assert (fault["reason"], fault["symbol"]) == ("invalid opcode", "go")


def test_a_region_notices_opcodes_that_simavr_lets_pass(tmp_path: Path) -> None:
    assert fault_of(tmp_path, OPCODE % 0xFF0F, INSIDE)["reason"] == "invalid opcode"


# Word addresses: 0x3f00 is erased flash, 0x8000 lies beyond the 16384 words that there are.
@pytest.mark.parametrize("prologue", [INSIDE, OUTSIDE], ids=["inside a region", "outside"])
@pytest.mark.parametrize("word", ["0x3f00", "0x8000"])
def test_a_jump_out_of_the_program(tmp_path: Path, prologue: str, word: str) -> None:
    fault = fault_of(tmp_path, JUMP % word, prologue)
    assert (fault["reason"], fault["symbol"]) == ("jump outside flash", None)
    assert fault["pc"] >= int(word, 16) * 2


@pytest.mark.parametrize("prologue", [INSIDE, OUTSIDE], ids=["inside a region", "outside"])
def test_max_cycles_ends_an_endless_loop(tmp_path: Path, prologue: str) -> None:
    fault = fault_of(tmp_path, "void go(void) { for (;;) { depth++; } }", prologue, limit_cycles=100_000)
    assert fault["reason"] == "cycle limit"
    assert 100_000 <= fault["cycle"] < 100_010


def test_regions_do_not_nest(tmp_path: Path) -> None:
    fault = fault_of(tmp_path, "void go(void) { MARK(MARKER_BEGIN); }", INSIDE)
    assert fault["reason"] == "a region begins inside a region"


def test_a_region_must_begin_before_it_ends(tmp_path: Path) -> None:
    fault = fault_of(tmp_path, "void go(void) { MARK(MARKER_END); }", OUTSIDE)
    assert fault["reason"] == "a region ends that did not begin"
