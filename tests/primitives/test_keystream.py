"""The primitive "keystream": blocks everywhere, messages where a device has room for them, and conformance sees a wrong
byte in either."""

from __future__ import annotations

import dataclasses
import shutil
from pathlib import Path

import pytest

from bancada.build.build import build
from bancada.catalogue.paths import data_root
from bancada.measure.conformance import conformance
from bancada.measure.device import open_device
from bancada.measure.laboratory import open_laboratory
from bancada.measure.metrics.cycles import marginal_cycles
from bancada.measure.run import run
from bancada.model.build import Conformance
from bancada.model.errors import UserError
from bancada.model.status import Status
from bancada.plan.case import Firmware
from bancada.plan.plan import plan
from tests.example_results import result as example

_EXPERIMENT = """
name = "streams"
title = "Streams"
question = "?"
study = "None."
citation = "None."
targets = ["{target}"]
candidates = ["{candidate}"]
algorithms = ["chacha20"]
operations = ["keystream"]
key_bits = [256]
optimisations = ["-O2"]
stream_sizes_bytes = [64, 1280]
samples = 16
"""

_CANDIDATE = """
name = "stream"
title = "Tatu's ChaCha20"
version = "0"
licence = "MIT"
about = "For a test."
root = "src"

[[implementation]]
name = "chacha20"
primitive = "keystream"
algorithm = "chacha20"
variant = ["plain"]
key_bits = [256]
block_bytes = 16
digest_bytes = 64
adapter = "chacha20.h"
sources = ["chacha20/**/*.[cS]", "common/**/*.[cS]"]
include = ["."]
operations = ["keystream"]
"""

_STREAM_CALL = "(void)!tatu_chacha20_crypt(context->key, output, input, length, counter, start + sizeof counter);"


@pytest.fixture
def candidate(added_root: Path) -> Path:
    """A copy of Tatu's ChaCha20 as a candidate of its own, whose adapter a test can break."""
    folder = added_root / "candidates" / "stream"
    (folder / "src").mkdir(parents=True)
    for module in ("chacha20", "poly1305", "common", "tatu"):
        shutil.copytree(data_root() / "tatu" / "src" / module, folder / "src" / module)
    shutil.copy2(data_root() / "candidates" / "tatu" / "chacha20.h", folder)
    (folder / "candidate.toml").write_text(_CANDIDATE)
    return folder


def _firmware(root: Path, target: str, candidate: str = "stream") -> Firmware:
    folder = root / "experiments" / "streams"
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "experiment.toml").write_text(_EXPERIMENT.format(target=target, candidate=candidate))
    (firmware,) = (
        workload.firmware
        for workload in plan(open_laboratory(), open_laboratory().experiments["streams"])
        if workload.firmware
    )
    return firmware


def _tested(firmware: Firmware) -> Conformance:
    made = build(firmware)
    assert made.status is Status.OK
    with open_device(firmware, made) as device:
        return conformance(firmware, device)


@pytest.mark.parametrize("target", ["stm32f4", "bbb", "rpi3"])
def test_blocks_and_messages_are_right(candidate: Path, added_root: Path, target: str) -> None:
    tested = _tested(_firmware(added_root, target))
    assert tested.first_failure is None
    # 64 blocks; 3 vectors of RFC 8439; around ten numbers of blocks three lengths each, and five more; guard bytes
    assert tested.passed == tested.total == 64 + 3 + 10 * 3 + 5 + 1


def test_on_avr_there_are_blocks_alone(candidate: Path, added_root: Path) -> None:
    tested = _tested(_firmware(added_root, "uno"))
    assert tested.first_failure is None
    assert tested.passed == tested.total == 64 + 1


@pytest.mark.parametrize(
    ("change", "first"),
    [
        (" if (length > 320) output[320] ^= 1;", "RFC 8439 A.2 vector 1"),
        (" if (length > 5183) output[5183] ^= 1;", "random message of 5184 B"),
        (" output[5184] = 0;", "nothing written beyond"),
        (" if (length == 640) output[639] = output[638];", "random message of 640 B"),
    ],
    ids=["the sixth block", "the last byte", "beyond the longest", "the tenth block"],
)
def test_a_wrong_byte_of_a_message_fails_by_name(candidate: Path, added_root: Path, change: str, first: str) -> None:
    adapter = candidate / "chacha20.h"
    text = adapter.read_text()
    assert text.count(_STREAM_CALL) == 1
    adapter.write_text(text.replace(_STREAM_CALL, _STREAM_CALL + change))
    tested = _tested(_firmware(added_root, "bbb"))
    assert (tested.first_failure or "").startswith(first), tested.first_failure


def test_messages_are_measured_beside_the_block(candidate: Path, added_root: Path) -> None:
    """A longer message takes longer; the block's figure is there besides, and on AVR alone, with a sentence for the
    messages."""
    _firmware(added_root, "bbb")
    (workload,) = plan(open_laboratory(), open_laboratory().experiments["streams"])
    assert workload.firmware is not None
    assert [case.size_bytes for case in workload.cases] == [16, 64, 1280]
    done = run(workload.firmware, build(workload.firmware), workload.cases, samples=2)
    cycles = [done.regions[case][0].cycles for case in workload.cases]
    assert cycles[2] > 5 * cycles[1] > 0
    assert cycles[0] > 0
    _firmware(added_root, "uno")
    (workload,) = plan(open_laboratory(), open_laboratory().experiments["streams"])
    assert workload.firmware is not None
    done = run(workload.firmware, build(workload.firmware), workload.cases, samples=2)
    block, *messages = workload.cases
    assert list(done.regions) == [block]
    assert [done.refused[case] for case in messages] == [
        f"A message of {size} B is longer than the laboratory's firmware has room for on this device."
        for size in (64, 1280)
    ]


def test_a_library_that_has_no_call_for_messages_keeps_its_block(candidate: Path, added_root: Path) -> None:
    adapter = candidate / "chacha20.h"
    adapter.write_text(adapter.read_text().split("#define BANCADA_STREAM 1")[0])
    firmware = _firmware(added_root, "bbb")
    tested = _tested(firmware)
    assert tested.first_failure is None
    assert tested.passed == tested.total == 64 + 1
    (workload,) = plan(open_laboratory(), open_laboratory().experiments["streams"])
    done = run(firmware, build(firmware), workload.cases, samples=2)
    assert list(done.regions) == [workload.cases[0]]


@pytest.mark.parametrize("size", [-1, 0, 16])
def test_a_message_is_longer_than_what_its_block_is_asked_by(added_root: Path, size: int) -> None:
    """Of 16 bytes it would be taken for the block, whose counter and nonce they are."""
    folder = added_root / "experiments" / "streams"
    folder.mkdir(parents=True)
    (folder / "experiment.toml").write_text(
        _EXPERIMENT.format(target="bbb", candidate="tatu").replace("[64, 1280]", f"[{size}]")
    )
    with pytest.raises(
        UserError, match=r"experiment.toml: key 'stream_sizes_bytes.0': Input should be greater than 16"
    ):
        open_laboratory().experiment("streams")


def test_cycles_of_further_bytes_are_of_messages_alone() -> None:
    """The block's 16 bytes are not a message: with it and one message there is no such figure."""
    block, short, long = (
        dataclasses.replace(example(), primitive="keystream", size_bytes=size, cycles_median=cycles)
        for size, cycles in ((16, 1400), (64, 1500), (1280, 20_000))
    )
    assert marginal_cycles([block, short, long]) == (20_000 - 1500) / (1280 - 64)
    assert marginal_cycles([block, long]) is None
