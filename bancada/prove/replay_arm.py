"""A counterexample of an Armv7-A program in QEMU."""

from __future__ import annotations

from collections.abc import Mapping

from bancada.prove.proof import Proof
from bancada.prove.records import Entry
from bancada.prove.replay_linux import Linux, run_on_linux
from bancada.prove.replay_report import Number, Report
from bancada.prove.thumb_call import CALL_SAVED, CALL_SAVED_VECTORS
from bancada.prove.thumb_cpu import SP

_BEGIN = """
    .syntax unified
    .arch armv7-a
    .fpu neon
    .arm
    .text
first:
    mov r0, #1
    ldr r1, =program
    mov r2, #1
    mov r7, #4
    svc #0
    bx lr
    .ltorg
"""
_END = """
    mov r0, #0
    mov r7, #1
    svc #0
    .ltorg
"""
# SVC: write is 4, exit 1 (Linux, arch/arm/tools/syscall.tbl).
_CALL = """
    {on_stack}
    ldr lr, =given_{at}
    vldmia lr!, {{d0-d15}}
    vldmia lr!, {{d16-d31}}
    ldr r0, [lr, #56]
    msr apsr_nzcvq, r0
    ldr sp, [lr, #52]
    ldmia lr, {{r0-r12}}
    ldr lr, =returned_{at}
    ldr pc, =0x{target:x}
    .ltorg
returned_{at}:
    ldr lr, =left
    vstmia lr!, {{d0-d15}}
    vstmia lr!, {{d16-d31}}
    stmia lr, {{r0-r12}}
    str sp, [lr, #52]
    mov r0, #1
    ldr r1, =left
    mov r2, #312
    mov r7, #4
    svc #0
    mov r0, #1
    ldr r1, =0x{low:x}
    ldr r2, =0x{size:x}
    mov r7, #4
    svc #0
    b 1f
    .ltorg
1:
"""
_REGISTERS, _VECTORS_BYTES = 15, 256
_LEFT_BYTES = _VECTORS_BYTES + 56


def run_arm(
    proof: Proof, number: Number, memory: Mapping[int, int], low: int, end: int, flash: bytes
) -> tuple[list[Report], str]:
    """What each call leaves in QEMU, as far as it returns; and why there is no more."""
    in_arm_state = proof.program.in_arm_state

    def call(at: int, entry: Entry, program: int, low: int, end: int, number: Number) -> str:
        """Assembly that gives registers and flags their values, calls, and sends."""
        stored = (
            f"ldr r0, =0x{address:x}\n mov r1, #{number(byte)}\n strb r1, [r0]"
            for address, byte in entry.on_stack.items()
        )
        target = entry.start | (entry.start not in in_arm_state)
        return _CALL.format(at=at, on_stack="\n    ".join(stored), target=target, low=low, size=end - low)

    machine = Linux(
        "arm-linux-gnueabihf-gcc",
        ("-march=armv7-a", "-mfpu=neon", "-marm"),
        ("qemu-arm", "-cpu", "cortex-a15"),
        _BEGIN,
        _END,
        SP,
        _LEFT_BYTES,
        call,
        _values,
        _report,
    )
    return run_on_linux(machine, proof, number, memory, low, end, flash)


def _values(at: int, entry: Entry, number: Number) -> str:
    """d0 to d31, r0 to r12, the stack pointer and the flags."""
    vectors = [number(each) for each in entry.registers[_REGISTERS:]]
    flags = sum(number((flag,)) << 31 - place for place, flag in enumerate(entry.flags))
    words = [each >> shift & 0xFFFF_FFFF for each in vectors for shift in (0, 32)]
    words += [*(number(each) for each in entry.registers[: SP + 1]), flags]
    return f"    .balign 16\ngiven_{at}:\n" + "\n".join(f"    .long 0x{each:x}" for each in words)


def _report(entry: Entry, sent: bytes, number: Number, low: int) -> Report:
    def vector(at: int) -> int:
        return int.from_bytes(sent[8 * at : 8 * at + 8], "little")

    def register(at: int) -> int:
        return int.from_bytes(sent[_VECTORS_BYTES + 4 * at :][:4], "little")

    wrong = [
        f"{entry.function} does not restore r{at}" for at in CALL_SAVED if register(at) != number(entry.registers[at])
    ]
    wrong += [
        f"{entry.function} does not restore d{at}"
        for at in CALL_SAVED_VECTORS
        if vector(at) != number(entry.registers[_REGISTERS + at])
    ]
    if register(SP) != number(entry.registers[SP]):
        wrong.append(f"{entry.function} returns with another stack pointer")
    return Report(low, sent[_LEFT_BYTES:], register(0) & 0xFF, tuple(wrong))
