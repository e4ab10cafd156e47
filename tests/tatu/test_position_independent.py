"""On Arm Linux Tatu is position-independent: it links as a shared library and into a position-independent executable
without relocations in the code."""

from __future__ import annotations

import hashlib
import subprocess
from pathlib import Path

import pytest

from tests.tatu import hash_programs
from tests.tatu.compiled import objects_of, shared_library
from tests.tatu.machines import (
    CORTEX_A8_ARM,
    CORTEX_A8_THUMB,
    CORTEX_A53,
    CORTEX_A53_PROTECTED,
    HERE,
    SECTIONS,
    STRICT,
    TATU_SRC,
    Driver,
    Machine,
    name_of,
)

pytestmark = pytest.mark.long

MACHINES = (CORTEX_A8_ARM, CORTEX_A8_THUMB, hash_programs.WITHOUT_NEON, CORTEX_A53)
# The linker refuses text relocations and symbols that nothing defines.
STRICT_LINK = ("-Wl,-z,text", "-Wl,-z,defs")


def compile_and_link(machine: Machine, files: list[Path], output: Path, *options: str) -> None:
    command = [machine.compiler, "-std=c99", *machine.flags, *options, *STRICT_LINK, f"-I{TATU_SRC}"]
    done = subprocess.run([*command, *files, "-o", output], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    has_no_text_relocations(output)


def has_no_text_relocations(made: Path) -> None:
    dynamic = subprocess.run(["readelf", "-d", made], capture_output=True, text=True, check=True).stdout
    assert "TEXTREL" not in dynamic


# Without NEON there is no assembly, and the compiler makes C position-independent.
@pytest.mark.parametrize(
    "machine", [CORTEX_A8_ARM, pytest.param(CORTEX_A53_PROTECTED, marks=pytest.mark.slow)], ids=name_of
)
def test_all_of_tatu_links_as_a_shared_library(machine: Machine, tmp_path: Path) -> None:
    has_no_text_relocations(shared_library(tmp_path / "libtatu.so", machine.compiler, machine.flags, *STRICT_LINK))


@pytest.mark.parametrize("machine", [CORTEX_A8_THUMB, CORTEX_A53], ids=name_of)
def test_no_word_of_the_assembly_is_an_absolute_address(machine: Machine) -> None:
    """As the linker's test of text relocations, for one state more, without the C."""
    objects = objects_of(machine.compiler, (*STRICT, *SECTIONS, *machine.flags), sorted(TATU_SRC.rglob("*.S")))
    tables = subprocess.run(["readelf", "-rW", *objects], capture_output=True, text=True, check=True).stdout
    section, absolute, kinds = "", [], set()
    for line in tables.splitlines():
        if line.startswith("Relocation section"):
            section = line.split("'")[1]
        elif len(words := line.split()) > 2 and words[2].startswith("R_"):
            kinds.add(words[2])
            if ".text" in section and "ABS" in words[2] and "_LO12" not in words[2]:
                absolute.append(line)
    assert {"R_ARM_REL32", "R_AARCH64_ADR_PREL_PG_HI21"} & kinds, "no relocation of a table was seen"
    assert absolute == []


@pytest.mark.parametrize("machine", MACHINES, ids=name_of)
def test_hashes_in_a_position_independent_executable(machine: Machine, tmp_path: Path) -> None:
    sources = [file for part in hash_programs.PARTS for file in sorted((TATU_SRC / part).rglob("*.[cS]"))]
    binary = tmp_path / "hashes"
    compile_and_link(machine, [HERE / hash_programs.DRIVER, *sources], binary, "-fPIE", "-pie")
    system = f"/usr/{machine.compiler.removesuffix('-gcc')}"
    starter = tmp_path / "hashes.sh"
    starter.write_text(f"#!/bin/sh\nexec {' '.join(machine.emulator)} -L {system} '{binary}'\n")
    starter.chmod(0o755)
    message = bytes(range(200))
    answers = Driver(starter).run([f"sha256 {message.hex()} 0", f"sha3-256 {message.hex()} 0"])
    assert answers == [hashlib.sha256(message).hexdigest(), hashlib.sha3_256(message).hexdigest()]
