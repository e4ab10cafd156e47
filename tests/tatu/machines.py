"""The machines that the tests of Tatu compile for, and how a program for each of them runs here.

A test module has one fixture for its driver. Each test names the machines that the driver runs on:

    @pytest.fixture(scope="module")
    def driver(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Driver:
        return driver_on(request, "hash_driver.c", ("sha2", "common"), tmp_path_factory)

    @runs_on(*HOSTS, *CORES)
    def test_known_answers(driver: Driver) -> None: ...
"""

from __future__ import annotations

import functools
import subprocess
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

import pytest

from tests.tatu.compiled import compiled, sources_of

HERE = Path(__file__).resolve().parent
TATU_SRC = HERE.parents[1] / "tatu" / "src"
# A Cortex-M has no Linux, but the user mode of QEMU runs its instructions. This file makes newlib's system calls.
BARE_METAL = HERE / "bare_metal.c"
BOARD = HERE / "cortex_m0_board.c"
STRICT = ("-std=c99", "-Wall", "-Wextra", "-Wpedantic", "-Werror", "-Wconversion")
# Each function and table in a section of its own, of which the linker takes what is called.
SECTIONS = ("-ffunction-sections", "-fdata-sections")
SANITIZERS = ("-fsanitize=address,undefined", "-fno-sanitize-recover=all", "-O1", "-g")


@dataclass(frozen=True)
class Machine:
    """A processor, how to compile for it, and the emulator of its instructions; the host needs no emulator."""

    name: str
    compiler: str
    flags: tuple[str, ...]
    emulator: tuple[str, ...] = ()
    is_bare_metal: bool = False
    board: tuple[str, ...] = ()

    def link_options(self) -> tuple[str, ...]:
        if self.is_bare_metal:
            return ("-nostartfiles", *self.board)
        return ("-static",) if self.emulator else ()

    def start(self, binary: Path) -> Path:
        """A command that runs `binary` on the machine."""
        if not self.emulator:
            return binary
        starter = binary.with_suffix(".sh")
        starter.write_text(f"#!/bin/sh\nexec {' '.join(self.emulator)} '{binary}'\n")
        starter.chmod(0o755)
        return starter

    def named(self, name: str, *flags: str) -> Machine:
        """The same machine with more options for its compiler."""
        return replace(self, name=name, flags=(*self.flags, *flags))

    def in_c(self) -> Machine:
        """The same machine without assembly."""
        return self.named(f"{self.name}-in-c", "-DTATU_PORTABLE")


BARE = "arm-none-eabi-gcc"
LINUX = "arm-linux-gnueabihf-gcc"
LINUX64 = "aarch64-linux-gnu-gcc"
NEON = ("-mcpu=cortex-a8", "-mfpu=neon")

HOST_GCC = Machine("x86-64-gcc", "gcc", SANITIZERS)
HOST_CLANG = Machine("x86-64-clang", "clang", SANITIZERS)
HOSTS = (HOST_GCC, HOST_CLANG)

CORTEX_M0_PLUS = Machine("cortex-m0plus", BARE, ("-mcpu=cortex-m0plus", "-mthumb", "-Os"), ("qemu-arm",), True)
CORTEX_M3 = Machine("cortex-m3", BARE, ("-mcpu=cortex-m3", "-mthumb", "-O2"), ("qemu-arm",), True)
CORTEX_M4 = Machine("cortex-m4", BARE, ("-mcpu=cortex-m4", "-mthumb", "-Os"), ("qemu-arm",), True)
CORTEX_A8_ARM = Machine("cortex-a8-arm", LINUX, (*NEON, "-O2", "-marm"), ("qemu-arm", "-cpu", "cortex-a8"))
CORTEX_A8_THUMB = Machine("cortex-a8-thumb", LINUX, (*NEON, "-Os", "-mthumb"), ("qemu-arm", "-cpu", "cortex-a8"))
CORTEX_A53 = Machine(
    "cortex-a53", LINUX64, ("-mcpu=cortex-a53+nocrypto", "-O2"), ("qemu-aarch64", "-cpu", "cortex-a53")
)
# With landing pads and signed return addresses (Arm ARM, DDI 0487, BTI and pointer authentication).
CORTEX_A53_PROTECTED = CORTEX_A53.named("cortex-a53-protected", "-mbranch-protection=standard")
CORES = (CORTEX_M0_PLUS, CORTEX_M3, CORTEX_M4, CORTEX_A8_ARM, CORTEX_A8_THUMB, CORTEX_A53)

# In user mode a word can have any address. On this emulated board, a BBC micro:bit with more memory, an unaligned word
# is a fault, as on the Cortex-M0 itself.
CORTEX_M0_BOARD = Machine(
    "cortex-m0-board",
    BARE,
    ("-mcpu=cortex-m0", "-mthumb", "-Os", "-DON_THE_BOARD", "-Wno-pedantic"),
    tuple(
        "qemu-system-arm -M microbit -global nrf51-soc.sram-size=16777216 -global nrf51-soc.flash-size=4194304"
        " -display none -serial none -monitor none -semihosting-config enable=on,target=native -kernel".split()
    ),
    True,
    (
        "-Wl,--section-start=.vectors=0,-Ttext=0x100,-Tdata=0x20000000,--defsym=stack_end=0x21000000",
        "-Wl,--undefined=vectors",
    ),
)

# Arm state without NEON, as a Cortex-A5 or A9 may be: the assembly of ML-KEM and ML-DSA is that of the Cortex-M4.
ARM_WITHOUT_NEON = Machine("armv7-a-without-neon", LINUX, ("-march=armv7-a+fp", "-marm", "-O2"), ("qemu-arm",))
# What a Linux distribution's compiler makes when no processor is named.
ARM_LINUX = Machine("arm-linux", LINUX, ("-O2",), ("qemu-arm",))
# The first byte of a word is its highest.
BIG_ENDIAN = Machine("powerpc-linux", "powerpc-linux-gnu-gcc", ("-Os",), ("qemu-ppc",))

# The smallest core, both widths of Linux on Arm and a big-endian processor: what the C of an algorithm is tested on.
PORTABLE = (CORTEX_M0_PLUS, ARM_LINUX, CORTEX_A53, BIG_ENDIAN)
# The same and every core that has assembly of its own.
EVERY = (*CORES, ARM_LINUX, BIG_ENDIAN)


def name_of(machine: Machine) -> str:
    return machine.name


def runs_on(*machines: Machine) -> pytest.MarkDecorator:
    """The test runs once for each machine; its fixture `driver` calls `driver_on`."""
    return pytest.mark.parametrize("driver", machines, ids=name_of, indirect=True, scope="module")


@functools.cache
def built(machine: Machine, source: str, parts: tuple[str, ...], folder: Path, defines: tuple[str, ...] = ()) -> Path:
    """A command that runs the program `source` of this folder with these parts of Tatu on the machine."""
    # The host has no assembly.
    kinds = "*.[cS]" if machine.emulator else "*.c"
    files = sources_of(parts, kinds) + ([BARE_METAL] if machine.is_bare_metal else [])
    files += [BOARD] if machine.board else []
    binary = folder / f"{Path(source).stem}-{machine.name}"
    flags = (*STRICT, *SECTIONS, *machine.flags)
    linking = (*machine.link_options(), "-Wl,--gc-sections")
    compiled(binary, machine.compiler, flags, HERE / source, files, defines=defines, linking=linking)
    return machine.start(binary)


@dataclass(frozen=True)
class Driver:
    """A program that answers each line of its input with one line."""

    program: Path

    def run(self, commands: Iterable[str]) -> list[str]:
        """The answers to `commands`."""
        done = subprocess.run(
            [self.program], input="\n".join(commands) + "\n", capture_output=True, text=True, check=False
        )
        assert done.returncode == 0, done.stderr
        return [answer.strip() for answer in done.stdout.splitlines()]

    def words(self, commands: Iterable[str]) -> list[list[str]]:
        """The answers to `commands`, each split into words; the first word is the result."""
        return [answer.split() for answer in self.run(commands)]


def driver_on(
    request: pytest.FixtureRequest, source: str, parts: tuple[str, ...], folders: pytest.TempPathFactory
) -> Driver:
    """The driver for the machine that `runs_on` gives."""
    machine: Machine = request.param
    return Driver(built(machine, source, parts, folders.getbasetemp()))


def assert_each(found: Sequence[object], expected: Sequence[object], names: Iterable[object]) -> None:
    """Equality, one by one; the message of a failure gives the case's name, such as its length."""
    for name, answer, right in zip(names, found, expected, strict=True):
        assert answer == right, f"case: {name}"
