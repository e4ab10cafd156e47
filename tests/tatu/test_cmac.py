"""CMAC against NIST's examples (SP 800-38B), the PyPI package `cryptography`, and a model where that has no cipher."""

from __future__ import annotations

import random

import cryptography_vectors
import pytest
from cryptography.hazmat.primitives.cmac import CMAC

from tests.tatu.authentication_programs import (
    DRIVER,
    ERR_AUTHENTICATION,
    ERR_LENGTH,
    ERR_STATE,
    KEY_BYTES,
    OK,
    PARTS,
    flipped,
    text,
)
from tests.tatu.cmac_model import cmac_aes, cmac_speck64, doubled
from tests.tatu.machines import HOST_GCC, PORTABLE, Driver, assert_each, driver_on, runs_on


@pytest.fixture(scope="module")
def driver(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Driver:
    return driver_on(request, DRIVER, PARTS, tmp_path_factory)


def test_the_model_agrees_with_cryptography_on_doubling() -> None:
    """The model's other parts are what AES's are; its doubling is checked with a cipher of 8-byte blocks that both
    have."""
    from cryptography.hazmat.decrepit.ciphers.algorithms import TripleDES
    from cryptography.hazmat.primitives.ciphers import Cipher, modes

    for seed in range(32):
        key, message = random.Random(seed).randbytes(24), random.Random(seed).randbytes(8)
        encryptor = Cipher(TripleDES(key), modes.ECB()).encryptor()
        mac = CMAC(TripleDES(key))
        mac.update(message)
        subkey = doubled(encryptor.update(bytes(8)))
        assert encryptor.update(bytes(a ^ b for a, b in zip(message, subkey, strict=True))) == mac.finalize()


@runs_on(HOST_GCC, *PORTABLE)
@pytest.mark.parametrize("bits", [128, 192, 256])
def test_nist_examples(driver: Driver, bits: int) -> None:
    records: list[dict[str, str]] = []
    for line in cryptography_vectors.open_vector_file(f"CMAC/nist-800-38b-aes{bits}.txt", "r"):
        name, equals, value = line.partition("=")
        if name.strip() == "COUNT":
            records.append({})
        if equals:
            records[-1][name.strip()] = value.strip()
    assert len(records) >= 4
    for chunk in (0, 1, 16, 100):
        answers = driver.words(f"cmac aes{bits} {r['KEY']} {r['MESSAGE'] or '-'} {chunk} 16" for r in records)
        assert answers == [[OK, record["OUTPUT"]] for record in records]


@runs_on(HOST_GCC)
@pytest.mark.parametrize("cipher", KEY_BYTES)
def test_every_length_whole_and_in_pieces(driver: Driver, cipher: str) -> None:
    source = random.Random(cipher)
    cases = [(source.randbytes(KEY_BYTES[cipher]), source.randbytes(length)) for length in range(301)]
    reference = cmac_speck64 if cipher == "speck64" else cmac_aes
    tags = [reference(key, message) for key, message in cases]
    size = len(tags[0])
    for chunk in (0, 1, 7, 16, 17):
        names = [f"{len(message)} bytes in pieces of {chunk}" for _, message in cases]
        answers = driver.words(f"cmac {cipher} {k.hex()} {text(m)} {chunk} {size}" for k, m in cases)
        assert_each(answers, [[OK, tag.hex()] for tag in tags], names)
        answers = driver.words(
            f"cmac-verify {cipher} {k.hex()} {text(m)} {chunk} {tag.hex()}"
            for (k, m), tag in zip(cases, tags, strict=True)
        )
        assert_each(answers, [[OK]] * len(cases), names)


@runs_on(HOST_GCC)
@pytest.mark.parametrize(("cipher", "block_bytes"), [("aes128", 16), ("speck64", 8)])
def test_a_short_tag_is_the_beginning_of_the_whole(driver: Driver, cipher: str, block_bytes: int) -> None:
    key, message = bytes(range(16)), b"message"
    whole = (cmac_speck64 if cipher == "speck64" else cmac_aes)(key, message)
    for size in range(block_bytes + 2):
        valid = 4 <= size <= block_bytes
        expected = [OK, text(whole[:size])] if valid else [ERR_LENGTH, text(bytes(size))]
        tag = (whole + bytes(2))[:size]
        for chunk in (0, 3):
            made, verified = driver.words(
                [
                    f"cmac {cipher} {key.hex()} {message.hex()} {chunk} {size}",
                    f"cmac-verify {cipher} {key.hex()} {message.hex()} {chunk} {text(tag)}",
                ]
            )
            assert made == expected
            assert verified == [OK if valid else ERR_LENGTH]


@runs_on(HOST_GCC, *PORTABLE)
@pytest.mark.parametrize("chunk", [0, 5])
def test_every_flipped_bit_is_noticed(driver: Driver, chunk: int) -> None:
    key, message = bytes(range(16)), b"a message of 21 bytes"
    tag = cmac_aes(key, message)
    commands = []
    for part, data in enumerate((key, message, tag)):
        for bit in range(8 * len(data)):
            parts = [key, message, tag]
            parts[part] = flipped(data, bit)
            commands.append(f"cmac-verify aes128 {parts[0].hex()} {parts[1].hex()} {chunk} {parts[2].hex()}")
    assert driver.words(commands) == [[ERR_AUTHENTICATION]] * len(commands)


@runs_on(HOST_GCC, *PORTABLE)
def test_a_message_that_was_ended_twice_is_an_error(driver: Driver) -> None:
    [answer] = driver.words(["cmac-misuse"])
    tag = cmac_aes(bytes(16), bytes(16)).hex()
    assert answer == [OK, ERR_STATE, ERR_STATE, "00" * 16, OK, tag]
