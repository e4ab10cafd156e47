"""Ascon-AEAD128, Ascon-Hash256 and Ascon-XOF128 against the designers' known answers and a model of NIST SP 800-232."""

from __future__ import annotations

import functools
import hashlib
import random
import subprocess
from pathlib import Path

import pytest

from bancada.engines.simavr.session import runner
from tests.tatu.aead_device import DEVICES, device_messages, sealed_on_device
from tests.tatu.compiled import compiled, sources_of
from tests.tatu.machines import EVERY, HERE, HOST_GCC, Driver, assert_each, driver_on, runs_on

ERR_LENGTH = -1
ERR_AUTHENTICATION = -4

# SHA-256 of the designers' files of known answers, as the crates ascon-aead 0.6.0 (tests/data/ascon128.txt) and
# ascon-hash 0.4.0 (tests/data/asconhash.txt, asconxof.txt) carry them. Their inputs follow a pattern, so the tests
# write the same files again with Tatu's answers.
AEAD_KAT_SHA256 = "6a5b08ddd81c0b4858d39a5572f2f81590b82f4a22fc72c6e67fe505248a6949"
HASH_KAT_SHA256 = "b7d6fbc51362f0d62bc7e57b21f3e83242983434a7c92320a4956d915749df17"
XOF_KAT_SHA256 = "c043088dd6efef78ef01ba2e00b3a5bc66d77b9258d981b84e71997a5d13d537"
# SHA-256 of crypto_cxof/asconcxof128/LWC_CXOF_KAT_128_512.txt of the designers' repository ascon/ascon-c.
CXOF_KAT_SHA256 = "abcbb0cc851a7f9cfc5ea2bcaf3eba5b2056e37fcb8ce541ceda1d1b960fc9dc"
# SHA-256 of crypto_auth/asconmacv13/LWC_MAC_KAT_128_128.txt there.
MAC_KAT_SHA256 = "18cc27a1b9f647dd6178f9f49cf61ed89760a0fd4abc4bdc2862d55661d64458"

# ---- the model: NIST SP 800-232, written for reading, sharing nothing with Tatu ----

MASK = (1 << 64) - 1
CONSTANTS = bytes.fromhex("3c2d1e0ff0e1d2c3b4a5968778695a4b")
DIFFUSION = ((19, 28), (61, 39), (1, 6), (10, 17), (7, 41))


def rotate_right(word: int, bits: int) -> int:
    return (word >> bits | word << (64 - bits)) & MASK


def permute(state: bytes, rounds: int) -> bytes:
    """Section 3, with the S-box as the polynomials of section 3.3 (Tatu computes it with another chain of gates)."""
    words = [int.from_bytes(state[i : i + 8], "little") for i in range(0, 40, 8)]
    for constant in CONSTANTS[16 - rounds :]:
        x0, x1, x2, x3, x4 = words
        x2 ^= constant
        substituted = (
            x4 & x1 ^ x3 ^ x2 & x1 ^ x2 ^ x1 & x0 ^ x1 ^ x0,
            x4 ^ x3 & x2 ^ x3 & x1 ^ x3 ^ x2 & x1 ^ x2 ^ x1 ^ x0,
            x4 & x3 ^ x4 ^ x2 ^ x1 ^ MASK,
            x4 & x0 ^ x4 ^ x3 & x0 ^ x3 ^ x2 ^ x1 ^ x0,
            x4 & x1 ^ x4 ^ x3 ^ x1 & x0 ^ x1,
        )
        words = [x ^ rotate_right(x, a) ^ rotate_right(x, b) for x, (a, b) in zip(substituted, DIFFUSION, strict=True)]
    return b"".join(w.to_bytes(8, "little") for w in words)


def xor(a: bytes, b: bytes) -> bytes:
    return bytes(x ^ y for x, y in zip(a, b, strict=True))


def padded_blocks(data: bytes, rate: int) -> list[bytes]:
    data += b"\x01" + bytes(rate - 1 - len(data) % rate)
    return [data[i : i + rate] for i in range(0, len(data), rate)]


def model_encrypt(key: bytes, nonce: bytes, associated_data: bytes, message: bytes) -> tuple[bytes, bytes]:
    """Section 4.1.1."""
    state = permute((0x00001000808C0001).to_bytes(8, "little") + key + nonce, 12)
    state = state[:24] + xor(state[24:], key)
    if associated_data:
        for block in padded_blocks(associated_data, 16):
            state = permute(xor(state[:16], block) + state[16:], 8)
    state = state[:39] + bytes([state[39] ^ 0x80])
    ciphertext = b""
    *blocks, last = padded_blocks(message, 16)
    for block in blocks:
        state = xor(state[:16], block) + state[16:]
        ciphertext += state[:16]
        state = permute(state, 8)
    state = xor(state[:16], last) + state[16:]
    ciphertext += state[: len(message) % 16]
    state = permute(state[:16] + xor(state[16:32], key) + state[32:], 12)
    return ciphertext, xor(state[24:], key)


@functools.cache
def model_hash(initial_value: int, message: bytes, length: int) -> bytes:
    """Sections 5.1 and 5.2."""
    state = permute(initial_value.to_bytes(8, "little") + bytes(32), 12)
    for block in padded_blocks(message, 8):
        state = permute(xor(state[:8], block) + state[8:], 12)
    output = b""
    while len(output) < length:
        output += state[:8]
        state = permute(state, 12)
    return output[:length]


HASH256_INITIAL_VALUE = 0x0000080100CC0002
XOF128_INITIAL_VALUE = 0x0000080000CC0003


# ---- Tatu ----


@pytest.fixture(scope="module")
def driver(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Driver:
    return driver_on(request, "ascon_driver.c", ("ascon", "common"), tmp_path_factory)


def text(data: bytes) -> str:
    return data.hex() or "-"


def data(text: str) -> bytes:
    return b"" if text == "-" else bytes.fromhex(text)


def pattern(length: int) -> bytes:
    return bytes(i % 256 for i in range(length))


@runs_on(HOST_GCC, *EVERY)
def test_aead_known_answers(driver: Driver) -> None:
    """All 1089 of the designers' answers: messages and associated data of 0 to 32 bytes."""
    key = pattern(16)
    cases = [(pattern(m), pattern(a)) for m in range(33) for a in range(33)]
    answers = driver.words(f"ascon-encrypt {text(key)} {text(key)} {text(a)} {text(m)} apart 16" for m, a in cases)
    kat = ""
    for count, ((message, associated_data), (_, output, tag)) in enumerate(zip(cases, answers, strict=True), 1):
        kat += f"Count = {count}\nKey = {key.hex().upper()}\nNonce = {key.hex().upper()}\n"
        kat += f"PT = {message.hex().upper()}\nAD = {associated_data.hex().upper()}\n"
        kat += f"CT = {(data(output) + data(tag)).hex().upper()}\n\n"
    assert hashlib.sha256(kat.encode()).hexdigest() == AEAD_KAT_SHA256


@runs_on(HOST_GCC, *EVERY)
@pytest.mark.parametrize(
    ("command", "expected"),
    [("ascon-hash256 {} 0", HASH_KAT_SHA256), ("ascon-xof128 {} 0 32", XOF_KAT_SHA256)],
    ids=["hash256", "xof128"],
)
def test_hash_known_answers(driver: Driver, command: str, expected: str) -> None:
    """All 1025 of the designers' answers: messages of 0 to 1024 bytes."""
    messages = [pattern(length) for length in range(1025)]
    answers = driver.words(command.format(text(message)) for message in messages)
    kat = "".join(
        f"Count = {count}\nMsg = {message.hex().upper()}\nMD = {digest.upper()}\n\n"
        for count, (message, (_, digest)) in enumerate(zip(messages, answers, strict=True), 1)
    )
    assert hashlib.sha256(kat.encode()).hexdigest() == expected


@runs_on(HOST_GCC, *EVERY)
@pytest.mark.parametrize("chunk", [0, 5])
def test_cxof_known_answers(driver: Driver, chunk: int) -> None:
    """All 1089 of the designers' answers: messages and customizations of 0 to 32 bytes."""
    cases = [(pattern(m), bytes(range(0x10, 0x10 + z))) for m in range(33) for z in range(33)]
    answers = driver.words(f"ascon-cxof128 {text(message)} {chunk} 64 {text(z)}" for message, z in cases)
    kat = "".join(
        f"Count = {count}\nMsg = {message.hex().upper()}\nZ = {z.hex().upper()}\nMD = {digest.upper()}\n\n"
        for count, ((message, z), (_, digest)) in enumerate(zip(cases, answers, strict=True), 1)
    )
    assert hashlib.sha256(kat.encode()).hexdigest() == CXOF_KAT_SHA256


@runs_on(HOST_GCC)
@pytest.mark.parametrize("chunk", [0, 5])
def test_a_customization_that_is_too_long_is_refused(driver: Driver, chunk: int) -> None:
    longest, too_long = driver.words(f"ascon-cxof128 0102 {chunk} 16 {'5a' * size}" for size in (256, 257))
    assert longest[0] == "0" and longest[1] != "00" * 16
    assert too_long == [str(ERR_LENGTH), "00" * 16]


@runs_on(HOST_GCC, *EVERY)
@pytest.mark.parametrize("chunk", [0, 5])
def test_mac_known_answers(driver: Driver, chunk: int) -> None:
    """All 1025 of the designers' answers: messages of 0 to 1024 bytes, which begin with 0x10."""
    messages = [pattern(16 + length)[16:] for length in range(1025)]
    answers = driver.words(f"ascon-mac {text(pattern(16))} {text(message)} {chunk}" for message in messages)
    kat = "".join(
        f"Count = {count}\nKey = {pattern(16).hex().upper()}\nMsg = {message.hex().upper()}\nTag = {tag.upper()}\n\n"
        for count, (message, (_, tag)) in enumerate(zip(messages, answers, strict=True), 1)
    )
    assert hashlib.sha256(kat.encode()).hexdigest() == MAC_KAT_SHA256


@runs_on(HOST_GCC)
def test_mac_verification(driver: Driver) -> None:
    """The tag is the designers' answer 33 in the first version of that file, with messages that begin with 0."""
    key, message, tag = text(pattern(16)), text(pattern(32)), bytes.fromhex("BC47252E6D9B537AC7FF67525AA9964E")
    right = [tag[:length] for length in (8, 15, 16)]
    wrong = [*(flipped(tag, bit) for bit in range(128)), *(flipped(tag[:8], bit) for bit in range(64))]
    others = [b"", tag[:7], tag + b"\0"]
    answers = driver.words(f"ascon-mac-verify {key} {message} {text(each)}" for each in right + wrong + others)
    assert answers == [["0"]] * 3 + [[str(ERR_AUTHENTICATION)]] * 192 + [[str(ERR_LENGTH)]] * 3


@pytest.fixture(scope="module")
def cases() -> list[tuple[bytes, bytes, bytes, bytes, bytes, bytes]]:
    """key, nonce, associated data, message, ciphertext, tag: random, messages of every length from 0 to 300."""
    source = random.Random(800_232)
    found = []
    for length in range(301):
        key, nonce = source.randbytes(16), source.randbytes(16)
        associated_data = source.randbytes(source.choice([0, 1, 8, 15, 16, 17, 31, 32, 33, 300]))
        message = source.randbytes(length)
        found.append((key, nonce, associated_data, message, *model_encrypt(key, nonce, associated_data, message)))
    return found


@runs_on(HOST_GCC)
@pytest.mark.parametrize("where", ["apart", "alias"])
@pytest.mark.parametrize("tag_length", [8, 12, 16])
def test_encrypt_agrees_with_the_model(
    driver: Driver, cases: list[tuple[bytes, bytes, bytes, bytes, bytes, bytes]], where: str, tag_length: int
) -> None:
    answers = driver.words(
        f"ascon-encrypt {text(k)} {text(n)} {text(a)} {text(m)} {where} {tag_length}" for k, n, a, m, _, _ in cases
    )
    assert answers == [["0", text(c), text(t[:tag_length])] for *_, c, t in cases]


@runs_on(HOST_GCC, *EVERY)
def test_encrypt_in_pieces_agrees_with_the_model(
    driver: Driver, cases: list[tuple[bytes, bytes, bytes, bytes, bytes, bytes]]
) -> None:
    expected = [["0", text(c), text(t)] for *_, c, t in cases]
    for chunk in (1, 7, 16, 17):
        answers = driver.words(
            f"ascon-encrypt-in-pieces {text(k)} {text(n)} {text(a)} {text(m)} alias 16 {chunk}"
            for k, n, a, m, _, _ in cases
        )
        assert_each(answers, expected, (f"{len(m)} bytes in pieces of {chunk}" for _, _, _, m, _, _ in cases))


@runs_on(HOST_GCC, *EVERY)
@pytest.mark.parametrize("where", ["apart", "alias"])
@pytest.mark.parametrize("tag_length", [8, 16])
def test_decrypt_gives_the_message_back(
    driver: Driver, cases: list[tuple[bytes, bytes, bytes, bytes, bytes, bytes]], where: str, tag_length: int
) -> None:
    answers = driver.words(
        f"ascon-decrypt {text(k)} {text(n)} {text(a)} {text(c)} {where} {text(t[:tag_length])}"
        for k, n, a, _, c, t in cases
    )
    assert answers == [["0", text(m)] for _, _, _, m, _, _ in cases]


def flipped(data: bytes, bit: int) -> bytes:
    return data[: bit // 8] + bytes([data[bit // 8] ^ 1 << bit % 8]) + data[bit // 8 + 1 :]


@runs_on(HOST_GCC, *EVERY)
@pytest.mark.parametrize("where", ["apart", "alias"])
def test_every_flipped_bit_is_noticed_and_leaves_zeros(driver: Driver, where: str) -> None:
    good = (pattern(16), pattern(16)[::-1], b"header", b"a message of 21 bytes")
    ciphertext, tag = model_encrypt(*good)
    commands = []
    for number, part in enumerate((good[0], good[1], good[2], ciphertext, tag)):
        for bit in range(8 * len(part)):
            parts = [good[0], good[1], good[2], ciphertext, tag]
            parts[number] = flipped(part, bit)
            commands.append(
                f"ascon-decrypt {text(parts[0])} {text(parts[1])} {text(parts[2])} {text(parts[3])} {where}"
                f" {text(parts[4])}"
            )
    refused = [str(ERR_AUTHENTICATION), "00" * len(ciphertext)]
    assert driver.words(commands) == [refused] * len(commands)


@runs_on(HOST_GCC)
def test_a_shorter_or_longer_message_is_refused(driver: Driver) -> None:
    key, nonce = pattern(16), pattern(16)
    ciphertext, tag = model_encrypt(key, nonce, b"", pattern(32))
    wrong = [ciphertext[:length] for length in range(32)] + [ciphertext + b"\0", ciphertext + b"\1"]
    answers = driver.words(f"ascon-decrypt {text(key)} {text(nonce)} - {text(c)} apart {text(tag)}" for c in wrong)
    assert answers == [[str(ERR_AUTHENTICATION), text(bytes(len(c)))] for c in wrong]


@runs_on(HOST_GCC)
@pytest.mark.parametrize("tag_length", [0, 1, 7, 17, 32])
def test_a_tag_too_short_or_too_long_is_refused_and_leaves_zeros(driver: Driver, tag_length: int) -> None:
    key, message = pattern(16), b"secret"
    ciphertext, tag = model_encrypt(key, key, b"", message)
    wrong_tag = text((tag + bytes(16))[:tag_length])
    encrypted, in_pieces, decrypted = driver.words(
        [
            f"ascon-encrypt {text(key)} {text(key)} - {text(message)} alias {tag_length}",
            f"ascon-encrypt-in-pieces {text(key)} {text(key)} - {text(message)} alias {tag_length} 16",
            f"ascon-decrypt {text(key)} {text(key)} - {text(ciphertext)} alias {wrong_tag}",
        ]
    )
    no_tag = text(bytes(tag_length))
    assert encrypted == [str(ERR_LENGTH), "00" * 6, no_tag]
    assert in_pieces == [str(ERR_LENGTH), text(ciphertext), no_tag]
    assert decrypted == [str(ERR_LENGTH), "00" * 6]


@runs_on(HOST_GCC, *EVERY)
def test_hash_in_pieces_agrees_with_the_model(driver: Driver) -> None:
    messages = [random.Random(length).randbytes(length) for length in range(301)]
    for command, initial_value in (
        ("ascon-hash256 {} {}", HASH256_INITIAL_VALUE),
        ("ascon-xof128 {} {} 32", XOF128_INITIAL_VALUE),
    ):
        expected = [["0", text(model_hash(initial_value, m, 32))] for m in messages]
        for chunk in (1, 3, 8, 9, 64):
            answers = driver.words(command.format(text(m), chunk) for m in messages)
            assert_each(answers, expected, (f"{command}, {len(m)} bytes in pieces of {chunk}" for m in messages))


@runs_on(HOST_GCC, *EVERY)
def test_xof_of_every_length_begins_the_same_output(driver: Driver) -> None:
    whole = model_hash(XOF128_INITIAL_VALUE, b"seed", 50)
    answers = driver.words(f"ascon-xof128 {text(b'seed')} 0 {length}" for length in range(51))
    assert answers == [["0", text(whole[:length])] for length in range(51)]


@pytest.mark.parametrize(("mcu", "flags"), DEVICES)
def test_aead_on_the_device(tmp_path: Path, mcu: str, flags: tuple[str, ...]) -> None:
    lengths = range(0, 100, 1)
    expected = [model_encrypt(m.key, m.nonce, m.associated_data, m.message) for m in device_messages(16, 16, lengths)]
    found = sealed_on_device(tmp_path, "ascon_device.h", ["ascon"], mcu, lengths, *flags)
    assert found == [(ciphertext, tag, 0) for ciphertext, tag in expected]


@pytest.mark.parametrize(("mcu", "flags"), DEVICES)
def test_pieces_customization_and_sealing_on_the_device(tmp_path: Path, mcu: str, flags: tuple[str, ...]) -> None:
    """The answer of Ascon-CXOF128 is the beginning of the designers' answer 2."""
    elf = tmp_path / "device.elf"
    options = (f"-mmcu={mcu}", "-std=gnu99", "-Os", "-Wall", "-Wextra", "-Werror", "-ffunction-sections", *flags)
    sources = sources_of(("ascon", "common", "sealed"))
    compiled(elf, "avr-gcc", options, HERE / "ascon_pieces_device.c", sources, linking=("-Wl,--gc-sections",))
    done = subprocess.run(
        [runner(), "--mcu", mcu, "--frequency", "16000000", "--uart", "stdio", "--max-cycles", "500000000", elf],
        stdin=subprocess.DEVNULL,
        capture_output=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr.decode()
    answer = bytes.fromhex("0C93A483E7D574D49FE52CCE03EE646117977D57A8AA57704AB4DAF44B501430")
    assert done.stdout == b"." * (20 * 8) + answer + b"."
