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
