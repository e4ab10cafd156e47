"""What the engine's tests share: building firmware, running it in the engine and in the second simulator."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import tomllib
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from bancada.compilers.compile import compile_object, compiler_version, link_image
from bancada.engines.simavr.session import runner

HERE = Path(__file__).resolve().parent
FIRMWARE = HERE / "firmware"
CLOCK_HZ = 16_000_000
HOST_TIMEOUT_S = 60

# A run that should have ended long before is stopped by the engine itself.
LIMIT_CYCLES = 500_000_000

COMPILER = "avr-gcc"
COMPILER_FLAGS = ("-std=gnu99", "-Wall", "-Wextra", "-Werror", f"-DF_CPU={CLOCK_HZ}UL")
FIRMWARE_INCLUDES = ("-I", str(FIRMWARE))

# Flash, and data space from 0x100 on: data sheets, "Features" and "Data Memory Map" (the ATmega2560's RAM begins at
# 0x200).
MEMORY_BYTES = {"atmega328p": (32 * 1024, 2048), "atmega2560": (256 * 1024, 0x100 + 8192)}

EXIT_OK = 0
EXIT_USAGE = 2
EXIT_FAULT = 3


@dataclass(frozen=True)
class Run:
    """One finished run of the engine."""

    events: list[dict[str, Any]]
    output: bytes
    exit_code: int
    stderr: str

    def of(self, event: str) -> list[dict[str, Any]]:
        return [found for found in self.events if found["event"] == event]

    def only(self, event: str) -> dict[str, Any]:
        (found,) = self.of(event)
        return found

    @property
    def regions(self) -> list[dict[str, Any]]:
        return self.of("region")


def build(folder: Path, sources: Sequence[Path | str], *flags: str, mcu: str = "atmega328p") -> Path:
    """Links sources to an ELF file. A source that is not a path is C text. CompileError if it does not build.

    A file that several tests build in one way is compiled once.
    """
    paths = []
    for number, source in enumerate(sources):
        if isinstance(source, str):
            path = folder / f"source{number}.c"
            path.write_text(source)
            paths.append(path)
        else:
            paths.append(source)
    version = compiler_version(COMPILER, COMPILER)
    options = (f"-mmcu={mcu}", *COMPILER_FLAGS, *FIRMWARE_INCLUDES, "-Os", *flags)
    objects = [compile_object(COMPILER, version, options, path) for path in paths]
    elf = folder / "firmware.elf"
    shutil.copy(link_image(COMPILER, version, options, objects), elf)
    return elf


def command_line(elf: Path, *options: str, mcu: str = "atmega328p") -> list[str]:
    return [str(runner()), "--mcu", mcu, "--frequency", str(CLOCK_HZ), *options, str(elf)]


def run(elf: Path, *options: str, mcu: str = "atmega328p", given: bytes = b"", limit_cycles: int = LIMIT_CYCLES) -> Run:
    """Runs firmware to its end, with all its input there from the beginning."""
    options = (*options, "--max-cycles", str(limit_cycles))
    read_end, write_end = os.pipe()
    with open(read_end, "rb") as events_file:
        process = subprocess.Popen(
            command_line(elf, "--events", str(write_end), *options, mcu=mcu),
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            pass_fds=(write_end,),
        )
        os.close(write_end)
        output, stderr = process.communicate(given, timeout=HOST_TIMEOUT_S)
        events = [json.loads(line) for line in events_file]
    return Run(events, output, process.returncode, stderr.decode())


def run_second(avr8js: Path, elf: Path, mcu: str = "atmega328p", max_cycles: int = 20_000_000) -> dict[str, Any]:
    """The same firmware in avr8js."""
    image = elf.with_suffix(".bin")
    subprocess.run(["avr-objcopy", "-O", "binary", str(elf), str(image)], check=True)
    done = subprocess.run(
        ["node", str(HERE / "second_simulator.mjs"), str(image), *map(str, MEMORY_BYTES[mcu]), str(max_cycles)],
        check=True,
        capture_output=True,
        env={**os.environ, "AVR8JS_HOME": str(avr8js)},
        timeout=HOST_TIMEOUT_S,
    )
    result: dict[str, Any] = json.loads(done.stdout)
    assert result["halted"], "the firmware did not come to its end in avr8js"
    return result


@dataclass(frozen=True)
class Timing:
    """One row of a table of instruction timings."""

    name: str
    form: str
    cycles: int
    code: str
    before: str
    after: str
    stack_bytes: int


def timings(mcu: str) -> list[Timing]:
    table = tomllib.loads((HERE / f"timings_{mcu}.toml").read_text())
    rows = []
    for section in table["section"]:
        for row in section["forms"]:
            case = row.get("case", "")
            name = f"{row['form']}, {case}" if case else row["form"]
            rows.append(
                Timing(
                    name,
                    row["form"],
                    row["cycles"],
                    row["code"],
                    row.get("before", ""),
                    row.get("after", ""),
                    row.get("stack_bytes", 0),
                )
            )
    return rows


_PRESETS = """
    ldi r16, 1 $ ldi r17, 2 $ ldi r18, 3 $ ldi r19, 4 $ ldi r24, 0 $ ldi r25, 0
    ldi r26, 0x10 $ ldi r27, 0x02 $ ldi r28, 0x10 $ ldi r29, 0x02 $ ldi r30, 0x10 $ ldi r31, 0x02
    out 0x3f, r1
"""


def timing_firmware(rows: Sequence[Timing]) -> str:
    """Assembly that runs each row's code in a region of its own, in their order. 0x1e is GPIOR0, 0x3f SREG.

    It lies in the section .table, which the linker can be told to put anywhere.
    """
    lines = [".global main", "main: jmp table", '.section .table, "ax", @progbits', "table:"]
    lines += ["clr r1", "ldi r20, 1", "ldi r21, 2"]
    for row in rows:
        lines += [_PRESETS.replace("$", "\n"), *row.before.split(";")]
        lines += ["out 0x1e, r20", *row.code.split(";"), "out 0x1e, r21"]
        lines += [*row.after.split(";"), "clr r1"]
    lines += ["ldi r20, 0x12", "out 0x1e, r20", "rjmp .-2"]
    return "\n".join(lines) + "\n"
