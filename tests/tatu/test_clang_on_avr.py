"""Tatu under clang on an AVR: tables in flash without PROGMEM, assembly as clang's assembler reads it, no header that
it does not compile."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path

import pytest
from elftools.elf.elffile import ELFFile

from bancada.catalogue.paths import data_root
from bancada.compilers.compilers import Compiler, compilers_of
from bancada.measure.check import check
from bancada.measure.laboratory import open_laboratory
from bancada.model.status import Status

UNO = open_laboratory().targets["uno"]
SOURCES = data_root() / "tatu" / "src"

_CANDIDATE = f"""
name = "clangs"
title = "Tatu"
version = "0"
licence = "MIT"
about = "For a test."
root = "{SOURCES}"
"""

# One of each kind: a table read byte by byte, one read word by word, and in assembly each way to write the low byte of
# a negative number.
_ROWS = {
    "aes128/small": (
        """
primitive = "block-cipher"
algorithm = "aes"
key_bits = [128]
block_bytes = 16
adapter = "two_keys.h"
sources = ["aes/**/*.[cS]", "common/**/*.[cS]"]
adapter_defines = ["TATU_HEADER=<tatu/aes.h>", "TATU_NAME=tatu_aes128_small"]
operations = ["set-key", "encrypt"]
"""
    ),
    "chacha20": (
        """
primitive = "keystream"
algorithm = "chacha20"
key_bits = [256]
block_bytes = 16
digest_bytes = 64
adapter = "chacha20.h"
sources = ["chacha20/**/*.[cS]", "common/**/*.[cS]"]
operations = ["keystream"]
"""
    ),
    "sha256": (
        """
primitive = "hash"
algorithm = "sha-256"
key_bits = [0]
digest_bytes = 32
adapter = "hash.h"
sources = ["sha2/**/*.[cS]", "common/**/*.[cS]"]
adapter_defines = ["TATU_HEADER=<tatu/sha256.h>", "TATU_NAME=tatu_sha256"]
operations = ["hash"]
"""
    ),
    "ascon-hash256": (
        """
primitive = "hash"
algorithm = "ascon-hash256"
key_bits = [0]
digest_bytes = 32
adapter = "hash.h"
sources = ["ascon/**/*.[cS]", "common/**/*.[cS]"]
adapter_defines = ["TATU_HEADER=<tatu/ascon.h>", "TATU_NAME=tatu_ascon_hash256"]
operations = ["hash"]
"""
    ),
    "rc6-128": (
        """
primitive = "block-cipher"
algorithm = "rc6"
key_bits = [128]
block_bytes = 16
adapter = "rc6.h"
sources = ["rc6/**/*.[cS]", "common/**/*.[cS]"]
adapter_defines = ["TATU_NAME=tatu_rc6", "TATU_SET_KEY=tatu_rc6_128_set_key"]
operations = ["set-key", "encrypt", "decrypt"]
"""
    ),
}


def _clang() -> Compiler:
    return next(compiler for compiler in compilers_of(UNO) if compiler.name.startswith("clang-"))


@pytest.mark.parametrize(
    "defines",
    [pytest.param("", id="assembly"), pytest.param("TATU_PORTABLE", id="C", marks=pytest.mark.slow)],
)
def test_official_vectors_hold_under_clang(added_root: Path, defines: str) -> None:
    folder = added_root / "candidates" / "clangs"
    folder.mkdir(parents=True)
    for header in (data_root() / "candidates" / "tatu").glob("*.h"):
        shutil.copy2(header, folder)
    said = f'defines = ["{defines}"]\n' if defines else ""
    rows = (
        f'[[implementation]]\nname = "{name}"\nvariant = ["plain"]\ninclude = ["."]\n{said}{row}'
        for name, row in _ROWS.items()
    )
    (folder / "candidate.toml").write_text(_CANDIDATE + "\n".join(rows))
    checked = list(check(open_laboratory(), "clangs", "uno", compilers=(_clang().name,)))
    assert len(checked) == len(_ROWS)
    assert [(one.implementation, one.status, one.reason) for one in checked if one.status is not Status.OK] == []


def test_every_file_compiles_and_no_table_is_in_ram(tmp_path: Path) -> None:
    clang = _clang()
    flags = (*UNO.toolchain.flags, "-Os", "-Wall", "-Wno-unused-command-line-argument", f"-I{SOURCES}")
    for source in sorted(SOURCES.rglob("*.[cS]")):
        made = tmp_path / "made.o"
        done = subprocess.run(
            [clang.command[0], *clang.flags_for(flags), "-c", str(source), "-o", str(made)],
            capture_output=True,
            text=True,
        )
        assert done.returncode == 0 and "unknown attribute" not in done.stderr, f"{source.name}: {done.stderr}"
        with made.open("rb") as file:
            tables = [
                section.name
                for section in ELFFile(file).iter_sections()
                if section.name.startswith((".rodata", ".data")) and section["sh_size"]
            ]
        assert tables == [] or "ram" in source.name, f"{source.name}: {tables}"


def test_the_processor_is_told_as_gcc_tells_it() -> None:
    assert {"-D__AVR_HAVE_MUL__=1", "-D__AVR_HAVE_SPH__=1"} <= set(_clang().shown(())) | _defined_by(_clang())


def _defined_by(clang: Compiler) -> set[str]:
    """What a later clang says itself."""
    command = [clang.command[0], *clang.flags_for(UNO.toolchain.flags), "-w", "-dM", "-E", "-x", "c", "/dev/null"]
    listed = subprocess.run(command, capture_output=True, text=True, check=True).stdout.splitlines()
    return {f"-D{line.split()[1]}={line.split()[2]}" for line in listed if len(line.split()) == 3}
