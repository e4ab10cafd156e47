"""What the laboratory knows of a KEM: its vectors, and a second implementation for random keys."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass

from bancada.primitives.primitive import Algorithm

SEED_BYTES = 64
MESSAGE_BYTES = 32
SECRET_BYTES = 32


@dataclass(frozen=True)
class Generation:
    """The random bytes of a pair of keys, and the pair."""

    name: str
    seed: bytes
    encapsulation_key: bytes
    decapsulation_key: bytes


@dataclass(frozen=True)
class Encapsulation:
    """A key and random bytes, the ciphertext and the shared secret. Without a ciphertext the key must be refused."""

    name: str
    encapsulation_key: bytes
    message: bytes
    ciphertext: bytes
    shared_secret: bytes


@dataclass(frozen=True)
class Decapsulation:
    """A key and a ciphertext, and the shared secret."""

    name: str
    decapsulation_key: bytes
    ciphertext: bytes
    shared_secret: bytes


@dataclass(frozen=True, kw_only=True)
class KemAlgorithm(Algorithm):
    """One KEM.

    Its size of key is the number in its name. `vectors` gives the official ones, without `full` some of each kind.
    The second implementation is `generate(seed)`, which gives the encapsulation and the decapsulation key;
    `encapsulate(key, message)`, which gives ciphertext and secret; and `decapsulate(key, ciphertext)`.
    """

    vectors: Callable[[bool], Iterable[Generation | Encapsulation | Decapsulation]]
    generate: Callable[[bytes], tuple[bytes, bytes]]
    encapsulate: Callable[[bytes, bytes], tuple[bytes, bytes]]
    decapsulate: Callable[[bytes, bytes], bytes]

    def has_vectors(self, key_bits: int) -> bool:
        """Whether there is a vector."""
        return any(True for _ in self.vectors(False))
