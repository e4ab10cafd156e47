"""The driver of the CMAC and CCM tests."""

from __future__ import annotations

import subprocess
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

TATU_SRC = Path(__file__).resolve().parents[2] / "tatu" / "src"
DRIVER = Path(__file__).resolve().with_name("authentication_driver.c")
STRICT = ["-std=c99", "-Wall", "-Wextra", "-Wpedantic", "-Werror", "-Wconversion"]
SANITIZERS = ["-fsanitize=address,undefined", "-fno-sanitize-recover=all"]
FOLDERS = ["aes", "ccm", "cmac", "common", "speck"]

OK, ERR_LENGTH, ERR_AUTHENTICATION = "0", "-1", "-4"
KEY_BYTES = {"aes128": 16, "aes192": 24, "aes256": 32, "aes128-tiny": 16, "speck64": 16}


@dataclass(frozen=True)
class Driver:
    """The driver program, compiled with the address and undefined-behaviour sanitizers."""

    program: Path

    @classmethod
    def build(cls, folder: Path) -> Driver:
        program = folder / "authentication_driver"
        sources = [DRIVER, *(source for name in FOLDERS for source in sorted((TATU_SRC / name).glob("*.c")))]
        subprocess.run(
            ["gcc", *STRICT, *SANITIZERS, "-O1", "-g", f"-I{TATU_SRC}", "-o", str(program), *map(str, sources)],
            check=True,
        )
        return cls(program)

    def run(self, commands: Iterable[str]) -> list[list[str]]:
        """The answers to `commands`, each split into words, the first of which is the result."""
        done = subprocess.run(
            [self.program], input="\n".join(commands) + "\n", capture_output=True, text=True, check=False
        )
        assert done.returncode == 0, done.stderr
        return [line.split() for line in done.stdout.splitlines()]


def text(data: bytes) -> str:
    return data.hex() or "-"


def flipped(data: bytes, bit: int) -> bytes:
    return data[: bit // 8] + bytes([data[bit // 8] ^ 1 << bit % 8]) + data[bit // 8 + 1 :]
