"""What the laboratory knows of a signature scheme: keys, vectors, and a second implementation.

Keys and signatures are in the form that contract.h documents.
"""

from __future__ import annotations

import hashlib
import random
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass

from cryptography.hazmat.primitives.asymmetric import utils
from cryptography.hazmat.primitives.hashes import SHA3_256, SHA256

from bancada.primitives.primitive import Algorithm
from bancada.primitives.some_of_each_kind import some_of_each_kind

DIGEST_BYTES = 32

# Wycheproof has up to a hundred vectors for one kind of mistake (its flags). A verification takes millions of
# instructions, so an ordinary run takes some of each kind: all of a kind of no more than the first number; of a larger
# one the second number, evenly spread, and the first of each comment that begins with another word.
_SMALL_KIND = 8
OF_A_LARGE_KIND = 3


@dataclass(frozen=True)
class KeyPair:
    """A private key and its public key, in the contract's form."""

    private: bytes
    public: bytes


@dataclass(frozen=True)
class Verification:
    """A signature, and whether it holds."""

    name: str
    public: bytes
    digest: bytes
    signature: bytes
    valid: bool


@dataclass(frozen=True, kw_only=True)
class SignatureAlgorithm(Algorithm):
    """One signature scheme, for digests of 32 bytes.

    `verifications` gives the official vectors, without `full` some of each kind. The second implementation is
    `key_pair(source)`, `sign(pair, digest, source)`, the same signature whenever it is asked again, and `holds(public,
    digest, signature)`; `sign_as` and `holds_as` take the name that hashlib has for the hash that made the digest.
    `is_unique` says that a digest has only one signature. Where `beginning_bytes` is not 0, a signature comes in
    pieces after so many bytes of it and the message: a vector's digest is then the message. `secret_parts` are the
    secret bytes of a private key, as (offset, length).
    """

    signature_bytes: int
    verifications: Callable[[bool], Iterable[Verification]]
    key_pair: Callable[[random.Random], KeyPair]
    sign_as: Callable[[KeyPair, bytes, random.Random, str], bytes]
    holds_as: Callable[[bytes, bytes, bytes, str], bool]
    secret_parts: tuple[tuple[int, int], ...]
    is_unique: bool = False
    beginning_bytes: int = 0

    def sign(self, pair: KeyPair, digest: bytes, source: random.Random) -> bytes:
        """The signature of a digest that SHA-256 made. `source` gives what is random in it."""
        return self.sign_as(pair, digest, source, "sha256")

    def holds(self, public: bytes, digest: bytes, signature: bytes) -> bool:
        """Whether the second implementation accepts the signature of a digest that SHA-256 made."""
        return self.holds_as(public, digest, signature, "sha256")

    def has_vectors(self, key_bits: int) -> bool:
        """Whether there is a vector."""
        return any(True for _ in self.verifications(False))


def number(data: bytes) -> int:
    """The number that big-endian bytes are."""
    return int.from_bytes(data, "big")


def big_endian(value: int, length: int) -> bytes:
    """A number as so many bytes."""
    return value.to_bytes(length, "big")


def sha256(message: bytes) -> bytes:
    """What is signed of a vector's message."""
    return hashlib.sha256(message).digest()


def prehashed(hash_name: str) -> utils.Prehashed:
    """A digest's hash by hashlib's name, as `cryptography` wants it."""
    return utils.Prehashed({"sha256": SHA256(), "sha3_256": SHA3_256()}[hash_name])


def some_verifications(vectors: Iterable[tuple[str, Verification]], full: bool) -> Iterator[Verification]:
    """All of (kind, vector), or without `full` some of each kind."""

    def how_many(size: int) -> int:
        return size if full or size <= _SMALL_KIND else OF_A_LARGE_KIND

    return some_of_each_kind(((kind, _first_word(vector), vector) for kind, vector in vectors), how_many)


def _first_word(vector: Verification) -> str:
    return vector.name.partition("(")[2].split(" ")[0]
