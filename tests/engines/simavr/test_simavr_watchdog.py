"""The watchdog: perfectly regular by default, with seeded jitter if asked for, and able to reset the device."""

from __future__ import annotations

import struct
from pathlib import Path

import pytest

from tests.engines.simavr.engine_bench import CLOCK_HZ, EXIT_OK, FIRMWARE, build, run

# 2048 cycles at 128 kHz: ATmega328P data sheet, "Watchdog Timer Prescale Select".
PERIOD_CYCLES = 2048 * CLOCK_HZ // 128_000
JITTER_CYCLES = 256
# The interrupt waits for the end of a loop of so many cycles.
LOOP_CYCLES = 8


@pytest.fixture(scope="module")
def elf(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return build(tmp_path_factory.mktemp("watchdog"), [FIRMWARE / "watchdog.c"])


def deviations(elf: Path, *options: str) -> list[int]:
    """Of each period from the nominal one."""
    output = run(elf, *options).output
    periods = struct.unpack(f"<{len(output) // 2}H", output)
    assert len(periods) == 40
    return [(period - PERIOD_CYCLES + 0x8000) % 0x10000 - 0x8000 for period in periods]


def test_without_jitter_every_period_is_the_nominal_one(elf: Path) -> None:
    assert all(abs(deviation) <= LOOP_CYCLES for deviation in deviations(elf))


def test_with_jitter_the_periods_vary_within_the_documented_band(elf: Path) -> None:
    found = deviations(elf, "--wdt-jitter", "1")
    assert len(set(found)) > 30
    assert all(abs(deviation) <= JITTER_CYCLES + LOOP_CYCLES for deviation in found)
    assert min(found) < -JITTER_CYCLES // 2
    assert max(found) > JITTER_CYCLES // 2


def test_a_seed_gives_the_same_jitter_again_and_another_seed_another(elf: Path) -> None:
    assert deviations(elf, "--wdt-jitter", "7") == deviations(elf, "--wdt-jitter", "7")
    assert deviations(elf, "--wdt-jitter", "7") != deviations(elf, "--wdt-jitter", "8")


def test_the_first_period_has_jitter_too(tmp_path: Path) -> None:
    source = """
    #include "markers.h"
    #include <avr/interrupt.h>
    EMPTY_INTERRUPT(WDT_vect);
    int main(void) {
        MARK(MARKER_READY);
        WDTCSR = (1 << WDCE) | (1 << WDE);
        WDTCSR = 1 << WDIE;
        while (WDTCSR & (1 << WDIE) && !(WDTCSR & (1 << WDIF))) {
        }
        MARK(MARKER_HALT);
    }"""
    firmware = build(tmp_path, [source])

    def first_period(*options: str) -> int:
        done = run(firmware, *options)
        cycles: int = done.only("halt")["cycle"] - done.only("ready")["cycle"]
        return cycles

    assert abs(first_period() - PERIOD_CYCLES) < 40
    assert len({first_period("--wdt-jitter", str(seed)) for seed in range(8)}) > 4


def test_a_reset_by_the_watchdog_is_reported_and_time_goes_on(tmp_path: Path) -> None:
    source = """
    #include "markers.h"
    int main(void) {
        if (MCUSR & (1 << WDRF)) {
            MCUSR = 0;
            MARK(MARKER_HALT);
        }
        WDTCSR = (1 << WDCE) | (1 << WDE);
        WDTCSR = 1 << WDE;
        for (;;) {
        }
    }"""
    done = run(build(tmp_path, [source]))
    assert done.exit_code == EXIT_OK
    assert [event["event"] for event in done.events] == ["main", "reset", "main", "halt"]
    cycles = [event["cycle"] for event in done.events]
    assert cycles == sorted(cycles)
    assert abs(cycles[1] - cycles[0] - PERIOD_CYCLES) < 40


def test_after_a_reset_the_watchdog_runs_on(tmp_path: Path) -> None:
    """ATmega328P data sheet, "Watchdog System Reset": WDE stays set, with the shortest period."""
    source = """
    #include "markers.h"
    static volatile uint8_t resets __attribute__((section(".noinit")));
    int main(void) {
        if (!(MCUSR & (1 << WDRF))) {
            resets = 0;
            WDTCSR = (1 << WDCE) | (1 << WDE);
            WDTCSR = (1 << WDE) | (1 << WDP1);
        } else if (++resets == 3) {
            MARK(MARKER_HALT);
        }
        for (;;) {
        }
    }"""
    resets = [event["cycle"] for event in run(build(tmp_path, [source])).of("reset")]
    assert len(resets) == 3
    assert abs(resets[0] - 4 * PERIOD_CYCLES) < 40
    assert all(abs(late - early - PERIOD_CYCLES) < 40 for early, late in zip(resets, resets[1:], strict=False))
