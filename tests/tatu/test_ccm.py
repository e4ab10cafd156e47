"""CCM against NIST's response files (CAVP, SP 800-38C) and the PyPI package `cryptography`."""

from __future__ import annotations

import random
from collections.abc import Iterator

import cryptography_vectors
import pytest
from cryptography.hazmat.primitives.ciphers.aead import AESCCM

from tests.tatu.aes_programs import AES_MACHINES
from tests.tatu.authentication_programs import (
    DRIVER,
    ERR_AUTHENTICATION,
    ERR_LENGTH,
    KEY_BYTES,
    OK,
    PARTS,
    flipped,
    text,
)
from tests.tatu.machines import HOST_GCC, PORTABLE, Driver, driver_on, runs_on

CIPHERS = [cipher for cipher in KEY_BYTES if cipher.startswith("aes")]
BITS = [128, 192, 256]


@pytest.fixture(scope="module")
def driver(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Driver:
    return driver_on(request, DRIVER, PARTS, tmp_path_factory)


def responses(name: str) -> Iterator[dict[str, str]]:
    """The records of one of NIST's .rsp files: each with all values in force where it ends. Lengths stand in brackets,
    one or several, or on lines of their own; the key and the nonce may stand before the first record of many."""
    lines = [line.strip() for line in cryptography_vectors.open_vector_file(f"ciphers/AES/CCM/{name}", "r")]
    values: dict[str, str] = {}
    for line, following in zip(lines, [*lines[1:], ""], strict=True):
        for assignment in line.strip("[]").split(","):
            key, equals, value = assignment.partition("=")
            if equals:
                values[key.strip()] = value.strip()
        if line.startswith(("CT", "Result", "Payload")) and not following and "CT" in values:
            yield dict(values)
            values.pop("Payload", None)


def case(record: dict[str, str]) -> tuple[str, str, str]:
    """key, nonce, associated data, as the driver takes them. NIST writes 00 for none."""
    associated_data = bytes.fromhex(record["Adata"])[: int(record["Alen"])]
    return record["Key"], record["Nonce"], text(associated_data)


@runs_on(HOST_GCC, *PORTABLE)
@pytest.mark.parametrize("bits", BITS)
@pytest.mark.parametrize("kind", ["VADT", "VNT", "VPT", "VTT"])
def test_nist_encryption(driver: Driver, bits: int, kind: str) -> None:
    """Variable associated data (long ones too), nonces, payloads and tags."""
    records = list(responses(f"{kind}{bits}.rsp"))
    assert len(records) >= 70
    commands, expected = [], []
    for record in records:
        payload = bytes.fromhex(record["Payload"])[: int(record["Plen"])]
        ciphertext = bytes.fromhex(record["CT"])
        commands.append(f"ccm-encrypt aes{bits} {' '.join(case(record))} {text(payload)} apart {record['Tlen']}")
        expected.append([OK, text(ciphertext[: len(payload)]), text(ciphertext[len(payload) :])])
    assert driver.words(commands) == expected


@runs_on(HOST_GCC, *PORTABLE)
@pytest.mark.parametrize("bits", BITS)
def test_nist_decryption_and_verification(driver: Driver, bits: int) -> None:
    """Half of these are forged."""
    records = list(responses(f"DVPT{bits}.rsp"))
    assert len(records) >= 200
    commands, expected = [], []
    for record in records:
        size = int(record["Plen"])
        ciphertext = bytes.fromhex(record["CT"])
        tag = ciphertext[size:]
        commands.append(f"ccm-decrypt aes{bits} {' '.join(case(record))} {text(ciphertext[:size])} alias {tag.hex()}")
        if record["Result"] == "Pass":
            expected.append([OK, text(bytes.fromhex(record["Payload"])[:size])])
        else:
            expected.append([ERR_AUTHENTICATION, text(bytes(size))])
    assert {answer[0] for answer in expected} == {OK, ERR_AUTHENTICATION}
    assert driver.words(commands) == expected


@runs_on(HOST_GCC)
@pytest.mark.parametrize("cipher", CIPHERS)
@pytest.mark.parametrize("where", ["apart", "alias"])
def test_every_length(driver: Driver, cipher: str, where: str) -> None:
    source = random.Random(cipher)
    encryptions, decryptions, sealed, opened = [], [], [], []
    for length in range(301):
        key, message = source.randbytes(KEY_BYTES[cipher]), source.randbytes(length)
        nonce = source.randbytes(source.randrange(7, 14))
        associated_data = source.randbytes(source.choice([0, 1, 13, 14, 15, 16, 30, 31, 300]))
        tag_length = source.randrange(4, 17, 2)
        answer = AESCCM(key, tag_length).encrypt(nonce, message, associated_data)
        ciphertext, tag = answer[:length], answer[length:]
        start = f"{cipher} {key.hex()} {nonce.hex()} {text(associated_data)}"
        encryptions.append(f"ccm-encrypt {start} {text(message)} {where} {tag_length}")
        decryptions.append(f"ccm-decrypt {start} {text(ciphertext)} {where} {tag.hex()}")
        sealed.append([OK, text(ciphertext), tag.hex()])
        opened.append([OK, text(message)])
    assert driver.words(encryptions) == sealed
    assert driver.words(decryptions) == opened


@runs_on(*AES_MACHINES)
@pytest.mark.parametrize("bits", [128, 192, 256])
def test_ccm_of_long_messages(driver: Driver, bits: int) -> None:
    chance = random.Random(bits)
    key, nonce, header = chance.randbytes(bits // 8), chance.randbytes(12), chance.randbytes(21)
    messages = [chance.randbytes(length) for length in (1, 16, 79, 80, 128, 200, 1023, 1024, 1025, 1040, 2100)]
    sealed = [AESCCM(key).encrypt(nonce, message, header) for message in messages]
    common = f"aes{bits} {key.hex()} {nonce.hex()} {header.hex()}"
    sent = driver.words(f"ccm-encrypt {common} {message.hex()} alias 16" for message in messages)
    assert sent == [["0", packet[:-16].hex(), packet[-16:].hex()] for packet in sealed]
    received = driver.words(
        f"ccm-decrypt {common} {packet[:-16].hex()} alias {packet[-16:].hex()}" for packet in sealed
    )
    assert received == [["0", message.hex()] for message in messages]


@runs_on(HOST_GCC)
@pytest.mark.parametrize("length", [0xFEFF, 0xFF00, 0xFF01, 0x10000])
def test_long_associated_data(driver: Driver, length: int) -> None:
    """Their length is written otherwise from 0xff00 bytes on (SP 800-38C, section A.2.2)."""
    key, nonce, associated_data = bytes(range(16)), bytes(13), random.Random(length).randbytes(length)
    answer = AESCCM(key).encrypt(nonce, b"message", associated_data)
    [made] = driver.words(
        [f"ccm-encrypt aes128 {key.hex()} {nonce.hex()} {associated_data.hex()} {b'message'.hex()} apart 16"]
    )
    assert made == [OK, answer[:7].hex(), answer[7:].hex()]


@runs_on(HOST_GCC)
def test_messages_too_long_for_the_nonce(driver: Driver) -> None:
    """13 bytes of nonce leave two to count: 65,535 bytes are the longest message."""
    key, message = bytes(range(16)), random.Random(38).randbytes(0x10000)
    start = f"ccm-encrypt aes128 {key.hex()}"
    longest, too_long, shorter_nonce = driver.words(
        [
            f"{start} {bytes(13).hex()} - {message[:-1].hex()} apart 16",
            f"{start} {bytes(13).hex()} - {message.hex()} apart 16",
            f"{start} {bytes(12).hex()} - {message.hex()} apart 16",
        ]
    )
    for answer, size, nonce_length in ((longest, 0xFFFF, 13), (shorter_nonce, 0x10000, 12)):
        expected = AESCCM(key).encrypt(bytes(nonce_length), message[:size], None)
        assert answer == [OK, expected[:size].hex(), expected[size:].hex()]
    assert too_long == [ERR_LENGTH, "00" * 0x10000, "00" * 16]


@runs_on(HOST_GCC)
@pytest.mark.parametrize("bits", BITS)
@pytest.mark.parametrize("where", ["apart", "alias"])
def test_the_functions_of_each_key_size(driver: Driver, bits: int, where: str) -> None:
    key, nonce, message = bytes(range(bits // 8)), bytes(range(11)), b"a message of 21 bytes"
    answer = AESCCM(key, 8).encrypt(nonce, message, b"header")
    [made] = driver.words(
        [f"ccm-typed aes{bits} {key.hex()} {nonce.hex()} {b'header'.hex()} {message.hex()} {where} 8"]
    )
    ciphertext, tag = answer[:21].hex(), answer[21:].hex()
    if where == "alias":
        assert made == [OK, ciphertext, tag, OK, message.hex(), tag]
    else:  # decryption is given the message itself, whose tag is another
        assert made == [OK, ciphertext, tag, ERR_AUTHENTICATION, "00" * 21, tag]


@runs_on(HOST_GCC, *PORTABLE)
@pytest.mark.parametrize("where", ["apart", "alias"])
def test_every_flipped_bit_is_noticed_and_leaves_zeros(driver: Driver, where: str) -> None:
    key, nonce, associated_data, message = bytes(range(16)), bytes(range(12)), b"header", b"a message of 21 bytes"
    answer = AESCCM(key, 16).encrypt(nonce, message, associated_data)
    good = (key, nonce, associated_data, answer[:21], answer[21:])
    commands = []
    for part, data in enumerate(good):
        for bit in range(8 * len(data)):
            k, n, a, c, t = (flipped(d, bit) if i == part else d for i, d in enumerate(good))
            commands.append(f"ccm-decrypt aes128 {k.hex()} {n.hex()} {a.hex()} {c.hex()} {where} {t.hex()}")
    assert driver.words(commands) == [[ERR_AUTHENTICATION, "00" * 21]] * len(commands)


@runs_on(HOST_GCC)
@pytest.mark.parametrize(
    ("cipher", "nonce_length", "tag_length"),
    [("aes128", n, 16) for n in (1, 6, 14, 15, 16)]
    + [("aes128", 13, t) for t in (0, 1, 2, 3, 5, 7, 9, 11, 13, 15, 17, 18, 32)]
    + [("speck64", 13, 8)],
)
@pytest.mark.parametrize("where", ["apart", "alias"])
def test_lengths_that_ccm_has_not_are_refused_and_leave_zeros(
    driver: Driver, cipher: str, nonce_length: int, tag_length: int, where: str
) -> None:
    start = f"{cipher} {bytes(16).hex()} {bytes(nonce_length).hex()} - {b'message'.hex()} {where}"
    sealed, opened = driver.words(
        [f"ccm-encrypt {start} {tag_length}", f"ccm-decrypt {start} {text(bytes(tag_length))}"]
    )
    assert sealed == [ERR_LENGTH, "00" * 7, text(bytes(tag_length))]
    assert opened == [ERR_LENGTH, "00" * 7]
