"""No compiler of any machine that Tatu is for has a warning to give. (x86-64, and AVR at -Os:
tests/tatu/test_builds.py.)"""

from __future__ import annotations

import re
import subprocess
from collections import Counter
from pathlib import Path

import pytest

from tests.portability.machines import (
    ASSEMBLY_FILES,
    C_FILES,
    EMULATED,
    library,
)
from tests.tatu.compiled import objects_of
from tests.tatu.machines import STRICT, TATU_SRC, Machine, name_of


@pytest.mark.parametrize("machine", EMULATED, ids=name_of)
def test_arm_compilers_have_nothing_to_say(scratch: Path, machine: Machine) -> None:
    assert library(machine, scratch).stat().st_size > 0


# For the Cortex-M0+: tests/tatu/test_packaging.py.
def test_clang_for_a_cortex_m4_has_nothing_to_say() -> None:
    flags = ("--target=arm-none-eabi", "-mcpu=cortex-m4", "-mthumb", "-Os", "-isystem", "/usr/include/newlib")
    assert objects_of("clang", (*STRICT, *flags), [*C_FILES, *sorted(TATU_SRC.rglob("thumb2/*.S"))])


@pytest.mark.parametrize(
    "portable",
    [
        pytest.param((), id="beside the assembly"),
        pytest.param(("-DTATU_PORTABLE",), id="portable", marks=pytest.mark.slow),
    ],
)
def test_avr_compiler_at_its_highest_level_has_nothing_to_say(portable: tuple[str, ...]) -> None:
    flags = ("-mmcu=atmega328p", "-O3", *portable)
    assert objects_of("avr-gcc", (*STRICT, *flags), C_FILES)
    assert objects_of("avr-gcc", ("-Wall", "-Werror", *flags), ASSEMBLY_FILES)


def public_functions(objects: list[Path]) -> Counter[str]:
    listing = subprocess.run(
        ["avr-nm", "-g", "--defined-only", *objects], capture_output=True, text=True, check=True
    ).stdout
    names = (line.split()[-1] for line in listing.splitlines() if line)
    return Counter(name for name in names if name.startswith("tatu_") and not name.startswith("tatu_internal_"))


@pytest.mark.parametrize(
    "device",
    [
        pytest.param("attiny85", id="without CALL, JMP and MUL"),
        pytest.param("atmega8", id="without CALL and JMP", marks=pytest.mark.slow),
        pytest.param("atxmega128a1", id="with registers that have no address", marks=pytest.mark.slow),
    ],
)
def test_every_avr_has_each_function_once(device: str) -> None:
    """In assembly where its instructions allow it, and else in C."""
    flags = ("-std=gnu99", "-Os", "-Wall", "-Werror", f"-mmcu={device}")
    functions = public_functions(objects_of("avr-gcc", flags, [*C_FILES, *ASSEMBLY_FILES]))
    assert len(functions) > 100
    assert set(functions.values()) == {1}
    texts = [path.read_text() for path in (TATU_SRC / "tatu").glob("*.h")]
    headers = "".join(text for text in texts if not re.search(r'#error "Tatu has no \w+ for AVR', text))
    headers = re.sub(r"^#if !defined\(__AVR__\)\n.*?^#endif", "", headers, flags=re.DOTALL | re.MULTILINE)
    declared = set(re.findall(r"^(?:TATU_MUST_CHECK )?(?:int|void) (tatu_(?!internal_)\w+)\(", headers, re.MULTILINE))
    assert len(declared) > 100
    elsewhere = ("entropy_avr", "saved_seed_avr", "entropy_system")  # another AVR, or an operating system
    assert {name for name in declared if not any(word in name for word in elsewhere)} <= set(functions)
