"""A counterexample of a Cortex-M program in QEMU: the program's own bytes at their own addresses, and behind them what
prepares RAM and registers, calls, and sends what a call leaves."""

from __future__ import annotations

import subprocess
import tempfile
from collections.abc import Mapping
from pathlib import Path

from bancada.prove.proof import Proof
from bancada.prove.records import Entry
from bancada.prove.replay_report import Number, Report
from bancada.prove.thumb_call import CALL_SAVED
from bancada.prove.thumb_cpu import SP

# Machines with flash at 0, and at 0x0800_0000; each core executes what a smaller one can.
_MACHINES = {0x0000_0000: "mps2-an386", 0x0800_0000: "netduinoplus2"}
_COMPILER, _EMULATOR = "arm-none-eabi-gcc", "qemu-system-arm"
_LIMIT_S = 20.0
_RAM, _VECTORS = 0x2000_0000, 16
_REGISTERS = 14  # r0 to r12 and SP
_LINK = """
SECTIONS {{
    .program 0x{start:08x} : {{ *(.program) }}
    .text 0x{behind:08x} : {{ *(.text) }}
}}
"""
# SysTick (DDI 0419, B3.3) ends what does not return: its exception goes where a fault goes. With -icount an instruction
# is a nanosecond of QEMU's time, so this does not depend on the host.
_TICKS = 0xFFFFF
_INSTRUCTIONS = ("-icount", "shift=0,sleep=off")
# Semihosting (Arm, "Semihosting for AArch32 and AArch64"): SYS_OPEN 1, SYS_WRITE 5, SYS_EXIT 0x18 with
# ADP_Stopped_ApplicationExit, or with ADP_Stopped_RunTimeErrorUnknown after a fault.
_HARNESS = """
    .syntax unified
    .section .program, "ax"
    .long 0x{top:08x}, main + 1
    .rept {vectors} - 2
    .long fault + 1
    .endr
    .incbin "flash.bin", 4 * {vectors}
    .text
    .thumb
    .thumb_func
main:
    ldr r0, =image
    ldr r1, =0x{ram:08x}
    ldr r2, =0x{end:08x}
1:  ldrb r3, [r0]
    strb r3, [r1]
    adds r0, #1
    adds r1, #1
    cmp r1, r2
    bne 1b
    ldr r0, =0xe000e010
    ldr r1, =0x{ticks:x}
    str r1, [r0, #4]
    movs r1, #0
    str r1, [r0, #8]
    movs r1, #7
    str r1, [r0]
    movs r0, #1
    ldr r1, =open
    bkpt 0xab
    ldr r1, =0x{report:08x}
    str r0, [r1]
    str r0, [r1, #12]
{calls}
    movs r0, #0x18
    ldr r1, =0x20026
    bkpt 0xab
    .thumb_func
fault:
    movs r0, #0x18
    ldr r1, =0x20023
    bkpt 0xab
    .thumb_func
send:
    push {{r4, lr}}
    movs r0, #5
    ldr r1, =0x{report:08x}
    bkpt 0xab
    movs r0, #5
    ldr r1, =0x{report:08x} + 12
    bkpt 0xab
    pop {{r4, pc}}
    .balign 4
open:
    .long tty, 4, 3
tty: .asciz ":tt"
    .balign 4
    .ltorg
    .balign 4
image:
    .incbin "image.bin"
"""
# How far below the stack of a call the harness's own data are: SYS_WRITE's arguments twice, and the registers.
_ABOVE = 0x100


def run_thumb(
    proof: Proof, number: Number, memory: Mapping[int, int], low: int, end: int, flash: bytes
) -> tuple[list[Report], str]:
    """What each call leaves in QEMU, as far as it returns; and why there is no more."""
    program = proof.program
    machine = _MACHINES.get(program.flash_start)
    if machine is None:
        return [], f"QEMU has no machine here with flash at 0x{program.flash_start:08x}"
    top = max(number(entry.registers[SP]) for entry in proof.entries) + _ABOVE & -_ABOVE
    report = top + _ABOVE
    registers = report + 32
    image = bytes(memory.get(at, 0) for at in range(_RAM, end))
    calls = "\n".join(_call(proof, entry, number, report, registers, low, end) for entry in proof.entries)
    harness = _HARNESS.format(
        top=top + 0x800, vectors=_VECTORS, ram=_RAM, end=end, report=report, ticks=_TICKS, calls=calls
    )
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        (folder / "flash.bin").write_bytes(flash)
        (folder / "image.bin").write_bytes(image)
        (folder / "harness.S").write_text(harness)
        behind = program.flash_start + len(flash) + 0x1000 & -0x1000
        (folder / "harness.ld").write_text(_LINK.format(start=program.flash_start, behind=behind))
        options = ["-mcpu=cortex-m0", "-mthumb", "-nostdlib", "-Wl,--no-warn-rwx-segments", "-T", "harness.ld"]
        try:
            made = subprocess.run(
                [_COMPILER, *options, "-o", "harness.elf", "harness.S"], cwd=folder, capture_output=True, text=True,
                errors="replace", check=False,
            )  # fmt: skip
        except FileNotFoundError:
            return [], f"{_COMPILER} is not installed, which makes the program of the replay"
        if made.returncode:
            return [], f"the program of the replay does not link: {(made.stderr.strip().splitlines() or ['?'])[-1]}"
        command = [
            _EMULATOR,
            "-machine",
            machine,
            "-display",
            "none",
            "-serial",
            "none",
            "-monitor",
            "none",
            *_INSTRUCTIONS,
        ]
        command += ["-semihosting-config", "enable=on,target=native", "-kernel", "harness.elf"]
        try:
            done = subprocess.run(command, cwd=folder, capture_output=True, timeout=_LIMIT_S, check=False)
            sent, why = done.stdout, "it faults, or runs on" if done.returncode else ""
        except subprocess.TimeoutExpired as error:
            sent, why = error.stdout or b"", ""
        except FileNotFoundError:
            return [], f"{_EMULATOR} is not installed, which runs a counterexample"
    size = 4 * _REGISTERS + end - low
    reports = []
    for entry, at in zip(proof.entries, range(0, len(sent) - size + 1, size), strict=False):
        left = [int.from_bytes(sent[at + 4 * each : at + 4 * each + 4], "little") for each in range(_REGISTERS)]
        wrong = [
            f"{entry.function} does not restore r{each}"
            for each in CALL_SAVED
            if left[each] != number(entry.registers[each])
        ]
        if left[SP] != number(entry.registers[SP]):
            wrong.append(f"{entry.function} returns with another stack pointer")
        reports.append(Report(low, sent[at + 4 * _REGISTERS : at + size], left[0] & 0xFF, tuple(wrong)))
    return reports, why or ("" if len(reports) == len(proof.entries) else "it stands still")


def _call(proof: Proof, entry: Entry, number: Number, report: int, registers: int, low: int, end: int) -> str:
    """Assembly that gives registers and flags their values, calls, and sends."""
    value = [number(each) for each in entry.registers]
    flags = sum(number((flag,)) << 31 - at for at, flag in enumerate(entry.flags))
    lines = [f"ldr r0, =0x{value[SP]:08x}", "mov sp, r0"]
    for address, byte in entry.on_stack.items():
        lines += [f"movs r0, #{number(byte)}", f"ldr r1, =0x{address:08x}", "strb r0, [r1]"]
    for at in (*range(8, 13),):
        lines += [f"ldr r0, =0x{value[at]:08x}", f"mov r{at}, r0"]
    lines += [f"ldr r0, =0x{flags:08x}", "msr apsr_nzcvq, r0"]
    lines += [f"ldr r{at}, =0x{value[at]:08x}" for at in range(8)]
    lines += [f".thumb_func\n .set called_{entry.start:x}, 0x{entry.start:x}", f"bl called_{entry.start:x}"]
    # The registers go where the report is: r7 is free once it is on the stack of the harness.
    lines += ["push {r0-r7}", "mov r1, sp", f"ldr r0, =0x{registers:08x}"]
    lines += [f"ldr r2, [r1, #{4 * at}]\n str r2, [r0, #{4 * at}]" for at in range(8)]
    lines += [f"mov r2, r{at}\n str r2, [r0, #{4 * at}]" for at in range(8, 13)]
    lines += ["adds r1, #32", f"str r1, [r0, #{4 * SP}]"]
    lines += [f"ldr r0, =0x{report + 0x200:08x}", "mov sp, r0", f"ldr r0, =0x{report:08x}"]
    arguments = ((4, registers), (8, 4 * _REGISTERS), (16, low), (20, end - low))
    lines += [f"ldr r1, =0x{each:08x}\n str r1, [r0, #{at}]" for at, each in arguments]
    lines += ["bl send", "b 9f", ".ltorg", "9:"]
    return "    " + "\n    ".join(lines)
