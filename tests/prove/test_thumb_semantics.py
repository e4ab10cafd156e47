"""What `thumb.py` says of each instruction is what Unicorn's Cortex-M4 does.

A snippet runs there in a loop over thousands of random registers and flags; the same snippet runs once here with every
bit unknown, and the formulas are evaluated for the same values. Encodings are held in another way: every opcode of 16
bits, and thousands of 32, with numbers.
"""

from __future__ import annotations

import random
import re
import subprocess
from collections.abc import Iterable
from pathlib import Path

import numpy
import pytest
from unicorn import UC_ARCH_ARM, UC_MODE_MCLASS, UC_MODE_THUMB, Uc, UcError
from unicorn.arm_const import (
    UC_ARM_REG_APSR,
    UC_ARM_REG_LR,
    UC_ARM_REG_PC,
    UC_ARM_REG_R0,
    UC_ARM_REG_SP,
    UC_CPU_ARM_CORTEX_M4,
)

from bancada.formulas.graph import Graph
from bancada.prove.errors import CannotProve, SecretTime
from bancada.prove.thumb import step
from bancada.prove.thumb_cpu import SP, Cpu, Word, word_bits
from bancada.prove.thumb_decode import Address, Instruction, Register, decode

# Unicorn's numbers of r0 to r12, SP and LR.
NUMBERS = (*range(UC_ARM_REG_R0, UC_ARM_REG_R0 + 13), UC_ARM_REG_SP, UC_ARM_REG_LR)
CODE, RAM, STACK = 0x0800_0000, 0x2000_0000, 0x2000_8000
PATTERNS = 2048
# Registers r0 to r3 and the flags have every value; r5 points to RAM. A snippet leaves r0 to r4 and the flags.
_S = ("", "s")
_CONDITIONS = "eq ne cs cc mi pl vs vc hi ls ge lt gt le".split()
NARROW = {
    **{name: f"{name} r0, r1" for name in "ands bics eors orrs adcs sbcs mvns tst cmp cmn muls rsbs".split()},
    "rsbs": "rsbs r0, r1, #0",
    "muls": "muls r0, r1, r0",
    "adds": "adds r0, r1, r2",
    "subs": "subs r0, r1, r2",
    **{f"{name} {value}": f"{name} r0, r1, #{value}" for name in ("adds", "subs") for value in (0, 1, 7)},
    **{
        f"{name} {value}": f"{name} r0, #{value}" for name in ("adds", "subs", "cmp", "movs") for value in (8, 128, 255)
    },
    **{f"{name} {value}": f"{name} r0, r1, #{value}" for name in ("lsls", "lsrs", "asrs") for value in (1, 8, 31)},
    **{f"{name} 32": f"{name} r0, r1, #32" for name in ("lsrs", "asrs")},
    "movs": "movs r0, r1",
    "mov": "mov r8, r0\n mov r0, r8",
    "add": "mov r8, r1\n add r0, r8\n add r8, r2\n mov r1, r8",
    "cmp high": "mov r8, r1\n cmp r0, r8",
    **{name: f"{name} r0, r1" for name in "uxtb uxth sxtb sxth rev rev16 revsh".split()},
    **{
        f"{name} by {amount}": f"movs r3, #{amount}\n {name} r0, r3"
        for name in ("lsls", "lsrs", "asrs", "rors")
        for amount in (0, 1, 31, 32, 33, 255)
    },
    "stack": "push {r0, r1}\n sub sp, #8\n str r2, [sp, #4]\n ldr r0, [sp, #4]\n add sp, #8\n pop {r2, r3}",
    "sp": "mov r4, sp\n add r0, sp, #16\n subs r0, r0, r4\n movs r4, #0",
    "memory": (
        "str r0, [r5, #8]\n strh r1, [r5, #10]\n strb r2, [r5, #8]\n ldr r0, [r5, #8]\n ldrh r1, [r5, #8]\n"
        " ldrb r2, [r5, #11]\n movs r6, #10\n ldrsh r3, [r5, r6]\n ldrsb r4, [r5, r6]"
    ),
    "many": "mov r6, r5\n stm r6!, {r0, r1, r2, r3}\n subs r6, #12\n ldm r6!, {r0, r1, r3}\n"
    " subs r6, r6, r5\n mov r2, r6",
    "pc": "b 1f\n .balign 4\n 2: .word 0x89abcdef\n 1: ldr r0, 2b\n adr r1, 3f\n mov r4, pc\n"
    " subs r1, r1, r4\n movs r4, #0\n"
    " b 4f\n .balign 4\n 3: .word 0\n 4:",
    "call": "mov r8, lr\n bl 1f\n b 2f\n 1: eors r0, r1\n bx lr\n 2: mov lr, r8",
}
WIDE = {
    **{
        f"{name}{s} {shift}": f"{name}{s}.w r0, r1, r2{shift}"
        for name in "and bic eor orr orn add sub adc sbc rsb".split()
        for s in _S
        for shift in ("", ", lsl #3", ", lsr #31", ", asr #7", ", ror #13", ", rrx")
    },
    **{
        f"{name}{s} {value}": f"{name}{s}.w r0, r1, #{value}"
        for name in "and bic eor orr orn add sub adc sbc rsb".split()
        for s in _S
        for value in ("0", "0xab", "0x00ab00ab", "0xab00ab00", "0xabababab", "0xab000000", "0x2ac")
    },
    **{
        f"{name} {shift}": f"{name}.w r0, r1{shift}" for name in "tst teq cmp cmn".split() for shift in ("", ", ror #9")
    },
    **{f"{name} constant": f"{name}.w r0, #0x81000000" for name in "tst teq cmp cmn".split()},
    **{f"mov{s} {shift}": f"{shift}{s}.w r0, r1, #5" for s in _S for shift in ("lsl", "lsr", "asr", "ror")},
    **{f"rrx{s}": f"rrx{s} r0, r1" for s in _S},
    **{f"mvn{s}": f"mvn{s}.w r0, r1, lsl #9\n mvn{s}.w r2, #0x8f00" for s in _S},
    **{f"movs {value}": f"movs.w r0, #{value}" for value in ("0x80000000", "0x7f8", "0x00cd00cd")},
    "movw": "movw r0, #0xcafe\n movt r1, #0xbabe\n addw r2, r2, #0xfff\n subw r3, r3, #0xabc",
    **{name: f"{name} r0, r1, #5, #9" for name in ("ubfx", "sbfx", "bfi")},
    "bfc": "bfc r0, #5, #9\n bfi r1, r2, #0, #32\n ubfx r3, r3, #31, #1",
    **{name: f"{name}.w r0, r1, ror #8" for name in ("uxtb", "uxth", "sxtb", "sxth")},
    **{name: f"{name} r0, r1, r2, ror #16" for name in ("uxtab", "uxtah", "sxtab", "sxtah")},
    "halves": "pkhbt r0, r1, r2, lsl #16\n pkhtb r1, r2, r3, asr #5\n pkhbt r2, r3, r0",
    "sums of halves": "uadd16 r0, r1, r2\n usub16 r1, r2, r3",
    "clz": "clz r0, r1\n lsrs r2, r2, #12\n clz r2, r2\n movs r3, #0\n clz r3, r3",
    "rbit": "rbit r0, r1\n rev.w r8, r2\n mov r2, r8",
    "mla": "mla r0, r1, r2, r3\n mls r1, r2, r3, r0",
    "mul": "mul r0, r1, r2",
    **{name: f"{name} r0, r1, r2, r3" for name in ("umull", "umlal", "umaal")},
    "unaligned": "str r0, [r5, #5]\n strh r1, [r5, #3]\n str r2, [r5]\n ldr r0, [r5, #1]\n"
    " ldr r1, [r5, #5]\n ldrh r2, [r5, #7]",
    "double": "strd r0, r1, [r5, #8]\n ldrd r2, r3, [r5, #8]\n mov r6, r5\n"
    " strd r0, r3, [r6, #-8]!\n ldrd r0, r1, [r6], #16\n"
    " subs r6, r6, r5\n mov r2, r6",
    "indexed": "mov r6, r5\n str r0, [r6, #4]!\n str r1, [r6], #4\n str r2, [r6]\n ldr r3, [r6], #-4\n"
    " ldr r2, [r6, #4]!\n ldr r1, [r6, #-4]\n subs r6, r6, r5\n mov r4, r6",
    "by register": "movs r6, #3\n str r0, [r5, r6, lsl #2]\n ldrb r1, [r5, #13]\n"
    " ldrb.w r2, [r5, r6, lsl #2]\n movs r6, #12\n"
    " ldr r3, [r5, r6]",
    "many downwards": "add r6, r5, #16\n stmdb r6!, {r0-r3}\n ldm r6, {r0, r2}\n subs r6, r6, r5\n mov r1, r6",
    "high": "push {r0, r1, r8, r9}\n mov r8, r2\n mov r9, r3\n eor.w r8, r8, r9, ror #3\n"
    " mov r0, r8\n add sp, #8\n pop {r8, r9}",
    "table": "movs r6, #1\n tbb [pc, r6]\n 1: .byte (2f-1b)/2, (3f-1b)/2\n 2: eors r0, r1\n 3: eors r0, r2",
    "indirect": "mov r8, lr\n ldr r6, =1f+1\n blx r6\n b 2f\n .ltorg\n 1: eors r0, r1\n bx lr\n 2: mov lr, r8",
    "zero": "movs r6, #0\n cbz r6, 1f\n eors r0, r1\n 1: cbnz r6, 2f\n eors r0, r2\n 2:",
    **{f"if {each}": f"it {each}\n add{each} r0, r1, r2" for each in _CONDITIONS},
    "if then else": "ittee hi\n addhi r0, r1\n cmphi r0, r2\n movls r1, r2\n eorsls r2, r0, r3",
    "if twice": "it cs\n lslcs r0, r1, #3\n it mi\n submi r2, r0, r1",
}
HEAD = """
    .syntax unified
    .thumb
    .cpu cortex-m4
"""
HARNESS = """
    .balign 4
    .thumb_func
next_{number}:
    ldm r11!, {{r0-r4}}
    msr apsr_nzcvq, r4
    movw r4, #0
    movw r8, #0
    ldr r5, =0x20000100
    b snippet_{number}
    .ltorg
    .balign 4
    .thumb_func
snippet_{number}:
    {snippet}
    .thumb_func
end_{number}:
    mrs r6, apsr
    stm r12!, {{r0-r4}}
    str r6, [r12], #4
    subs r10, #1
    bne next_{number}
    .thumb_func
done_{number}:
    nop
    .ltorg
"""
SNIPPETS = NARROW | WIDE
Assembled = tuple[bytes, dict[str, int]]


def assembled(folder: Path, snippets: Iterable[str]) -> Assembled:
    """A program of all these snippets, each in a loop, and the addresses of its labels."""
    text = HEAD + "".join(HARNESS.format(number=at, snippet=snippet) for at, snippet in enumerate(snippets))
    source, elf, image = folder / "x.s", folder / "x.elf", folder / "x.bin"
    source.write_text(text)
    link = ["-Wl,-Ttext=0x08000000", "-Wl,-e,0", "-nostdlib", "-mcpu=cortex-m4", "-mthumb"]
    subprocess.run(["arm-none-eabi-gcc", *link, "-o", elf, source], check=True, capture_output=True, text=True)
    subprocess.run(["arm-none-eabi-objcopy", "-O", "binary", elf, image], check=True)
    named = subprocess.run(["arm-none-eabi-nm", elf], check=True, capture_output=True, text=True).stdout
    found = re.findall(r"([0-9a-f]{8}) [Tt] (\w+)", named)
    return image.read_bytes(), {name: int(address, 16) & ~1 for address, name in found}


@pytest.fixture(scope="module")
def whole(tmp_path_factory: pytest.TempPathFactory) -> Assembled:
    return assembled(tmp_path_factory.mktemp("snippets"), SNIPPETS.values())


def machine() -> Uc:
    found = Uc(UC_ARCH_ARM, UC_MODE_THUMB | UC_MODE_MCLASS)
    found.ctl_set_cpu_model(UC_CPU_ARM_CORTEX_M4)
    found.mem_map(CODE, 0x10000)
    found.mem_map(RAM, 0x100000)
    return found


def values(draw: random.Random) -> numpy.ndarray:
    """Rows of r0 to r3 and the flags: numbers, and extreme ones."""
    extreme = (0, 1, 0x7FFFFFFF, 0x80000000, 0xFFFFFFFF)
    rows = [
        [draw.choice(extreme) if draw.random() < 0.2 else draw.getrandbits(32) for _ in range(4)] + [(at % 16) << 28]
        for at in range(PATTERNS)
    ]
    return numpy.array(rows, numpy.uint32)


def emulated(image: bytes, start: int, end: int, inputs: numpy.ndarray) -> numpy.ndarray:
    cpu = machine()
    cpu.mem_write(CODE, image)
    given, left = RAM + 0x10000, RAM + 0x40000
    cpu.mem_write(given, inputs.astype("<u4").tobytes())
    for register, value in ((10, PATTERNS), (11, given), (12, left), (13, STACK), (14, 0xFFFFFFF1)):
        cpu.reg_write(NUMBERS[register], value)
    cpu.emu_start(start | 1, end)
    return numpy.frombuffer(bytes(cpu.mem_read(left, PATTERNS * 24)), "<u4").reshape(-1, 6)


def machine_of_formulas(graph: Graph, image: bytes, pc: int, registers: list[Word], flags: list[int]) -> Cpu:
    return Cpu(graph, image, CODE, registers, list(flags), pc, RAM, STACK - 0x1000, STACK, True, True)


def packed(bits: numpy.ndarray) -> int:
    return int.from_bytes(numpy.packbits(bits.astype(bool), bitorder="little").tobytes(), "little")


@pytest.mark.parametrize("name", SNIPPETS)
def test_the_formulas_are_what_the_emulator_does(whole: Assembled, name: str) -> None:
    image, symbols = whole
    number, snippet = list(SNIPPETS).index(name), SNIPPETS[name]
    inputs = values(random.Random(snippet))
    theirs = emulated(image, symbols[f"next_{number}"], symbols[f"done_{number}"], inputs)
    graph = Graph()
    registers: list[Word] = [tuple(graph.input(f"r{at}.{bit}") for bit in range(32)) for at in range(4)]
    flags = [graph.input(flag) for flag in "NZCV"]
    first = list(registers)
    registers += [0, RAM + 0x100, 0, 0, 0, 0, 0, 0, 0, STACK, 0xFFFFFFF1]
    cpu = machine_of_formulas(graph, image, symbols[f"snippet_{number}"], registers, flags)
    while cpu.pc != symbols[f"end_{number}"]:
        step(cpu)
    assert cpu.registers[SP] == STACK
    given = {}
    for at, word in enumerate(first):
        for bit, literal in enumerate(word_bits(word)):
            given[literal >> 1] = packed(inputs[:, at] >> numpy.uint32(bit) & 1)
    for at, literal in enumerate(flags):
        given[literal >> 1] = packed(inputs[:, 4] >> numpy.uint32(31 - at) & 1)
    left = [bit for at in range(5) for bit in word_bits(cpu.registers[at])] + [cpu.flag(at) for at in range(4)]
    words = graph.evaluate(graph.cone(left), given, PATTERNS)
    every = (1 << PATTERNS) - 1
    for at, literal in enumerate(left):
        ours = words[literal >> 1] ^ (every if literal & 1 else 0)
        column, bit = (at // 32, at % 32) if at < 160 else (5, 31 - (at - 160))
        place = f"bit {bit} of r{column}" if column < 5 else f"{'NZCV'[at - 160]}"
        assert ours == packed(theirs[:, column] >> numpy.uint32(bit) & 1), f"{place} after: {snippet}"


# Encodings.

MEMORY_BYTES = 0x400


def registers_for(draw: random.Random) -> list[int]:
    """Numbers, addresses in the middle of RAM, and distances."""
    kinds = (
        lambda: draw.getrandbits(32),
        lambda: RAM + MEMORY_BYTES // 2 + 4 * draw.randrange(-16, 16),
        lambda: draw.randrange(64),
    )
    return [draw.choice(kinds)() for _ in range(13)]


class Both:
    """One instruction, with numbers, there and here."""

    def __init__(self, seed: int) -> None:
        self.draw = random.Random(seed)
        self.there = machine()
        self.memory = bytes(self.draw.getrandbits(8) for _ in range(MEMORY_BYTES))
        self.followed = 0

    def differ(self, code: bytes) -> str:
        """'' if they agree, or if it is an instruction that is refused here."""
        registers, flags = registers_for(self.draw), self.draw.getrandbits(4)
        image = code + bytes.fromhex("00bf") * 4
        cpu = machine_of_formulas(
            Graph(), image, CODE, [*registers, STACK - 64, 0xFFFFFFF1], [flags >> (3 - at) & 1 for at in range(4)]
        )
        for start in (RAM, STACK - MEMORY_BYTES):
            cpu.memory |= zip(range(start, start + MEMORY_BYTES), self.memory, strict=True)
        try:
            step(cpu)
        except CannotProve:
            return ""
        if cpu.conditions or cpu.pc not in (CODE + 2, CODE + 4):
            return ""
        self.followed += 1
        there = self.there
        there.mem_write(CODE, image)
        there.ctl_remove_cache(CODE, CODE + 16)
        if cpu.written or decode(code, CODE).name[:2] in ("ld", "po"):  # type: ignore[union-attr]
            there.mem_write(RAM, self.memory)
            there.mem_write(STACK - MEMORY_BYTES, self.memory)
        for at, value in enumerate([*registers, STACK - 64, 0xFFFFFFF1]):
            there.reg_write(NUMBERS[at], value)
        there.reg_write(UC_ARM_REG_APSR, flags << 28)
        try:
            there.emu_start(CODE | 1, CODE + 8, count=1)
        except UcError as error:
            self.there = machine()
            return f"{code.hex()}: the emulator says {error}"
        found = [there.reg_read(each) for each in NUMBERS]
        found += [there.reg_read(UC_ARM_REG_APSR) >> 28, there.reg_read(UC_ARM_REG_PC) & ~1]
        ours = [*cpu.registers, sum(cpu.flag(at) << 3 - at for at in range(4)), cpu.pc]
        if found != ours:
            pairs = zip(found, ours, strict=True)
            return f"{code.hex()}: {[(hex(a), hex(b)) for a, b in pairs if a != b]}"  # type: ignore[arg-type]
        for address in cpu.written:
            if there.mem_read(address, 1)[0] != cpu.memory[address]:
                return f"{code.hex()}: the byte at {address:#x}"
        return ""


@pytest.mark.parametrize("high", range(0xE))
def test_narrow_encodings(high: int) -> None:
    """Every fifth opcode of 16 bits, but those that act on the system."""
    both = Both(high)
    found = [
        text
        for opcode in range(high << 12, (high + 1) << 12, 5)
        if opcode >> 8 not in (0xB6, 0xBE, 0xBF, 0xDE, 0xDF)
        if (text := both.differ(opcode.to_bytes(2, "little")))
    ]
    assert found == []
    assert both.followed > 50


@pytest.mark.parametrize("group", [0xE8, 0xE9, 0xEA, 0xEB, 0xF0, 0xF1, 0xF2, 0xF3, 0xF8, 0xFA, 0xFB])
def test_wide_encodings(group: int) -> None:
    """Random opcodes of 32 bits. SP and PC are left out where most instructions may not have them."""
    both = Both(group)
    found = []
    for _ in range(2500):
        first, second = group << 8 | both.draw.getrandbits(8), both.draw.getrandbits(16)
        if group == 0xFA:
            second |= 0xF000
        code = first.to_bytes(2, "little") + second.to_bytes(2, "little")
        instruction = decode(code, CODE)
        if instruction is not None and not has_sp_or_pc(instruction) and (text := both.differ(code)):
            found.append(f"{text} {instruction.text}")
    assert found == []
    assert both.followed > 10


def has_sp_or_pc(instruction: Instruction) -> bool:
    for each in instruction.operands:
        if isinstance(each, Register) and each.number in (13, 15) and instruction.name[:3] not in ("ldm", "stm"):
            return True
        if isinstance(each, Address) and (each.index in (13, 15) or each.base == 15):
            return True
    return False


def test_what_armv6_m_lacks_is_refused() -> None:
    image = bytes.fromhex("80ea0100")  # EOR.W r0, r0, r1
    registers: list[Word] = [*[0] * 13, STACK, 1]
    cpu = machine_of_formulas(Graph(), image, CODE, registers, [0] * 4)
    cpu.has_thumb2 = False
    with pytest.raises(CannotProve, match="is no instruction of Armv6-M"):
        step(cpu)


REFUSED = {
    "a branch": ("cmp r0, r1\n beq 1f\n nop\n 1:", SecretTime, "depends on a secret"),
    "an address": ("ldr r0, [r5, r1]", SecretTime, "has an address that depends on an input"),
    "a conditional store": ("cmp r0, r1\n it eq\n streq r0, [r5]", SecretTime, "is executed depends on a secret"),
    "a jump": ("bx r0", SecretTime, "goes where a secret says"),
    "a quotient": ("udiv r0, r0, r1", SecretTime, "takes a time that depends on a secret"),
    "below sp": ("str r0, [sp, #-4]", CannotProve, "below the stack pointer"),
    "an amount": ("lsls r0, r1", CannotProve, "shifts by an amount"),
    "a list off its place": ("add r6, r5, #2\n ldm r6, {r0, r1}", CannotProve, "is not aligned to 4 bytes"),
    "nothing": ("udf #1", CannotProve, "is not followed"),
}


@pytest.mark.parametrize("name", REFUSED)
def test_what_is_refused(tmp_path: Path, name: str) -> None:
    snippet, error, words = REFUSED[name]
    image, symbols = assembled(tmp_path, [snippet])
    graph = Graph()
    registers: list[Word] = [tuple(graph.input(f"r{at}.{bit}") for bit in range(32)) for at in range(5)]
    registers += [RAM + 0x100, *[0] * 7, STACK - 8, 1]
    cpu = machine_of_formulas(graph, image, symbols["snippet_0"], registers, [0] * 4)
    with pytest.raises(error, match=words):
        while cpu.pc != symbols["end_0"]:
            step(cpu)
