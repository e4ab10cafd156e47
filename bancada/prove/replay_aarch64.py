"""A counterexample of an AArch64 program in QEMU: the program's own bytes at their own addresses, RAM where the proof
has it, and elsewhere what prepares registers, calls, and sends what a call leaves."""

from __future__ import annotations

import resource
import subprocess
import tempfile
from collections.abc import Mapping
from pathlib import Path

from bancada.prove.aarch64_call import CALL_SAVED, CALL_SAVED_VECTORS, SAVED_BITS
from bancada.prove.aarch64_cpu import SP
from bancada.prove.proof import Proof
from bancada.prove.records import Entry
from bancada.prove.replay_report import Number, Report

_COMPILER, _EMULATOR = "aarch64-linux-gnu-gcc", "qemu-aarch64"
# Of processor time: what runs longer does not return. The longest of Tatu's kernels needs a thousandth.
_LIMIT_S = 5
_LINK = """
SECTIONS {{
    .program 0x{start:08x} : {{ *(.program) }}
    .image 0x{image:08x} : {{ *(.image) }}
    .text 0x{text:08x} : {{ *(.text) }}
    .data ALIGN(0x1000) : {{ *(.data) }}
}}
"""
_HARNESS = """
    .arch armv8-a
    .section .program, "ax"
program:
    .incbin "flash.bin"
    .section .image, "aw"
    .incbin "image.bin"
    .space {above}
    .text
    .global _start
_start:
    mov x0, #1
    ldr x1, =program
    mov x2, #1
    mov x8, #64
    svc #0
    b 1f
    .ltorg
1:
{calls}
    mov x0, #0
    mov x8, #93
    svc #0
    .ltorg
    .data
    .balign 16
left: .space 1024
{values}
"""
# SVC: write is 64, exit 93 (Linux, include/uapi/asm-generic/unistd.h).
_CALL = """
    ldr x30, =given_{at}
    {vectors}
    ldr x0, [x30, #760]
    mov sp, x0
    ldr x0, [x30, #768]
    msr nzcv, x0
    add x30, x30, #512
    {registers}
    bl program + 0x{offset:x}
    ldr x30, =left
    {saved_vectors}
    add x30, x30, #512
    {saved}
    mov x1, sp
    str x1, [x30, #248]
    mov x0, #1
    ldr x1, =left
    mov x2, #768
    mov x8, #64
    svc #0
    mov x0, #1
    ldr x1, =0x{low:x}
    ldr x2, =0x{size:x}
    mov x8, #64
    svc #0
    b 1f
    .ltorg
1:
"""
_LEFT_BYTES = 768
_PAGE = 0x1000
_VECTORS_BYTES = 512


def run_aarch64(
    proof: Proof, number: Number, memory: Mapping[int, int], low: int, end: int, flash: bytes
) -> tuple[list[Report], str]:
    """What each call leaves in QEMU, as far as it returns; and why there is no more."""
    program = proof.program
    start = program.end_of_data
    top = max(number(entry.registers[SP]) for entry in proof.entries) + _PAGE
    image = bytes(memory.get(at, 0) for at in range(start, end))
    calls = "".join(_call(at, entry, program.flash_start, low, end) for at, entry in enumerate(proof.entries))
    values = "\n".join(_values(at, entry, number) for at, entry in enumerate(proof.entries))
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        (folder / "flash.bin").write_bytes(flash)
        (folder / "image.bin").write_bytes(image)
        (folder / "harness.S").write_text(_HARNESS.format(above=top - end, calls=calls, values=values))
        link = _LINK.format(start=program.flash_start, image=start, text=top + _PAGE & -_PAGE)
        (folder / "harness.ld").write_text(link)
        options = ["-nostdlib", "-static", "-Wl,--no-warn-rwx-segments", "-Wl,--build-id=none", "-T", "harness.ld"]
        try:
            made = subprocess.run(
                [_COMPILER, *options, "-o", "harness.elf", "harness.S"], cwd=folder, capture_output=True, text=True,
                errors="replace", check=False,
            )  # fmt: skip
        except FileNotFoundError:
            return [], f"{_COMPILER} is not installed, which makes the program of the replay"
        if made.returncode:
            return [], f"the program of the replay does not link: {(made.stderr.strip().splitlines() or ['?'])[-1]}"
        try:
            done = subprocess.run(
                [_EMULATOR, "./harness.elf"], cwd=folder, capture_output=True, check=False, preexec_fn=_limited
            )
        except FileNotFoundError:
            return [], f"{_EMULATOR} is not installed, which runs a counterexample"
    # The first byte says that the harness runs.
    if not done.stdout:
        return [], f"the program of the replay does not run: {done.stderr.decode(errors='replace').strip()}"
    sent, size = done.stdout[1:], _LEFT_BYTES + end - low
    reports = [
        _report(entry, sent[at : at + size], number, low)
        for entry, at in zip(proof.entries, range(0, len(sent) - size + 1, size), strict=False)
    ]
    return reports, "it faults, or runs on" if done.returncode and reports else ""


def _limited() -> None:
    resource.setrlimit(resource.RLIMIT_CPU, (_LIMIT_S, _LIMIT_S))
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))


def _call(at: int, entry: Entry, program: int, low: int, end: int) -> str:
    """Assembly that gives registers and flags their values, calls, and sends."""
    pairs = range(0, 32, 2)
    return _CALL.format(
        at=at,
        offset=entry.start - program,
        low=low,
        size=end - low,
        vectors="\n    ".join(f"ldp q{each}, q{each + 1}, [x30, #{16 * each}]" for each in pairs),
        registers="\n    ".join(f"ldp x{each}, x{each + 1}, [x30, #{8 * each}]" for each in range(0, 30, 2)),
        saved_vectors="\n    ".join(f"stp q{each}, q{each + 1}, [x30, #{16 * each}]" for each in pairs),
        saved="\n    ".join(f"stp x{each}, x{each + 1}, [x30, #{8 * each}]" for each in range(0, 30, 2)),
    )


def _values(at: int, entry: Entry, number: Number) -> str:
    """v0 to v31, x0 to x30, the stack pointer and the flags."""
    vectors = [number(each) for each in entry.registers[32:]]
    halves = [each >> shift & (1 << 64) - 1 for each in vectors for shift in (0, 64)]
    flags = sum(number((flag,)) << 31 - place for place, flag in enumerate(entry.flags))
    words = [*halves, *(number(each) for each in entry.registers[:32]), flags]
    return f"    .balign 16\ngiven_{at}:\n" + "\n".join(f"    .quad 0x{each:x}" for each in words)


def _report(entry: Entry, sent: bytes, number: Number, low: int) -> Report:
    def vector(at: int) -> int:
        return int.from_bytes(sent[16 * at : 16 * at + SAVED_BITS // 8], "little")

    def register(at: int) -> int:
        return int.from_bytes(sent[_VECTORS_BYTES + 8 * at :][:8], "little")

    wrong = [
        f"{entry.function} does not restore x{at}" for at in CALL_SAVED if register(at) != number(entry.registers[at])
    ]
    wrong += [
        f"{entry.function} does not restore d{at}"
        for at in CALL_SAVED_VECTORS
        if vector(at) != number(entry.registers[32 + at]) & (1 << SAVED_BITS) - 1
    ]
    if register(SP) != number(entry.registers[SP]):
        wrong.append(f"{entry.function} returns with another stack pointer")
    return Report(low, sent[_LEFT_BYTES:], register(0) & 0xFF, tuple(wrong))
