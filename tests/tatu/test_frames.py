"""A debugger can walk through a kernel for Arm: each function in assembly has call frame information, and at every
instruction that it executes, this gives the stack, the return address and the registers of its caller."""

from __future__ import annotations

import contextlib
import subprocess
from bisect import bisect_left
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path

import pytest
import unicorn
from elftools.dwarf.callframe import FDE, CFARule, RegisterRule
from elftools.elf.elffile import ELFFile
from elftools.elf.sections import Symbol, SymbolTableSection
from unicorn import arm64_const, arm_const

from tests.tatu.compiled import objects_of
from tests.tatu.machines import HERE, SECTIONS, TATU_SRC

ASSEMBLY = sorted(TATU_SRC.rglob("*.S"))
CORES = {
    "cortex-m0plus": ("arm-none-eabi-gcc", "-mcpu=cortex-m0plus", "-mthumb", "-DTATU_AES_TABLES_IN_RAM"),
    "cortex-m3": ("arm-none-eabi-gcc", "-mcpu=cortex-m3", "-mthumb", "-DTATU_AES_TABLES_IN_RAM"),
    "cortex-m4": ("arm-none-eabi-gcc", "-mcpu=cortex-m4", "-mthumb", "-DTATU_AES_TABLES_IN_RAM"),
    "cortex-a8-arm": ("arm-linux-gnueabihf-gcc", "-mcpu=cortex-a8", "-mfpu=neon", "-marm"),
    "cortex-a8-thumb": ("arm-linux-gnueabihf-gcc", "-mcpu=cortex-a8", "-mfpu=neon", "-mthumb"),
    "armv7-a-without-neon": ("arm-linux-gnueabihf-gcc", "-march=armv7-a+fp", "-marm"),
    "aarch64": ("aarch64-linux-gnu-gcc",),
    "aarch64-signed": ("aarch64-linux-gnu-gcc", "-mbranch-protection=standard"),
}
EMULATED = ("cortex-m0plus", "cortex-m4", "cortex-a8-arm", "aarch64")
# The same files as one of these, in another state or without some of them.
LIKE_ANOTHER = ("cortex-a8-thumb", "armv7-a-without-neon")
# The parts of Tatu with assembly for Arm.
PARTS = (
    *("aes", "ascon", "chacha20", "ml_dsa", "ml_kem", "p256", "poly1305"),
    *("secp256k1", "sha2", "sha3", "speck", "x25519", "common"),
)
UNRESOLVED = ("-Wl,--unresolved-symbols=ignore-all", "-Wl,-e0", "-Wl,-w")
SP, LR = 13, 14
LOOKS = 6  # at each instruction
CALLEE_SAVED = {"arm": range(4, 12), "aarch64": range(19, 30)}
STACK, STACK_BYTES, RETURN = 0x7000_0000, 0x10000, 0x6000_0000


def linked(
    name: str, folder: Path, sources: list[Path], options: tuple[str, ...] = (), linking: tuple[str, ...] = ()
) -> ELFFile:
    program = folder / "program.elf"
    compiler, *flags = CORES[name]
    objects = objects_of(compiler, (*flags, *options), sources)
    subprocess.run([compiler, *flags, "-nostdlib", "-static", "-o", program, *objects, *linking], check=True)
    return ELFFile(program.open("rb"))


def descriptions(elf: ELFFile) -> list[FDE]:
    """Of functions, in order."""
    information = elf.get_dwarf_info()
    entries = information.CFI_entries() if information.has_CFI() else information.EH_CFI_entries()
    return sorted((one for one in entries if isinstance(one, FDE)), key=lambda one: one["initial_location"])


def symbols(elf: ELFFile) -> list[Symbol]:
    table = elf.get_section_by_name(".symtab")
    assert isinstance(table, SymbolTableSection)
    return list(table.iter_symbols())


def functions(elf: ELFFile) -> dict[str, int]:
    """The functions of Tatu that other files can call, with their addresses."""
    return {
        symbol.name: symbol["st_value"] & ~1 if elf["e_machine"] == "EM_ARM" else symbol["st_value"]
        for symbol in symbols(elf)
        if symbol["st_info"]["type"] == "STT_FUNC" and symbol["st_info"]["bind"] == "STB_GLOBAL"
    }


@pytest.mark.parametrize("name", CORES)
def test_each_function_in_assembly_has_a_description(name: str, tmp_path: Path) -> None:
    elf = linked(name, tmp_path, ASSEMBLY, linking=UNRESOLVED)
    found = functions(elf)
    assert len(found) >= 4
    ranges = [(one["initial_location"], one["initial_location"] + one["address_range"]) for one in descriptions(elf)]
    assert all(low < high for low, high in ranges)
    assert {what for what, at in found.items() if not any(low <= at < high for low, high in ranges)} == set()
    assert [before for before, after in zip(ranges, ranges[1:], strict=False) if before[1] > after[0]] == []


@pytest.mark.parametrize("name", CORES)
def test_the_information_makes_no_code(name: str, tmp_path: Path) -> None:
    """Without the directives, the bytes of every section of code are the same."""
    folders = {"cortex-m0plus": ("thumb1",), "cortex-m3": ("thumb2",), "cortex-m4": ("thumb2",)}
    kinds = ("aarch64",) if "aarch64" in name else folders.get(name, ("thumb2", "neon"))
    compiler = CORES[name][0]
    objcopy = compiler.replace("gcc", "objcopy")
    sources = [path for path in ASSEMBLY if path.parent.name in kinds]
    code = []
    for source in sources:
        expanded = subprocess.run(
            [*CORES[name], f"-I{TATU_SRC}", "-E", source], capture_output=True, text=True, check=True
        ).stdout
        bare = "\n".join(line for line in expanded.splitlines() if not line.lstrip().startswith(".cfi_"))
        for number, text in enumerate((expanded, bare)):
            assembled, binary = tmp_path / f"{number}.o", tmp_path / f"{number}.bin"
            (tmp_path / "source.s").write_text(text)
            subprocess.run([*CORES[name], "-c", tmp_path / "source.s", "-o", assembled], check=True)
            subprocess.run([objcopy, "-O", "binary", "-j", ".text*", assembled, binary], check=True)
            code.append(binary.read_bytes())
    assert code[::2] == code[1::2]
    assert len(b"".join(code)) > 2000


@dataclass
class Frame:
    """A call that has not returned: what its caller had."""

    returns_to: int
    sp: int
    registers: dict[int, int]  # empty: called by a piece of the same kernel, which keeps its own


@dataclass
class Walker:
    """Emulates a program and looks at each instruction of the kernels."""

    elf: ELFFile
    name: str
    wrong: Counter[str] = field(default_factory=Counter)
    seen: Counter[int] = field(default_factory=Counter)

    def __post_init__(self) -> None:
        self.is_64 = self.elf["e_machine"] == "EM_AARCH64"
        self.word = 8 if self.is_64 else 4
        mode = unicorn.UC_MODE_THUMB if "arm" not in self.name and not self.is_64 else unicorn.UC_MODE_ARM
        self.uc = unicorn.Uc(unicorn.UC_ARCH_ARM64 if self.is_64 else unicorn.UC_ARCH_ARM, mode)
        if self.is_64:
            self.registers = [getattr(arm64_const, f"UC_ARM64_REG_X{i}") for i in range(31)] + [
                arm64_const.UC_ARM64_REG_SP
            ]
            self.sp, self.lr = 31, 30
            self.uc.reg_write(arm64_const.UC_ARM64_REG_CPACR_EL1, 3 << 20)
        else:
            names = [f"R{i}" for i in range(13)] + ["SP", "LR"]
            self.registers = [getattr(arm_const, f"UC_ARM_REG_{one}") for one in names]
            self.sp, self.lr = SP, LR
            self.uc.reg_write(arm_const.UC_ARM_REG_C1_C0_2, 0xF << 20)
            self.uc.reg_write(arm_const.UC_ARM_REG_FPEXC, 1 << 30)
        for segment in self.elf.iter_segments("PT_LOAD"):
            low = segment["p_vaddr"] & ~0xFFF
            high = (segment["p_vaddr"] + segment["p_memsz"] + 0xFFF) & ~0xFFF
            for page in range(low, high, 0x1000):
                with contextlib.suppress(unicorn.UcError):  # two segments may share a page
                    self.uc.mem_map(page, 0x1000)
            self.uc.mem_write(segment["p_vaddr"], segment.data())
        self.uc.mem_map(STACK, STACK_BYTES)
        self.uc.mem_map(RETURN, 0x1000)
        self.rows: dict[int, tuple[CFARule, dict[int, RegisterRule], int]] = {}
        self.row_ranges: list[tuple[int, int]] = []
        names_at = {at: one for one, at in functions(self.elf).items()}
        for description in descriptions(self.elf):
            if not names_at.get(description["initial_location"], "tatu_").startswith("tatu_"):
                continue  # of the compiler's own library
            table = description.get_decoded().table
            low = description["initial_location"]
            ends = [row["pc"] for row in table[1:]] + [low + description["address_range"]]
            for row, end in zip(table, ends, strict=True):
                rules = {key: rule for key, rule in row.items() if isinstance(key, int)}
                if row["pc"] < end:  # a row without an instruction describes nothing
                    self.row_ranges.append((row["pc"], end))
                for pc in range(row["pc"], end, 2):
                    self.rows[pc] = (row["cfa"], rules, low)
        self.entries = set(functions(self.elf).values()) & set(self.rows)
        # A function that ends the frame of the one that calls it, and does not return there.
        self.ends_of_others = {functions(self.elf).get("tatu_internal_ascon_end")}
        self.frames: list[Frame] = []
        self.before = (0, 0)

    def register(self, number: int) -> int:
        value: int = self.uc.reg_read(self.registers[number])
        return value

    def load(self, address: int, size: int) -> int:
        return int.from_bytes(self.uc.mem_read(address, size), "little")

    def cfa(self, rule: CFARule) -> int:
        if rule.expr is None:
            assert rule.reg is not None
            assert rule.offset is not None
            return self.register(rule.reg) + rule.offset
        return evaluated(bytes(rule.expr), self.register, self.load)

    def look(self, _uc: unicorn.Uc, pc: int, size: int, _user: object) -> None:
        if pc not in self.rows:
            self.wrong[f"{pc:#x}: no description"] += 1
            return
        came_from, length = self.before
        self.before = (pc, size)
        # This is called for each instruction: registers are read only where they decide.
        if self.frames and pc == self.frames[-1].returns_to:
            sp = self.register(self.sp)
            while self.frames and (pc, sp) == (self.frames[-1].returns_to, self.frames[-1].sp):
                self.frames.pop()
        if pc != came_from + length or pc in self.entries:
            self.note_call(pc, came_from, length)
        self.seen[pc] += 1
        if self.seen[pc] <= LOOKS:
            self.compare_frame(pc)

    def note_call(self, pc: int, came_from: int, length: int) -> None:
        """A frame for what is called by the instruction of `length` bytes at `came_from`, if it calls."""
        start = self.rows[pc][2]
        sp, lr = self.register(self.sp), self.register(self.lr) & ~1
        is_called = pc != came_from + length and lr == came_from + length and came_from in self.rows
        if pc in self.entries and not is_called:
            saved = {number: self.register(number) for number in CALLEE_SAVED["aarch64" if self.is_64 else "arm"]}
            self.frames = [Frame(lr, sp, saved)]
        elif is_called and self.rows[came_from][2] != start:
            self.frames.append(Frame(lr, sp, {}))

    def compare_frame(self, pc: int) -> None:
        """Whether the information finds what the frame of the instruction's caller had."""
        rule, rules, start = self.rows[pc]
        cfa = self.cfa(rule)
        frame = self.frames[-1]
        if len(self.frames) > 1 and cfa == self.frames[-2].sp and start in self.ends_of_others:
            frame = self.frames[-2]
        if cfa != frame.sp:
            self.wrong[f"{pc:#x}: CFA {cfa:#x} is not {frame.sp:#x}"] += 1
            return
        wanted = {self.lr: frame.returns_to} | frame.registers
        for number, value in wanted.items():
            saved_by = rules.get(number)
            is_saved = saved_by is not None and saved_by.type == RegisterRule.OFFSET
            found = self.register(number)
            if is_saved and saved_by and isinstance(saved_by.arg, int):
                found = self.load(cfa + saved_by.arg, self.word)
            if (found & ~1 if number == self.lr else found) != value:
                self.wrong[f"{pc:#x}: register {number} is {found:#x}, not {value:#x}"] += 1

    def rows_not_looked_at(self) -> list[str]:
        """The functions and offsets of the rows of which no instruction was executed."""
        looked_at = sorted(self.seen)
        starts = {at: one for one, at in functions(self.elf).items()}
        missed = []
        for low, high in self.row_ranges:
            first = bisect_left(looked_at, low)
            if first == len(looked_at) or looked_at[first] >= high:
                start = self.rows[low][2]
                missed.append(f"{starts.get(start, hex(start))}+{low - start:#x}")
        return missed

    def run(self) -> int:
        """The result of the program."""
        begin = next(symbol["st_value"] for symbol in symbols(self.elf) if symbol.name == "run")
        pages = sorted(self.rows)
        edges = [pages[0]] + [b for a, b in zip(pages, pages[1:], strict=False) if b - a > 2]
        ends = [a for a, b in zip(pages, pages[1:], strict=False) if b - a > 2] + [pages[-1]]
        for low, high in zip(edges, ends, strict=True):
            self.uc.hook_add(unicorn.UC_HOOK_CODE, self.look, begin=low, end=high)
        self.uc.reg_write(self.registers[self.sp], STACK + STACK_BYTES - 64)
        self.uc.reg_write(self.registers[self.lr], RETURN)
        self.uc.emu_start(begin, RETURN)
        return self.register(0)


@pytest.mark.parametrize("name", [*EMULATED, *(pytest.param(name, marks=pytest.mark.slow) for name in LIKE_ANOTHER)])
def test_at_each_instruction_the_caller_is_found(name: str, tmp_path: Path) -> None:
    sources = [HERE / "frames_program.c"]
    for part in PARTS:
        sources += sorted((TATU_SRC / part).rglob("*.[cS]"))
    options = ("-Os", "-std=c99", "-ffreestanding", "-fno-asynchronous-unwind-tables", "-fno-unwind-tables", *SECTIONS)
    linking = ("-lgcc", "-Wl,--gc-sections", "-Wl,-erun", "-Wl,-w")
    elf = linked(name, tmp_path, sources, options, linking)
    walker = Walker(elf, name)
    assert walker.run() == 0
    assert list(walker.wrong.items())[:8] == []
    assert walker.rows_not_looked_at() == []
    executed = {what for what, at in functions(elf).items() if at in walker.seen}
    assert set(functions(linked(name, tmp_path, ASSEMBLY, linking=UNRESOLVED))) - executed == set()


def evaluated(expression: bytes, register: Callable[[int], int], load: Callable[[int, int], int]) -> int:
    """A DWARF expression, section 2.5.1 of DWARF 5: the operations that Tatu uses."""
    stack: list[int] = []
    at = 0

    def number(is_signed: bool) -> int:
        nonlocal at
        value, shift = 0, 0
        while True:
            byte = expression[at]
            at += 1
            value |= (byte & 0x7F) << shift
            shift += 7
            if byte < 0x80:
                return value - (1 << shift) if is_signed and byte & 0x40 else value

    def jump() -> int:
        nonlocal at
        at += 2
        return int.from_bytes(expression[at - 2 : at], "little", signed=True)

    while at < len(expression):
        operation = expression[at]
        at += 1
        if 0x70 <= operation <= 0x8F:  # breg
            stack.append(register(operation - 0x70) + number(True))
        elif operation == 0x06:  # deref
            stack.append(load(stack.pop(), 4))
        elif operation == 0x08:  # const1u
            stack.append(expression[at])
            at += 1
        elif operation == 0x14:  # over
            stack.append(stack[-2])
        elif operation == 0x16:  # swap
            stack[-2:] = stack[:-3:-1]
        elif operation == 0x1C:  # minus
            stack[-2:] = [stack[-2] - stack[-1]]
        elif operation == 0x22:  # plus
            stack[-2:] = [stack[-2] + stack[-1]]
        elif operation == 0x23:  # plus_uconst
            stack[-1] += number(False)
        elif operation == 0x28:  # bra
            distance = jump()
            at += distance if stack.pop() else 0
        elif operation == 0x29:  # eq
            stack[-2:] = [int(stack[-2] == stack[-1])]
        elif operation == 0x2F:  # skip
            distance = jump()
            at += distance
        elif operation == 0x94:  # deref_size
            stack.append(load(stack.pop(), expression[at]))
            at += 1
        else:
            raise AssertionError(f"the DWARF operation {operation:#x} is not one that this test evaluates")
    return stack[-1]
