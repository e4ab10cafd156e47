"""ChaCha20, Poly1305 and ChaCha20-Poly1305 of RFC 8439 against official vectors and PyPI's `cryptography`."""

from __future__ import annotations

import random
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import cryptography_vectors
import pytest
from cryptography.hazmat.primitives.ciphers import Cipher
from cryptography.hazmat.primitives.ciphers.aead import ChaCha20Poly1305
from cryptography.hazmat.primitives.ciphers.algorithms import ChaCha20
from cryptography.hazmat.primitives.poly1305 import Poly1305

from tests.tatu.aead_device import DEVICES, device_messages, sealed_on_device
from tests.tatu.machines import EVERY, HOST_GCC, Driver, assert_each, driver_on, runs_on

ERR_LENGTH = -1
ERR_AUTHENTICATION = -4
ERR_STATE = -5
LONGEST_MESSAGE = (2**32 - 1) * 64


@pytest.fixture(scope="module")
def driver(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Driver:
    return driver_on(request, "chacha20_driver.c", ("chacha20", "poly1305", "common"), tmp_path_factory)


def text(data: bytes) -> str:
    return data.hex() or "-"


def records(*path: str) -> Iterator[dict[str, str]]:
    """The records of a vector file: each begins with COUNT; names in capitals."""
    record: dict[str, str] = {}
    for line in cryptography_vectors.open_vector_file("/".join(path), "r"):
        name, equals, value = line.partition("=")
        if not equals or line.startswith("#"):
            continue
        if name.strip().upper() == "COUNT" and record:
            yield record
            record = {}
        record[name.strip().upper()] = value.strip()
    yield record


# ---- ChaCha20 ----


@runs_on(HOST_GCC, *EVERY)
def test_chacha20_official_vectors(driver: Driver) -> None:
    """RFC 8439, appendices A.1 and A.2."""
    vectors = list(records("ciphers", "ChaCha20", "rfc7539.txt"))
    assert len(vectors) == 3
    answers = driver.words(
        f"crypt {v['KEY']} {v['INITIAL_BLOCK_COUNTER']} {v['NONCE']} {v['PLAINTEXT']} apart" for v in vectors
    )
    assert answers == [["0", v["CIPHERTEXT"].lower()] for v in vectors]


def key_stream(key: bytes, counter: int, nonce: bytes, length: int) -> bytes:
    return Cipher(ChaCha20(key, counter.to_bytes(4, "little") + nonce), None).encryptor().update(bytes(length))


@runs_on(HOST_GCC, *EVERY)
def test_chacha20_block_agrees_with_cryptography(driver: Driver) -> None:
    source = random.Random(8439)
    cases = [(source.randbytes(32), source.getrandbits(32), source.randbytes(12)) for _ in range(256)]
    cases += [(bytes(32), 0, bytes(12)), (b"\xff" * 32, 2**32 - 1, b"\xff" * 12)]
    answers = driver.words(f"block {k.hex()} {c} {n.hex()}" for k, c, n in cases)
    assert answers == [["0", key_stream(k, c, n, 64).hex()] for k, c, n in cases]


@runs_on(HOST_GCC, *EVERY)
@pytest.mark.parametrize("where", ["apart", "alias"])
def test_chacha20_of_many_blocks_agrees_with_cryptography(driver: Driver, where: str) -> None:
    """Around every number of blocks up to 25, so that whatever is made at once is made several times and something is
    left."""
    source = random.Random(320)
    key, nonce, data = source.randbytes(32), source.randbytes(12), source.randbytes(64 * 25 + 1)
    stream = key_stream(key, 2**32 - 26, nonce, len(data) - 1)
    lengths = [64 * blocks + more for blocks in range(1, 26) for more in (-1, 0, 1)][:-1]
    answers = driver.words(f"crypt {key.hex()} {2**32 - 26} {nonce.hex()} {text(data[:n])} {where}" for n in lengths)
    assert answers == [["0", text(bytes(a ^ b for a, b in zip(data[:n], stream, strict=False)))] for n in lengths]


@runs_on(HOST_GCC, *EVERY)
@pytest.mark.parametrize("where", ["apart", "alias"])
def test_chacha20_of_every_length_agrees_with_cryptography(driver: Driver, where: str) -> None:
    source = random.Random(7539)
    key, nonce, data = source.randbytes(32), source.randbytes(12), source.randbytes(300)
    stream = key_stream(key, 7, nonce, 300)
    answers = driver.words(f"crypt {key.hex()} 7 {nonce.hex()} {text(data[:n])} {where}" for n in range(301))
    assert answers == [["0", text(bytes(a ^ b for a, b in zip(data[:n], stream, strict=False)))] for n in range(301)]


@runs_on(HOST_GCC)
def test_chacha20_refuses_a_counter_that_would_wrap(driver: Driver) -> None:
    key, nonce, data = bytes(32), bytes(12), bytes(65)
    fits, one_too_many, none = driver.words(
        f"crypt {key.hex()} {2**32 - 1} {nonce.hex()} {text(data[:length])} apart" for length in (64, 65, 0)
    )
    assert fits == ["0", key_stream(key, 2**32 - 1, nonce, 64).hex()]
    assert one_too_many == [str(ERR_LENGTH), "00" * 65]
    assert none == ["0", "-"]


# ---- Poly1305 on whole blocks ----


@runs_on(HOST_GCC, *EVERY)
def test_poly1305_official_vectors(driver: Driver) -> None:
    """RFC 8439, appendix A.3: those on whole blocks, all the edge cases among them."""
    vectors = [v for v in records("poly1305", "rfc7539.txt") if len(v["MSG"]) % 32 == 0]
    assert len(vectors) == 8
    for chunk in (1, 16, 1000):
        answers = driver.words(f"poly1305 {v['KEY']} {v['MSG']} {chunk}" for v in vectors)
        assert answers == [["0", v["TAG"].lower()] for v in vectors]


def poly1305_cases() -> Iterator[tuple[bytes, bytes]]:
    """Random ones, and ones of bytes that make carries run far and sums come close to 2^130 - 5."""
    source = random.Random(1305)
    for number in range(400):
        extreme = bytes([0x00, 0xFF, 0xFB, 0xFE, 0x01, 0x05])
        blocks = source.randrange(1, 8)
        if number % 2:
            yield source.randbytes(32), source.randbytes(16 * blocks)
        else:
            yield bytes(source.choices(extreme, k=32)), bytes(source.choices(extreme, k=16 * blocks))
    for r in (1, 2, 4):
        for low in range(0xF0, 0x100):
            yield bytes([r]) + bytes(31), bytes([low]) + b"\xff" * 15 + b"\xff" * 16


@runs_on(HOST_GCC, *EVERY)
def test_poly1305_agrees_with_cryptography(driver: Driver) -> None:
    cases = list(poly1305_cases())
    answers = driver.words(f"poly1305 {key.hex()} {message.hex()} 1000" for key, message in cases)
    assert answers == [["0", Poly1305.generate_tag(key, message).hex()] for key, message in cases]


def long_poly1305_cases() -> Iterator[tuple[bytes, bytes]]:
    """Of every number of blocks from 1 to 45 and of some more a random one, and ones of bytes that make limbs and sums
    as large as they get."""
    source = random.Random(130)
    for blocks in [*range(1, 46), 64, 65, 66, 67, 200]:
        yield source.randbytes(32), source.randbytes(16 * blocks)
        yield b"\xff" * 32, b"\xff" * (16 * blocks)
        yield b"\xff" * 16 + bytes(16), b"\xfb" + b"\xff" * (16 * blocks - 1)
        yield bytes([4]) + bytes(31), bytes(source.choices(b"\x00\xff\xfb\xfe", k=16 * blocks))


@runs_on(HOST_GCC, *EVERY)
def test_poly1305_of_many_blocks_agrees_with_cryptography(driver: Driver) -> None:
    """In one piece and in pieces, so that many blocks come to an accumulator that is not 0, too."""
    cases = list(long_poly1305_cases())
    expected = [["0", Poly1305.generate_tag(key, message).hex()] for key, message in cases]
    for chunk in (16 * 200, 16 * 9, 16 * 13):
        answers = driver.words(f"poly1305 {key.hex()} {message.hex()} {chunk}" for key, message in cases)
        assert_each(answers, expected, (f"{len(message)} bytes in pieces of {chunk}" for _, message in cases))


# ---- Poly1305 by itself ----


@runs_on(HOST_GCC, *EVERY)
def test_one_time_official_vectors(driver: Driver) -> None:
    """RFC 8439, appendix A.3: all of them, whatever their length."""
    vectors = list(records("poly1305", "rfc7539.txt"))
    assert len(vectors) == 11
    for chunk in (0, 1, 16, 1000):
        answers = driver.words(f"one-time {v['KEY']} {v['MSG'] or '-'} {chunk}" for v in vectors)
        assert answers == [["0", v["TAG"].lower()] for v in vectors]


def one_time_cases() -> Iterator[tuple[bytes, bytes]]:
    """Of every length up to 100 a random one and three that make the accumulator and the carries large."""
    source = random.Random(8439)
    for length in range(101):
        yield source.randbytes(32), source.randbytes(length)
        yield b"\xff" * 32, b"\xff" * length
        yield bytes([2]) + bytes(31), b"\xff" * length
        yield bytes([1]) + bytes(31), (b"\xfb" + b"\xff" * 99)[:length]


@runs_on(HOST_GCC, *EVERY)
def test_one_time_of_every_length_agrees_with_cryptography(driver: Driver) -> None:
    cases = list(one_time_cases())
    expected = [["0", Poly1305.generate_tag(key, message).hex()] for key, message in cases]
    for chunk in (0, 7, 17):
        answers = driver.words(f"one-time {key.hex()} {text(message)} {chunk}" for key, message in cases)
        assert_each(answers, expected, (f"{len(message)} bytes in pieces of {chunk}" for _, message in cases))


@runs_on(HOST_GCC)
def test_one_time_verification(driver: Driver) -> None:
    key, message = bytes(range(32)), bytes(range(21))
    tag = Poly1305.generate_tag(key, message)
    tags = [tag, *(flipped(tag, bit) for bit in range(128))]
    answers = driver.words(f"one-time-verify {key.hex()} {message.hex()} {each.hex()}" for each in tags)
    assert answers == [["0", "-"]] + [[str(ERR_AUTHENTICATION), "-"]] * 128


@runs_on(HOST_GCC)
def test_a_one_time_key_cannot_be_used_twice_by_mistake(driver: Driver) -> None:
    state = str(ERR_STATE)
    assert driver.words(["one-time-misuse"]) == [["0", state, state, "00" * 16, state, state, "00" * 16]]


# ---- ChaCha20-Poly1305 ----


@dataclass(frozen=True)
class Sealed:
    key: bytes
    nonce: bytes
    associated_data: bytes
    message: bytes
    ciphertext: bytes
    tag: bytes

    def encrypt_command(self, where: str, chunk: int) -> str:
        return (
            f"encrypt {text(self.key)} {text(self.nonce)} {text(self.associated_data)} {text(self.message)} {where}"
            f" {chunk}"
        )

    def decrypt_command(self, where: str) -> str:
        return (
            f"decrypt {text(self.key)} {text(self.nonce)} {text(self.associated_data)} {text(self.ciphertext)} {where} "
            f"{text(self.tag)}"
        )


def sealed(key: bytes, nonce: bytes, associated_data: bytes, message: bytes) -> Sealed:
    output = ChaCha20Poly1305(key).encrypt(nonce, message, associated_data)
    return Sealed(key, nonce, associated_data, message, output[:-16], output[-16:])


def official(record: dict[str, str]) -> Sealed:
    def value(*names: str) -> bytes:
        found = next(record[name] for name in names if name in record)
        return found[1:-1].encode() if found.startswith('"') else bytes.fromhex(found)

    return Sealed(
        value("KEY"),
        value("NONCE", "IV"),
        value("AD", "AAD"),
        value("IN", "PLAINTEXT"),
        value("CT", "CIPHERTEXT"),
        value("TAG"),
    )


@runs_on(HOST_GCC, *EVERY)
def test_aead_official_vectors(driver: Driver) -> None:
    """RFC 8439, section 2.8.2 and appendix A.5, and the vectors of BoringSSL and OpenSSL that use nonces of 12
    bytes."""
    vectors = [
        record
        for file in ("boringssl.txt", "openssl.txt")
        for record in records("ciphers", "ChaCha20Poly1305", file)
        if len(record.get("NONCE", record.get("IV", ""))) == 24 and len(record["TAG"]) == 32
    ]
    good = [official(record) for record in vectors if "RESULT" not in record]
    bad = [official(record) for record in vectors if "RESULT" in record]
    assert (len(good), len(bad)) == (70, 1)
    assert driver.words(s.encrypt_command("apart", 0) for s in good) == [
        ["0", text(s.ciphertext), text(s.tag)] for s in good
    ]
    assert driver.words(s.decrypt_command("apart") for s in good) == [["0", text(s.message)] for s in good]
    refused = [[str(ERR_AUTHENTICATION), text(bytes(len(s.ciphertext)))] for s in bad]
    assert driver.words(s.decrypt_command("apart") for s in bad) == refused


@pytest.fixture(scope="module")
def cases() -> list[Sealed]:
    """Random, with messages of every length from 0 to 300."""
    source = random.Random(20)
    return [
        sealed(
            source.randbytes(32),
            source.randbytes(12),
            source.randbytes(source.choice([0, 1, 8, 15, 16, 17, 33, 300])),
            source.randbytes(length),
        )
        for length in range(301)
    ]


@runs_on(HOST_GCC, *EVERY)
@pytest.mark.parametrize("where", ["apart", "alias"])
def test_encrypt_agrees_with_cryptography(driver: Driver, cases: list[Sealed], where: str) -> None:
    expected = [["0", text(s.ciphertext), text(s.tag)] for s in cases]
    for chunk in (0, 1, 7, 16, 64, 65):
        answers = driver.words(s.encrypt_command(where, chunk) for s in cases)
        assert_each(answers, expected, (f"{len(s.message)} bytes in pieces of {chunk}" for s in cases))


@runs_on(HOST_GCC, *EVERY)
@pytest.mark.parametrize("where", ["apart", "alias"])
def test_decrypt_gives_the_message_back(driver: Driver, cases: list[Sealed], where: str) -> None:
    assert driver.words(s.decrypt_command(where) for s in cases) == [["0", text(s.message)] for s in cases]


def flipped(data: bytes, bit: int) -> bytes:
    return data[: bit // 8] + bytes([data[bit // 8] ^ 1 << bit % 8]) + data[bit // 8 + 1 :]


@runs_on(HOST_GCC, *EVERY)
@pytest.mark.parametrize("where", ["apart", "alias"])
def test_every_flipped_bit_is_noticed_and_leaves_zeros(driver: Driver, where: str) -> None:
    good = sealed(bytes(range(32)), bytes(range(12)), b"header", b"a message of 21 bytes")
    commands = []
    for name in ("key", "nonce", "associated_data", "ciphertext", "tag"):
        for bit in range(8 * len(getattr(good, name))):
            changed = {**good.__dict__, name: flipped(getattr(good, name), bit)}
            commands.append(Sealed(**changed).decrypt_command(where))
    assert driver.words(commands) == [[str(ERR_AUTHENTICATION), "00" * 21]] * len(commands)


@runs_on(HOST_GCC)
def test_a_message_too_long_is_refused_and_leaves_zeros(driver: Driver) -> None:
    fits, too_long = driver.words(
        f"encrypt-after {length} 5ec7" for length in (LONGEST_MESSAGE - 2, LONGEST_MESSAGE - 1)
    )
    assert fits[0] == "0"
    assert too_long == [str(ERR_LENGTH), "0000"]


@runs_on(HOST_GCC)
def test_an_ended_message_gives_no_key_stream(driver: Driver) -> None:
    state = str(ERR_STATE)
    assert driver.words(["misuse"]) == [["0", state, state, "00" * 32, state, state, "00" * 32, "0"]]


@pytest.mark.parametrize(("mcu", "flags"), DEVICES)
def test_on_the_device(tmp_path: Path, mcu: str, flags: tuple[str, ...]) -> None:
    lengths = range(0, 150, 3)
    expected = [sealed(m.key, m.nonce, m.associated_data, m.message) for m in device_messages(32, 12, lengths)]
    found = sealed_on_device(tmp_path, "chacha20_device.h", ["chacha20", "poly1305"], mcu, lengths, *flags)
    assert found == [(s.ciphertext, s.tag, 0) for s in expected]
