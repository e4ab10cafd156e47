"""What the laboratory knows of an AEAD: its vectors, and a second implementation for random input."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass

from bancada.primitives.primitive import Algorithm


@dataclass(frozen=True)
class Sealed:
    """A message, what authenticates it, and its ciphertext and tag."""

    name: str
    key: bytes
    nonce: bytes
    associated: bytes
    plaintext: bytes
    ciphertext: bytes
    tag: bytes


# Ciphertext and tag of (key, nonce, associated data, plaintext, bytes of the tag).
Seal = Callable[[bytes, bytes, bytes, bytes, int], tuple[bytes, bytes]]


@dataclass(frozen=True, kw_only=True)
class AeadAlgorithm(Algorithm):
    """One AEAD. `vectors` gives the official vectors for a size of key, `seal` is the second implementation."""

    vectors: Callable[[int], Iterable[Sealed]]
    seal: Seal

    def has_vectors(self, key_bits: int) -> bool:
        """Whether there is a vector for this size of key."""
        return any(True for _ in self.vectors(key_bits))


def parted(sealed: bytes, plaintext: bytes) -> tuple[bytes, bytes]:
    """Ciphertext and tag of what has them one behind the other."""
    return sealed[: len(plaintext)], sealed[len(plaintext) :]
