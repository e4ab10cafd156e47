"""A target is a folder: nothing else knows of the ATmega2560 than its TOML and its core's."""

from __future__ import annotations

import subprocess
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest

from bancada.build.build import build
from bancada.catalogue.paths import data_root
from bancada.measure.conformance import conformance
from bancada.measure.device import open_device
from bancada.measure.laboratory import open_laboratory
from bancada.measure.run import run
from bancada.model.status import Status
from bancada.plan.case import Firmware
from bancada.plan.plan import plan


@pytest.mark.parametrize("implementation", ["tatu/aes128/small", "tatu/speck128-256"])
def test_the_mega2560_runs_the_same_implementations(
    implementation: str, firmware_of: Callable[[str], Firmware]
) -> None:
    firmware = replace(firmware_of(implementation), target=open_laboratory().target("mega2560"))
    made = build(firmware)
    assert made.status is Status.OK, made.reason
    with open_device(firmware, made) as device:
        tested = conformance(firmware, device)
    assert tested.first_failure is None
    workloads = plan(open_laboratory(), open_laboratory().experiments["sensor"], only_targets=("mega2560",), quick=True)
    cases = next(workload.cases for workload in workloads if workload.firmware == firmware)
    on_mega = run(firmware, made, cases, 16)
    uno = replace(firmware, target=open_laboratory().target("uno"))
    on_uno = run(uno, build(uno), cases, 16)
    for case in cases:
        # A call and its return each take one cycle more with a 22-bit program counter: at least those two.
        assert on_mega.regions[case][0].cycles >= on_uno.regions[case][0].cycles + 2, case.name


def test_no_module_names_a_target() -> None:
    listed = subprocess.run(
        ["grep", "-rlE", "mega2560|avr6", "--include=*.py", str(data_root() / "bancada")],
        capture_output=True,
        text=True,
    )
    assert listed.stdout == ""


def test_what_does_not_fit_says_by_how_much_and_names_the_biggest(added_root: Path) -> None:
    folder = added_root / "candidates" / "bulky"
    folder.mkdir(parents=True)
    (folder / "bulky.h").write_text("""
#define BANCADA_ONE_KEY 1
typedef struct { uint8_t key[16]; } bancada_encrypt_context;
extern uint8_t bulky_table[3000];
static inline void bancada_set_encrypt_key(bancada_encrypt_context *c, const uint8_t *key) { c->key[0] = key[0]; }
static inline void bancada_encrypt(bancada_encrypt_context *c, uint8_t *out, const uint8_t *in) { out[0] = bulky_table[in[0]]; }
""")
    (folder / "bulky.c").write_text("#include <stdint.h>\nuint8_t bulky_table[3000];\n")
    (folder / "candidate.toml").write_text("""
name = "bulky"
title = "Bulky"
version = "0"
licence = "MIT"
about = "For a test."

[[implementation]]
name = "aes{key_bits}"
primitive = "block-cipher"
algorithm = "aes"
variant = ["plain"]
key_bits = [128]
block_bytes = 16
adapter = "bulky.h"
sources = ["bulky.c"]
operations = ["set-key", "encrypt"]
""")
    workloads = plan(
        open_laboratory(), open_laboratory().experiments["libraries"], only_candidates=("bulky",), quick=True
    )
    made = build(next(workload.firmware for workload in workloads if workload.firmware))
    assert made.status is Status.DOES_NOT_FIT
    # 3000 B of table and 64 B of a caller's key, blocks and context, in 2048 B
    assert made.reason is not None
    assert "needs 1016 B more RAM than the 2048 B there are" in made.reason
    assert "bulky_table 3000 B" in made.reason
