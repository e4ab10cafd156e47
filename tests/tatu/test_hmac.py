"""HMAC-SHA-256 against RFC 4231 and Python's hmac; HKDF-SHA-256 against RFC 5869 and PyPI's `cryptography`."""

from __future__ import annotations

import hmac
import random
from collections.abc import Iterator

import cryptography_vectors
import pytest
from cryptography.hazmat.primitives.hashes import SHA256
from cryptography.hazmat.primitives.kdf.hkdf import HKDF

from tests.tatu.machines import CORTEX_M4, HOSTS, PORTABLE, Driver, assert_each, driver_on, runs_on

OK, ERR_LENGTH, ERR_AUTHENTICATION, ERR_STATE = "0", "-1", "-4", "-5"
MACHINES = (*HOSTS, *PORTABLE, CORTEX_M4)


@pytest.fixture(scope="module")
def driver(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Driver:
    return driver_on(request, "hmac_driver.c", ("hmac", "hkdf", "sha2", "common"), tmp_path_factory)


def text(data: bytes) -> str:
    return data.hex() or "-"


def tag_of(key: bytes, message: bytes) -> bytes:
    return hmac.digest(key, message, "sha256")


def records(path: str, first: str) -> Iterator[dict[str, str]]:
    """The records of a vector file; each begins with the name `first`."""
    record: dict[str, str] = {}
    for line in cryptography_vectors.open_vector_file(path, "r"):
        name, equals, value = line.partition("=")
        if not equals or line.startswith("#"):
            continue
        if name.strip() == first and record:
            yield record
            record = {}
        record[name.strip()] = value.strip()
    yield record


@runs_on(*MACHINES)
def test_rfc_4231_vectors(driver: Driver) -> None:
    vectors = list(records("HMAC/rfc-4231-sha256.txt", "Len"))
    assert len(vectors) >= 6
    for chunk in (0, 1, 7, 64):
        answers = driver.words(f"hmac {v['Key']} {v['Msg'][: 2 * (int(v['Len']) // 8)]} {chunk}" for v in vectors)
        # Some vectors give only the beginning of the tag.
        assert_each(
            [[result, tag[: len(v["MD"])]] for (result, tag), v in zip(answers, vectors, strict=True)],
            [[OK, v["MD"].lower()] for v in vectors],
            (f"vector {number} in pieces of {chunk}" for number in range(len(vectors))),
        )


@runs_on(*MACHINES)
def test_keys_and_messages_of_every_length(driver: Driver) -> None:
    chance = random.Random(2104)
    cases = [(chance.randbytes(length), chance.randbytes(200 - length)) for length in range(201)]
    for chunk in (0, 1, 63, 65):
        names = [f"key of {len(key)} bytes in pieces of {chunk}" for key, _ in cases]
        answers = driver.words(f"hmac {text(key)} {text(message)} {chunk}" for key, message in cases)
        assert_each(answers, [[OK, tag_of(*case).hex()] for case in cases], names)


@runs_on(*MACHINES)
def test_every_flipped_bit_and_every_length_of_a_tag(driver: Driver) -> None:
    key, message = bytes(range(32)), b"a message of 21 bytes"
    tag = tag_of(key, message)
    for chunk in (0, 5):
        start = f"verify {key.hex()} {message.hex()} {chunk}"
        flipped = [bytes(b ^ (1 << bit % 8) * (i == bit // 8) for i, b in enumerate(tag)) for bit in range(256)]
        assert driver.run(f"{start} {wrong.hex()}" for wrong in flipped) == [ERR_AUTHENTICATION] * 256
        answers = driver.run(f"{start} {text((tag + bytes(2))[:length])}" for length in range(35))
        assert_each(answers, [OK if 16 <= length <= 32 else ERR_LENGTH for length in range(35)], range(35))


@runs_on(*MACHINES)
def test_a_message_that_was_ended_twice_is_an_error(driver: Driver) -> None:
    assert driver.words(["misuse"]) == [[OK, ERR_STATE, "00" * 32, ERR_STATE]]


@runs_on(*MACHINES)
def test_rfc_5869_vectors(driver: Driver) -> None:
    vectors = list(records("KDF/rfc-5869-HKDF-SHA256.txt", "COUNT"))
    assert len(vectors) == 3
    answers = driver.words(
        f"hkdf {v.get('salt') or '-'} {v['IKM']} {v.get('info') or '-'} {int(v['L'])}" for v in vectors
    )
    assert answers == [[OK, v["OKM"].lower()] for v in vectors]


@runs_on(*MACHINES)
def test_keys_of_every_length_are_derived(driver: Driver) -> None:
    chance = random.Random(5869)
    cases = [(chance.randbytes(n % 70), chance.randbytes(1 + n), chance.randbytes(n % 90), 1 + n) for n in range(150)]
    cases.append((b"", b"secret", b"", 8160))
    expected = [[OK, HKDF(SHA256(), length, salt, info).derive(secret).hex()] for salt, secret, info, length in cases]
    answers = driver.words(f"hkdf {text(s)} {text(k)} {text(i)} {length}" for s, k, i, length in cases)
    assert_each(answers, expected, (f"{length} bytes" for *_, length in cases))
    too_long, nothing = driver.words(["hkdf - 00 - 8161", "hkdf - 00 - 0"])
    assert too_long == [ERR_LENGTH, "00" * 8161]
    assert nothing == [OK, "-"]
