"""The driver of the hash tests, NIST's response files, and nothing that expects a value."""

from __future__ import annotations

import subprocess
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path

import cryptography_vectors

TATU_SRC = Path(__file__).resolve().parents[2] / "tatu" / "src"
DRIVER = Path(__file__).resolve().with_name("hash_driver.c")
STRICT = ["-std=c99", "-Wall", "-Wextra", "-Wpedantic", "-Werror", "-Wconversion"]
SANITIZERS = ["-fsanitize=address,undefined", "-fno-sanitize-recover=all"]


@dataclass(frozen=True)
class Driver:
    """The driver program, compiled with the address and undefined-behaviour sanitizers."""

    program: Path

    @classmethod
    def build(cls, folder: Path) -> Driver:
        program = folder / "hash_driver"
        sources = [
            DRIVER,
            *sorted((TATU_SRC / "sha2").glob("*.c")),
            *sorted((TATU_SRC / "sha3").glob("*.c")),
            TATU_SRC / "common" / "wipe.c",
        ]
        subprocess.run(
            ["gcc", *STRICT, *SANITIZERS, "-O1", "-g", f"-I{TATU_SRC}", "-o", str(program), *map(str, sources)],
            check=True,
        )
        return cls(program)

    def run(self, commands: Iterable[str]) -> list[str]:
        """The answers to `commands`, one line each."""
        done = subprocess.run(
            [self.program], input="\n".join(commands) + "\n", capture_output=True, text=True, check=False
        )
        assert done.returncode == 0, done.stderr
        return done.stdout.splitlines()


def responses(*path: str) -> Iterator[dict[str, str]]:
    """The records of one of NIST's .rsp files: each with all values in force where it ends, brackets taken off."""
    record: dict[str, str] = {}
    complete = False
    for line in cryptography_vectors.open_vector_file("/".join(("hashes", *path)), "r"):
        name, equals, value = line.strip().strip("[]").partition("=")
        if equals:
            record[name.strip()] = value.strip()
            complete = name.strip() in ("MD", "Output")
            if complete:
                yield dict(record)


def hexadecimal(data: bytes) -> str:
    return data.hex() or "-"
