"""Programs to prove something of, and what builds them."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from tests.tatu.compiled import compiled

TATU = Path(__file__).resolve().parents[2] / "tatu" / "src"
Link = Callable[..., Path]
FLAGS = ("-mmcu=atmega328p", "-std=c99", "-Os", "-ffunction-sections")


@pytest.fixture(scope="session")
def link(tmp_path_factory: pytest.TempPathFactory) -> Link:
    """Links these sources, with these functions kept though nothing calls them; `linking` are options of the linker,
    `flags` those of the compiler."""

    def build(
        name: str, sources: list[Path], functions: list[str], *linking: str, flags: tuple[str, ...] = FLAGS
    ) -> Path:
        folder = tmp_path_factory.mktemp(name)
        main = folder / "main.c"
        main.write_text("int main(void) { return 0; }\n")
        kept = [f"-Wl,-u,{function}" for function in functions]
        options = ("-Wl,--gc-sections", *kept, *linking)
        return compiled(folder / f"{name}.elf", "avr-gcc", flags, main, sources, linking=options)

    return build


def tatu_sources(*modules: str) -> list[Path]:
    folders = [TATU / "common", *(TATU / module for module in modules)]
    return sorted(path for folder in folders for path in folder.rglob("*") if path.suffix in (".c", ".S"))


HARNESS = Path(__file__).resolve().parents[2] / "harness"
# Armv6-M and Armv7E-M, with flash where the targets samd21 and stm32f4 have it.
CORES = {"cortex-m0plus": 0x0000_0000, "cortex-m4": 0x0800_0000}


def link_for_a_cortex_m(
    folder: Path,
    core: str,
    sources: list[Path],
    functions: list[str],
    main: str = "int main(void) { return 0; }\n",
    level: str = "-Os",
    more: tuple[str, ...] = (),
) -> Path:
    """A program that QEMU starts, with these functions kept. `main` is the text of its main file, `more` are options of
    the compiler."""
    driver = folder / "main.c"
    driver.write_text(main)
    script = HARNESS / "link" / "cortex_m.ld"
    places = (f"FLASH_ORIGIN={CORES[core]:#x}", "RAM_ORIGIN=0x20000000", "RAM_BYTES=0x10000")
    linking = (
        *("-nostartfiles", "--specs=nano.specs", "--specs=nosys.specs", "-Wl,--gc-sections", "-T", str(script)),
        *("-Wl,--no-warn-rwx-segments", *(f"-Wl,--defsym={place}" for place in places)),
        *(f"-Wl,-u,{function}" for function in functions),
    )
    flags = (f"-mcpu={core}", "-mthumb", "-std=c99", level, "-ffunction-sections", "-fdata-sections", *more)
    library = [*sources, HARNESS / "src" / "startup_cortex_m.c"]
    return compiled(folder / f"{core}.elf", "arm-none-eabi-gcc", flags, driver, library, linking=linking)


# Compilers and flags of the targets `rpi3` and `bbb`.
ON_LINUX = {
    "aarch64": ("aarch64-linux-gnu-gcc", "-mcpu=cortex-a53+nocrypto"),
    "armv7-a": ("arm-linux-gnueabihf-gcc", "-mcpu=cortex-a8", "-mfpu=neon"),
}


def link_for_linux(folder: Path, machine: str, sources: list[Path], functions: list[str]) -> Path:
    """A program for Linux with these functions kept, which need no others."""
    driver = folder / "main.c"
    driver.write_text("void _start(void) {}\n")
    compiler, *core = ON_LINUX[machine]
    flags = (*core, "-std=gnu99", "-Os", "-ffunction-sections", "-fdata-sections")
    linking = ("-static", "-nostdlib", "-Wl,--gc-sections", *(f"-Wl,-u,{function}" for function in functions))
    return compiled(folder / f"{machine}.elf", compiler, flags, driver, sources, linking=linking)
