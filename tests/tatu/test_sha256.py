"""SHA-256 against NIST's response files (CAVP) and Python's hashlib."""

from __future__ import annotations

import hashlib
import random
import subprocess
from pathlib import Path

import pytest
from hash_programs import STRICT, TATU_SRC, Driver, hexadecimal, responses


@pytest.fixture(scope="module")
def driver(tmp_path_factory: pytest.TempPathFactory) -> Driver:
    return Driver.build(tmp_path_factory.mktemp("sha256"))


def reference(message: bytes) -> str:
    return hashlib.sha256(message).hexdigest()


@pytest.mark.parametrize("name", ["SHA256ShortMsg.rsp", "SHA256LongMsg.rsp"])
def test_known_answers(driver: Driver, name: str) -> None:
    records = list(responses("SHA2", name))
    assert len(records) >= 64
    messages = [bytes.fromhex(record["Msg"])[: int(record["Len"]) // 8] for record in records]
    assert driver.run(f"sha256 {hexadecimal(message)} 0" for message in messages) == [r["MD"] for r in records]


def test_monte_carlo(driver: Driver) -> None:
    records = list(responses("SHA2", "SHA256Monte.rsp"))
    [answer] = driver.run([f"sha256-monte-carlo {records[0]['Seed']}"])
    assert answer.split() == [record["MD"] for record in records]


@pytest.mark.parametrize("chunk", [0, 1, 3, 63, 64, 65, 128])
def test_every_length_whole_and_in_pieces(driver: Driver, chunk: int) -> None:
    messages = [random.Random(length).randbytes(length) for length in range(301)]
    answers = driver.run(f"sha256 {hexadecimal(message)} {chunk}" for message in messages)
    assert answers == [reference(message) for message in messages]


def test_the_digest_may_be_written_over_the_message(driver: Driver) -> None:
    message = random.Random(180).randbytes(100)
    once = hashlib.sha256(message).digest() + message[32:]
    assert driver.run([f"sha256-in-place {message.hex()}"]) == [reference(once)]


def test_the_length_is_counted_past_32_bits(tmp_path: Path) -> None:
    """4 GiB of message would take too long: the count is set there, and the model's padding tells what it must be."""
    source = tmp_path / "long.c"
    source.write_text(
        """
        #include <stdio.h>
        #include <string.h>
        #include "sha2/sha256_internal.h"
        int main(void)
        {
            struct tatu_sha256 hash, model;
            static const uint8_t bits[8] = {0x00, 0x00, 0x08, 0x08, 0x00, 0x00, 0x00, 0x00};
            uint8_t digest[32];
            tatu_sha256_init(&hash);
            hash.length_bytes[0] = 0xffffffc0u;
            hash.length_bytes[1] = 0x00000100u;
            tatu_sha256_update(&hash, (const uint8_t *)"0123456789abcdef0123456789abcdef"
                                                       "0123456789abcdef0123456789abcdef", 64);
            model = hash;
            tatu_sha256_final(&hash, digest);
            memset(model.block, 0, 64);
            model.block[0] = 0x80;
            memcpy(model.block + 56, bits, 8);
            tatu_internal_sha256_compress(&model, model.block);
            for (int i = 0; i < 8; i++) {
                printf("%02x%02x%02x%02x", digest[4 * i], digest[4 * i + 1], digest[4 * i + 2], digest[4 * i + 3]);
            }
            printf(" ");
            for (int i = 0; i < 8; i++) {
                printf("%08lx", (unsigned long)model.state[i]);
            }
            return 0;
        }
        """
    )
    program = tmp_path / "long"
    sources = [source, *(TATU_SRC / "sha2").glob("*.c"), TATU_SRC / "common" / "wipe.c"]
    subprocess.run(["gcc", *STRICT, f"-I{TATU_SRC}", "-o", str(program), *map(str, sources)], check=True)
    digest, model = subprocess.run([program], capture_output=True, text=True, check=True).stdout.split()
    assert digest == model
