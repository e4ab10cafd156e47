"""Our C for the engine and the emulated devices compiles without a warning, the plugin for every version of QEMU's
interface."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest

from bancada.catalogue.paths import data_root

STRICT = ("-Wall", "-Wextra", "-Wpedantic", "-Werror", "-Wconversion", "-fsyntax-only")
PLUGIN = sorted((data_root() / "engines" / "qemu").glob("*.c"))
HARNESS = data_root() / "harness"
DEVICES = (
    ("arm-none-eabi-gcc", ("-mcpu=cortex-m0plus", "-mthumb"), ("monitor.c", "device_cortex_m.c", "startup_cortex_m.c")),
    ("arm-none-eabi-gcc", ("-mcpu=cortex-m4", "-mthumb"), ("monitor.c", "device_cortex_m.c", "startup_cortex_m.c")),
    ("arm-linux-gnueabihf-gcc", (), ("monitor.c", "device_linux.c")),
    ("aarch64-linux-gnu-gcc", (), ("monitor.c", "device_linux.c")),
)


def compile_strictly(command: list[str], sources: list[Path]) -> None:
    done = subprocess.run([*command, *STRICT, *map(str, sources)], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr


@pytest.mark.parametrize("interface", [1, 2, 3, 4])
def test_plugin(interface: int) -> None:
    compile_strictly(["cc", "-std=c99", "-D_POSIX_C_SOURCE=200809L", f"-DBANCADA_PLUGIN_API={interface}"], PLUGIN)


@pytest.mark.parametrize(("compiler", "flags", "sources"), DEVICES)
@pytest.mark.parametrize("level", ["-Os", "-O2"])
def test_harness(compiler: str, flags: tuple[str, ...], sources: tuple[str, ...], level: str) -> None:
    command = [compiler, "-std=gnu99", level, *flags, f"-I{HARNESS / 'include'}"]
    compile_strictly(command, [HARNESS / "src" / name for name in sources])
