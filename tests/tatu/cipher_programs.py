"""The driver of the cipher tests, NIST's response files, and independent implementations to hold Tatu against."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import cryptography_vectors
from cryptography.hazmat.primitives.ciphers import Cipher as Reference
from cryptography.hazmat.primitives.ciphers import algorithms, modes

DRIVER = "cipher_driver.c"
PARTS = ("aes", "speck", "modes", "drbg", "entropy", "common")

OK, ERR_LENGTH, ERR_ENTROPY, ERR_EXHAUSTED = 0, -1, -2, -3


@dataclass(frozen=True)
class Block:
    """A block cipher, as the tests know it: its name in the driver is `algorithm`-`variant`."""

    algorithm: str
    variant: str
    key_bytes: int
    block_bytes: int

    @property
    def name(self) -> str:
        return f"{self.algorithm}-{self.variant}"

    def encrypt(self, key: bytes, block: bytes) -> bytes:
        """One block by an implementation that is not Tatu's."""
        if self.algorithm.startswith("aes"):
            return aes_ecb(key, block)
        return speck_encrypt(key, block, word_bits=8 * self.block_bytes // 2)


AES = [Block(f"aes{bits}", v, bits // 8, 16) for bits in (128, 192, 256) for v in ("plain", "ram", "small", "tiny")]
SPECK = [
    Block(f"speck{name}", variant, key_bytes, block_bytes)
    for name, key_bytes, block_bytes in (
        ("128_128", 16, 16),
        ("128_192", 24, 16),
        ("128_256", 32, 16),
        ("64_128", 16, 8),
    )
    for variant in ("plain", "small", "tiny")
]
CIPHERS = AES + SPECK


def aes_ecb(key: bytes, blocks: bytes) -> bytes:
    return Reference(algorithms.AES(key), modes.ECB()).encryptor().update(blocks)


def speck_encrypt(key: bytes, block: bytes, word_bits: int) -> bytes:
    """Speck from the designers' paper (2013), section 4, with the byte order of their Implementation Guide (2019)."""
    size = word_bits // 8
    mask = (1 << word_bits) - 1
    rounds = {(64, 2): 32, (64, 3): 33, (64, 4): 34, (32, 4): 27}[word_bits, len(key) // size]

    def right(word: int, bits: int) -> int:
        return (word >> bits | word << (word_bits - bits)) & mask

    def left(word: int, bits: int) -> int:
        return (word << bits | word >> (word_bits - bits)) & mask

    k, *l = (int.from_bytes(key[i : i + size], "little") for i in range(0, len(key), size))
    y, x = (int.from_bytes(block[i : i + size], "little") for i in (0, size))
    for i in range(rounds):
        x = (right(x, 8) + y & mask) ^ k
        y = left(y, 3) ^ x
        l.append((k + right(l[i], 8) & mask) ^ i)
        k = left(k, 3) ^ l[-1]
    return y.to_bytes(size, "little") + x.to_bytes(size, "little")


def responses(*path: str) -> Iterator[dict[str, str]]:
    """The records of one of NIST's response files; "DIRECTION" is the section they stand in."""
    record: dict[str, str] = {}
    direction = ""
    for line in [*cryptography_vectors.open_vector_file("/".join(("ciphers", *path)), "r"), ""]:
        name, equals, value = line.strip().partition("=")
        if line.startswith("["):
            direction = line.strip().strip("[]")
        elif equals:
            record[name.strip()] = value.strip().lower()
        elif record:
            yield {"DIRECTION": direction, **record}
            record = {}


def hexadecimal(data: bytes) -> str:
    return data.hex() or "-"
