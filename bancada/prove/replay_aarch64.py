"""A counterexample of an AArch64 program in QEMU."""

from __future__ import annotations

from collections.abc import Mapping

from bancada.prove.aarch64_call import CALL_SAVED, CALL_SAVED_VECTORS, SAVED_BITS
from bancada.prove.aarch64_cpu import SP
from bancada.prove.proof import Proof
from bancada.prove.records import Entry
from bancada.prove.replay_linux import Linux, run_on_linux
from bancada.prove.replay_report import Number, Report

_BEGIN = """
    .arch armv8-a
    .text
first:
    mov x0, #1
    ldr x1, =program
    mov x2, #1
    mov x8, #64
    svc #0
    ret
    .ltorg
"""
_END = """
    mov x0, #0
    mov x8, #93
    svc #0
    .ltorg
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
_VECTORS_BYTES = 512


def _call(at: int, entry: Entry, program: int, low: int, end: int, number: Number) -> str:
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


_MACHINE = Linux(
    "aarch64-linux-gnu-gcc",
    (),
    ("qemu-aarch64",),
    _BEGIN,
    _END,
    SP,
    _LEFT_BYTES,
    _call,
    _values,
    _report,
)


def run_aarch64(
    proof: Proof, number: Number, memory: Mapping[int, int], low: int, end: int, flash: bytes
) -> tuple[list[Report], str]:
    """What each call leaves in QEMU, as far as it returns; and why there is no more."""
    return run_on_linux(_MACHINE, proof, number, memory, low, end, flash)
