"""A counterexample of a program for Linux in QEMU: the program's own bytes at their own addresses, RAM where the proof
has it, and elsewhere what prepares registers, calls, and sends what a call leaves."""

from __future__ import annotations

import resource
import subprocess
import tempfile
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path

from bancada.prove.proof import Proof
from bancada.prove.records import Entry
from bancada.prove.replay_report import Number, Report

# Of processor time: what runs longer does not return. The longest of Tatu's kernels needs a thousandth.
_LIMIT_S = 5
_LINK = """
ENTRY(_start)
SECTIONS {{
    .program 0x{start:08x} : {{ *(.program) }}
    .image 0x{image:08x} : {{ *(.image) }}
    .text 0x{text:08x} : {{ *(.text) }}
    .data ALIGN(0x1000) : {{ *(.data) }}
}}
"""
_HARNESS = """
{begin}
    .section .program, "ax"
program:
    .incbin "flash.bin"
    .section .image, "aw"
    .incbin "image.bin"
    .space {above}
    .text
    .global _start
_start:
    bl first
{calls}
{end}
    .data
    .balign 16
left: .space {left_bytes}
{values}
"""
_PAGE = 0x1000


@dataclass(frozen=True)
class Linux:
    """How a machine's programs are made and run. `begin` sends the first byte of the program and `end` exits; `call` is
    assembly that gives registers their values, calls, and sends `left_bytes` of registers and then the buffers;
    `values` is data for it; `report` reads what was sent. `sp` is the stack pointer's place among an entry's
    registers."""

    compiler: str
    options: tuple[str, ...]
    emulator: tuple[str, ...]
    begin: str
    end: str
    sp: int
    left_bytes: int
    call: Callable[[int, Entry, int, int, int, Number], str]
    values: Callable[[int, Entry, Number], str]
    report: Callable[[Entry, bytes, Number, int], Report]


def run_on_linux(
    machine: Linux, proof: Proof, number: Number, memory: Mapping[int, int], low: int, end: int, flash: bytes
) -> tuple[list[Report], str]:
    """What each call leaves in QEMU, as far as it returns; and why there is no more."""
    program = proof.program
    start = program.end_of_data
    top = max(number(entry.registers[machine.sp]) for entry in proof.entries) + _PAGE
    image = bytes(memory.get(at, 0) for at in range(start, end))
    calls = (machine.call(at, entry, program.flash_start, low, end, number) for at, entry in enumerate(proof.entries))
    values = "\n".join(machine.values(at, entry, number) for at, entry in enumerate(proof.entries))
    harness = _HARNESS.format(
        begin=machine.begin,
        above=top - end,
        calls="".join(calls),
        end=machine.end,
        left_bytes=machine.left_bytes,
        values=values,
    )
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        (folder / "flash.bin").write_bytes(flash)
        (folder / "image.bin").write_bytes(image)
        (folder / "harness.S").write_text(harness)
        link = _LINK.format(start=program.flash_start, image=start, text=top + _PAGE & -_PAGE)
        (folder / "harness.ld").write_text(link)
        options = ["-nostdlib", "-static", "-Wl,--no-warn-rwx-segments", "-Wl,--build-id=none", "-T", "harness.ld"]
        command = [machine.compiler, *machine.options, *options, "-o", "harness.elf", "harness.S"]
        try:
            made = subprocess.run(command, cwd=folder, capture_output=True, text=True, errors="replace", check=False)
        except FileNotFoundError:
            return [], f"{machine.compiler} is not installed, which makes the program of the replay"
        if made.returncode:
            return [], f"the program of the replay does not link: {(made.stderr.strip().splitlines() or ['?'])[-1]}"
        try:
            done = subprocess.run(
                [*machine.emulator, "./harness.elf"], cwd=folder, capture_output=True, check=False, preexec_fn=_limited
            )
        except FileNotFoundError:
            return [], f"{machine.emulator[0]} is not installed, which runs a counterexample"
    # The first byte says that the harness runs.
    if not done.stdout:
        return [], f"the program of the replay does not run: {done.stderr.decode(errors='replace').strip()}"
    sent, size = done.stdout[1:], machine.left_bytes + end - low
    reports = [
        machine.report(entry, sent[at : at + size], number, low)
        for entry, at in zip(proof.entries, range(0, len(sent) - size + 1, size), strict=False)
    ]
    return reports, "it faults, or runs on" if done.returncode and reports else ""


def _limited() -> None:
    resource.setrlimit(resource.RLIMIT_CPU, (_LIMIT_S, _LIMIT_S))
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
