"""A debugger can walk through a kernel for AVR: each function in assembly has call frame information, and at every
instruction that can be reached, this gives the place of the caller's stack and of the return address, and where the
registers of the caller are that a function in C must find as they were."""

from __future__ import annotations

import subprocess

import pytest

from tests.tatu.avr_frames import Program, followed, program, symbol_before
from tests.tatu.machines import TATU_SRC

ASSEMBLY = sorted(TATU_SRC.glob("*/avr/*.S"))
# With the bytes of a return address. The first has all that Tatu's kernels use, and room for all of them.
DEVICES = {"atmega1284p": 2, "atmega2560": 3}
# The default section begins at 0, where symbols that are not defined lie.
LINKING = ("-nostdlib", "-Wl,--unresolved-symbols=ignore-all", "-Wl,-e0", "-Wl,-Ttext=0x200")
_POPS = "a loop that puts r17 to r0 back by their addresses, and the RET behind it: this test does not count its passes"
# What this test finds no description for: by the symbol before it, how many instructions, and why.
UNDESCRIBED = {
    "tatu_internal_aes128_tiny_leave": (5, _POPS),
    "tatu_internal_aes_tiny_long_leave": (5, _POPS),
    "tatu_internal_aes_plain_first_round": (1, "a RET that only the half-carry flag leads to: for the start below"),
    "tatu_internal_aes_ram_encrypt_rounds": (1, "a RET that only the half-carry flag leads to: never here"),
}


@pytest.fixture(scope="module", params=DEVICES)
def kernels(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Program:
    path = tmp_path_factory.mktemp("frames") / "kernels.elf"
    command = ["avr-gcc", f"-mmcu={request.param}", f"-I{TATU_SRC}", *LINKING, "-o", str(path), *map(str, ASSEMBLY)]
    subprocess.run(command, check=True)
    return program(path, DEVICES[request.param])


def test_each_function_in_assembly_has_a_description(kernels: Program) -> None:
    assert len(kernels.names) > 120
    assert {name for name, at in kernels.names.items() if at not in kernels.rows} == set()


def test_at_each_instruction_the_caller_is_found(kernels: Program) -> None:
    result = followed(kernels)
    found: dict[str, list[int]] = {}
    for pc in sorted(result.wrong):
        found.setdefault(symbol_before(kernels, pc), []).append(pc)
    listed = {symbol: number for symbol, (number, _) in UNDESCRIBED.items()}
    assert {
        f"{symbol}: {len(places)} from {places[0]:#x}: {result.wrong[places[0]]}"
        for symbol, places in found.items()
        if len(places) != listed.get(symbol)
    } == set()
    assert set(listed) == set(found)
    assert {symbol_before(kernels, pc) for pc in set(kernels.code) - set(result.depths)} == set()
