"""A counterexample in the engine: the program's own bytes run there with these inputs, and what comes out is compared
with the specification."""

from __future__ import annotations

import subprocess
import tempfile
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from bancada.engines.simavr.program import run_program
from bancada.prove.avr import Byte
from bancada.prove.avr_call import CALL_SAVED, TOP_OF_RAM
from bancada.prove.proof import Proof
from bancada.prove.records import Entry
from bancada.prove.replay_aarch64 import run_aarch64
from bancada.prove.replay_arm import run_arm
from bancada.prove.replay_report import Number, Report
from bancada.prove.replay_thumb import run_thumb

_MCU, _CLOCK_HZ, _FLASH_BYTES = "atmega328p", 16_000_000, 32768
_LIMIT_CYCLES = 20_000_000
_FIRST_RAM = 0x100
_R1 = 1
_I = 7
_JMP = 0x940C

# The program as it is, but for the jump after reset; behind it what prepares RAM and registers and calls. What a call
# leaves is sent: r31 to r0 and SREG, as they lie on the stack, the stack pointer, and the buffers.
_HARNESS = """
    .section .text
    .incbin "flash.bin"
    .balign 2
    .global main
    .type main, @function
main:
    cli
    ldi r16, hi8({top})
    out 0x3e, r16
    ldi r16, lo8({top})
    out 0x3d, r16
    ldi r16, 1 << 1
    sts 0xc0, r16
    ldi r16, 1 << 3
    sts 0xc1, r16
    ldi r30, lo8(image)
    ldi r31, hi8(image)
    ldi r26, lo8({first})
    ldi r27, hi8({first})
1:  lpm r16, Z+
    st X+, r16
    ldi r17, hi8({end})
    cpi r26, lo8({end})
    cpc r27, r17
    brne 1b
{calls}
    ldi r16, 0x12
    out 0x1e, r16
2:  rjmp 2b
send:
    lds r17, 0xc0
    sbrs r17, 5
    rjmp send
    sts 0xc6, r16
    ret
report:
    pop r31
    pop r30
    in r28, 0x3d
    in r29, 0x3e
    adiw r28, 1
    push r30
    push r31
    ldi r24, 33
1:  ld r16, Y+
    rcall send
    dec r24
    brne 1b
    sbiw r28, 1
    mov r16, r28
    rcall send
    mov r16, r29
    rcall send
    ldi r28, lo8({low})
    ldi r29, hi8({low})
2:  ld r16, Y+
    rcall send
    ldi r17, hi8({end})
    cpi r28, lo8({end})
    cpc r29, r17
    brne 2b
    pop r31
    pop r30
    ldi r16, hi8({top})
    out 0x3e, r16
    ldi r16, lo8({top})
    out 0x3d, r16
    push r30
    push r31
    ret
image:
    .incbin "image.bin"
    .balign 2
    .size main, . - main
"""


@dataclass(frozen=True)
class Replayed:
    """`differences` says what the engine shows, one sentence each. `not_run` is why it was not run; '' if it was."""

    differences: tuple[str, ...]
    not_run: str = ""


def replay(proof: Proof, assignment: Mapping[str, int], flash: bytes) -> Replayed:
    """Runs the calls of a proof with these values of its inputs; inputs without a value are 0.

    `flash` is the program, or one with other instructions in the same places. Compared are the outputs that the proof
    asks about, and the registers that a function must give back. UserError if the engine cannot be built.
    """
    inputs = proof.graph.inputs
    literals = [literal for equality in proof.equalities for literal in (*equality.expected, *equality.found)]
    values = proof.graph.evaluate(
        proof.graph.cone(literals), {node: assignment.get(name, 0) & 1 for node, name in inputs.items()}, 1
    )

    def value_of(literal: int) -> int:
        node = literal >> 1
        value = values[node] if node in values else assignment.get(inputs[node], 0)
        return (value ^ literal) & 1

    def number(byte: Byte | Sequence[int]) -> int:
        return byte if isinstance(byte, int) else sum(value_of(bit) << at for at, bit in enumerate(byte))

    memory = {at: number(byte) for at, byte in proof.first_memory.items()}
    low = min(buffer.address for buffer in proof.buffers)
    end = max(buffer.address + buffer.size for buffer in proof.buffers)
    run = {"avr": _run, "thumb": run_thumb, "aarch64": run_aarch64, "armv7-a": run_arm}[proof.program.machine]
    reports, why = run(proof, number, memory, low, end, flash)
    if why and not reports:
        return Replayed((), why)
    differences: list[str] = []
    for at, entry in enumerate(proof.entries):
        if at >= len(reports):
            return Replayed((*differences, f"{entry.function} does not return: {why or 'it stands still'}"))
        differences += reports[at].differences
    for buffer in proof.buffers:
        before = bytes(memory.get(buffer.address + at, 0) for at in range(buffer.size))
        if not buffer.is_written and reports[-1].at(buffer) != before:
            differences.append(f"{buffer.name} does not keep its content in the engine")
    for equality in proof.equalities:
        if not equality.after_calls:
            continue
        expected = bytes(number(equality.expected[at : at + 8]) for at in range(0, len(equality.expected), 8))
        report = reports[equality.after_calls - 1]
        found = bytes([report.returned]) if equality.place is None else report.at(equality.place)
        differences += [
            f"{equality.what}[{place}] is 0x{one:02x} in the engine and 0x{other:02x} in the specification"
            for place, (one, other) in enumerate(zip(found, expected, strict=True))
            if one != other
        ]
    for congruence in proof.congruences:
        report = reports[congruence.after_calls - 1]
        returned = bytes([report.returned] * congruence.with_returned)
        value = int.from_bytes(report.at(congruence.place) + returned, "little")
        if isinstance(congruence.expected, int) and not congruence.holds(value, congruence.expected):
            differences.append(
                f"{congruence.place.name} is 0x{value:x} in the engine, which the specification excludes"
            )
    return Replayed(tuple(differences))


def _run(
    proof: Proof, number: Number, memory: Mapping[int, int], low: int, end: int, flash: bytes
) -> tuple[list[Report], str]:
    """What each call leaves in simavr, as far as it returns; and why there is no more."""
    image = bytes(memory.get(at, 0) for at in range(_FIRST_RAM, end))
    calls = "\n".join(_call(entry, number) for entry in proof.entries)
    harness = _HARNESS.format(top=TOP_OF_RAM, first=_FIRST_RAM, low=low, end=end, calls=calls)
    with tempfile.TemporaryDirectory() as folder:
        elf, why = _linked(Path(folder), flash + proof.more_flash, image, harness)
        if elf is None:
            return [], why
        done = run_program(_MCU, _CLOCK_HZ, elf, _LIMIT_CYCLES)
    size = 35 + end - low
    whole = [done.sent[at : at + size] for at in range(0, len(done.sent) - size + 1, size)]
    reports = [
        Report(low, sent[35:], sent[32 - 24], tuple(_of_registers(entry, sent, number)))
        for entry, sent in zip(proof.entries, whole, strict=False)
    ]
    return reports, done.fault or ""


def _call(entry: Entry, number: Number) -> str:
    """Assembly that gives registers and flags their values, calls, and reports."""
    value = [number(byte) for byte in entry.registers]
    flags = sum(number((flag,)) << at for at, flag in enumerate(entry.flags))
    lines = [f"ldi r16, {value[at]}\n mov r{at}, r16" for at in range(16)]
    lines += [f"ldi r16, {flags}\n out 0x3f, r16"]
    lines += [f"ldi r{at}, {value[at]}" for at in range(16, 32)]
    lines += [f"call 0x{entry.start:04x}", *(f"push r{at}" for at in range(32))]
    return "\n".join([*lines, "in r16, 0x3f", "push r16", "clr r1", "call report"])


def _of_registers(entry: Entry, report: bytes, number: Number) -> list[str]:
    """SREG lies lowest, then r31 to r0; the stack pointer follows, as the call left it."""
    found = {at: report[32 - at] for at in range(32)}
    differences = []
    if int.from_bytes(report[33:35], "little") != TOP_OF_RAM:
        differences.append(f"{entry.function} returns with another stack pointer")
    for at in CALL_SAVED:
        if found[at] != number(entry.registers[at]):
            differences.append(f"{entry.function} does not restore r{at}")
    if report[0] >> _I & 1 != number((entry.flags[_I],)):
        differences.append(f"{entry.function} does not restore the I flag")
    if found[_R1]:
        differences.append(f"{entry.function} does not leave 0 in r1")
    return differences


def _linked(folder: Path, flash: bytes, image: bytes, harness: str) -> tuple[Path | None, str]:
    whole = flash + b"\xff" * (len(flash) % 2)
    jump = _JMP.to_bytes(2, "little") + (len(whole) // 2).to_bytes(2, "little")
    (folder / "flash.bin").write_bytes(jump + whole[len(jump) :])
    (folder / "image.bin").write_bytes(image)
    (folder / "harness.S").write_text(harness)
    elf = folder / "harness.elf"
    room = f"-Wl,--defsym=__TEXT_REGION_LENGTH__={_FLASH_BYTES}"
    command = ["avr-gcc", f"-mmcu={_MCU}", "-nostdlib", "-nostartfiles", room, "-o", str(elf), "harness.S"]
    try:
        done = subprocess.run(command, cwd=folder, capture_output=True, text=True, errors="replace", check=False)
    except FileNotFoundError:
        return None, "avr-gcc is not installed, which makes the program of the replay"
    if done.returncode:
        if "will not fit" in done.stderr or "overflowed" in done.stderr or "truncated" in done.stderr:
            return None, f"the program leaves too little of {_FLASH_BYTES} bytes of flash for the inputs"
        return None, f"the program of the replay does not link: {(done.stderr.strip().splitlines() or ['?'])[-1]}"
    return elf, ""
