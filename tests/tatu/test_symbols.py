"""What the object files of Tatu's assembly say of themselves: internal symbols are hidden, and on AArch64 each file
keeps to branch protection."""

from __future__ import annotations

import hashlib
import subprocess
from pathlib import Path

import pytest

from tests.tatu import hash_programs
from tests.tatu.compiled import shared_library
from tests.tatu.machines import CORTEX_A53_PROTECTED, HERE, TATU_SRC, Driver

ASSEMBLY = sorted(TATU_SRC.rglob("*.S"))
COMPILERS = {
    "avr": ("avr-gcc", "-mmcu=atmega328p"),
    "thumb1": ("arm-none-eabi-gcc", "-mcpu=cortex-m0plus", "-mthumb", "-DTATU_AES_TABLES_IN_RAM"),
    "thumb2": ("arm-none-eabi-gcc", "-mcpu=cortex-m4", "-mthumb", "-DTATU_AES_TABLES_IN_RAM"),
    "neon": ("arm-linux-gnueabihf-gcc", "-march=armv7-a", "-mfpu=neon"),
    "aarch64": ("aarch64-linux-gnu-gcc",),
}
PROTECTED = ("aarch64-linux-gnu-gcc", "-mbranch-protection=standard", "-O0", "-std=c99", f"-I{TATU_SRC}")


@pytest.mark.parametrize("name", COMPILERS)
def test_internal_symbols_of_the_assembly_are_hidden(name: str, tmp_path: Path) -> None:
    subprocess.run([*COMPILERS[name], f"-I{TATU_SRC}", "-c", *ASSEMBLY], cwd=tmp_path, check=True)
    objects = sorted(tmp_path.glob("*.o"))
    table = subprocess.run(["readelf", "-sW", *objects], capture_output=True, text=True, check=True).stdout
    rows = [line.split() for line in table.splitlines()]
    defined = [row for row in rows if len(row) == 8 and row[4] == "GLOBAL" and row[6] != "UND"]
    internal = {row[7]: row[5] for row in defined if row[7].startswith("tatu_internal_")}
    assert len(internal) >= 3
    assert {symbol for symbol, visibility in internal.items() if visibility != "HIDDEN"} == set()
    assert {row[5] for row in defined if row[7].startswith("tatu_") and row[7] not in internal} <= {"DEFAULT"}


def test_a_shared_library_has_branch_protection(tmp_path: Path) -> None:
    """The linker gives the property only if every file has it. In the library, functions that are called through
    pointers and tables begin with a landing pad."""
    library = shared_library(
        tmp_path / "libtatu.so",
        CORTEX_A53_PROTECTED.compiler,
        CORTEX_A53_PROTECTED.flags,
        "-nostartfiles",
        "-nodefaultlibs",
    )
    notes = subprocess.run(["readelf", "-nW", library], capture_output=True, text=True, check=True).stdout
    assert "AArch64 feature: BTI, PAC" in notes


def test_hashes_with_signed_return_addresses(tmp_path: Path) -> None:
    """On a processor that checks them."""
    program = tmp_path / "hashes"
    sources = [file for part in hash_programs.PARTS for file in sorted((TATU_SRC / part).rglob("*.[cS]"))]
    subprocess.run([*PROTECTED, "-static", "-o", program, HERE / hash_programs.DRIVER, *sources], check=True)
    starter = tmp_path / "hashes.sh"
    starter.write_text(f"#!/bin/sh\nexec qemu-aarch64 -cpu max '{program}'\n")
    starter.chmod(0o755)
    message = bytes(range(200))
    answers = Driver(starter).run([f"sha256 {message.hex()} 0", f"sha3-256 {message.hex()} 0"])
    assert answers == [hashlib.sha256(message).hexdigest(), hashlib.sha3_256(message).hexdigest()]
