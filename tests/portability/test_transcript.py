"""One program calls every function of Tatu on the same inputs on every machine, and says the same everywhere.

The assembly and its twin in C on AVR, with 16-bit integers, agree with the C of Cortex-M, ARM Linux, PowerPC
(big-endian) and x86-64 on random keys and messages.
"""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest

from bancada.engines.simavr.session import runner
from tests.portability.machines import (
    ASSEMBLY_FILES,
    C_FILES,
    EMULATED,
    HERE,
    HOST,
    program,
)
from tests.tatu.compiled import objects_of
from tests.tatu.machines import BIG_ENDIAN, SECTIONS, TATU_SRC, Machine, name_of

TRANSCRIPT = tuple(sorted((HERE / "transcript").glob("*.c")))
# The whole library does not fit the ATmega328P.
MCU = "atmega2560"
LIMIT_CYCLES = 6_000_000_000
AVR = (f"-mmcu={MCU}", "-std=gnu99", "-Os", *SECTIONS, "-mrelax")


def run(*command: str | Path) -> list[str]:
    done = subprocess.run(command, stdin=subprocess.DEVNULL, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    return done.stdout.splitlines()


@pytest.fixture(scope="module")
def expected(scratch: Path) -> list[str]:
    """What x86-64 says, where tests/tatu holds the same C against official vectors and other implementations."""
    return run(program(HOST, TRANSCRIPT, scratch))


def test_the_transcript_names_every_algorithm(expected: list[str]) -> None:
    names = [line.split()[0] for line in expected]
    assert len(names) == len(set(names))
    folders = {folder.name for folder in TATU_SRC.iterdir() if folder.is_dir()}
    # sha2 and modes are seen by what they define; tatu holds the headers; entropy is the machine's own; AVR has no GCM
    # and makes no keys of ML-DSA, whose tests run on every machine; linkable has the functions of headers once more.
    # weierstrass has the sources of p256 and secp256k1.
    words = {"sha2": "sha256", "modes": "ctr"}
    for folder in folders - {"common", "entropy", "gcm", "linkable", "ml_dsa", "tatu", "weierstrass"}:
        assert any(words.get(folder, folder) in name for name in names), f"no line for tatu/src/{folder}"


def test_all_variants_of_an_algorithm_agree(expected: list[str]) -> None:
    """Those whose contexts and calls are the same say the same."""
    said = dict(line.split() for line in expected)
    for bits in ("128", "192", "256"):
        assert said[f"tatu_aes{bits}"] == said[f"tatu_aes{bits}_ram"]
        assert said[f"tatu_rc6_{bits}_set_key"] == said[f"tatu_rc6_tiny_{bits}_set_key"]
    assert len(set(said.values())) == len(said) - 6


@pytest.mark.parametrize("machine", [*EMULATED, BIG_ENDIAN], ids=name_of)
def test_emulated_machine_says_the_same(scratch: Path, expected: list[str], machine: Machine) -> None:
    assert run(program(machine, TRANSCRIPT, scratch)) == expected


# Each algorithm's C is held to official vectors on an AVR by tests/tatu.
@pytest.mark.parametrize(
    "flags",
    [pytest.param((), id="assembly"), pytest.param(("-DTATU_PORTABLE",), id="portable", marks=pytest.mark.slow)],
)
def test_avr_says_the_same(tmp_path: Path, expected: list[str], flags: tuple[str, ...]) -> None:
    options = (*AVR, *flags)
    assembly = objects_of("avr-gcc", options, ASSEMBLY_FILES)
    objects = [*objects_of("avr-gcc", options, [*TRANSCRIPT, *C_FILES]), *assembly]
    elf = tmp_path / "transcript.elf"
    subprocess.run(["avr-gcc", *options, "-Wl,--gc-sections", "-o", elf, *objects], check=True)
    defined = subprocess.run(["avr-nm", "-gA", "--defined-only", *assembly], capture_output=True, text=True, check=True)
    assert ("tatu_" in defined.stdout) == (not flags), "it is not the code that was asked for that runs"
    said = run(
        runner(), "--mcu", MCU, "--frequency", "16000000", "--uart", "stdio", "--max-cycles", str(LIMIT_CYCLES), elf
    )
    assert said == expected
