"""Conformance catches what is wrong, by name, and passes what is right."""

from __future__ import annotations

import os
import random
from collections.abc import Callable
from pathlib import Path

import pytest

from bancada.build.build import build
from bancada.measure.conformance import conformance
from bancada.measure.device import open_device
from bancada.measure.laboratory import open_laboratory
from bancada.model.status import Status
from bancada.plan.case import Firmware
from bancada.plan.plan import plan
from bancada.primitives.block_cipher.checks import randomness_faults


def test_a_broken_s_box_byte_fails_by_name(broken_tatu: Path) -> None:
    experiment = open_laboratory().experiments["libraries"]
    workloads = plan(open_laboratory(), experiment, only_candidates=("broken",), quick=True)
    firmware = next(workload.firmware for workload in workloads if workload.firmware)
    made = build(firmware)
    assert made.status is Status.OK
    with open_device(firmware, made) as device:
        tested = conformance(firmware, device)
    assert 0 < tested.passed < tested.total
    assert tested.first_failure is not None
    assert tested.first_failure.startswith("AESAVS ECB")
    assert "expected" in tested.first_failure
    assert "got" in tested.first_failure


def test_tatu_passes_every_aes_vector_and_makes_its_own_iv(firmware_of: Callable[[str], Firmware]) -> None:
    firmware = firmware_of("tatu/aes128")
    made = build(firmware)
    with open_device(firmware, made) as device:
        tested = conformance(firmware, device)
    assert tested.first_failure is None
    # 7 + 21 + 128 + 128 + 10 messages, both directions, ECB and CBC; 2 Monte-Carlo rounds of each; 64 random blocks; 3
    # of IVs; 1 of guard bytes
    assert tested.passed == tested.total == 2 * 2 * 294 + 2 * 2 * 2 + 2 * 64 + 3 + 1
    assert tested.sp800_38a == "library makes a fresh IV"


def test_random_ivs_pass_the_look_at_ivs() -> None:
    source = random.Random(1)
    assert randomness_faults([source.randbytes(16) for _ in range(2000)]) == []
    assert randomness_faults([os.urandom(16) for _ in range(2000)]) == []


def test_bad_ivs_do_not() -> None:
    source = random.Random(2)
    assert any("repeats" in fault for fault in randomness_faults([bytes(16)] * 2000))
    counting = [number.to_bytes(16, "big") for number in range(2000)]
    assert any("bit" in fault for fault in randomness_faults(counting))
    one_stuck_bit = [bytes([source.randbytes(1)[0] | 1]) + source.randbytes(15) for _ in range(2000)]
    assert randomness_faults(one_stuck_bit) == ["bit 0 is one in 2000 of 2000 IVs"]


@pytest.mark.parametrize(
    ("line", "sane"),
    [("", True), ("output[16] = 0;", False), ("((uint8_t *)context)[sizeof *context] = 0;", False)],
    ids=["as it is", "beyond its output", "beyond its context"],
)
def test_writing_out_of_bounds_is_not_conformant(broken_tatu: Path, line: str, sane: bool) -> None:
    """The right ciphertext, and one byte where none belongs."""
    for table in (broken_tatu / "src" / "aes").glob("aes_sbox*"):
        table.write_text(table.read_text().replace("0x63, 0x7d", "0x63, 0x7c", 1))
    adapter = broken_tatu / "one_key.h"
    call = "TATU(_encrypt)(context, output, input);"
    assert call in adapter.read_text()
    adapter.write_text(adapter.read_text().replace(call, f"{call} {line}"))
    workloads = plan(
        open_laboratory(), open_laboratory().experiments["libraries"], only_candidates=("broken",), quick=True
    )
    firmware = next(workload.firmware for workload in workloads if workload.firmware)
    with open_device(firmware, build(firmware)) as device:
        tested = conformance(firmware, device)
    assert tested.total - tested.passed == (0 if sane else 1), tested.first_failure
    assert sane or (tested.first_failure or "").startswith("nothing written beyond")
