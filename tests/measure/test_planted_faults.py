"""Right ciphertexts from code that writes where it must not, or keeps a register of its caller: refused, by name."""

from __future__ import annotations

from pathlib import Path

import pytest

from bancada.build.build import build, checking_firmware
from bancada.measure.checked_calls import call_fault
from bancada.measure.laboratory import open_laboratory
from bancada.model.build import Build
from bancada.model.status import Status
from bancada.plan.case import Firmware
from bancada.plan.everything_of import everything_of
from bancada.plan.plan import plan
from tests.laboratory_fixtures import Bancada

_CANDIDATE = """
name = "planted"
title = "Tatu's Speck-64, with something added"
version = "0"
licence = "MIT"
about = "For a test."
root = "tatu/src"

[[implementation]]
name = "speck64-128"
primitive = "block-cipher"
algorithm = "speck64"
variant = ["plain"]
key_bits = [128]
block_bytes = 8
adapter = "planted.h"
sources = ["speck/**/*.[cS]", "common/**/*.[cS]", "planted.S"]
include = ["."]
operations = ["set-key", "encrypt"]
"""

_ADAPTER = """
#include <tatu/speck.h>

#define BANCADA_ONE_KEY 1
typedef struct tatu_speck64_128 bancada_encrypt_context;

void planted(void);

static inline void bancada_set_encrypt_key(bancada_encrypt_context *context, const uint8_t *key)
{
    tatu_speck64_128_set_key(context, key);
    @set-key@
}

static inline void bancada_encrypt(bancada_encrypt_context *context, uint8_t *output, const uint8_t *input)
{
    tatu_speck64_128_encrypt(context, output, input);
    @encrypt@
}
"""

_ASSEMBLY = """
#if defined(__arm__)
    .syntax unified
#if defined(__thumb__)
    .thumb
#endif
#endif
    .text
    .balign 4
    .global planted
    .type planted, %function
planted:
    @instructions@
"""


def _built(root: Path, target: str, lines: dict[str, str], instructions: str) -> tuple[Firmware, Build]:
    folder = root / "candidates" / "planted"
    folder.mkdir(parents=True)
    (folder / "candidate.toml").write_text(_CANDIDATE)
    adapter = _ADAPTER
    for place in ("set-key", "encrypt"):
        adapter = adapter.replace(f"@{place}@", lines.get(place, ""))
    (folder / "planted.h").write_text(adapter)
    (folder / "planted.S").write_text(_ASSEMBLY.replace("@instructions@", "\n    ".join(instructions.split("; "))))
    laboratory = open_laboratory()
    experiment = everything_of(laboratory, laboratory.candidate("planted"), target, "-Os")
    firmware = next(work.firmware for work in plan(laboratory, experiment) if work.firmware)
    made = build(firmware)
    assert made.status is Status.OK, made.reason
    return firmware, made


@pytest.mark.parametrize(
    ("place", "line", "said"),
    [
        ("encrypt", "output[-1] = 0;", "before the output"),
        ("encrypt", "output[8] = 0;", "behind the output"),
        ("encrypt", "((uint8_t *)context)[-1] = 0;", "before the context"),
        ("set-key", "((uint8_t *)context)[sizeof *context] = 0;", "behind the context"),
    ],
)
def test_a_write_outside_a_buffer_is_refused_and_the_place_is_named(
    added_root: Path, place: str, line: str, said: str
) -> None:
    firmware, made = _built(added_root, "uno", {place: line}, "ret")
    assert call_fault(firmware, made) == f"a call wrote outside its buffers: {said}"


@pytest.mark.parametrize(
    ("target", "instructions", "registers"),
    [
        ("uno", "eor r2, r2; ret", "r2"),
        pytest.param("uno", "ldi r16, 0x5a; ldi r29, 0; ret", "r16, r29", marks=pytest.mark.slow),
        pytest.param("mega2560", "ldi r17, 1; mov r1, r17; ret", "r17, r1", marks=pytest.mark.slow),
        ("samd21", "movs r4, #0; mov r9, r4; bx lr", "r4, r9"),
        pytest.param("stm32f4", "mov.w r11, #0; bx lr", "r11", marks=pytest.mark.slow),
        ("bbb", "mov r7, #0; vmov.i32 q5, #0; bx lr", "r7, d10, d11"),
        ("rpi3", "mov x28, #0; fmov d8, x28; ret", "x28, d8"),
    ],
)
def test_a_register_that_is_not_restored_is_named(
    added_root: Path, target: str, instructions: str, registers: str
) -> None:
    firmware, made = _built(added_root, target, {"encrypt": "planted();"}, instructions)
    assert f"a call changed {registers} and did not restore" in (call_fault(firmware, made) or "")


def test_the_command_refuses_it_by_name(added_root: Path, bancada: Bancada) -> None:
    _built(added_root, "uno", {"encrypt": "planted();"}, "eor r2, r2; ret")
    done = bancada("check", "planted", "--target", "uno")
    assert done.returncode == 1
    assert "WRONG" in done.stdout
    assert "a call changed r2 and did not restore it" in done.stdout


@pytest.mark.parametrize(("target", "back"), [("uno", "ret"), ("samd21", "bx lr")])
def test_code_that_keeps_to_the_convention_passes(added_root: Path, target: str, back: str) -> None:
    firmware, made = _built(added_root, target, {"encrypt": "planted();"}, back)
    assert checking_firmware(firmware, made) is not None, "the check was made"
    assert call_fault(firmware, made) is None
