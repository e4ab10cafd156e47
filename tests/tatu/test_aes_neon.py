"""AES with NEON instructions, emulated: the same as OpenSSL's for every number of blocks, buffer and mode, in a way that no secret changes."""

from __future__ import annotations

import random
from pathlib import Path

import authentication_programs
import pytest
from cipher_programs import AES, OK, Block, Driver, aes_ecb, hexadecimal
from cryptography.hazmat.primitives.ciphers import Cipher as Reference
from cryptography.hazmat.primitives.ciphers import algorithms, modes
from cryptography.hazmat.primitives.ciphers.aead import AESCCM
from permutation_machines import LINUX, MACHINES, Machine, built
from ways import ways_taken

NEON = [machine for machine in MACHINES if not machine.is_bare_metal] + [
    Machine("cortex-a7-O3", LINUX, ("-mcpu=cortex-a7", "-mfpu=neon-vfpv4", "-O3"), ("qemu-arm", "-cpu", "cortex-a7")),
    Machine("cortex-a15-Os", LINUX, ("-mcpu=cortex-a15", "-mfpu=neon-vfpv4", "-Os"), ("qemu-arm", "-cpu", "cortex-a15")),
]
# Eight blocks are computed at once, fewer than five one by one; the modes give 64 at once.
BLOCKS = [*range(25), 63, 64, 65, 69, 133]
LENGTHS = [1, 16, 79, 80, 128, 200, 1023, 1024, 1025, 1040, 2100]
SECRETS = 64


@pytest.fixture(scope="module", params=NEON, ids=lambda machine: machine.name)
def machine(request: pytest.FixtureRequest) -> Machine:
    chosen: Machine = request.param
    return chosen


@pytest.fixture(scope="module")
def driver(machine: Machine, tmp_path_factory: pytest.TempPathFactory) -> Driver:
    modules = ("aes", "speck", "modes", "drbg", "entropy", "common")
    return Driver(built(machine, "cipher_driver.c", modules, tmp_path_factory.mktemp("aes")))


@pytest.fixture(scope="module")
def ccm(machine: Machine, tmp_path_factory: pytest.TempPathFactory) -> authentication_programs.Driver:
    modules = ("aes", "ccm", "cmac", "speck", "common")
    return authentication_programs.Driver(
        built(machine, "authentication_driver.c", modules, tmp_path_factory.mktemp("ccm"))
    )


@pytest.fixture(scope="module")
def timed(machine: Machine, tmp_path_factory: pytest.TempPathFactory) -> Path:
    return built(machine, "aes_time_driver.c", ("aes", "common"), tmp_path_factory.mktemp("time")).with_suffix("")


def mode_of(key: bytes, mode: modes.CBC | modes.CTR, message: bytes) -> bytes:
    return Reference(algorithms.AES(key), mode).encryptor().update(message)


@pytest.mark.parametrize("cipher", AES, ids=lambda cipher: cipher.name)
def test_any_number_of_blocks_in_place_and_apart(driver: Driver, cipher: Block) -> None:
    chance = random.Random(cipher.name)
    cases = [(chance.randbytes(cipher.key_bytes), chance.randbytes(16 * blocks)) for blocks in BLOCKS]
    encrypted = [aes_ecb(key, message) for key, message in cases]
    for layout in ("apart", "same"):
        sent = driver.run(f"ecb {cipher.name} encrypt {layout} {key.hex()} {hexadecimal(message)}" for key, message in cases)
        assert sent == [f"{OK} {hexadecimal(result)}" for result in encrypted]
        received = driver.run(
            f"ecb {cipher.name} decrypt {layout} {key.hex()} {hexadecimal(result)}"
            for (key, _), result in zip(cases, encrypted, strict=True)
        )
        assert received == [f"{OK} {hexadecimal(message)}" for _, message in cases]


@pytest.mark.parametrize("layout", ["apart", "same", "behind"])
@pytest.mark.parametrize("cipher", [c for c in AES if c.variant == "plain"], ids=lambda cipher: cipher.name)
def test_cbc_and_ctr_of_long_messages(driver: Driver, cipher: Block, layout: str) -> None:
    chance = random.Random(f"{cipher.name} {layout}")
    key, first = chance.randbytes(cipher.key_bytes), bytes(14) + b"\xff\xf0"  # the counter carries within the first batch
    padded = [chance.randbytes(16 * (length // 16)) for length in LENGTHS]
    packets = [first + mode_of(key, modes.CBC(first), message) for message in padded]
    received = driver.run(f"cbc {cipher.name} decrypt {layout} {key.hex()} - {packet.hex()}" for packet in packets)
    assert received == [f"{OK} {hexadecimal(message)}" for message in padded]
    messages = [chance.randbytes(length) for length in LENGTHS]
    packets = [first + mode_of(key, modes.CTR(first), message) for message in messages]
    received = driver.run(f"ctr {cipher.name} decrypt {layout} {key.hex()} - - {packet.hex()}" for packet in packets)
    assert received == [f"{OK} {message.hex()}" for message in messages]
    for message, packet in zip(messages, packets, strict=True):
        [sent] = driver.run([f"ctr {cipher.name} encrypt {layout} {key.hex()} {first.hex()} - {message.hex()}"])
        assert sent == f"{OK} {OK} {packet.hex()}"


@pytest.mark.parametrize("bits", [128, 192, 256])
def test_ccm_of_long_messages(ccm: authentication_programs.Driver, bits: int) -> None:
    chance = random.Random(bits)
    key, nonce, header = chance.randbytes(bits // 8), chance.randbytes(12), chance.randbytes(21)
    messages = [chance.randbytes(length) for length in LENGTHS]
    sealed = [AESCCM(key).encrypt(nonce, message, header) for message in messages]
    common = f"aes{bits} {key.hex()} {nonce.hex()} {header.hex()}"
    sent = ccm.run(f"ccm-encrypt {common} {message.hex()} alias 16" for message in messages)
    assert sent == [["0", packet[:-16].hex(), packet[-16:].hex()] for packet in sealed]
    received = ccm.run(f"ccm-decrypt {common} {packet[:-16].hex()} alias {packet[-16:].hex()}" for packet in sealed)
    assert received == [["0", message.hex()] for message in messages]


@pytest.mark.parametrize("bits", [128, 192, 256])
def test_the_way_does_not_depend_on_key_or_message(machine: Machine, timed: Path, bits: int) -> None:
    """Key schedule, 13 blocks (eight, and five padded to eight) and one block, both directions: the same edges as often."""
    assert ways_taken(machine, timed, f"measured_{bits}", SECRETS) == 1


def test_a_branch_on_a_bit_of_the_key_is_noticed(machine: Machine, timed: Path) -> None:
    assert ways_taken(machine, timed, "measured_leaky", SECRETS) == 2
