"""A call that returned failure has no time: the case fails with one sentence, and the other cases of the firmware are
measured."""

from __future__ import annotations

import random
from pathlib import Path
from typing import cast

import pytest

from bancada.catalogue.paths import data_root
from bancada.measure.batch import Batch, Found, work
from bancada.measure.laboratory import open_laboratory
from bancada.model.status import Status
from bancada.monitor.monitor import Facts, Monitor
from bancada.plan.case import Case, Workload
from bancada.plan.plan import plan
from bancada.primitives import read_primitives
from bancada.primitives.status import Refused, accepted

_FACTS = Facts(3, 16, 16, 16, 16, 0, 4096)


class _Device:
    """Answers every call as told, and takes a time for it."""

    def __init__(self, returned: int) -> None:
        self._returned = returned

    def write(self, buffer: int, data: bytes) -> None:
        assert data is not None

    def call(self, *_: object, **__: object) -> tuple[int, int]:
        return self._returned, 12345


def _a_case_of_each_operation() -> list[tuple[Workload, Case]]:
    """One of each operation of each primitive that an experiment has."""
    found: dict[tuple[str, str], tuple[Workload, Case]] = {}
    laboratory = open_laboratory()
    experiments = [
        laboratory.experiments[name]
        for name in ("sensor", "libraries", "biglittle", "channel", "hashes", "aead", "key-exchange", "post-quantum")
    ]
    signing = {
        "candidates": ("mbedtls",),
        "algorithms": ("ecdsa-p256",),
        "operations": ("sign", "verify"),
        "key_bits": (256,),
    }
    experiments.append(laboratory.experiments["biglittle"].model_copy(update=signing))
    for experiment in experiments:
        for workload in plan(laboratory, experiment, quick=True):
            for case in workload.cases if workload.firmware is not None else ():
                found.setdefault((case.firmware.primitive.name, case.operation), (workload, case))
    return list(found.values())


@pytest.mark.parametrize(
    ("workload", "case"),
    _a_case_of_each_operation(),
    ids=lambda one: f"{one.firmware.primitive.name} {one.operation}" if isinstance(one, Case) else "",
)
def test_no_primitive_takes_the_time_of_a_refusal(workload: Workload, case: Case) -> None:
    assert workload.firmware is not None
    primitive = case.firmware.primitive
    assert primitive.open(cast(Monitor, _Device(0)), _FACTS, workload.firmware, True).call(case) == 12345
    with pytest.raises(
        Refused,
        match=(
            f"^The device refused to {case.operation}: the library returned -1, and the time of a refusal is not a figure.$"
        ),
    ):
        primitive.open(cast(Monitor, _Device(-1)), _FACTS, workload.firmware, True).call(case)


def test_every_primitive_was_asked() -> None:
    assert {case.firmware.primitive.name for _, case in _a_case_of_each_operation()} >= read_primitives().keys() - {
        "keystream"
    }


@pytest.mark.parametrize("operation", ["encrypt", "decrypt", "receive"])
def test_a_key_that_is_refused_before_a_timed_call_is_no_key(operation: str) -> None:
    for workload, case in _a_case_of_each_operation():
        if case.operation == operation and case.firmware.primitive.name in ("block-cipher", "aead", "message"):
            assert workload.firmware is not None
            client = case.firmware.primitive.open(cast(Monitor, _Device(-1)), _FACTS, workload.firmware, True)
            if case.firmware.primitive.name != "message" or "+" in case.firmware.algorithm:
                with pytest.raises(Refused, match="refused to (set|take)"):
                    client.prepare(case, random.Random(1))


def test_what_succeeded_keeps_its_cycles() -> None:
    assert accepted((0, 7), "anything") == 7


@pytest.fixture
def refusing(added_root: Path) -> Path:
    """Tatu's Ascon, which refuses to encrypt a message of one hundred bytes: no vector has that length."""
    folder = added_root / "candidates" / "refusing"
    folder.mkdir(parents=True)
    ours = open_laboratory().candidates["tatu"]
    row = next(row for row in ours.implementation if row.algorithm == "ascon-aead128")
    adapter = (data_root() / "candidates" / "tatu" / row.adapter).read_text()
    (folder / "adapter.h").write_text(adapter.replace("bancada_aead_encrypt(", "ascon_encrypt(", 1) + _REFUSING)
    (folder / "candidate.toml").write_text(f"""
name = "refusing"
title = "Refusing"
version = "0"
licence = "MIT"
about = "For a test."
root = "tatu/src"

[[implementation]]
name = "ascon-aead128"
primitive = "aead"
algorithm = "ascon-aead128"
variant = ["plain"]
key_bits = [128]
nonce_bytes = 16
tag_bytes = 16
adapter = "adapter.h"
sources = ["ascon/**/*.[cS]", "common/**/*.[cS]"]
include = ["."]
adapter_defines = {list(row.adapter_defines)}
operations = ["set-key", "encrypt", "decrypt"]
""")
    return folder


_REFUSING = """
static inline int bancada_aead_encrypt(bancada_aead_context *context, uint8_t *output, const uint8_t *input, size_t length,
                                       const uint8_t *associated, size_t associated_length, const uint8_t *nonce, uint8_t *tag)
{
    if (length == 100) {
        return -3;
    }
    return ascon_encrypt(context, output, input, length, associated, associated_length, nonce, tag);
}
"""


def _found(workload: Workload, samples: int = 1) -> dict[Case, Found]:
    assert workload.firmware is not None
    target = workload.firmware.target
    batch = Batch((workload,), samples, False, {target.name: target.described}, frozenset())
    return {answer.case: answer.found for answers in work(batch) for answer in answers if answer.found is not None}


def test_on_the_device_only_the_case_that_is_refused_fails(refusing: Path) -> None:
    experiment = (
        open_laboratory()
        .experiments["aead"]
        .model_copy(update={"sizes_bytes": (16, 100), "associated_bytes": (0,), "algorithms": ("ascon-aead128",)})
    )
    workload = next(
        one for one in plan(open_laboratory(), experiment, ("uno",), ("refusing",), True) if one.firmware is not None
    )
    found = _found(workload)
    refused = {(case.operation, case.size_bytes) for case, one in found.items() if one.status is Status.FAILED}
    assert refused == {("encrypt", 100)}, {case.name: (one.status, one.reason) for case, one in found.items()}
    assert {one.status for one in found.values()} == {Status.OK, Status.FAILED}
    reasons = {one.reason for one in found.values() if one.status is Status.FAILED}
    assert reasons == {
        "The device refused to encrypt: the library returned -1, and the time of a refusal is not a figure."
    }


def test_a_message_that_the_firmware_has_no_room_for_fails_alone() -> None:
    experiment = (
        open_laboratory()
        .experiments["hashes"]
        .model_copy(update={"sizes_bytes": (16, 4096), "algorithms": ("sha-256",)})
    )
    workload = next(
        one for one in plan(open_laboratory(), experiment, ("samd21",), ("tatu",), True) if one.firmware is not None
    )
    found = {case.size_bytes: one for case, one in _found(workload).items()}
    assert found[16].status is Status.OK, found[16].reason
    assert found[4096].status is Status.FAILED
    assert (
        found[4096].reason
        == "A message of 4096 B is longer than the laboratory's firmware has room for on this device."
    )
