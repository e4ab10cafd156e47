"""AES-GCM against NIST's CAVP (SP 800-38D) and the PyPI package `cryptography`."""

from __future__ import annotations

import functools
import random
import subprocess
from collections.abc import Iterator, Sequence
from pathlib import Path

import cryptography_vectors
import pytest
from cryptography.hazmat.primitives.ciphers.aead import AESGCM

from tests.tatu.machines import (
    CORTEX_M3,
    CORTEX_M4,
    HOST_GCC,
    PORTABLE,
    TATU_SRC,
    Driver,
    assert_each,
    driver_on,
    runs_on,
)

OK, ERR_LENGTH, ERR_AUTHENTICATION, ERR_STATE = "0", "-1", "-4", "-5"
# Of the kinds of multiplication, the Cortex-M0+ and M3 have the short products, the others the long ones.
MACHINES = (HOST_GCC, *PORTABLE, CORTEX_M3, CORTEX_M4)


@pytest.fixture(scope="module")
def driver(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Driver:
    return driver_on(request, "gcm_driver.c", ("aes", "gcm", "modes", "speck", "common"), tmp_path_factory)


def text(data: bytes) -> str:
    return data.hex() or "-"


@functools.cache
def records(kind: str, bits: int) -> tuple[dict[str, str], ...]:
    """Those with nonces of 12 bytes and tags of 12 or more."""
    found: list[dict[str, str]] = []
    state: dict[str, str] = {}
    for line in cryptography_vectors.open_vector_file(f"ciphers/AES/GCM/gcm{kind}{bits}.rsp", "r"):
        name, _, value = line.strip().strip("[]").partition("=")
        name = name.strip()
        if name == "Count":
            found.append(dict(state))
        elif name and line.startswith("["):
            state[name] = value.strip()
        elif name and found:
            found[-1][name] = value.strip() or "-"
    return tuple(each for each in found if each["IVlen"] == "96" and int(each["Taglen"]) >= 96)


def encrypted(driver: Driver, vectors: Sequence[dict[str, str]]) -> None:
    answers = driver.words(
        f"encrypt {v['Key']} {v['IV']} {v['AAD']} {v['PT']} apart {int(v['Taglen']) // 8}" for v in vectors
    )
    assert answers == [[OK, v["CT"], v["Tag"]] for v in vectors]


def decrypted(driver: Driver, vectors: Sequence[dict[str, str]]) -> None:
    answers = driver.words(f"decrypt {v['Key']} {v['IV']} {v['AAD']} {v['CT']} alias {v['Tag']}" for v in vectors)
    zeros = ["-" if v["CT"] == "-" else "0" * len(v["CT"]) for v in vectors]
    assert answers == [
        [ERR_AUTHENTICATION, none] if "FAIL" in v else [OK, v["PT"]] for v, none in zip(vectors, zeros, strict=True)
    ]


@runs_on(HOST_GCC)
@pytest.mark.parametrize("bits", [128, 192, 256])
def test_nist_vectors(driver: Driver, bits: int) -> None:
    assert len(records("EncryptExtIV", bits)) == len(records("Decrypt", bits)) == 1875
    assert 500 < sum("FAIL" in each for each in records("Decrypt", bits)) < 1300
    encrypted(driver, records("EncryptExtIV", bits))
    decrypted(driver, records("Decrypt", bits))


@runs_on(*MACHINES)
def test_nist_vectors_on_every_machine(driver: Driver) -> None:
    """Every eleventh, so that all lengths and both verdicts are among them."""
    encrypted(driver, [each for bits in (128, 192, 256) for each in records("EncryptExtIV", bits)[::11]])
    decrypted(driver, [each for bits in (128, 192, 256) for each in records("Decrypt", bits)[::11]])


def cases() -> Iterator[tuple[bytes, bytes, bytes, bytes]]:
    """Key, nonce, associated data and message: of every length to 160, then of more blocks than a batch has."""
    source = random.Random(38)
    for length in [*range(161), 1023, 1024, 1025, 1040, 2100]:
        key = source.randbytes(16) + (b"\0" if length % 3 == 1 else source.randbytes(16) if length % 3 == 2 else b"")
        yield key, source.randbytes(12), source.randbytes(source.choice([0, 1, 16, 17, 40])), source.randbytes(length)


@runs_on(*MACHINES)
def test_every_length_agrees_with_cryptography(driver: Driver) -> None:
    sealed = [
        AESGCM(key[:16] if len(key) == 17 else key).encrypt(nonce, message, associated)
        for key, nonce, associated, message in cases()
    ]
    names = [f"{len(message)} bytes" for *_, message in cases()]
    answers = driver.words(f"encrypt {k.hex()} {n.hex()} {text(a)} {text(m)} apart 16" for k, n, a, m in cases())
    assert_each(answers, [[OK, text(each[:-16]), each[-16:].hex()] for each in sealed], names)
    answers = driver.words(
        f"decrypt {k.hex()} {n.hex()} {text(a)} {text(each[:-16])} alias {each[-16:].hex()}"
        for (k, n, a, _), each in zip(cases(), sealed, strict=True)
    )
    assert_each(answers, [[OK, text(message)] for *_, message in cases()], names)


def flipped(data: bytes, bit: int) -> bytes:
    return data[: bit // 8] + bytes([data[bit // 8] ^ 1 << bit % 8]) + data[bit // 8 + 1 :]


@runs_on(HOST_GCC, CORTEX_M4)
def test_every_flipped_bit_is_noticed_and_leaves_zeros(driver: Driver) -> None:
    key, nonce, header = bytes(range(16)), bytes(range(12)), b"header"
    sealed = AESGCM(key).encrypt(nonce, b"a message of 21 bytes", header)
    good = [key, nonce, header, sealed[:-16], sealed[-16:]]
    commands = []
    for number, part in enumerate(good):
        for bit in range(8 * len(part)):
            k, n, a, c, t = [flipped(part, bit) if i == number else each for i, each in enumerate(good)]
            commands.append(f"decrypt {k.hex()} {n.hex()} {a.hex()} {c.hex()} apart {t.hex()}")
    assert driver.words(commands) == [[ERR_AUTHENTICATION, "00" * 21]] * len(commands)


@runs_on(HOST_GCC)
def test_tags_of_other_lengths_are_refused_and_leave_zeros(driver: Driver) -> None:
    call = f"{'00' * 16} {'00' * 12} - {'5a' * 5} apart"
    for length in (0, 4, 8, 11, 17):
        encrypted, decrypted = driver.words([f"encrypt {call} {length}", f"decrypt {call} {text(bytes(length))}"])
        assert encrypted == [ERR_LENGTH, "00" * 5, text(bytes(length))]
        assert decrypted == [ERR_LENGTH, "00" * 5]


@runs_on(HOST_GCC)
def test_a_cipher_of_8_bytes_is_refused(driver: Driver) -> None:
    zeros = "00" * 16
    assert driver.words(["misuse"]) == [[ERR_LENGTH, ERR_STATE, zeros * 2, ERR_STATE, zeros]]


def test_the_header_says_why_avr_has_none(tmp_path: Path) -> None:
    source = tmp_path / "uses_gcm.c"
    source.write_text("#include <tatu/gcm.h>\n")
    command: list[str | Path] = ["avr-gcc", "-mmcu=atmega328p", f"-I{TATU_SRC}", "-c", source, "-o", tmp_path / "x.o"]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode != 0
    assert "Tatu has no GCM for AVR: use tatu/ascon.h, or tatu/ccm.h with AES." in done.stderr
