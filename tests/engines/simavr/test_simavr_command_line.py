"""The command line: what is wrong is said in one sentence, with exit code 2."""

from __future__ import annotations

import os
import subprocess
import tomllib
from pathlib import Path

import pytest

from bancada.engines.simavr.session import runner
from tests.engines.simavr.engine_bench import EXIT_USAGE, FIRMWARE, HERE, HOST_TIMEOUT_S, build

CARGO = HERE.parents[2] / "engines" / "simavr" / "Cargo.toml"


@pytest.fixture(scope="module")
def elf(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return build(tmp_path_factory.mktemp("command"), [FIRMWARE / "echo.c"])


def engine(*arguments: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [str(runner()), *arguments],
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        timeout=HOST_TIMEOUT_S,
    )


USUAL = ("--mcu", "atmega328p", "--frequency", "16000000")


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["--frequency", "16000000", "ELF"], "--mcu is missing"),
        (["--mcu", "atmega328p", "ELF"], "--frequency is missing"),
        (["--mcu", "atmega328p", "--frequency", "fast", "ELF"], "'fast'"),
        (["--mcu", "atmega328p", "--frequency", "0", "ELF"], "at least 1 Hz"),
        (["--mcu", "atmega328p", "--frequency", "5000000000", "ELF"], "5000000000"),
        (["--mcu", "atmega9000", "--frequency", "16000000", "ELF"], "'atmega9000'"),
        ([*USUAL], "no firmware file"),
        ([*USUAL, "ELF", "ELF"], "a second one"),
        ([*USUAL, "/nonexistent.elf"], "/nonexistent.elf"),
        ([*USUAL, __file__], "no 32-bit ELF header"),
        ([*USUAL, "HOST"], "is not AVR firmware"),
        ([*USUAL, "--uart", "usb", "ELF"], "'usb'"),
        ([*USUAL, "--profile", "lines", "ELF"], "'lines'"),
        ([*USUAL, "--events", "77", "ELF"], "--events 77"),
        ([*USUAL, "--max-cycles", "-1", "ELF"], "'-1'"),
        ([*USUAL, "--wdt-jitter", "x", "ELF"], "'x'"),
        ([*USUAL, "--host-pause", "1s", "ELF"], "'1s'"),
        ([*USUAL, "ELF", "--max-cycles"], "--max-cycles needs a value"),
        ([*USUAL, "--frobnicate", "ELF"], "--frobnicate"),
        (["--mcu", "attiny85", "--frequency", "8000000", "ELF"], "UART0"),
        (["--mcu", "atmega48", "--frequency", "8000000", "BIG"], "4096 bytes of flash"),
    ],
)
def test_a_mistake_is_explained_in_one_line(elf: Path, tmp_path: Path, arguments: list[str], said: str) -> None:
    files = {"ELF": str(elf), "HOST": "/proc/self/exe", "BIG": str(elf)}
    if "BIG" in arguments:
        source = '__attribute__((used)) const char big[5000] __attribute__((section(".text.big"))) = {1};'
        files["BIG"] = str(build(tmp_path, [source + "int main(void) { return 0; }"]))
    done = engine(*(files.get(argument, argument) for argument in arguments))
    assert done.returncode == EXIT_USAGE
    assert done.stdout == ""
    (line,) = done.stderr.splitlines()
    assert line.startswith("bancada-simavr: ")
    assert said in line


def test_help_and_version_go_to_standard_output() -> None:
    assert "usage: bancada-simavr" in engine("--help").stdout
    cargo = tomllib.loads(CARGO.read_text())
    crate = cargo["dependencies"]["simavr-ffi"].removeprefix("=")
    assert engine("--version").stdout == f"bancada-simavr {cargo['package']['version']} (simavr-ffi {crate})\n"


def test_an_option_can_be_joined_to_its_value(elf: Path) -> None:
    assert (
        engine("--mcu=atmega328p", "--frequency=16000000", "--uart=none", "--max-cycles=1000", str(elf)).returncode == 3
    )


def test_without_a_descriptor_events_go_to_standard_error(elf: Path) -> None:
    assert '{"event":"main"' in engine(*USUAL, str(elf)).stderr


def test_a_caller_that_has_gone_is_an_error_and_not_a_crash(elf: Path) -> None:
    read_end, write_end = os.pipe()
    os.close(read_end)
    done = subprocess.run(
        [str(runner()), *USUAL, "--events", str(write_end), str(elf)],
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        pass_fds=(write_end,),
        timeout=HOST_TIMEOUT_S,
    )
    os.close(write_end)
    assert done.returncode == 1
    assert "the caller can no longer be reached" in done.stderr
