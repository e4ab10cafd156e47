"""Programs to prove something of, and what builds them."""

from __future__ import annotations

import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest

TATU = Path(__file__).resolve().parents[2] / "tatu" / "src"
Link = Callable[..., Path]


@pytest.fixture(scope="session")
def link(tmp_path_factory: pytest.TempPathFactory) -> Link:
    """Links these sources, with these functions kept though nothing calls them."""

    def build(name: str, sources: list[Path], functions: list[str], mcu: str = "atmega328p") -> Path:
        folder = tmp_path_factory.mktemp(name)
        main = folder / "main.c"
        main.write_text("int main(void) { return 0; }\n")
        made = folder / f"{name}.elf"
        kept = [f"-Wl,-u,{function}" for function in functions]
        flags = [f"-mmcu={mcu}", "-std=c99", "-Os", "-ffunction-sections", "-Wl,--gc-sections", f"-I{TATU}"]
        subprocess.run(["avr-gcc", *flags, *kept, "-o", made, main, *sources], check=True)
        return made

    return build


def tatu_sources(*modules: str) -> list[Path]:
    folders = [TATU / "common", *(TATU / module for module in modules)]
    return sorted(path for folder in folders for path in folder.rglob("*") if path.suffix in (".c", ".S"))
