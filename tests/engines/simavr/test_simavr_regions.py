"""What a region's figures mean, on code whose cycles and bytes of stack can be counted by hand."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from tests.engines.simavr.engine_bench import EXIT_OK, FIRMWARE, Run, build, run, run_second

CALL, RCALL, ICALL, RET, PUSH, POP = 4, 3, 3, 4, 2, 2

INNER = 3 * PUSH + 1 + 3 * POP + RET
OUTER = 2 * PUSH + RCALL + INNER + 2 * POP + RET
TAKES_FRAME = 2 * PUSH + 1 + 1 + 2 + 5 + 2 + 5 + 2 * POP + RET

# cycles, region_cycles, stack_bytes
EXPECTED = {
    "no call": (3, 3, 0),
    "one call": (CALL + RET, 1 + CALL + RET + 2, 2),
    "nested calls": (CALL + OUTER, CALL + OUTER, 2 + 2 + 2 + 3),
    "two calls": (RCALL + RET + 2 + CALL + RET, 1 + RCALL + RET + 2 + CALL + RET + 1, 2),
    "pushes": (3 * PUSH + 3 * POP, 3 * PUSH + 3 * POP, 3),
    "frame across a page": (CALL + TAKES_FRAME, CALL + TAKES_FRAME, 2 + 2 + 16),
    "RCALL to the next instruction": (CALL + RET, RCALL + 2 * POP + CALL + RET, 2),
    "arguments on the stack": (CALL + RET, 2 * PUSH + CALL + RET + 2 * POP, 2 + 2),
    "call through a pointer": (ICALL + RET, ICALL + RET, 2),
}


@pytest.fixture(scope="module")
def elf(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return build(tmp_path_factory.mktemp("regions"), [FIRMWARE / "regions.S"])


@pytest.fixture(scope="module")
def finished(elf: Path) -> Run:
    done = run(elf)
    assert done.exit_code == EXIT_OK, done.events[-1]
    return done


def figures(region: dict[str, Any]) -> tuple[int, int, int]:
    return region["cycles"], region["region_cycles"], region["stack_bytes"]


def test_cycles_and_stack_are_what_counting_gives(finished: Run) -> None:
    assert dict(zip(EXPECTED, map(figures, finished.regions), strict=False)) == EXPECTED


def test_regions_are_numbered(finished: Run) -> None:
    assert [region["index"] for region in finished.regions] == list(range(len(EXPECTED) + 1))


def test_instructions_are_counted_by_kind(finished: Run) -> None:
    region = finished.regions[-1]
    assert region["classes"] == {
        "arithmetic": 3,
        "multiply": 1,
        "load": 3,
        "store": 2,
        "lpm": 1,
        "branch": 3,
        "call-return": 2,
        "io": 2,
        "other": 2,
    }
    assert region["instructions"] == sum(region["classes"].values())


def test_the_second_simulator_gives_the_same_figures(finished: Run, elf: Path, avr8js: Path) -> None:
    other = run_second(avr8js, elf)["regions"]
    ours = [{name: region[name] for name in other[0]} for region in finished.regions]
    assert ours == other


def test_two_runs_report_the_same_events(elf: Path) -> None:
    assert run(elf, "--profile", "addresses").events == run(elf, "--profile", "addresses").events


def test_firmware_cannot_tell_two_runs_apart_by_the_serial_number(tmp_path: Path) -> None:
    """simavr makes the serial number in the signature row of its own process number."""
    source = """
    #include "markers.h"
    #include <avr/boot.h>
    int main(void) {
        UCSR0B = 1 << TXEN0;
        for (uint8_t i = 0x0e; i <= 0x17; i++) {
            while (!(UCSR0A & (1 << UDRE0))) {
            }
            UDR0 = boot_signature_byte_get(i);
        }
        MARK(MARKER_HALT);
    }"""
    elf = build(tmp_path, [source])
    assert run(elf).output == run(elf).output == bytes(10)


def test_main_and_ready_are_counted_from_reset(tmp_path: Path) -> None:
    source = tmp_path / "bare.S"
    source.write_text("jmp main\n.global main\nmain: ldi r16, 0x10\nnop\nout 0x1e, r16\nldi r16, 0x12\nout 0x1e, r16\n")
    done = run(build(tmp_path, [source], "-nostartfiles"))
    jmp = 3
    assert done.only("main")["cycle"] == jmp
    assert done.only("ready")["cycle"] == jmp + 2
    assert done.only("halt")["cycle"] == jmp + 5


def test_the_end_of_main_ends_the_run(tmp_path: Path) -> None:
    done = run(build(tmp_path, ["int main(void) { return 0; }"]))
    assert done.exit_code == EXIT_OK
    assert [event["event"] for event in done.events] == ["main", "halt"]
