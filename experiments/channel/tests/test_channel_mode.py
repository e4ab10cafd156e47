"""The primitive "mode": every implementation on an emulated device against official vectors, and planted faults that
must be found.
"""

from __future__ import annotations

import ctypes
import dataclasses
import random
import subprocess
from collections.abc import Callable
from pathlib import Path
from typing import cast

import pytest

from bancada.build.build import build
from bancada.catalogue.catalogue import named
from bancada.catalogue.paths import cache_folder, data_root
from bancada.measure.conformance import conformance
from bancada.measure.device import open_device
from bancada.measure.laboratory import open_laboratory
from bancada.measure.run import run
from bancada.model.build import Conformance
from bancada.monitor.monitor import DeviceError, Facts, Monitor
from bancada.plan.case import Case, Firmware
from bancada.plan.plan import plan
from bancada.primitives.mode.algorithm import ModeAlgorithm
from bancada.primitives.mode.algorithms.mode_aes_cbc import ALGORITHM as CBC
from bancada.primitives.mode.algorithms.mode_aes_ccm import ALGORITHM as CCM
from bancada.primitives.mode.algorithms.mode_ascon_aead128 import ALGORITHM as ASCON
from bancada.primitives.mode.client import ModeClient
from bancada.sources.fetch import fetch

_KEY, _IV = bytes(range(16)), bytes(range(16, 32))


def _planned(target: str, implementation: str) -> tuple[Firmware, tuple[Case, ...]]:
    for workload in plan(open_laboratory(), open_laboratory().experiments["channel"], (target,)):
        if workload.firmware and workload.firmware.implementation == implementation:
            return workload.firmware, workload.cases
    raise KeyError(implementation)


def _conformance(firmware: Firmware) -> Conformance:
    made = build(firmware)
    assert made.elf_path, made.reason
    with open_device(firmware, made, is_counted=False) as device:
        return conformance(firmware, device)


@pytest.mark.parametrize(
    "implementation",
    ["relic/aes192-cbc-message", "tatu/aes192-cbc-message", "tatu/aes256-ccm-message", "tatu/ascon-aead128-message"],
)
def test_official_vectors_on_the_device(implementation: str) -> None:
    firmware, _ = _planned("rpi3", implementation)
    tested = _conformance(firmware)
    assert tested.passed == tested.total > 100, tested.first_failure


@pytest.mark.parametrize("implementation", ["tatu/aes128-cbc-message", "tatu/aes128-ccm-message"])
def test_the_smallest_device_has_room_for_a_mode(implementation: str) -> None:
    firmware, _ = _planned("uno", implementation)
    tested = _conformance(firmware)
    assert tested.passed == tested.total > 100, tested.first_failure


def test_what_is_timed_to_decrypt_is_a_message() -> None:
    """The device makes the message itself: decrypting one takes about what it took to encrypt, not the time of a
    refusal.
    """
    firmware, cases = _planned("bbb", "tatu/ascon-aead128-message")
    small = tuple(dataclasses.replace(case, size_bytes=4096) for case in cases if case.size_bytes == 1215)
    regions = run(firmware, build(firmware), small, 1).regions
    cycles = {case.operation: found[0].cycles for case, found in regions.items()}
    assert set(cycles) == {"encrypt", "decrypt"}
    assert 0.8 < cycles["decrypt"] / cycles["encrypt"] < 1.25


class _Refusing:
    """A device that refuses every call, and takes a time for it."""

    def write(self, buffer: int, data: bytes) -> None:
        assert data is not None

    def call(self, *_: object, **__: object) -> tuple[int, int]:
        return -1, 12345


@pytest.mark.parametrize("operation", ["encrypt", "decrypt"])
def test_the_time_of_a_refusal_is_no_figure(operation: str) -> None:
    firmware, cases = _planned("rpi3", "tatu/ascon-aead128-message")
    client = ModeClient(cast(Monitor, _Refusing()), Facts(3, 0, 16, 0, 0, 0, 4096), firmware, CBC, True)
    case = next(case for case in cases if case.operation == operation)
    with pytest.raises(DeviceError, match=rf"refused to {operation}"):
        client.call(case)
    if operation == "decrypt":
        with pytest.raises(DeviceError, match="refused to make the message to decrypt"):
            client.prepare(case, random.Random(1))


@pytest.mark.parametrize(
    ("fault", "where", "instead", "failure"),
    [
        # RELIC's own word is taken for it.
        ("trusting", "return *output_bytes < length ? 0 : -1;", "return 0;", "not a padding"),
        (
            "fixed-iv",
            "bancada_entropy(NULL, output, BANCADA_NONCE_BYTES) != 0",
            "memset(output, 0, BANCADA_NONCE_BYTES) == NULL",
            "encrypt",
        ),
    ],
)
def test_a_planted_fault_is_found(added_root: Path, fault: str, where: str, instead: str, failure: str) -> None:
    folder = added_root / "candidates" / "faulty"
    folder.mkdir(parents=True)
    ours = data_root() / "candidates" / "relic"
    adapter = (ours / "mode_cbc.h").read_text()
    assert where in adapter
    (folder / "mode_cbc.h").write_text(adapter.replace(where, instead))
    (folder / "relic_conf.h").write_text((ours / "relic_conf.h").read_text())
    (folder / "candidate.toml").write_text(
        (ours / "candidate.toml").read_text().replace('name = "relic"', 'name = "faulty"')
    )
    relic, _ = _planned("rpi3", "relic/aes128-cbc-message")
    tested = _conformance(dataclasses.replace(relic, candidate=open_laboratory().candidate("faulty")))
    assert tested.passed < tested.total
    assert tested.first_failure is not None and failure in tested.first_failure, fault


def test_messages_that_must_be_sent() -> None:
    """NIST's ciphertext stands in what is sent, between the IV and a block of padding."""
    # SP 800-38A, F.2.1: CBC-AES128.
    key, iv = bytes.fromhex("2b7e151628aed2a6abf7158809cf4f3c"), bytes(range(16))
    plaintext = bytes.fromhex("6bc1bee22e409f96e93d7e117393172aae2d8a571e03ac9c9eb76fac45af8e51")
    ciphertext = bytes.fromhex("7649abac8119b246cee98e9b12e9197d5086cb9b507219ee95db113a917678b2")
    made = CBC.send(key, iv, b"", plaintext, 0)
    assert made[:48] == iv + ciphertext and len(made) == 64
    assert len(CBC.send(_KEY, _IV, b"", bytes(1215), 0)) == 16 + 1216
    assert len(CCM.send(_KEY, bytes(12), b"", bytes(1215), 16)) == 12 + 1215 + 16
    assert len(ASCON.send(_KEY, _IV, b"", bytes(9), 16)) == 16 + 9 + 16


@pytest.mark.parametrize(
    ("algorithm", "bits", "least"), [(CBC, 128, 500), (CBC, 256, 700), (CCM, 192, 10), (ASCON, 128, 33)]
)
def test_there_are_official_vectors(algorithm: ModeAlgorithm, bits: int, least: int) -> None:
    assert len(list(algorithm.vectors(bits))) >= least


@pytest.fixture(scope="module")
def relic_decrypt(tmp_path_factory: pytest.TempPathFactory) -> Callable[[bytes, bytes], tuple[int, int]]:
    """RELIC's own bc_aes_cbc_dec on this machine: what it returns, and the length that it gives."""
    source = named("candidate", open_laboratory().candidates, "relic").source
    assert source is not None
    root = fetch(source, cache_folder()) / "relic"
    made = tmp_path_factory.mktemp("relic") / "relic.so"
    files = [root / "src" / "bc" / name for name in ("relic_bc_aes.c", "rijndael-alg-fst.c", "rijndael-api-fst.c")]
    folders = [data_root() / "candidates" / "relic", root / "include", root / "src" / "bc"]
    subprocess.run(
        [
            "cc",
            "-O2",
            "-w",
            "-shared",
            "-fPIC",
            *(f"-I{folder}" for folder in folders),
            *map(str, files),
            "-o",
            str(made),
        ],
        check=True,
    )
    library = ctypes.CDLL(str(made))

    def decrypt(key: bytes, body: bytes) -> tuple[int, int]:
        output = ctypes.create_string_buffer(len(body))
        length = ctypes.c_size_t(len(body))
        returned = library.bc_aes_cbc_dec(
            output,
            ctypes.byref(length),
            body[16:],
            ctypes.c_size_t(len(body) - 16),
            key,
            ctypes.c_size_t(len(key)),
            body[:16],
        )
        return returned, length.value

    return decrypt


def test_relic_calls_wrong_padding_right(relic_decrypt: Callable[[bytes, bytes], tuple[int, int]]) -> None:
    """What README.md says of RELIC 0.6.0, and why its adapter looks at the length."""
    body = CBC.send(_KEY, _IV, b"", b"a message", 0)
    assert relic_decrypt(_KEY, body) == (0, 9)
    returned, length = relic_decrypt(bytes(16), body)
    assert returned == 0 and length == 2**64 - 8
