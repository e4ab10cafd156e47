"""Signatures by real firmware, on an emulated Linux device and on an emulated microcontroller: right ones pass, and
each fault planted in an adapter is found."""

from __future__ import annotations

import random
import re
from itertools import islice
from pathlib import Path
from statistics import median

import pytest

from bancada.build.build import build
from bancada.catalogue.paths import data_root
from bancada.measure.device import open_device
from bancada.measure.laboratory import open_laboratory
from bancada.measure.run import run
from bancada.plan.plan import plan
from tests.laboratory_fixtures import Bancada

pytestmark = pytest.mark.long

# How many signatures are measured in each of two runs.
CALLS = 4

# What is changed in the adapter of BearSSL's ECDSA, and what then fails first.
FAULTS = {
    "a verifier that takes everything": (
        "&key, signature, SIGNATURE_BYTES) != 1;",
        "&key, signature, SIGNATURE_BYTES) > 1;",
        "expected refused, got accepted",
    ),
    "a signer that forgets the last byte of the digest": (
        "&br_sha256_vtable, digest, &key",
        "&br_sha256_vtable, (memcpy(other, digest, 31), other), &key",
        "expected a signature that holds, got one that does not",
    ),
    "a signer that writes beyond the signature": (
        "    br_ec_private_key key",
        "    signature[SIGNATURE_BYTES] = 1;\n    br_ec_private_key key",
        "a call wrote outside its buffers: behind the signature",
    ),
    "a signer that reports an error": (
        "&key, signature) != SIGNATURE_BYTES;",
        "&key, signature) == SIGNATURE_BYTES;",
        "got an error",
    ),
}


def _candidate(root: Path, old: str, new: str) -> None:
    """A candidate `signer`: BearSSL's ECDSA in 31-bit words, its adapter changed."""
    folder = root / "candidates" / "signer"
    folder.mkdir(parents=True)
    ours = data_root() / "candidates" / "bearssl"
    adapter = (ours / "ecdsa.h").read_text()
    assert adapter.count(old) == 1
    changed = adapter.replace(old, new).replace(
        "static inline int bancada_sign(", "static uint8_t other[32];\n\nstatic inline int bancada_sign("
    )
    (folder / "ecdsa.h").write_text(changed)
    head, *rows = (ours / "candidate.toml").read_text().split("[[implementation]]")
    row = next(row for row in rows if '"ecdsa-p{key_bits}/i31"' in row)
    (folder / "candidate.toml").write_text(
        head.replace('name = "bearssl"', 'name = "signer"') + "[[implementation]]" + row
    )


# A microcontroller's own part is shown below: it reports its keys, and Tatu verifies on one.
@pytest.mark.parametrize("target", ["bbb", pytest.param("stm32f4", marks=pytest.mark.slow)])
def test_a_library_that_is_right_passes_on_the_device(bancada: Bancada, tmp_path: Path, target: str) -> None:
    _candidate(tmp_path, "digest, &key, signature)", "digest, &key, signature)")
    done = bancada("check", "signer", "--target", target, "--optimisation", "-O2", BANCADA_PATH=str(tmp_path))
    found = re.search(r"right, (\d+) of (\d+) vectors", done.stdout)
    assert done.returncode == 0 and found is not None, done.stdout + done.stderr
    assert int(found.group(1)) == int(found.group(2)) > 80


# tests/primitives/test_signature.py shows the same checks each fault, without firmware.
@pytest.mark.parametrize(
    "fault",
    [
        "a verifier that takes everything",
        "a signer that writes beyond the signature",
        pytest.param("a signer that forgets the last byte of the digest", marks=pytest.mark.slow),
        pytest.param("a signer that reports an error", marks=pytest.mark.slow),
    ],
)
def test_a_library_that_is_wrong_is_refused_on_the_device(bancada: Bancada, tmp_path: Path, fault: str) -> None:
    old, new, expected = FAULTS[fault]
    _candidate(tmp_path, old, new)
    done = bancada("check", "signer", "--target", "bbb", "--optimisation", "-O2", BANCADA_PATH=str(tmp_path))
    assert done.returncode == 1, done.stdout + done.stderr
    assert expected in " ".join(done.stdout.split())


def test_a_key_of_two_thousand_bits_is_reported_whole() -> None:
    experiment = (
        open_laboratory()
        .experiments["signatures"]
        .model_copy(update={"algorithms": ("rsa-pkcs1",), "key_bits": (2048,)})
    )
    firmware = next(
        one.firmware
        for one in plan(open_laboratory(), experiment, ("stm32f4",), ("bearssl",), quick=True)
        if one.firmware
    )
    with open_device(firmware, build(firmware)) as device:
        assert device.facts.key_bytes == 256


def test_signatures_are_measured_the_same_in_every_run() -> None:
    """Random bytes are the host's, so a second run of the same keys and digests takes the same instructions."""
    laboratory = open_laboratory()
    chosen = {"algorithms": ("ecdsa-p256",), "optimisations": ("-O2",)}
    experiment = laboratory.experiments["signatures"].model_copy(update=chosen)
    workload = next(one for one in plan(laboratory, experiment, ("bbb",), ("openssl",)) if one.firmware)
    firmware = workload.firmware
    assert firmware is not None
    made = build(firmware)
    with open_device(firmware, made) as device:
        for check in islice(device.client.checks(False), 6):
            expected, found = check.run()
            assert found == expected, check.name
    cases = tuple(case for case in workload.cases if case.operation in ("sign", "verify"))
    runs = [run(firmware, made, cases, CALLS).regions for _ in range(2)]
    first, second = (
        {case.operation: [region.cycles for region in regions] for case, regions in measured.items()}
        for measured in runs
    )
    assert first == second
    assert {operation: len(cycles) for operation, cycles in first.items()} == {"sign": CALLS, "verify": CALLS}
    # Verifying multiplies two points, signing one, the base point, of which multiples are known beforehand.
    assert median(first["verify"]) > 1.5 * median(first["sign"])


# Tatu's verification on the Arduino UNO: how many checks are run, and the most cycles that a timed call may take.
ON_THE_UNO = {
    "lms-sha256-m32": (20, 12_100_000),
    "slh-dsa-sha2-128s": (3, 45_000_000),
    "rsa-pkcs1": (6, 25_000_000),
    "rsa-pss": (4, 25_000_000),
}


@pytest.mark.parametrize("algorithm", ON_THE_UNO)
def test_tatu_verifies_on_two_kilobytes_of_ram(algorithm: str) -> None:
    count, most_cycles = ON_THE_UNO[algorithm]
    laboratory = open_laboratory()
    experiment = laboratory.experiments["signatures"].model_copy(update={"algorithms": (algorithm,)})
    workload = next(one for one in plan(laboratory, experiment, ("uno",), ("tatu",), quick=True) if one.firmware)
    firmware, case = workload.firmware, workload.cases[0]
    assert firmware is not None and case.operation == "verify"
    with open_device(firmware, build(firmware)) as device:
        for check in islice(device.client.checks(False), count):
            expected, found = check.run()
            assert found == expected, check.name
        device.client.prepare(case, random.Random(1))
        device.session.regions()
        device.client.call(case)
        regions = device.session.regions()
        if not firmware.primitive.is_in_pieces(firmware):
            regions = regions[:1]  # the call is repeated for the device's timer
        assert 0 < sum(region.cycles for region in regions) < most_cycles
