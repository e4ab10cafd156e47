"""What `avr.py` says of each instruction is what simavr does: for every value of the operands, and four of SREG.

A snippet runs in the simulator in a loop over all values and sends what it leaves; the same snippet runs once here with
every bit unknown, and the formulas are evaluated for the same values.
"""

from __future__ import annotations

from pathlib import Path

import numpy
import pytest

from bancada.formulas.graph import Graph
from bancada.prove.avr import Byte, Cpu, bits_of, step
from bancada.prove.avr_decode import decode
from bancada.prove.errors import SecretTime
from bancada.prove.program import read_program
from tests.engines.simavr.engine_bench import build, run
from tests.prove.objdump import names_of_every_opcode

# r16 and r17 hold every pair of values. A snippet leaves two bytes in r16 and r17.
TWO_OPERANDS = {
    **{name: f"{name} r16, r17" for name in "add adc sub sbc and or eor cp cpc mov".split()},
    **{name: f"{name} r16, r17\n movw r16, r0" for name in "mul muls mulsu fmul fmuls fmulsu".split()},
    "adiw": "movw r24, r16\n adiw r24, 63\n movw r16, r24",
    "sbiw": "movw r24, r16\n sbiw r24, 37\n movw r16, r24",
    "sbrc": "sbrc r16, 3\n eor r17, r16",
    "sbrs": "sbrs r16, 6\n add r17, r16",
    "cpse": "cpse r16, r17\n com r16",
    "brcs": "cp r16, r17\n brcs 1f\n ldi r16, 0x35\n1:",
    "brne": "cp r16, r17\n brne 1f\n inc r17\n1:",
    "brge": "cp r16, r17\n brge 1f\n swap r17\n1:",
    "brhc": "add r16, r17\n brhc 1f\n ror r17\n1:",
    "three bytes": "sub r16, r17\n sbci r17, 0\n cpc r16, r17",
    "in SREG": "add r16, r17\n in r17, 0x3f",
    "out SREG": "out 0x3f, r16\n adc r17, r16",
    "memory": "sts 0x300, r16\n ldi r28, 0xf8\n ldi r29, 2\n std Y+9, r17\n lds r17, 0x300\n ldd r16, Y+9",
    "pointers": (
        "ldi r26, 0xff\n ldi r27, 2\n st X+, r16\n st X, r17\n ld r17, -X\n ldi r30, 1\n ldi r31, 3\n ld r16, -Z\n"
        " st Z+, r17\n ld r17, -Z"
    ),
    "stack": "push r16\n push r17\n pop r16\n pop r17",
    "call": "rcall 1f\n rjmp 2f\n1: eor r16, r17\n ret\n2:",
}
ONE_OPERAND = {
    **{name: f"{name} r16" for name in "com neg swap inc dec asr lsr ror lsl rol tst clr".split()},
    **{
        f"{name} {value}": f"{name} r16, {value}"
        for name in "subi sbci andi ori cpi".split()
        for value in (0, 1, 0x7F, 0x80, 0xFF)
    },
    "bst and bld": "bst r16, 5\n bld r17, 2",
    "flags": "bset 6\n bld r17, 0\n bclr 3\n bset 5\n bclr 0\n bset 2",
    "lpm": "ldi r30, lo8(table)\n ldi r31, hi8(table)\n add r30, r16\n lpm r16, Z+\n lpm r17, Z",
    "lpm r0": "mov r30, r16\n ldi r31, hi8(table)\n lpm\n mov r16, r0",
}
SREGS = (0x00, 0x7F, 0x01, 0x62)
FIRMWARE = """
#include <avr/io.h>
    .global main
main:
    ldi r18, 1 << U2X0
    sts UCSR0A, r18
    ldi r18, 1 << TXEN0
    sts UCSR0B, r18
    ldi r18, hi8(RAMEND)
    out _SFR_IO_ADDR(SPH), r18
    ldi r18, lo8(RAMEND)
    out _SFR_IO_ADDR(SPL), r18
    .irp sreg, {sregs}
    clr r20
9:  clr r21
8:  mov r16, r20
    mov r17, r21
    ldi r18, \\sreg
    out _SFR_IO_ADDR(SREG), r18
    rcall snippet
    in r18, _SFR_IO_ADDR(SREG)
    rcall send
    mov r16, r17
    rcall send
    mov r16, r18
    rcall send
    {inner}
    inc r20
    brne 9b
    .endr
    ldi r18, 0x12
    out _SFR_IO_ADDR(GPIOR0), r18
    rjmp .
send:
    lds r19, UCSR0A
    sbrs r19, UDRE0
    rjmp send
    sts UDR0, r16
    ret
    .global snippet
snippet:
    {snippet}
    .global snippet_end
snippet_end:
    ret
    .p2align 8
    .global table
table:
{table}
"""
TABLE = "\n".join(f"    .byte {(each * 167 + 13) % 256}" for each in range(257))


def dumped(folder: Path, snippet: str, second_values: int) -> tuple[Path, bytes]:
    source = folder / "semantics.S"
    inner = "inc r21\n brne 8b" if second_values == 256 else ""
    source.write_text(FIRMWARE.format(sregs=", ".join(map(str, SREGS)), snippet=snippet, inner=inner, table=TABLE))
    elf = build(folder, [source])
    done = run(elf, "--uart", "stdio", limit_cycles=2_000_000_000)
    assert done.events[-1]["event"] == "halt", done.events[-1]
    assert len(done.output) == 3 * 4 * 256 * second_values
    return elf, done.output


def executed(graph: Graph, elf: Path) -> tuple[Cpu, tuple[Byte, Byte], list[int]]:
    program = read_program(elf)
    first: Byte = tuple(graph.input(f"r16.{bit}") for bit in range(8))
    second: Byte = tuple(graph.input(f"r17.{bit}") for bit in range(8))
    flags = [graph.input(f"SREG.{bit}") for bit in range(8)]
    registers: list[Byte] = [0] * 32
    registers[16], registers[17] = first, second
    registers[20], registers[21] = first, second
    cpu = Cpu(graph, program.flash, registers, list(flags), program.functions["snippet"] // 2, 0x8FD)
    end = program.functions["snippet_end"] // 2
    while cpu.pc != end:
        step(cpu)
    return cpu, (first, second), flags


def packed(bits: numpy.ndarray) -> int:
    return int.from_bytes(numpy.packbits(bits.astype(bool), bitorder="little").tobytes(), "little")


@pytest.mark.parametrize(
    ("snippet", "second_values"),
    [pytest.param(code, 256, id=name) for name, code in TWO_OPERANDS.items()]
    + [pytest.param(code, 1, id=name) for name, code in ONE_OPERAND.items()],
)
def test_the_formulas_are_what_the_simulator_does(tmp_path: Path, snippet: str, second_values: int) -> None:
    elf, output = dumped(tmp_path, snippet, second_values)
    graph = Graph()
    cpu, (first, second), flags = executed(graph, elf)
    patterns = len(output) // 3
    place = numpy.arange(patterns)
    values = {}
    sreg = numpy.array(SREGS)[place // (256 * second_values)]
    for bit in range(8):
        values[bits_of(first)[bit] >> 1] = packed(place // second_values % 256 >> bit & 1)
        values[bits_of(second)[bit] >> 1] = packed(place % second_values >> bit & 1)
        values[flags[bit] >> 1] = packed(sreg >> bit & 1)
    literals = [*bits_of(cpu.registers[16]), *bits_of(cpu.registers[17]), *cpu.flags]
    words = graph.evaluate(graph.cone(literals), values, patterns)
    every = (1 << patterns) - 1
    bytes_left = numpy.frombuffer(output, numpy.uint8).reshape(-1, 3)
    for at, literal in enumerate(literals):
        ours = words[literal >> 1] ^ (every if literal & 1 else 0)
        theirs = packed(bytes_left[:, at // 8] >> (at % 8) & 1)
        assert ours == theirs, f"bit {at % 8} of {('r16', 'r17', 'SREG')[at // 8]} after: {snippet}"


@pytest.mark.parametrize(
    "snippet",
    [
        "sbrc r16, 0\n rjmp 1f\n nop\n1:",
        "cp r16, r17\n brcs 1f\n nop\n nop\n1:",
        "sbrs r16, 1\n push r17\n pop r16",
        "mov r30, r16\n ldi r31, 0\n ijmp",
        "tst r16\n breq 1f\n1:",
    ],
    ids=["a jump", "two instructions", "memory", "an indirect jump", "to the next"],
)
def test_a_way_that_depends_on_an_input_is_refused(tmp_path: Path, snippet: str) -> None:
    source = tmp_path / "way.S"
    source.write_text(
        f".global main\nmain: ret\n.global snippet\nsnippet:\n{snippet}\n.global snippet_end\nsnippet_end: ret\n"
    )
    with pytest.raises(SecretTime, match="secret"):
        executed(Graph(), build(tmp_path, [source]))


# What acts on the outside of the core, or is not on an ATmega328P: no formula, so no instruction here.
LEFT_OUT = {*"ELPM EIJMP EICALL SPM SLEEP BREAK WDR DES XCH LAC LAS LAT".split(), "none"}
# One opcode with two names; LD and ST through Y or Z are LDD and STD with no displacement.
ONE_NAME = {"LSL": "ADD", "ROL": "ADC", "TST": "AND", "CLR": "EOR", "SER": "LDI", "LD": "LDD", "ST": "STD"}
ONE_NAME |= {"SBR": "ORI", "CBR": "ANDI"}


def test_every_opcode_is_what_objdump_calls_it(tmp_path: Path) -> None:
    names = names_of_every_opcode(tmp_path)
    assert len(names) == 0x10000
    different = {}
    for opcode, theirs in names.items():
        found = decode(opcode, 0)
        ours = found.name.split()[0] if found else "none"
        expected = "none" if theirs in LEFT_OUT else ONE_NAME.get(theirs, theirs)
        if ONE_NAME.get(ours, ours) != expected:
            different[f"{opcode:04x}"] = (ours, theirs)
    assert different == {}
