"""Entering an interrupt takes the data sheet's four cycles (five on the larger device), which simavr leaves out."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.engines.simavr.engine_bench import build, run

# The handler of "data register empty" runs once: it switches its own interrupt off. 0xc1 is UCSR0B on both devices.
SOURCE = """
#include <avr/io.h>
#include "markers.h"
.global main
.global USART_UDRE_VECTOR
main:
    load_markers
    ldi r16, 1 << TXEN0
    ldi r17, (1 << TXEN0) | (1 << UDRIE0)
    sts UCSR0B, r16
    sei
    region_begins
    sts UCSR0B, r17
    nop
    region_ends
    cli
    halt
USART_UDRE_VECTOR:
    sts UCSR0B, r16
    reti
"""

STS, NOP, JMP = 2, 1, 3


@pytest.mark.parametrize(
    ("mcu", "vector", "entry", "reti"),
    [("atmega328p", "__vector_19", 4, 4), ("atmega2560", "__vector_26", 5, 5)],
)
def test_an_interrupt_takes_entry_vector_handler_and_return(
    tmp_path: Path, mcu: str, vector: str, entry: int, reti: int
) -> None:
    source = tmp_path / "interrupt.S"
    source.write_text(SOURCE.replace("USART_UDRE_VECTOR", vector))
    done = run(build(tmp_path, [source], mcu=mcu), mcu=mcu)
    region = done.only("region")
    assert region["region_cycles"] == STS + entry + JMP + STS + reti + NOP
    assert region["stack_bytes"] == reti - 2


def test_sleep_costs_device_time_but_no_host_time(tmp_path: Path) -> None:
    """A hundred overflows of a timer, each of 65536 x 1024 cycles, are seven minutes of device time."""
    source = """
    #include "markers.h"
    #include <avr/interrupt.h>
    #include <avr/sleep.h>
    EMPTY_INTERRUPT(TIMER1_OVF_vect);
    int main(void) {
        TIMSK1 = 1 << TOIE1;
        TCCR1B = (1 << CS12) | (1 << CS10);
        sei();
        for (uint8_t i = 0; i < 100; i++) {
            sleep_mode();
        }
        MARK(MARKER_HALT);
    }"""
    overflow_cycles = 65536 * 1024
    done = run(build(tmp_path, [source]), limit_cycles=200 * overflow_cycles)
    cycle = done.only("halt")["cycle"]
    assert 99 * overflow_cycles < cycle < 101 * overflow_cycles


def test_sleep_that_nothing_can_end_ends_the_run(tmp_path: Path) -> None:
    done = run(build(tmp_path, ['#include "markers.h"\n#include <avr/sleep.h>\nint main(void) { sleep_mode(); }']))
    assert done.events[-1]["event"] == "halt"
