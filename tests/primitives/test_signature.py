"""The primitive signature: its vectors against a second implementation, and devices that sign or verify wrongly, each
refused.

The devices here are Python that speaks for the firmware; tests/test_signature_device.py runs the real one.
"""

from __future__ import annotations

import random
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from math import lcm
from typing import cast

import pytest

from bancada.measure.laboratory import open_laboratory
from bancada.monitor.monitor import Facts, Monitor
from bancada.plan.case import Firmware
from bancada.primitives.discovery import read_primitives
from bancada.primitives.signature.algorithm import KeyPair, SignatureAlgorithm
from bancada.primitives.signature.client import SignatureClient

ALGORITHMS = ("rsa-pkcs1", "rsa-pss", "ecdsa-p256", "ecdsa-secp256k1")
OF_MESSAGES = ("ml-dsa-44",)
IN_PIECES = ("lms-sha256-m32", "slh-dsa-sha2-128s")


def named(algorithm: str) -> SignatureAlgorithm:
    found = read_primitives()["signature"].algorithm(algorithm)
    assert isinstance(found, SignatureAlgorithm)
    return found


@pytest.mark.parametrize("algorithm", [*ALGORITHMS, *OF_MESSAGES])
def test_official_vectors_and_the_independent_implementation_agree(algorithm: str) -> None:
    vectors = list(named(algorithm).verifications(True))
    assert sum(vector.valid for vector in vectors) >= 12
    assert sum(not vector.valid for vector in vectors) >= 40
    for vector in vectors:
        assert named(algorithm).holds(vector.public, vector.digest, vector.signature) == vector.valid, vector.name


@pytest.mark.parametrize("algorithm", ALGORITHMS)
def test_a_quick_run_has_some_of_every_kind(algorithm: str) -> None:
    quick = [vector.name for vector in named(algorithm).verifications(False)]
    full = [vector.name for vector in named(algorithm).verifications(True)]
    assert set(quick) < set(full)
    assert {name.split(" ")[0] for name in quick} == {name.split(" ")[0] for name in full}
    assert len(quick) < 100


def test_rsa_keys_are_in_the_form_that_the_contract_documents() -> None:
    source = random.Random(1)
    keys = {named("rsa-pkcs1").key_pair(source) for _ in range(100)}
    assert len(keys) >= 8
    for key in keys:
        parts, at = [], 0
        for size in (256, 4, 256, 128, 128, 128, 128, 128):
            parts.append(int.from_bytes(key.private[at : at + size], "big"))
            at += size
        n, e, d, p, q, dp, dq, qinv = parts
        assert at == len(key.private)
        assert key.public == key.private[:260]
        assert n == p * q
        assert n.bit_length() == 2048
        assert p > q
        assert e == 65537
        assert e * d % lcm(p - 1, q - 1) == 1
        assert (dp, dq, qinv * q % p) == (d % (p - 1), d % (q - 1), 1)


@pytest.mark.parametrize("algorithm", [*ALGORITHMS, *IN_PIECES])
def test_what_is_to_be_verified_is_the_same_in_every_run(algorithm: str) -> None:
    digest = bytes(range(32))
    first, second = (
        named(algorithm).sign(named(algorithm).key_pair(random.Random(7)), digest, random.Random(8)) for _ in range(2)
    )
    assert first == second
    assert named(algorithm).holds(named(algorithm).key_pair(random.Random(7)).public, digest, first)


def test_the_second_implementation_of_ml_dsa_is_right_in_many_threads() -> None:
    """A campaign has threads, and `dilithium-py` keeps state."""

    def signs(number: int) -> bool:
        source = random.Random(number)
        pair, digest = named("ml-dsa-44").key_pair(source), source.randbytes(32)
        return named("ml-dsa-44").holds(pair.public, digest, named("ml-dsa-44").sign(pair, digest, source))

    with ThreadPoolExecutor(4) as pool:
        assert all(pool.map(signs, range(20)))


def test_what_has_no_vectors_is_not_judged() -> None:
    signature = read_primitives()["signature"]
    assert signature.why_unjudged("rsa-pkcs1", 2048) is None
    assert "no vectors for the signature 'rsa-pkcs1' with a 4096-bit key" in str(
        signature.why_unjudged("rsa-pkcs1", 4096)
    )


class Device:
    """The firmware's side of the contract, right in everything; a test breaks one thing in it."""

    def __init__(self, algorithm: str) -> None:
        self.algorithm = named(algorithm)
        self.buffers: dict[int, bytes] = {}
        self.private = self.public = b""

    def sign(self, digest: bytes) -> bytes:
        pair = KeyPair(self.private, self.private[:260] if self.algorithm.signature_bytes == 256 else self.private[32:])
        return self.algorithm.sign(pair, digest, random.Random(self.buffers[1]))

    def verify(self, digest: bytes, signature: bytes) -> bool:
        return self.algorithm.holds(self.public, digest, signature)

    def write(self, buffer: int, data: bytes) -> None:
        self.buffers[buffer] = data

    def read(self, buffer: int, length: int) -> bytes:
        assert len(self.buffers[buffer]) == length
        return self.buffers[buffer]

    def call(self, operation: int, length: int = 0, count: int = 1, chain: int = 0) -> tuple[int, int]:
        if operation == 1:
            self.private = self.buffers[0]
        elif operation == 2:
            self.buffers[3] = self.sign(self.buffers[2])
        elif operation == 3:
            self.public = self.buffers[0]
        else:
            return (0 if self.verify(self.buffers[2], self.buffers[3]) else -1), 0
        return 0, 0


def failures(device: Device) -> list[str]:
    """The checks that the device does not pass, by name."""
    laboratory = open_laboratory()
    firmware = Firmware(
        target=laboratory.target("uno"),
        candidate=laboratory.candidate("tatu"),
        implementation="made-up/signature",
        primitive=laboratory.primitives["signature"],
        algorithm=device.algorithm.name,
        variant="plain",
        key_bits=device.algorithm.key_bits[0],
        block_bytes=0,
        digest_bytes=32,
        nonce_bytes=0,
        tag_bytes=0,
        adapter="adapter.h",
        sources=(),
        include=(),
        defines=(),
        adapter_defines=(),
        monitor_sources=(),
        operations=("sign", "verify"),
        cbc=None,
        optimisation="-Os",
        compiler_name="cc",
    )
    facts = Facts(3, 0, 0, 0, 0, 0, 0)
    client = SignatureClient(cast(Monitor, device), facts, firmware, device.algorithm, with_decrypt=False)
    results = {check.name: check.run() for check in client.checks(full=False)}
    return [name for name, (expected, got) in results.items() if expected != got]


@pytest.mark.parametrize("algorithm", ALGORITHMS)
def test_a_device_that_is_right_passes(algorithm: str) -> None:
    assert failures(Device(algorithm)) == []


def _takes_all(device: Device) -> None:
    device.verify = lambda digest, signature: True  # type: ignore[method-assign]


def _takes_none(device: Device) -> None:
    device.verify = lambda digest, signature: False  # type: ignore[method-assign]


def _looks_at_half_the_digest(device: Device) -> None:
    device.sign, sign = (lambda digest: sign(digest[:16] + bytes(16))), device.sign  # type: ignore[method-assign]
    right = device.verify
    device.verify = lambda digest, signature: right(digest, signature) or right(digest[:16] + bytes(16), signature)  # type: ignore[method-assign]


def _spoils_the_last_byte(device: Device) -> None:
    right = device.sign
    device.sign = lambda digest: right(digest)[:-1] + bytes([right(digest)[-1] ^ 1])  # type: ignore[method-assign]


def _keeps_the_first_public_key(device: Device) -> None:
    right, kept = device.verify, list[bytes]()

    def verify(digest: bytes, signature: bytes) -> bool:
        kept.append(device.public)
        device.public = kept[0]
        return right(digest, signature)

    device.verify = verify  # type: ignore[method-assign]


BREAKS = (_takes_all, _takes_none, _looks_at_half_the_digest, _spoils_the_last_byte, _keeps_the_first_public_key)


@pytest.mark.parametrize("spoil", BREAKS)
@pytest.mark.parametrize("algorithm", ["rsa-pkcs1", "ecdsa-secp256k1"])
def test_a_device_that_is_wrong_is_refused(algorithm: str, spoil: Callable[[Device], None]) -> None:
    device = Device(algorithm)
    spoil(device)
    assert failures(device)


def test_a_verifier_that_does_not_compare_with_the_modulus_is_refused() -> None:
    device = Device("rsa-pkcs1")
    right = device.verify

    def verify(digest: bytes, signature: bytes) -> bool:
        n = int.from_bytes(device.public[:256], "big")
        return right(digest, (int.from_bytes(signature, "big") % n).to_bytes(256, "big"))

    device.verify = verify  # type: ignore[method-assign]
    assert failures(device) == ["Wycheproof rsa_signature_2048_sha256_test tcId 244 (the signature is not reduced)"]


def test_a_verifier_that_ignores_what_is_behind_the_digest_info_is_refused() -> None:
    """Bleichenbacher's forgery with the public exponent 3: Wycheproof has it among the keys with e = 3."""
    device = Device("rsa-pkcs1")

    def verify(digest: bytes, signature: bytes) -> bool:
        n, e = int.from_bytes(device.public[:256], "big"), int.from_bytes(device.public[256:], "big")
        encoded = pow(int.from_bytes(signature, "big"), e, n).to_bytes(256, "big")
        return digest in encoded and encoded.startswith(b"\0\1\xff")

    device.verify = verify  # type: ignore[method-assign]
    assert len(failures(device)) > 10
