"""AES on Arm, assembly and its twin in C: the same as OpenSSL's for every number of blocks, buffer and mode."""

from __future__ import annotations

import random

import pytest
from cryptography.hazmat.primitives.ciphers import Cipher as Reference
from cryptography.hazmat.primitives.ciphers import algorithms, modes

from tests.tatu.aes_programs import AES_MACHINES
from tests.tatu.cipher_programs import AES, DRIVER, OK, PARTS, Block, aes_ecb, hexadecimal
from tests.tatu.machines import Driver, driver_on, runs_on

pytestmark = pytest.mark.long

# NEON computes eight blocks at once and fewer than five one by one; the modes give it 64 at once.
BLOCKS = [*range(25), 63, 64, 65, 69, 133]
LENGTHS = [1, 16, 79, 80, 128, 200, 1023, 1024, 1025, 1040, 2100]


@pytest.fixture(scope="module")
def driver(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Driver:
    return driver_on(request, DRIVER, PARTS, tmp_path_factory)


def mode_of(key: bytes, mode: modes.CBC | modes.CTR, message: bytes) -> bytes:
    return Reference(algorithms.AES(key), mode).encryptor().update(message)


@runs_on(*AES_MACHINES)
@pytest.mark.parametrize("cipher", AES, ids=lambda cipher: cipher.name)
def test_any_number_of_blocks_in_place_and_apart(driver: Driver, cipher: Block) -> None:
    chance = random.Random(cipher.name)
    cases = [(chance.randbytes(cipher.key_bytes), chance.randbytes(16 * blocks)) for blocks in BLOCKS]
    encrypted = [aes_ecb(key, message) for key, message in cases]
    for layout in ("apart", "same"):
        sent = driver.run(
            f"ecb {cipher.name} encrypt {layout} {key.hex()} {hexadecimal(message)}" for key, message in cases
        )
        assert sent == [f"{OK} {hexadecimal(result)}" for result in encrypted]
        received = driver.run(
            f"ecb {cipher.name} decrypt {layout} {key.hex()} {hexadecimal(result)}"
            for (key, _), result in zip(cases, encrypted, strict=True)
        )
        assert received == [f"{OK} {hexadecimal(message)}" for _, message in cases]


@runs_on(*AES_MACHINES)
@pytest.mark.parametrize("layout", ["apart", "same", "behind"])
@pytest.mark.parametrize("cipher", [c for c in AES if c.variant == "plain"], ids=lambda cipher: cipher.name)
def test_cbc_and_ctr_of_long_messages(driver: Driver, cipher: Block, layout: str) -> None:
    chance = random.Random(f"{cipher.name} {layout}")
    key, first = (
        chance.randbytes(cipher.key_bytes),
        bytes(14) + b"\xff\xf0",
    )  # the counter carries within the first batch
    padded = [chance.randbytes(16 * (length // 16)) for length in LENGTHS]
    packets = [first + mode_of(key, modes.CBC(first), message) for message in padded]
    received = driver.run(f"cbc {cipher.name} decrypt {layout} {key.hex()} - {packet.hex()}" for packet in packets)
    assert received == [f"{OK} {hexadecimal(message)}" for message in padded]
    messages = [chance.randbytes(length) for length in LENGTHS]
    packets = [first + mode_of(key, modes.CTR(first), message) for message in messages]
    received = driver.run(f"ctr {cipher.name} decrypt {layout} {key.hex()} - - {packet.hex()}" for packet in packets)
    assert received == [f"{OK} {message.hex()}" for message in messages]
    sent = driver.run(
        f"ctr {cipher.name} encrypt {layout} {key.hex()} {first.hex()} - {message.hex()}" for message in messages
    )
    assert sent == [f"{OK} {OK} {packet.hex()}" for packet in packets]
