"""The UART, joined to the host: nothing lost, nothing added, the data sheet's bit rate, and the same device time
always."""

from __future__ import annotations

import json
import os
import random
import select
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
import serial

from tests.engines.simavr.engine_bench import EXIT_OK, FIRMWARE, build, command_line, run

MANY_BYTES = random.Random(20).randbytes(10_000)
FRAMES = [bytes([len(body)]) + body for body in (random.Random(n).randbytes(1 + n * 37 % 255) for n in range(60))]
SERIAL_TIMEOUT_S = 30

POLLING = ["echo.c"]
WITH_MARKER = ["echo.c", "-DUSES_MARKER"]
BY_INTERRUPT = ["echo_interrupts.c"]


def echo(folder: Path, source: str, *flags: str, mcu: str = "atmega328p") -> Path:
    return build(folder, [FIRMWARE / source], *flags, mcu=mcu)


@contextmanager
def running(elf: Path, *options: str) -> Iterator[tuple[subprocess.Popen[bytes], int]]:
    """The engine at work, and the descriptor that its events come from."""
    read_end, write_end = os.pipe()
    process = subprocess.Popen(
        command_line(elf, "--events", str(write_end), *options),
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        pass_fds=(write_end,),
        bufsize=0,
    )
    os.close(write_end)
    try:
        yield process, read_end
    finally:
        process.kill()
        process.wait()
        os.close(read_end)
        for stream in (process.stdin, process.stdout):
            if stream is not None:
                stream.close()


def next_event(descriptor: int) -> dict[str, Any]:
    line = b""
    while not line.endswith(b"\n"):
        line += os.read(descriptor, 1)
    event: dict[str, Any] = json.loads(line)
    return event


@pytest.mark.parametrize("firmware", [POLLING, WITH_MARKER, BY_INTERRUPT], ids=["polling", "marker", "interrupt"])
def test_stdio_carries_every_byte_there_and_back(tmp_path: Path, firmware: list[str]) -> None:
    done = run(echo(tmp_path, *firmware), given=MANY_BYTES)
    assert done.output == MANY_BYTES
    assert done.exit_code == EXIT_OK
    assert done.events[-1]["event"] == "end-of-input"
    assert done.stderr == ""


def test_the_larger_device_echoes_too(tmp_path: Path) -> None:
    assert run(echo(tmp_path, *WITH_MARKER, mcu="atmega2560"), mcu="atmega2560", given=MANY_BYTES).output == MANY_BYTES


@pytest.mark.parametrize("firmware", [POLLING, WITH_MARKER], ids=["polling", "marker"])
def test_a_pty_carries_every_byte_for_one_client_after_another(tmp_path: Path, firmware: list[str]) -> None:
    with running(echo(tmp_path, *firmware), "--uart", "pty") as (_, events):
        path = next_event(events)["path"]
        for client in range(3):
            sent = random.Random(client).randbytes(len(MANY_BYTES))
            with serial.serial_for_url(path, baudrate=115200, timeout=SERIAL_TIMEOUT_S) as port:
                port.write(sent)
                assert port.read(len(sent)) == sent


def test_a_pty_is_raw_before_any_client_sets_it(tmp_path: Path) -> None:
    special = bytes(range(256)) + b"\r\n\x03\x04\x11\x13\x1a"
    with running(echo(tmp_path, *WITH_MARKER), "--uart", "pty") as (_, events):
        client = os.open(next_event(events)["path"], os.O_RDWR | os.O_NOCTTY)
        os.write(client, special)
        received = b""
        while len(received) < len(special):
            received += os.read(client, len(special))
        os.close(client)
    assert received == special


# So long may the host take between two pieces: a loaded machine must not turn into a pause that the device notices.
PATIENT = ("--host-pause", "60000")


def life(elf: Path, pieces: list[bytes], *, wait_for_answers: bool = False) -> tuple[bytes, int]:
    """What the device answers when the host sends the frames in these pieces, and how many cycles it lived.

    Waiting for answers, the host sends a piece, here a whole frame, when it has the answer to the one before.
    """
    answer = b""
    with running(elf, *PATIENT) as (process, events):
        assert process.stdin is not None
        assert process.stdout is not None
        while next_event(events)["event"] != "ready":
            pass
        for piece in pieces:
            process.stdin.write(piece)
            wanted = len(answer) + len(piece) - 1 if wait_for_answers else 0
            while len(answer) < wanted or select.select([process.stdout], [], [], 0)[0]:
                answer += process.stdout.read(65536)
        process.stdin.close()
        while (event := next_event(events))["event"] != "end-of-input":
            pass
        while rest := process.stdout.read(65536):
            answer += rest
        cycle: int = event["cycle"]
    return answer, cycle


def test_device_time_does_not_depend_on_how_the_host_sends(tmp_path: Path) -> None:
    elf = build(tmp_path, [FIRMWARE / "echo_frames.c"])
    everything = b"".join(FRAMES)
    at_once = life(elf, [everything])
    assert at_once[0] == b"".join(frame[1:] for frame in FRAMES)
    assert life(elf, FRAMES, wait_for_answers=True) == at_once
    assert life(elf, [everything[i : i + 1] for i in range(len(everything))]) == at_once


def test_a_host_that_pauses_does_not_stop_the_device(tmp_path: Path) -> None:
    """Half a frame, then nothing: the firmware's own time-out, on a timer of the device, must come to pass."""
    source = """
    #include "markers.h"
    int main(void) {
        UCSR0A = 1 << U2X0;
        UCSR0B = (1 << RXEN0) | (1 << TXEN0);
        TCCR1B = 1 << CS11;
        uint8_t received = 0;
        MARK(MARKER_WAITING);
        while (received < 2 && !(TIFR1 & (1 << TOV1))) {
            if (UCSR0A & (1 << RXC0)) {
                UDR0 = UDR0;
                received++;
            }
        }
        UDR0 = 't';
        MARK(MARKER_HALT);
    }"""
    with running(build(tmp_path, [source]), "--host-pause", "1") as (process, _):
        assert process.stdin is not None
        assert process.stdout is not None
        process.stdin.write(b"h")
        assert process.stdout.read(1) + process.stdout.read(1) == b"ht"


def test_an_event_is_out_before_the_bytes_that_follow_it(tmp_path: Path) -> None:
    source = """
    #include "markers.h"
    int main(void) {
        UCSR0B = (1 << RXEN0) | (1 << TXEN0);
        MARK(MARKER_READY);
        MARK(MARKER_BEGIN);
        MARK(MARKER_END);
        UDR0 = 'x';
        for (;;) { MARK(MARKER_WAITING); }
    }"""
    with running(build(tmp_path, [source])) as (process, events):
        assert process.stdout is not None
        assert process.stdout.read(1) == b"x"
        os.set_blocking(events, False)
        names = [json.loads(line)["event"] for line in os.read(events, 65536).splitlines()]
    assert names == ["main", "ready", "region"]


# Start bit, data bits, parity bit, stop bits: ATmega328P data sheet, "USART", "Frame Formats".
@pytest.mark.parametrize(
    ("control", "bits"), [("3 << UCSZ00", 10), ("(3 << UCSZ00) | (2 << UPM00) | (1 << USBS0)", 12), ("0", 7)]
)
@pytest.mark.parametrize(("divisor", "double_speed"), [(103, False), (16, True)])
def test_a_byte_takes_as_long_as_its_bits(
    tmp_path: Path, control: str, bits: int, divisor: int, double_speed: bool
) -> None:
    source = f"""
    #include "markers.h"
    int main(void) {{
        UBRR0 = {divisor};
        UCSR0A = {int(double_speed)} << U2X0;
        UCSR0C = {control};
        UCSR0B = 1 << TXEN0;
        MARK(MARKER_BEGIN);
        UDR0 = 0x55;
        while (!(UCSR0A & (1 << TXC0))) {{
        }}
        MARK(MARKER_END);
        MARK(MARKER_HALT);
    }}"""
    cycles = run(build(tmp_path, [source])).only("region")["region_cycles"]
    byte_cycles = bits * (8 if double_speed else 16) * (divisor + 1)
    one_turn_of_the_loop = 16
    assert byte_cycles <= cycles <= byte_cycles + one_turn_of_the_loop


def test_without_a_uart_output_is_dropped_and_waiting_ends_the_run(tmp_path: Path) -> None:
    source = """
    #include "markers.h"
    int main(void) { UCSR0B = 1 << TXEN0; UDR0 = 'x'; for (;;) MARK(MARKER_WAITING); }"""
    done = run(build(tmp_path, [source]), "--uart", "none", given=b"ignored")
    assert (done.output, done.exit_code, done.events[-1]["event"]) == (b"", EXIT_OK, "end-of-input")


def test_nothing_but_the_uarts_bytes_is_printed(tmp_path: Path) -> None:
    """Left alone, simavr prints each line that the UART sends on standard output, in colour."""
    source = """
    #include "markers.h"
    int main(void) {
        UCSR0B = 1 << TXEN0;
        UDR0 = 'x';
        while (!(UCSR0A & (1 << UDRE0))) {
        }
        UDR0 = '\\n';
        MARK(MARKER_HALT);
    }"""
    done = run(build(tmp_path, [source]))
    assert (done.output, done.stderr) == (b"x\n", "")
