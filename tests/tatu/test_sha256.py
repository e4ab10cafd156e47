"""SHA-256 against NIST's response files (CAVP) and Python's hashlib."""

from __future__ import annotations

import hashlib
import random
import subprocess
from pathlib import Path

import pytest

from tests.tatu.hash_programs import (
    DRIVER,
    HASH_MACHINES,
    PARTS,
    device_message,
    digests_on_device,
    hexadecimal,
    responses,
)
from tests.tatu.machines import HOST_GCC, STRICT, TATU_SRC, Driver, assert_each, driver_on, runs_on

VARIANTS = pytest.mark.parametrize("variant", ["sha256", "sha256-small"])


@pytest.fixture(scope="module")
def driver(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Driver:
    return driver_on(request, DRIVER, PARTS, tmp_path_factory)


def reference(message: bytes) -> str:
    return hashlib.sha256(message).hexdigest()


@runs_on(HOST_GCC, *HASH_MACHINES)
@pytest.mark.parametrize("name", ["SHA256ShortMsg.rsp", "SHA256LongMsg.rsp"])
@VARIANTS
def test_known_answers(driver: Driver, name: str, variant: str) -> None:
    records = list(responses("SHA2", name))
    assert len(records) >= 64
    messages = [bytes.fromhex(record["Msg"])[: int(record["Len"]) // 8] for record in records]
    assert driver.run(f"{variant} {hexadecimal(message)} 0" for message in messages) == [r["MD"] for r in records]


@runs_on(HOST_GCC)
@VARIANTS
def test_monte_carlo(driver: Driver, variant: str) -> None:
    records = list(responses("SHA2", "SHA256Monte.rsp"))
    [answer] = driver.run([f"{variant}-monte-carlo {records[0]['Seed']}"])
    assert answer.split() == [record["MD"] for record in records]


@runs_on(HOST_GCC, *HASH_MACHINES)
@VARIANTS
def test_every_length_whole_and_in_pieces(driver: Driver, variant: str) -> None:
    messages = [random.Random(length).randbytes(length) for length in range(301)]
    expected = [reference(message) for message in messages]
    for chunk in (0, 1, 3, 63, 64, 65, 128):
        answers = driver.run(f"{variant} {hexadecimal(message)} {chunk}" for message in messages)
        assert_each(answers, expected, (f"{length} bytes in pieces of {chunk}" for length in range(301)))


@runs_on(HOST_GCC, *HASH_MACHINES)
@VARIANTS
def test_the_digest_may_be_written_over_the_message(driver: Driver, variant: str) -> None:
    message = random.Random(180).randbytes(100)
    once = hashlib.sha256(message).digest() + message[32:]
    assert driver.run([f"{variant}-in-place {message.hex()}"]) == [reference(once)]


LONG_MESSAGE = """
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "sha2/sha256_internal.h"

static void print(const uint32_t state[8])
{
    for (int i = 0; i < 8; i++) {
        printf("%08lx", (unsigned long)state[i]);
    }
    printf(" ");
}

int main(int count, char **words)
{
    static const uint8_t block[64] = "0123456789abcdef0123456789abcdef";
    struct tatu_sha256 hash, model;
    uint8_t digest[32];

    tatu_sha256_init(&hash);
    hash.length_bytes[1] |= (uint32_t)strtoul(words[1], NULL, 16);
    hash.length_bytes[0] = (uint32_t)strtoul(words[2], NULL, 16);
    tatu_sha256_update(&hash, block, sizeof block);
    model = hash;
    tatu_sha256_final(&hash, digest);
    for (int i = 0; i < 32; i++) {
        printf("%02x", digest[i]);
    }
    printf(" ");
    memset(model.block, 0, 64);
    model.block[0] = 0x80;
    for (int i = 3; i < count; i++) {
        model.block[56 + i - 3] = (uint8_t)strtoul(words[i], NULL, 16);
    }
    tatu_internal_sha256_compress(&model, model.block);
    print(model.state);
    return 0;
}
"""


def test_the_length_is_counted_past_32_bits(tmp_path: Path) -> None:
    """4 GiB of message would take too long: the count is set there, and the padding's last block made by hand."""
    source = tmp_path / "long.c"
    source.write_text(LONG_MESSAGE)
    program = tmp_path / "long"
    sources = [source, *(TATU_SRC / "sha2").rglob("*.c"), TATU_SRC / "common" / "wipe.c"]
    subprocess.run(["gcc", *STRICT, f"-I{TATU_SRC}", "-o", str(program), *map(str, sources)], check=True)
    for before in (0x100_FFFF_FFC0, 0x1_A000_0000, 0x1FFF_FFFF_FFFF_FF80):
        words = [f"{before >> 32:x}", f"{before & 0xFFFF_FFFF:x}"]
        words += [f"{byte:x}" for byte in (8 * (before + 64)).to_bytes(8, "big")]
        done = subprocess.run([program, *words], capture_output=True, text=True, check=True)
        digest, model = done.stdout.split()
        assert digest == model


@pytest.mark.parametrize(
    ("mcu", "flags"), [("atmega328p", ()), ("atmega2560", ()), ("atmega328p", ("-DTATU_PORTABLE",))]
)
@pytest.mark.parametrize("function", ["tatu_sha256", "tatu_sha256_small"])
def test_on_the_device(tmp_path: Path, function: str, mcu: str, flags: tuple[str, ...]) -> None:
    """The assembly, on processors with return addresses of two and of three bytes, and its twin in C."""
    lengths = range(0, 200, 1)
    assert digests_on_device(tmp_path, function, mcu, lengths, *flags) == [
        reference(device_message(length)) for length in lengths
    ]
